"""Is running out of memory handled?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.signs import uses

TYPES = ("OutOfMemoryError", "MemoryError", "ResourceExhaustedError", "OutOfMemory")


def ask(facts: Facts) -> Reply:
    """Look at handlers and at tests of the message."""
    if not uses(facts, "models"):
        return not_applicable("production code imports no library that runs models")
    found = [
        facts.cite(file.path, handler.line, name)
        for file in facts.production
        for handler in file.handlers
        for name in handler.types
        if name.rpartition(".")[2] in TYPES
    ]
    found += [facts.cite(file.path, line, "tests for the message") for file in facts.production for line in file.memory]
    return yes_if(found, "{n} places", "no handler names it, and no message is tested for it")


PROBE = Probe(
    id="out-of-memory",
    question="Does production code handle running out of memory?",
    how=(
        "except clauses that name OutOfMemoryError, MemoryError or ResourceExhaustedError; comparisons with a text "
        "that says out of memory"
    ),
    ask=ask,
)
