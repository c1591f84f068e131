"""Do the linters find data loaded by formats that run code?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("VH404", "B301", "B302", "B506", "B614")


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="unsafe-loading",
    question="Do the linters find data loaded by formats that run code?",
    how=(
        "hits of VH404 and of bandit's B301, B302, B506 and B614 (pickle, marshal, yaml.load, torch.load) in "
        "production code; comments that ask for silence are noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="load with the safe option, or keep the data in a format that is only data",
)
