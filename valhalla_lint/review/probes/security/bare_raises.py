"""Are exceptions of no particular type raised?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at what is raised."""
    total = sum(len(file.raised) for file in facts.production)
    if not total:
        return not_applicable("production code raises nothing")
    found = [
        facts.cite(file.path, line, name)
        for file in facts.production
        for name, line in file.raised
        if name in ("Exception", "BaseException")
    ]
    return yes_if(found, f"{{n}} of {total} raise statements", f"none of {total} raise statements")


PROBE = Probe(
    id="untyped-raises",
    question="Does production code raise plain Exception or BaseException?",
    how="raise statements with one of the two by name",
    ask=ask,
    good=Outcome.NO,
    remedy="raise a type that a caller can catch",
)
