"""Do the linters find secrets that reach a log, or redaction that lets some through?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("VH501", "VH502")


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="secrets-logged",
    question="Do the linters find secrets that reach a log, or redaction that lets some through?",
    how=(
        "hits of VH501 and VH502 in production code, vendored files among it; comments that ask for silence are "
        "noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="keep the secret out of the message",
)
