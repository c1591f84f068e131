"""Does production code run text as code?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("B102", "B307")


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="dynamic-code",
    question="Does production code run text as code?",
    how=(
        "hits of bandit's B102 (exec) and B307 (eval) in production code; comments that ask for silence are noted, "
        "not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="parse the text instead, or look the name up in a table",
)
