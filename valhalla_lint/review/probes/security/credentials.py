"""Do the linters find credentials in production code?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("VH101", "VH102", "VH103", "VH104", "VH105", "VH106", "VH107")


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="credentials",
    question="Do the linters find credentials in production code?",
    how=(
        "hits of VH101 to VH107 in production code, vendored files among it; comments that ask for silence are "
        "noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="take the credential out, revoke it, and read it from the environment or a secret store",
)
