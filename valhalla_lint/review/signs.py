"""Signs of what a code base is built with: imports, calls and names out of one table."""

from functools import lru_cache

from valhalla_lint.core.evidence import Citation
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.python import Imported
from valhalla_lint.review.tables import table


def module_of(item: Imported, key: str) -> str:
    """The module of a row that an import is of, "" where it is of none."""
    full = f"{item.module}.{item.name}" if item.name else item.module
    return next((name for name in table("signs")["modules"][key] if full == name or full.startswith(f"{name}.")), "")


@lru_cache(maxsize=64)
def uses(facts: Facts, key: str) -> tuple[Citation, ...]:
    """Imports and calls in production code of the modules of a row; the note begins with the module."""
    modules = table("signs")["modules"][key]
    found = [
        facts.cite(file.path, item.line, name)
        for file in facts.production
        for item in file.imports
        if not item.typing and item.top in facts.graph.external and (name := module_of(item, key))
    ]
    calls = facts.calls(*(form for name in modules if "." in name for form in (name, f"{name}.*")))
    found.extend(facts.cite(file.path, call.line, call.name) for file, call in calls)
    return tuple(sorted(set(found)))


def named(facts: Facts, key: str) -> tuple[Citation, ...]:
    """Production classes whose name holds a word of a row."""
    words = table("signs")["names"][key]
    return tuple(
        facts.cite(file.path, item.line, item.name)
        for file in facts.production
        for item in file.classes
        if any(word in item.name.lower() for word in words)
    )
