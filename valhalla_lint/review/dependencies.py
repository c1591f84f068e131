"""Imports against declarations: what is imported and declared nowhere, what is declared and never imported."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from valhalla_lint.core.evidence import Basis, Figure
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.project import EXTRA, RUNTIME, normal
from valhalla_lint.review.python import Imported
from valhalla_lint.review.tables import table

WORD = re.compile(r"[a-z0-9]+")
TELLING = 4
"""Letters from which a word of a name tells something."""


@dataclass(frozen=True, slots=True)
class Undeclared:
    """An imported top-level name that no declared distribution brings, with its imports."""

    name: str
    places: tuple[tuple[str, Imported], ...]

    @property
    def firm(self) -> tuple[tuple[str, Imported], ...]:
        """The imports that fail where the distribution is absent: not caught, not for type checking only."""
        return tuple((path, item) for path, item in self.places if not item.optional and not item.typing)


def brings(top: str, item: Imported, names: frozenset[str]) -> bool:
    """Whether one of the declared distributions brings an import, by their names and the table."""
    rows = table("distributions")["imports"]
    if normal(top) in names or any(name in names for name in rows.get(top, ())):
        return True
    parts = item.module.split(".") + ([item.name] if item.name else [])
    if any(normal("-".join(parts[:count])) in names for count in range(2, len(parts) + 1)):
        return True
    return top in table("distributions")["namespaces"]["names"] and any(
        name.startswith(f"{normal(top)}-") for name in names
    )


def undeclared(facts: Facts) -> tuple[Undeclared, ...]:
    """Imports that no project file declares, over all tiers, sorted by name."""
    declared = facts.declared.names
    build = frozenset(table("distributions")["build"]["names"])
    found = []
    for top, places in facts.graph.external.items():
        if top in build or normal(top) in facts.declared.own:
            continue
        left = tuple((path, item) for path, item in places if not brings(top, item, declared))
        if left:
            found.append(Undeclared(top, left))
    return tuple(found)


def unseen(facts: Facts) -> Iterator[str]:
    """Declared runtime and extra distributions of which no import was seen under a name that is known for them."""
    rows = table("distributions")["imports"]
    for item in sorted({found.name: found for found in facts.declared.of(RUNTIME, EXTRA)}.values()):
        names = {item.name.replace("-", "_"), item.name.replace("-", "")} | {
            top for top, brought in rows.items() if item.name in brought
        }
        lower = {name.lower().partition(".")[0] for name in names}
        dotted = item.name.replace("-", ".")
        tops = {top.lower() for top in facts.graph.external}
        below = any(full == dotted or full.startswith(f"{dotted}.") for full in facts.imported)
        if (
            tops.isdisjoint(lower)
            and not below
            and item.name not in facts.declared.names & {normal(facts.declared.name)}
        ):
            yield f"{item.name} [{item.group}] {item.path}"


def may_bring(facts: Facts, top: str) -> tuple[str, ...]:
    """Declared distributions without a seen import whose name shares a word with an imported name.

    The table of names is not complete: one of these may well bring the import.
    """
    known = table("distributions")["imports"].get(top)
    if known is not None:
        return ()
    words = {word for word in WORD.findall(top.lower()) if len(word) >= TELLING}
    idle = {line.partition(" ")[0] for line in unseen(facts)}
    return tuple(
        sorted(
            name
            for name in idle
            if any(
                word in name or part in word for word in words for part in WORD.findall(name) if len(part) >= TELLING
            )
        )
    )


def figures(facts: Facts) -> Iterator[Figure]:
    """The rows of the panel about imports and declarations."""
    missing = undeclared(facts)
    tiers = {file.path: file.tier for file in facts.python}
    yield Figure(
        "project.undeclared",
        "Undeclared imports",
        (
            "imported top-level names that are neither Python's, nor the tree's, nor brought by a declared "
            "distribution; by name and a table of exceptions"
        ),
        str(len(missing)),
        (
            f"{sum(any(tiers[path] == 'production' for path, _ in item.firm) for item in missing)} of them firmly "
            "imported by production code"
        ),
        tuple(
            f"{item.name} {item.places[0][0]}:{item.places[0][1].line}{'' if item.firm else ' (absence is caught)'}"
            for item in missing
        ),
        Basis.INFERENCE,
    )
    idle = tuple(unseen(facts))
    yield Figure(
        "project.unseen",
        "Declared, but no import seen",
        (
            "runtime and extra distributions of which no import was seen under a name that is known for them; "
            "plugins, programs and data are among them by right"
        ),
        str(len(idle)),
        "",
        idle,
        Basis.INFERENCE,
    )
    gone = facts.graph.missing
    yield Figure(
        "project.unresolved",
        "Unresolved imports inside the tree",
        (
            "imports below a package of the tree that lead to no file; compiled modules and generated files are "
            "among them by right"
        ),
        str(len({item.name for item in gone})),
        "",
        tuple(f"{item.name} {item.path}:{item.line}{' (absence is caught)' if item.optional else ''}" for item in gone),
    )
    environment = sorted(
        {(read.name, file.path, read.line) for file in facts.python for read in file.environment if read.name}
    )
    yield Figure(
        "project.environment",
        "Environment variables read",
        "constant names read from os.environ or os.getenv, all tiers",
        str(len({name for name, _, _ in environment})),
        f"{sum(not read.name for file in facts.python for read in file.environment)} reads of computed names",
        tuple(f"{name} {path}:{line} [{tiers[path]}]" for name, path, line in environment),
    )
