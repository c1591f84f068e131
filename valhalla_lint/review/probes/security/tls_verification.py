"""Is the check of certificates switched off in production code?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("B501", "B323", "B507")


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="tls-verification",
    question="Is the check of certificates switched off in production code?",
    how=(
        "hits of bandit's B501, B323 and B507 in production code, vendored files among it; "
        "comments that ask for silence are noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="let certificates be checked; give the path of an own authority where one is needed",
)
