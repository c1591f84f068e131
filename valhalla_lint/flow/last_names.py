"""Rows of the catalogue by last names alone: what a method or attribute may be where its object is not known."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.flow.catalogue import ANY, WEAK
from valhalla_lint.flow.entries import REQUEST_CALLS, REQUEST_PARTS
from valhalla_lint.flow.labels import Behaviour

if TYPE_CHECKING:
    from valhalla_lint.flow.catalogue import Catalogue

TYPE_NAME = regex(r"[\w.]+")
"""The classes in the name of a type, such as `list[tarfile.TarInfo]`."""


class ByName(NamedTuple):
    """Rows about methods and attributes by their last name, each with the package of its class.

    calls, sources, attributes: those that come from outside, or give an object of which a part does (of calls by
    qualified names only the last); attributes_of: the same attributes by package. holders: the classes of such objects,
    and those derived from them. holder_words: their last names. giving: all names whose call may give something of
    these. request_parts: what may be asked of a request that comes from outside. request_holders: packages
    of handlers whose request does as a whole.
    """

    sinks: Mapping[str, tuple[tuple[str, Behaviour], ...]]
    calls: frozenset[str]
    sources: Mapping[str, frozenset[str]]
    attributes: Mapping[str, frozenset[str]]
    attributes_of: Mapping[str, frozenset[str]]
    holders: frozenset[str]
    holder_words: frozenset[str]
    giving: frozenset[str]
    request_parts: frozenset[str]
    request_holders: frozenset[str]

    def gives(self, row: Behaviour, *, weak: bool) -> bool:
        """Whether what a row gives is outside, or holds something that is; weak: files and the environment count."""
        if row.source is not None and (weak or row.source not in WEAK):
            return True
        return bool(row.returns) and not self.holders.isdisjoint(TYPE_NAME.findall(row.returns))


@lru_cache(maxsize=8)
def by_name(catalogue: "Catalogue", *, weak: bool) -> ByName:
    """The rows of a catalogue by last names; weak: files and the environment count as outside."""
    holders = {
        owner
        for members in (catalogue.methods, catalogue.attributes)
        for (owner, _), row in members.items()
        if row.source is not None and (weak or row.source not in WEAK)
    }
    while more := {kind for kind, bases in catalogue.bases.items() if kind not in holders and holders & set(bases)}:
        holders |= more
    holders.discard(ANY)
    words = frozenset(kind.rpartition(".")[2] for kind in holders)
    plain = ByName({}, frozenset(), {}, {}, {}, frozenset(holders), words, frozenset(), frozenset(), frozenset())
    sinks: dict[str, list[tuple[str, Behaviour]]] = {}
    sources: dict[str, set[str]] = {}
    attributes: dict[str, set[str]] = {}
    for (kind, name), row in catalogue.methods.items():
        root = kind.partition(".")[0]
        if row.sinks:
            sinks.setdefault(name, []).append((root, row))
        if plain.gives(row, weak=weak):
            sources.setdefault(name, set()).add(root)
    for (kind, name), row in catalogue.attributes.items():
        if plain.gives(row, weak=weak):
            attributes.setdefault(name, set()).add(kind.partition(".")[0])
    for name, roots in held_by_handlers(catalogue).items():
        attributes.setdefault(name, set()).update(roots)
    calls = frozenset(name.rpartition(".")[2] for name, row in catalogue.calls.items() if plain.gives(row, weak=weak))
    attributes_of: dict[str, set[str]] = {}
    for name, several in attributes.items():
        for root in several:
            attributes_of.setdefault(root, set()).add(name)
    return ByName(
        {name: tuple(rows) for name, rows in sinks.items()},
        calls,
        {name: frozenset(roots) for name, roots in sources.items()},
        {name: frozenset(roots) for name, roots in attributes.items()},
        {root: frozenset(names) for root, names in attributes_of.items()},
        plain.holders,
        words,
        calls.union(sources, words),
        REQUEST_PARTS | REQUEST_CALLS | catalogue.request_words | sources.keys() | attributes.keys(),
        frozenset(
            name.partition(".")[0]
            for name, handler in catalogue.handler_bases.items()
            if "request" in handler.attributes
        ),
    )


@lru_cache(maxsize=8)
def held_by_handlers(catalogue: "Catalogue") -> Mapping[str, frozenset[str]]:
    """The attributes in which handler classes hold what comes from outside, each with the packages of those classes."""
    found: dict[str, set[str]] = {}
    for base, handler in catalogue.handler_bases.items():
        for name in handler.attributes - {"request"}:  # of which only some parts come from outside
            found.setdefault(name, set()).add(base.partition(".")[0])
    return {name: frozenset(roots) for name, roots in found.items()}
