"""Does each runtime dependency say which versions are too old?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable, unknown
from valhalla_lint.review.project import RUNTIME


def ask(facts: Facts) -> Reply:
    """Look at the bounds of runtime dependencies."""
    items = facts.declared.of(RUNTIME)
    if not items and facts.declared.dynamic:
        return unknown(f"it is computed by code ({', '.join(facts.declared.dynamic)})")
    if not items:
        return not_applicable("no runtime dependency is declared")
    bounded = {item.name for item in items if item.bounded_below or item.direct}
    loose = {item.name: item for item in items if item.name not in bounded}
    if not loose and facts.declared.dynamic:
        return unknown(f"what is written has one, but some is computed by code ({', '.join(facts.declared.dynamic)})")
    return no_if(
        [facts.cite(item.path, item.line, item.name) for item in loose.values()],
        f"{{n}} of {len({item.name for item in items})} have no lower bound",
        f"all {len(bounded)} have one",
        [facts.cite(item.path, item.line, item.name) for item in items if item.name in bounded],
    )


PROBE = Probe(
    id="lower-bounds",
    question="Does every runtime dependency have a lower bound?",
    how="specifiers with >, >=, ~=, == or a direct reference; a distribution counts once, wherever it is bounded",
    ask=ask,
    good=Outcome.YES,
    remedy="give each dependency the oldest version that the tests pass with",
)
