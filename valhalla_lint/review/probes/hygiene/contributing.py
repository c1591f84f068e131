"""Is there a guide for contributors?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if


def ask(facts: Facts) -> Reply:
    """Look for files of that name."""
    return yes_if(
        [facts.cite(file.path) for file in facts.at_top("contributing") if file.language != "python"],
        "{n} files",
        "no file of that name in the top folder, docs or .github",
    )


PROBE = Probe(
    id="contributing",
    question="Is there a guide for contributors?",
    how="CONTRIBUTING, CODE_OF_CONDUCT, CODEOWNERS, MAINTAINERS or GOVERNANCE in the top folder, docs or .github",
    ask=ask,
    good=Outcome.YES,
    remedy="say how a change is made, tested and accepted",
)
