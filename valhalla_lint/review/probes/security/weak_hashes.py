"""Do the linters find weak hashes used for security?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("B324", "B303")


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="weak-hashes",
    question="Do the linters find weak hashes used for security?",
    how=(
        "hits of bandit's B324 and B303 in production code, vendored files among it; "
        "comments that ask for silence are noted, not honoured; a "
        "hash that is no protection wants usedforsecurity=False"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="use SHA-256, or say usedforsecurity=False",
)
