"""Are development dependencies declared apart from those of the product?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, unknown, yes_if
from valhalla_lint.review.project import DEVELOPMENT, RUNTIME


def ask(facts: Facts) -> Reply:
    """Look for groups, extras and files for development."""
    if not facts.declared.requirements and not facts.declared.dynamic:
        return not_applicable("no dependency is declared")
    apart = {(item.path, item.label): item for item in facts.declared.of(DEVELOPMENT)}
    places = [facts.cite(item.path, item.line, item.label) for item in apart.values()]
    if not apart and facts.declared.dynamic:
        return unknown(f"it is computed by code ({', '.join(facts.declared.dynamic)})")
    return yes_if(
        places,
        "{n} groups, extras or files of development dependencies",
        "none was found",
        [facts.cite(path) for path in sorted({item.path for item in facts.declared.of(RUNTIME)})],
    )


PROBE = Probe(
    id="split-dependencies",
    question="Are development dependencies declared apart from those of the product?",
    how="dependency groups, extras named dev, test, lint, docs or alike, requirements files named so",
    ask=ask,
    good=Outcome.YES,
    remedy="declare development dependencies as a dependency group or an extra",
)
