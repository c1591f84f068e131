"""Signs of what a code base is built with: imports, calls and names out of one table."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from valhalla_lint.core.evidence import Citation
from valhalla_lint.facts.tiers import rows
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.files import in_folder, of_class
from valhalla_lint.review.probe import Reply, unknown, yes_if
from valhalla_lint.review.python import Imported
from valhalla_lint.review.tables import table

TYPES = "types"
"""Part of a module's name that holds types only: importing them runs nothing."""


def module_of(item: Imported, key: str) -> str:
    """The module of a row that an import is of, "" where it is of none."""
    full = f"{item.module}.{item.name}" if item.name else item.module
    return next((name for name in table("signs")["modules"][key] if full == name or full.startswith(f"{name}.")), "")


@lru_cache(maxsize=8)
def elsewhere(facts: Facts, languages: str) -> str:
    """Which sources in a class of languages (`serving`, `engine`) were not analysed, "" where there are none.

    Where there are some, that Python code shows nothing is no answer.
    """
    counts = Counter(
        file.language
        for file in facts.files
        if of_class(file.language, languages)
        and not any(in_folder(file, kind) for kind in ("tests", "benchmarks", "examples", "documentation"))
        and not any(rows().vendored_folders(folder) for folder in file.folders)
    )
    return ", ".join(f"{count} files in {language}" for language, count in sorted(counts.items()))


def shown(facts: Facts, languages: str, places: Iterable[Citation], found: str, not_found: str) -> Reply:
    """Yes where there are places; without, no, or unknown where sources in other languages may hold some."""
    reply = yes_if(places, found, not_found)
    others = "" if reply.positive else elsewhere(facts, languages)
    return unknown(f"{not_found} in Python code; {others} were not analysed") if others else reply


@lru_cache(maxsize=64)
def uses(facts: Facts, key: str) -> tuple[Citation, ...]:
    """Imports and calls in production code of the modules of a row; the note begins with the module."""
    modules = table("signs")["modules"][key]
    found = [
        facts.cite(file.path, item.line, name)
        for file in facts.production
        for item in file.imports
        if not item.typing
        and item.top in facts.graph.external
        and TYPES not in item.module.split(".")
        and (name := module_of(item, key))
    ]
    calls = facts.calls(*(form for name in modules if "." in name for form in (name, f"{name}.*")))
    found.extend(facts.cite(file.path, call.line, call.name) for file, call in calls)
    return tuple(sorted(set(found)))


def named(facts: Facts, key: str) -> tuple[Citation, ...]:
    """Production classes and functions whose name holds a word of a row, underscores aside."""
    words = table("signs")["names"][key]
    return tuple(
        facts.cite(file.path, line, name)
        for file in facts.production
        for name, line in (
            *((item.name, item.line) for item in file.classes),
            *((item.name, item.line) for item in file.functions),
        )
        if any(word in name.lower().replace("_", "") for word in words)
    )
