"""Which modules of a project may give something from outside by themselves, told by their texts: none is parsed for it.

What a function gives without being handed anything comes from a framework's global (`flask.request`), from a call of a
library (`requests.get`), or from the object that it is a method of (`self.request`, the fields of a form). A parameter
that is called `request` is none of these: whoever calls hands it over.
"""

import os
import re
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from valhalla_lint.core.frozen import frozen
from valhalla_lint.core.regex import regex
from valhalla_lint.facts.disk import Memory, remembered
from valhalla_lint.facts.held import world_of
from valhalla_lint.facts.project import project_of
from valhalla_lint.facts.reading import ModuleReader, module_text
from valhalla_lint.flow.catalogue import ANY
from valhalla_lint.flow.last_names import by_name
from valhalla_lint.flow.units import located

if TYPE_CHECKING:
    from valhalla_lint.flow.catalogue import Catalogue

IMPORT = regex(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]+))", re.MULTILINE)
"""A statement that imports: the module and what is taken from it, or the modules."""
TAKEN = regex(r"\b(?!as\b)([A-Za-z_]\w*)(?:[ \t]+as[ \t]+([A-Za-z_]\w*))?")
"""What is taken from a module, and the name that it gets."""
DEFINING = ("\ndef", "\nclass", "\nasync def")
FOLLOWING = "(:[ "
"""What stands before the name that a definition of the module itself defines, and what follows it."""
NEXT = regex(r"^[^\s#)\]}]", re.MULTILINE)
"""Where a statement of the module itself begins."""
REQUEST = ".request"
"""What an object asks of itself whose class, in whatever file that stands, may be a handler's."""
BASES = ("Form", "Handler", "Serializer")
"""Ends of the names of classes from which a project derives its own: what they hold is asked of `self`."""
WORD = regex(r"\w+|\*")
KEPT = 8192
"""Modules of which it is remembered what their texts say."""
KEPT_TEXTS = 16
"""Texts that are kept: about a module several names are asked in a row."""
KEPT_NAMES = 32768
"""Names in modules of which it is remembered whether they lend."""
MAX_HOPS = 3
"""Modules that are looked through for where they have a name from that they hand on."""


@frozen()
class Givers:
    """What stands in the text of a module that gives something from outside by itself.

    of_package: by the package that has to be imported for it, the last names of functions, globals and classes.
    anywhere: names that need no import, and attributes that classes take over from their bases.
    """

    of_package: Mapping[str, frozenset[str]]
    anywhere: tuple[str, ...]


@lru_cache(maxsize=8)
def givers(catalogue: "Catalogue", *, weak: bool) -> Givers:
    """The givers of a catalogue; weak: files, the environment and the command line count as outside."""
    rows = by_name(catalogue, weak=weak)
    named = {name for name, row in catalogue.calls.items() if rows.gives(row, weak=weak)}
    named |= {name for name, kind in catalogue.instances.items() if kind in rows.holders}
    named |= rows.holders | catalogue.handler_bases.keys()
    anywhere = {REQUEST}
    for members in (catalogue.methods, catalogue.attributes):
        for (owner, last), row in members.items():
            if not rows.gives(row, weak=weak):
                continue
            if owner == ANY or owner.endswith(BASES):
                anywhere.add(f".{last}")
            elif "." not in owner or owner not in rows.holders:  # of a module, or of what gives such an object
                named.add(f"{owner}.{last}")
    found: dict[str, set[str]] = {}
    for name in named:
        root, _, rest = name.partition(".")
        if rest:
            found.setdefault(root, set()).add(rest.rpartition(".")[2])
        elif root not in rows.holders:
            anywhere.add(f"{root}(")
    return Givers({root: frozenset(words) for root, words in found.items()}, tuple(sorted(anywhere)))


@frozen()
class Lender:
    """What the text of a module says.

    gives: it may give something from outside by itself. taken: from where it imports what, as words between spaces (it
    may hand that on), and as names there with the names that they get here.
    """

    gives: bool = False
    taken: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = ()


def lends(read: ModuleReader, location: Path, name: str, catalogue: "Catalogue", *, weak: bool) -> bool:
    """Whether what a module calls by a name may give something from outside by itself; not if it cannot be read.

    read: gives the texts of modules. name: defined in the module, or handed on by it; "" is the module. weak: as for
    `givers`. A function or class that calls one of a module that gives something lends as well.
    """
    world = world_of(read)
    if read is module_text:
        read, lender = _text_on_disk, _lender_on_disk
    else:
        lender = partial(_lender if world is None else _lender_of_host, read)
    known = partial(lender, catalogue=catalogue, weak=weak)
    if world is None:
        return _lends(read, known, location, name)
    answer = _lending((world, location, name, catalogue, weak), lambda: _lends(read, known, location, name))
    return bool(answer)


_lending: Memory[tuple[Hashable, ...], bool] = Memory(KEPT_NAMES)


def _lends(read: ModuleReader, known: Callable[[Path], Lender], location: Path, name: str) -> bool:
    wanted = f" {name} "
    waiting, seen = [(location, MAX_HOPS)], {location}
    while waiting:
        place, hops = waiting.pop()
        lender = known(place)
        if lender.gives:
            return True
        if not name or hops <= 0 or not lender.taken:
            continue
        folder, root = os.fspath(place.parent), project_of(place).root
        for module, words, _ in lender.taken:
            found = located(folder, root, module) if wanted in words or "*" in words else None
            if found is not None and found not in seen:
                seen.add(found)
                waiting.append((found, hops - 1))
        if _borrows(known, place, _body_of(read, place, name)):
            return True
    return False


def _borrows(known: Callable[[Path], Lender], place: Path, body: str) -> bool:
    """Whether a word in a definition of a module is a function of a module that may lend, or such a module itself.

    Only the modules that its words come from are looked at: a verdict rests on every module that was.
    """
    folder, root = os.fspath(place.parent), project_of(place).root
    for module, _, names in known(place).taken if body else ():
        used = [original for original, name in names if _holds(body, name)]
        found = located(folder, root, module) if used else None
        if found is None:
            continue
        if known(found).gives:
            return True
        if found.stem == "__init__":
            within = module if module.endswith(".") else f"{module}."
            inner = (located(folder, root, f"{within}{original}") for original in used)
            if any(item is not None and known(item).gives for item in inner):
                return True
    return False


def _holds(text: str, word: str) -> bool:
    """Whether a text holds a whole word."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not any(side == "_" or side.isalnum() for side in (text[start - 1 : start], text[end : end + 1])):
            return True
        start = text.find(word, end)
    return False


def _body_of(read: ModuleReader, place: Path, name: str) -> str:
    """The text of the function or class that a module calls by a name, from there on; "" where it defines no such."""
    text = "\n" + (read(place) or "")
    wanted = f" {name}"  # not a pattern a name: there are thousands of names
    start = text.find(wanted)
    while start >= 0:
        after = start + len(wanted)
        if text[after : after + 1] in FOLLOWING and text.endswith(DEFINING, 0, start):
            end = NEXT.search(text, after)
            return text[after : end.start() if end is not None else len(text)]
        start = text.find(wanted, after)
    return ""


_text_on_disk = remembered(KEPT_TEXTS)(module_text)


@remembered(KEPT)
def _lender_on_disk(location: Path, catalogue: "Catalogue", weak: bool) -> Lender:  # noqa: FBT001 -- part of the key
    return _lender(_text_on_disk, location, catalogue, weak)


_lenders: Memory[tuple[Hashable, Path, "Catalogue", bool], Lender] = Memory(KEPT)


def _lender_of_host(read: ModuleReader, location: Path, catalogue: "Catalogue", weak: bool) -> Lender:  # noqa: FBT001 -- as above
    world = world_of(read)
    if world is None:
        return _lender(read, location, catalogue, weak)
    known = _lenders((world, location, catalogue, weak), lambda: _lender(read, location, catalogue, weak))
    return known if known is not None else Lender()


def _lender(read: ModuleReader, location: Path, catalogue: "Catalogue", weak: bool) -> Lender:  # noqa: FBT001 -- as above
    text = read(location)
    if text is None:
        return Lender()
    wanted = givers(catalogue, weak=weak)
    if any(word in text for word in wanted.anywhere):
        return Lender(gives=True)
    imports = IMPORT.findall(text)
    modules = {name for one, _, several in imports for name in (one, *several.replace(",", " ").split())}
    roots = {name.partition(".")[0] for name in modules} & wanted.of_package.keys()
    # Looking for one word after the other takes a tenth of what a pattern of all takes: most texts hold none.
    if any(_holds(text, word) for root in roots for word in wanted.of_package[root]):
        return Lender(gives=True)
    return Lender(taken=tuple(_taken(module, " ".join(WORD.findall(names))) for module, names, _ in imports if module))


def _taken(module: str, names: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """An import for `Lender.taken`. names: what is taken from the module."""
    pairs = tuple([(original, alias or original) for original, alias in TAKEN.findall(names)])
    return module, f" {names} ", pairs
