"""Who calls whom, over the whole tree: references followed through imports, classes, annotations and assignments.

An edge is there where a name, an annotation or an assignment says what is called. A method of which only the name is
known is followed only where a single family of classes of the tree defines it; such a step is marked. What is looked up
in a table, or handed through a container, is not followed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from valhalla_lint.review.callsites import CALLED, ITEM, LOCAL, Binding, Reference, Site
from valhalla_lint.review.python import Class, Python
from valhalla_lint.review.topology import Modules

DEEPEST = 40
"""References to references that are followed."""
WIDEST = 24
"""Things that one reference may mean; more says nothing."""
COMMON = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int, float, object) for name in dir(kind)
) | frozenset(
    {"close", "flush", "write", "start", "build", "create", "update", "delete", "execute", "process", "handle"}
)
"""Names of methods that say nothing about the class."""
SHORTEST = 5
"""Letters from which the name of a method may tell its class."""


Bindings = Mapping[tuple[str, str, str], list[Binding]]
"""Bindings by path, scope and name."""


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A function, a class or an instance of the tree: path and definition."""

    path: str
    name: str


@dataclass(frozen=True, slots=True, order=True)
class Thing:
    """What a reference means.

    kind: function, class, instance (of it or a class below), super (of that very class), outside (a name of others,
    then `name` is dotted).
    """

    kind: str
    path: str
    name: str


FUNCTION, CLASS, INSTANCE, SUPER, OUTSIDE = "function", "class", "instance", "super", "outside"


@dataclass(frozen=True, slots=True, order=True)
class Call:
    """One edge: from a function to a function of the tree, or to a name of others (then `path` is "")."""

    caller: Spot
    line: int
    path: str
    name: str
    guessed: bool = False


class Callgraph:
    """The calls of a tree, each resolved once."""

    def __init__(self, files: Sequence[Python]) -> None:
        """Index functions, classes and bindings; nothing is followed yet."""
        self._modules = Modules(files)
        self._files = {file.path: file for file in files}
        self._functions = {(file.path, name): line for file in files for name, line in file.flow.functions}
        self._classes: dict[tuple[str, str], Class] = {
            (file.path, item.qualified): item for file in files for item in file.classes
        }
        self._names = _grouped(files, lambda file: file.flow.names)
        self._attributes = _grouped(files, lambda file: file.flow.attributes)
        self._returns = _grouped(files, lambda file: file.flow.returns)
        self._known: dict[tuple[int, tuple[str, str, str]], list[Thing]] = {}
        self._exports: dict[str, dict[str, str]] = {}
        self._stars: defaultdict[str, list[str]] = defaultdict(list)
        for file in files:
            self._exports[file.path] = dict(pair for pair in file.flow.exports if pair[0] != "*")
            self._stars[file.path] = [module for name, module in file.flow.exports if name == "*"]
        self._bases = {key: self._class_bases(key) for key in self._classes}
        self._below: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for key, bases in self._bases.items():
            for base in bases:
                self._below[base].append(key)
        self._owners: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for key, item in sorted(self._classes.items()):
            for method in item.methods:
                self._owners[method].append(key)

    def line(self, spot: Spot) -> int:
        """Where a function of the tree is defined, 0 for a module's top."""
        return self._functions.get((spot.path, spot.name), 0)

    def named(self, dotted: str, attribute: str) -> Spot | None:
        """The function that an entry point `module:function` means."""
        for file in self._modules.files.get(dotted, ()):
            for thing in self._member(file, attribute.split("."), 0):
                if thing.kind == FUNCTION:
                    return Spot(thing.path, thing.name)
        return None

    def methods(self, path: str, line: int) -> list[Spot]:
        """The methods of the class that is defined at a line."""
        return [
            Spot(path, f"{name}.{method}")
            for (home, name), item in self._classes.items()
            if home == path and item.line == line
            for method in item.methods
        ]

    def function_at(self, path: str, line: int) -> list[Spot]:
        """The function that is defined at a line."""
        return [Spot(home, name) for (home, name), at in self._functions.items() if home == path and at == line]

    def around(self, path: str, line: int, *, handed: bool) -> list[Spot]:
        """What a call at a line belongs to: the functions that it is handed, or the function around it."""
        file = self._files[path]
        sites = [site for site in file.flow.sites if site.line == line]
        if handed:
            targets = [
                Spot(thing.path, thing.name)
                for site in sites
                if site.handed
                for thing in self._meant(site.target, file, site.function)
                if thing.kind == FUNCTION
            ]
            if targets:
                return targets
        return [Spot(path, site.function) for site in sites[:1]]

    def calls(self) -> Iterator[Call]:
        """All edges."""
        for file in self._files.values():
            for site in file.flow.sites:
                yield from self._edges(file, site)

    def _edges(self, file: Python, site: Site) -> Iterator[Call]:
        caller = Spot(file.path, site.function)
        meant = self._meant(site.target, file, site.function)
        for thing in meant:
            match thing.kind:
                case "function":
                    yield Call(caller, site.line, thing.path, thing.name)
                case "class" if not site.handed:
                    for method in ("__init__", "__post_init__"):
                        made = self._lookup((thing.path, thing.name), method, exact=True)
                        yield from (Call(caller, site.line, *found) for found in made)
                case "instance" if not site.handed:
                    for method in ("__call__", "forward"):
                        yield from (
                            Call(caller, site.line, *found) for found in self._lookup((thing.path, thing.name), method)
                        )
                case "outside" if not site.handed:
                    yield Call(caller, site.line, "", _outside(thing.name, site.target))
        if not meant and not site.handed and site.target.rest:
            yield from self._by_name(caller, site)

    def _by_name(self, caller: Spot, site: Site) -> Iterator[Call]:
        """The methods of that name, where a single family of classes defines it."""
        name = site.target.rest[-1]
        if name in COMMON or len(name) < SHORTEST or name.startswith("__"):
            return
        owners = self._owners.get(name, [])
        if owners and len(owners) <= WIDEST and self._family(owners):
            for path, owner in owners:
                yield Call(caller, site.line, path, f"{owner}.{name}", guessed=True)

    def _family(self, owners: Sequence[tuple[str, str]]) -> bool:
        """Whether classes all derive from one of them, or from one base of the tree."""
        roots = [set(self._ancestry(owner)) for owner in owners]
        return bool(set.intersection(*roots))

    def _ancestry(self, key: tuple[str, str]) -> list[tuple[str, str]]:
        found = [key]
        for item in found:
            found.extend(base for base in self._bases.get(item, ()) if base not in found)
        return found

    def _lookup(self, key: tuple[str, str], method: str, *, exact: bool = False) -> list[tuple[str, str]]:
        """The methods that a call on an instance may reach: the class's own or inherited one, and those below it.

        exact: whether the class is known to be that very one.
        """
        line = ((path, f"{name}.{method}") for path, name in self._ancestry(key))
        found = [item for item in line if item in self._functions][:1]
        below = [] if exact else list(self._below.get(key, ()))
        for item in below:
            below.extend(other for other in self._below.get(item, ()) if other not in below)
            if (item[0], f"{item[1]}.{method}") in self._functions:
                found.append((item[0], f"{item[1]}.{method}"))
        return found if len(found) <= WIDEST else found[:1]

    def _class_bases(self, key: tuple[str, str]) -> list[tuple[str, str]]:
        file = self._files[key[0]]
        found = []
        for base in self._classes[key].bases:
            local = (file.path, base)
            if local in self._classes and local != key:
                found.append(local)
                continue
            found += [(thing.path, thing.name) for thing in self._absolute(base, file, 0) if thing.kind == CLASS]
        return found

    def _meant(self, target: Reference, file: Python, scope: str, depth: int = 0) -> list[Thing]:
        """What a reference means in a scope of a file."""
        if depth > DEEPEST:
            return []
        things = self._root(target.root, file, scope, depth)
        for part in target.rest:
            after: dict[Thing, None] = {}
            for thing in things:
                after.update(dict.fromkeys(self._part(thing, part, depth)))
            things = list(after)
            if not things or len(things) > WIDEST:
                return []
        return things

    def _root(self, root: str, file: Python, scope: str, depth: int) -> list[Thing]:
        if not root.startswith(LOCAL):
            return self._absolute(root, file, depth)
        name = root[len(LOCAL) :]
        if name in ("self", "cls", "super"):
            owner = self._class_around(file, scope)
            if owner is None:
                return []
            if name == "super":
                return [Thing(SUPER, *base) for base in self._bases.get(owner, ())]
            return [Thing(INSTANCE if name == "self" else CLASS, *owner)]
        inner = scope
        while True:
            qualified = f"{inner}.{name}".lstrip(".")
            if (file.path, qualified) in self._functions:
                return [Thing(FUNCTION, file.path, qualified)]
            if (file.path, qualified) in self._classes:
                return [Thing(CLASS, file.path, qualified)]
            if (file.path, inner, name) in self._names:
                return self._bound(self._names, (file.path, inner, name), depth)
            if not inner:
                return self._absolute(self._exports[file.path].get(name, ""), file, depth)
            inner = inner.rpartition(".")[0]

    def _class_around(self, file: Python, scope: str) -> tuple[str, str] | None:
        while scope:
            if (file.path, scope) in self._classes:
                return file.path, scope
            scope = scope.rpartition(".")[0]
        return None

    def _bound(self, table: Bindings, key: tuple[str, str, str], depth: int) -> list[Thing]:
        """What the bindings of a name, an attribute or a result may hold; each is worked out once.

        What is asked for while it is being worked out (a name bound to itself) adds nothing.
        """
        known = self._known.get((id(table), key))
        if known is not None:
            return known
        self._known[id(table), key] = []
        found: dict[Thing, None] = {}
        for binding in table.get(key, [])[:WIDEST]:
            found.update(dict.fromkeys(self._meant(binding.value, self._files[key[0]], binding.within, depth + 1)))
        self._known[id(table), key] = list(found)
        return list(found)

    def _absolute(self, dotted: str, file: Python, depth: int) -> list[Thing]:
        """What a dotted name means: a member of a module of the tree, or something of others."""
        if not dotted or depth > DEEPEST:
            return []
        parts = dotted.split(".")
        for count in range(len(parts), 0, -1):
            module = self._modules.find(file, ".".join(parts[:count]))
            if module is not None:
                return self._member(module, parts[count:], depth + 1)
        return [] if parts[0] in self._modules.tops else [Thing(OUTSIDE, "", dotted)]

    def _member(self, file: Python, parts: Sequence[str], depth: int) -> list[Thing]:
        """What a name in a module of the tree means, through its own imports too."""
        if not parts or depth > DEEPEST:
            return []
        first = parts[0]
        if (file.path, first) in self._functions:
            found = [Thing(FUNCTION, file.path, first)]
        elif (file.path, first) in self._classes:
            found = [Thing(CLASS, file.path, first)]
        elif (file.path, "", first) in self._names:
            found = self._bound(self._names, (file.path, "", first), depth)
        elif first in self._exports[file.path]:
            return self._absolute(".".join((self._exports[file.path][first], *parts[1:])), file, depth + 1)
        else:
            for star in self._stars[file.path]:
                source = self._modules.find(file, star)
                if source is not None and (through := self._member(source, parts, depth + 1)):
                    return through
            return []
        for part in parts[1:]:
            found = [other for thing in found for other in self._part(thing, part, depth)]
        return found

    def _part(self, thing: Thing, part: str, depth: int) -> list[Thing]:
        """What an attribute, a call or an item of a thing is."""
        if depth > DEEPEST:
            return []
        if thing.kind == OUTSIDE:
            return [thing if part in (CALLED, ITEM) else Thing(OUTSIDE, "", f"{thing.name}.{part}")]
        match thing.kind, part:
            case "function", "()":
                return self._bound(self._returns, (thing.path, thing.name, ""), depth)
            case "class", "()":
                return [Thing(INSTANCE, thing.path, thing.name)]
            case "function", _:  # of a property, an attribute is one of what it gives
                given = self._bound(self._returns, (thing.path, thing.name, ""), depth + 1)
                return [other for value in given if value != thing for other in self._part(value, part, depth + 1)]
            case _, "()" | "[]":
                return []
        key = (thing.path, thing.name)
        methods = self._lookup(key, part, exact=thing.kind in (CLASS, SUPER))
        if methods:
            return [Thing(FUNCTION, *method) for method in methods]
        for path, owner in self._ancestry(key):
            if (path, owner, part) in self._attributes:
                return self._bound(self._attributes, (path, owner, part), depth)
        return []


def _outside(name: str, target: Reference) -> str:
    """The dotted name of a call of others; a call of what a name or an attribute holds is one of that thing."""
    direct = not target.root.startswith(LOCAL) and not target.rest
    same = bool(target.rest) and target.rest[-1] == name.rpartition(".")[2]
    return name if direct or same else f"{name}.__call__"


def _grouped(files: Sequence[Python], of: Callable[[Python], tuple[Binding, ...]]) -> Bindings:
    found: defaultdict[tuple[str, str, str], list[Binding]] = defaultdict(list)
    for file in files:
        for binding in of(file):
            found[file.path, binding.scope, binding.name].append(binding)
    return found
