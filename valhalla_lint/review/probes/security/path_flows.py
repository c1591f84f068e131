"""Do the linters find values from outside that reach paths unproven?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("VH201", "VH202", "VH203")


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="path-flows",
    question="Do the linters find values from outside that reach paths unproven?",
    how=(
        "hits of VH201 to VH203 in production code, vendored files among it; comments that ask for silence are "
        "noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="prove the path to lie below its folder where it is used",
)
