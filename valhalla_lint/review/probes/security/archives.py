"""Do the linters find archives unpacked without a filter?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("VH204", "B202")


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="archives",
    question="Do the linters find archives unpacked without a filter?",
    how=(
        "hits of VH204 and of bandit's B202 in production code, vendored files among it; comments that ask for "
        "silence are noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy='unpack with filter="data"',
)
