"""Do functions change module-level state?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at `global` statements and changes of module-level containers."""
    if not facts.production:
        return not_applicable("no production code")
    found = [
        facts.cite(file.path, change, f"changes {name} (line {line})")
        for file in facts.production
        for name, line, change in file.globals_changed
    ]
    return yes_if(found, "{n} names", "none")


PROBE = Probe(
    id="global-state",
    question="Do production functions change module-level variables?",
    how=(
        "names bound at module level that a function re-binds by `global`, or lists, dictionaries and sets bound "
        "there that a function changes"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="hand the state to those who need it; where it stays, guard it with a lock",
)
