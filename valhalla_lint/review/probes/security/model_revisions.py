"""Do the linters find models fetched from a hub without a fixed revision?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, "VH403"), "{n} hits", "no hit")


PROBE = Probe(
    id="model-revisions",
    question="Do the linters find models fetched from a hub without a fixed revision?",
    how=(
        "hits of VH403 in production code, vendored files among it; "
        "comments that ask for silence are noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="name the revision by its commit",
)
