"""Does the project define its own exceptions?"""

import builtins
from collections import defaultdict
from collections.abc import Mapping

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at classes derived from exceptions."""
    if not facts.production:
        return not_applicable("no production code")
    classes = [(file, item) for file in facts.production for item in file.classes]
    bases: defaultdict[str, set[str]] = defaultdict(set)
    for _, item in classes:
        bases[item.name].update(base.rpartition(".")[2] for base in item.bases)
    found = [
        facts.cite(file.path, item.line, item.name)
        for file, item in classes
        if not item.name.endswith("Warning") and _is_exception(item.name, bases, frozenset())
    ]
    return yes_if(found, "{n} classes", "none")


def _is_exception(name: str, bases: Mapping[str, set[str]], seen: frozenset[str]) -> bool:
    """Whether a class is an exception: Python's own, one of the tree by its bases, one of others by its name."""
    if name in seen:
        return False
    if name in bases:
        return any(_is_exception(base, bases, seen | {name}) for base in bases[name])
    known = getattr(builtins, name, None)
    if known is not None:
        return isinstance(known, type) and issubclass(known, BaseException)
    return name.endswith(("Exception", "Error"))


PROBE = Probe(
    id="own-exceptions",
    question="Does production code define exceptions of its own?",
    how=(
        "classes that lead through their bases to an exception of Python, or to a class of others named …Exception "
        "or …Error"
    ),
    ask=ask,
)
