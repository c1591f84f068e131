"""Is input checked by assertions?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at assertions about parameters of public functions."""
    if not facts.production:
        return not_applicable("no production code")
    return yes_if(
        [facts.cite(file.path, line, name) for file in facts.production for line, name in file.asserts],
        "{n} assertions",
        "none",
    )


PROBE = Probe(
    id="assert-validation",
    question="Do public production functions check their parameters by `assert`, which vanishes under -O?",
    how=(
        "assert statements whose test names a parameter of the function around them; functions with a leading "
        "underscore do not count, constructors and other special methods do"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="raise ValueError or TypeError",
)
