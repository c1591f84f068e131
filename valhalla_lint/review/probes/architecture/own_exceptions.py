"""Does the project define its own exceptions?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at classes derived from exceptions."""
    if not facts.production:
        return not_applicable("no production code")
    found = [
        facts.cite(file.path, item.line, item.name)
        for file in facts.production
        for item in file.classes
        if any(base.rpartition(".")[2].endswith(("Exception", "Error", "Warning")) for base in item.bases)
        and not item.name.endswith("Warning")
    ]
    return yes_if(found, "{n} classes", "none")


PROBE = Probe(
    id="own-exceptions",
    question="Does production code define exceptions of its own?",
    how="classes with a base whose name ends in Exception or Error",
    ask=ask,
)
