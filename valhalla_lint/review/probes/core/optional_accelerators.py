"""Is the absence of accelerator libraries coped with?"""

from valhalla_lint.core.evidence import Citation, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.dependencies import brings
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable
from valhalla_lint.review.project import RUNTIME
from valhalla_lint.review.signs import module_of


def ask(facts: Facts) -> Reply:
    """Look how each accelerator library is imported."""
    runtime = frozenset(item.name for item in facts.declared.of(RUNTIME))
    coped: list[Citation] = []
    hard: list[Citation] = []
    for file in facts.production:
        for item in file.imports:
            name = module_of(item, "accelerators")
            if not name or item.typing or brings(item.top, item, runtime):
                continue
            (coped if item.optional or item.late else hard).append(facts.cite(file.path, item.line, name))
    if not coped and not hard:
        return not_applicable("production code imports no accelerator library beyond its declared runtime dependencies")
    return no_if(
        hard,
        f"{{n}} imports at module level want it there, {len(coped)} do not",
        f"all {len(coped)} imports are inside functions or their absence is caught",
        coped,
    )


PROBE = Probe(
    id="optional-accelerators",
    question=(
        "Are accelerator libraries that are no declared runtime dependency imported so that their absence is coped "
        "with?"
    ),
    how=(
        "imports of flash-attn, xFormers, Triton, DeepSpeed, bitsandbytes, CuPy and their kin: inside a function, "
        "below a test of availability, or in a try that catches ImportError. A module that is itself imported so "
        "still counts as wanting it"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="import it where it is used, and say what is missing",
)
