"""Does production code start shells?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.hits import of_codes
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

CODES = ("B602", "B605", "B609")


def ask(facts: Facts) -> Reply:
    """Look at the hits of the linters."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(of_codes(facts, *CODES), "{n} hits", "no hit")


PROBE = Probe(
    id="shells",
    question="Does production code start shells?",
    how=(
        "hits of bandit's B602, B605 and B609 (shell=True, os.system, wildcards) in production code; comments that "
        "ask for silence are noted, not honoured"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="start the program with a list of arguments",
)
