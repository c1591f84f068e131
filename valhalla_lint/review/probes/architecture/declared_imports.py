"""Is everything that production code imports declared?"""

from valhalla_lint.core.evidence import Basis, Citation, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.dependencies import may_bring, undeclared
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable, unknown
from valhalla_lint.review.project import RUNTIME

NAMED = 8
"""Names that the reading holds; the places hold all."""


def ask(facts: Facts) -> Reply:
    """Match imports with declared distributions."""
    production = {file.path for file in facts.production}
    external = sum(any(path in production for path, _ in places) for places in facts.graph.external.values())
    if not external:
        return not_applicable("production code imports nothing of others")
    if facts.declared.dynamic and not facts.declared.of(RUNTIME):
        return unknown(f"dependencies are computed by code ({', '.join(facts.declared.dynamic)})")
    open_names: dict[str, tuple[str, ...]] = {}
    places: list[Citation] = []
    for found in undeclared(facts):
        firm = [(path, item) for path, item in found.firm if path in production and not item.late]
        if firm and (others := may_bring(facts, found.name)):
            open_names[found.name] = others
            continue
        places.extend(facts.cite(path, item.line, found.name) for path, item in firm)
    names = sorted({place.note for place in places})
    if open_names and not places:
        told = "; ".join(f"{name}: perhaps {', '.join(others)}" for name, others in sorted(open_names.items()))
        return unknown(f"no declared distribution is known to bring {told}")
    return no_if(
        places,
        f"{len(names)} of {external} are imported at module level and declared nowhere: {', '.join(names[:NAMED])}",
        f"all {external} top-level names are, or their absence is caught, or they are imported late",
    )


PROBE = Probe(
    id="declared-imports",
    question="Is every distribution that production code imports at module level declared in some project file?",
    how=(
        "top-level names of imports against the names of declared distributions and a table of exceptions; imports "
        "whose absence is caught, for type checking, or inside functions do not count; a distribution that only "
        "another one brings is not declared; unknown where one whose import was not seen has a like name"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="declare what is imported, as a dependency or an extra",
    basis=Basis.INFERENCE,
)
