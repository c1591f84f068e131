"""Do the linters find generation parameters from requests that reach an engine without a bound?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, "VH405"), "{n} hits", "no hit")


PROBE = Probe(
    id="generation-parameters",
    question="Do the linters find generation parameters from requests that reach an engine without a bound?",
    how=(
        "hits of VH405 in production code, vendored files among it; "
        "comments that ask for silence are noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="bound lengths, counts and temperatures where the request is read",
)
