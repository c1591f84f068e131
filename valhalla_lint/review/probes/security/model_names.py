"""Do the linters find model names from outside that are used unproven?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("VH401",)


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="model-names",
    question="Do the linters find model names from outside that are used unproven?",
    how=(
        "hits of VH401 in production code, vendored files among it; comments that ask for silence are noted, not "
        "honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="check the name against a list of known ones",
)
