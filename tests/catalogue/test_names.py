"""Every row names something that exists: in a pinned wheel of its library, or in the standard library.

Wheels are fetched by pip into a cache folder (`VALHALLA_WHEELS`, else one in the system's temporary folder) and read
member by member; without a network the tests that need one are skipped.
"""

import ast
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from wheels import Cache, Resolver, Sources, accepts, runs_here, signature_allows, takes_receiver

from valhalla_lint.flow.catalogue import PLACES, TARGETED, TARGETS, read_tables, texts_of

TABLES = read_tables()
NOT_EVERYWHERE = {"os.startfile": "Windows", "cgi": "until Python 3.12", "os.lchown": "POSIX", "os.fwalk": "POSIX"}


def folder() -> Path:
    given = os.environ.get("VALHALLA_WHEELS")
    path = Path(given) if given else Path(tempfile.gettempdir()) / "valhalla-lint-wheels"
    path.mkdir(parents=True, exist_ok=True)
    return path


@cache
def sources() -> Sources:
    store = Cache(folder())
    pins = {name: pin for tables in TABLES.values() for name, pin in tables["library"].get("wheels", {}).items()}
    return Sources({name: store.wheel(pin) for name, pin in pins.items()})


@cache
def old_sources() -> Sources:
    """Releases whose names are still in use, though newer ones dropped them."""
    store = Cache(folder())
    pins = {name: pin for tables in TABLES.values() for name, pin in tables["library"].get("old", {}).items()}
    return Sources({name: store.wheel(pin) for name, pin in pins.items()})


def names_of(tables: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any], str]]:
    """Table, key, row and name of everything that rows name."""
    for table, rows in tables.items():
        if table == "library":
            continue
        for row in rows:
            keys: tuple[str, ...] = TARGETS if table in TARGETED else PLACES if table == "handler" else ("name", "base")
            for key in keys:
                for name in texts_of(row.get(key, ())) if table != "alias" else ():
                    yield table, key, row, name
            if table == "alias":
                yield table, "of", row, row["of"]
                yield table, "in", row, row["name"].rpartition(".")[0]
                continue
            for name in texts_of(row.get("bases", ())):
                yield table, "base", row, name
            for key in ("type", "returns"):
                for name in texts_of(row.get(key, ())):
                    yield table, "type", row, inner(name)


def inner(name: str) -> str:
    """The class inside `list[…]`."""
    while name.endswith("]"):
        name = name[name.index("[") + 1 : -1]
    return name


def problems(file: str) -> Iterator[str]:
    tables = TABLES[file]
    library = tables["library"]
    resolver = Resolver(sources())
    pins = library.get("wheels", {})
    for table, key, row, name in {repr(item): item for item in names_of(tables)}.values():
        place = f"{file}: {table} {key} {name}"
        if key in ("last", "registers", "suffix") or name.startswith("*."):
            word = name.removeprefix("*.")
            known = {pin: sources().wheels[pin] for pin in pins if sources().wheels.get(pin)}
            if pins and key != "suffix" and not sources().defines_somewhere(word, known) and not written_anywhere(word):
                yield f"{place}: no function or class of this name in {', '.join(pins)}"
            continue
        if any(name == known or name.startswith(known + ".") for known in NOT_EVERYWHERE) and not runs_here(name):
            continue
        if name.partition(".")[0] in sys.stdlib_module_names or ("." not in name and sources().wheel(name) is None):
            if name == "str":
                continue
            if not library.get("stdlib") and table != "type":
                yield f"{place}: names the standard library in a file of packages"
            found = resolver.resolve(name)
            if found is None:
                yield f"{place}: not in the standard library"
            elif table == "sink":
                yield from wrong_arguments(place, name, row, found.node, runs=found.how == "runs")
            continue
        wheel = sources().wheel(name)
        if wheel is None:
            if pinned(name) in pins:
                continue  # its wheel could not be had: see test_wheels_are_there
            yield f"{place}: no wheel is pinned for it"
            continue
        found = resolver.resolve(name)
        if found is None and old_sources().wheel(name) is not None:
            found = Resolver(old_sources()).resolve(name)
        if found is None:
            yield f"{place}: not defined in {wheel.name}"
        elif table == "sink":
            yield from wrong_arguments(place, name, row, found.node, runs=False)


def pinned(name: str) -> str:
    """The longest prefix of a name for which any file pins a wheel."""
    parts = name.split(".")
    prefixes = [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
    return next((prefix for prefix in prefixes if prefix in sources().wheels), "")


def written_anywhere(word: str) -> bool:
    """Whether the running Python has a class with a method of this name (`pathlib.Path.read_text`)."""
    return any(hasattr(kind, word) for kind in (Path, str, bytes, hashlib.sha256(), date))


def wrong_arguments(
    place: str, name: str, row: Mapping[str, Any], node: ast.AST | None, *, runs: bool
) -> Iterator[str]:
    """Keywords that no function of the row takes, and positions that this one has not."""
    bound = takes_receiver(node)
    for argument in row.get("args", [0]):
        if argument == -1:
            continue
        if runs:
            fits = signature_allows(name, argument if isinstance(argument, str) else argument + int("method" in row))
        else:
            fits = accepts(node, argument, bound=bound)
        if not fits and (isinstance(argument, int) or only_name(row)):
            yield f"{place}: takes no argument {argument!r}"


def only_name(row: Mapping[str, Any]) -> bool:
    """Whether a row speaks of one callable only, so that each of its keywords must be one of that."""
    return all(len(texts_of(row.get(key, "x"))) <= 1 for key in TARGETS)


@pytest.mark.parametrize("file", sorted(file for file, tables in TABLES.items() if tables["library"].get("stdlib")))
def test_names_of_the_standard_library_exist(file: str) -> None:
    own = {"library": {"stdlib": True}}
    rows = dict(TABLES[file])
    found = [
        f"{table} {key} {name}"
        for table, key, _, name in names_of({**rows, **own})
        if name.partition(".")[0] in sys.stdlib_module_names
        and not any(name == known or name.startswith(known + ".") for known in NOT_EVERYWHERE)
        and Resolver(Sources({})).resolve(name) is None
    ]
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(TABLES))
def test_names_exist(file: str) -> None:
    pins = TABLES[file]["library"].get("wheels", {})
    if pins and not any(sources().wheels.get(pin) for pin in pins):
        pytest.skip("no wheels: no network, and none in the cache")
    assert list(problems(file)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "flask.requests",
        "fastapi.FastAPI.gett",
        "torch.loads",
        "numpy.loads",
        "requests.Response.header",
        "transformers.AutoModell.from_pretrained",
    ],
)
def test_misspelt_names_do_not_exist(name: str) -> None:
    if sources().wheel(name) is None:
        pytest.skip("no wheel: no network, and none in the cache")
    assert Resolver(sources()).resolve(name) is None
