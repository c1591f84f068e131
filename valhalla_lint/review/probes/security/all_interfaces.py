"""Does production code hold the address of all interfaces?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("B104",)


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="all-interfaces",
    question="Does production code hold the address of all interfaces?",
    how=(
        "hits of bandit's B104 (0.0.0.0) in production code, vendored files among it; comments that ask for silence "
        "are noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="let the deployment choose the address",
)
