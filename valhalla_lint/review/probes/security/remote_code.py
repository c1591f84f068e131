"""Do the linters find model code fetched from a hub and run?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("VH402",)


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="remote-code",
    question="Do the linters find model code fetched from a hub and run?",
    how=(
        "hits of VH402 (trust_remote_code, torch.hub with a moving revision) in production code; comments that ask "
        "for silence are noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="pin the revision, or do without remote code",
)
