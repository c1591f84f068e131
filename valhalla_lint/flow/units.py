"""Files as flow sees them: their functions and classes by name, and other modules of the project, loaded on demand."""

import ast
import os
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, TypeVarTuple

from valhalla_lint.core.frozen import frozen
from valhalla_lint.core.regex import regex
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.disk import NO_LOOKS, Answers, Bundle, Memory, forgets, gathered, note, remembered
from valhalla_lint.facts.held import world_of
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.looks import sign_of
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.parse import LINE_END
from valhalla_lint.facts.project import module_file, project_module, project_of
from valhalla_lint.facts.reading import ModuleReader, module_text
from valhalla_lint.flow.shelf import Shelf

MAX_HOPS = 6
"""Re-exports that are followed to find a definition."""
MAX_DOTS = 5
"""Parts of a dotted name that are tried as a module."""
MAX_UP = 6
"""Folders above a file in which its imports are looked for where no project root is known."""
KEPT_TEXT = 2_200_000
"""Characters of the modules of a project that stay in memory with their trees and facts.

A check of 1.2 million lines then takes 241 MB at most, where three million characters took 268 MB and no less time.
"""
KEPT_NAMES = 32768
"""Names of which it is remembered what they mean."""
STAR = regex(r"import\s*\(?\s*\*")
"""What stands in a module that hands on all names of another."""
Seen = dict[tuple[object, ...], int]
"""Modules whose stars were asked for a name, in vain, each with the re-exports that were left to follow."""
Answer = TypeVar("Answer")
More = TypeVarTuple("More")


class Unit:
    """One file: module-level functions and classes, methods of classes, each collected when first asked for."""

    def __init__(self, module: Module) -> None:
        """Nothing is collected here."""
        self.module = module
        self.answers: dict[object, Any] = {}
        """What functions that are `once_a_unit` have said about the file."""

    @cached_property
    def folder(self) -> str | None:
        """The folder of the file, None for a text without a place."""
        location = self.module.source.location
        return os.path.dirname(location) if location is not None else None  # noqa: PTH120 -- imports are looked up as texts

    def names(self, name: str) -> bool:
        """Whether a name that is no attribute of anything stands in the text; it is not parsed for that."""
        text, size = self.module.text, len(name)
        start = text.find(name)
        while start >= 0:
            before, after = text[start - 1 : start], text[start + size : start + size + 1]
            if before != "." and not any(side and f"a{side}".isidentifier() for side in (before, after)):
                return True
            start = text.find(name, start + size)
        return False

    @property
    def packages(self) -> frozenset[str]:
        """The packages from which the file imports anything."""
        return self.module.packages

    @cached_property
    def has_paths(self) -> bool:
        """Whether the file may hold objects that are paths: it names their class or module."""
        return "Path" in self.module.text or "pathlib" in self.module.text

    @cached_property
    def classes(self) -> Mapping[str, ast.ClassDef]:
        """All classes by name, wherever they stand; the first of a name counts."""
        found: dict[str, ast.ClassDef] = {}
        for node in self.module.nodes(ast.ClassDef):
            found.setdefault(node.name, node)
        return found

    @cached_property
    def functions(self) -> Mapping[str, FunctionNode]:
        """The functions at module level by name; the last of a name counts."""
        return {node.name: node for node, scope in self._defined if scope is self.module.tree}

    @cached_property
    def methods(self) -> Mapping[ast.ClassDef, Mapping[str, FunctionNode]]:
        """The methods of each class by name."""
        found: dict[ast.ClassDef, dict[str, FunctionNode]] = {}
        for node, scope in self._defined:
            if isinstance(scope, ast.ClassDef):
                found.setdefault(scope, {})[node.name] = node
        return found

    @cached_property
    def methods_by_name(self) -> Mapping[str, Sequence[tuple[ast.ClassDef, FunctionNode]]]:
        """The methods of all classes by name."""
        found: dict[str, list[tuple[ast.ClassDef, FunctionNode]]] = {}
        for node, scope in self._defined:
            if isinstance(scope, ast.ClassDef):
                found.setdefault(node.name, []).append((scope, node))
        return found

    @cached_property
    def _defined(self) -> Sequence[tuple[FunctionNode, ast.AST]]:
        scope_of = self.module.scopes.scope
        nodes: tuple[FunctionNode, ...] = (
            *self.module.nodes(ast.FunctionDef),
            *self.module.nodes(ast.AsyncFunctionDef),
        )
        return [(node, scope_of(node)) for node in nodes]

    @property
    def path(self) -> str:
        """The path as findings show it."""
        return self.module.path


def once_a_unit(function: Callable[[Unit, *More], Answer]) -> Callable[[Unit, *More], Answer]:
    """Remember a function's answers about a file as long as the file is kept, and no moment longer.

    Whatever else it is asked with must be hashable.
    """

    @wraps(function)
    def asked(unit: Unit, *more: *More) -> Answer:
        key = (function, more) if more else function
        try:
            known: Answer = unit.answers[key]
        except KeyError:
            known = unit.answers[key] = function(unit, *more)
        return known

    return asked


Part = TypeVar("Part", bound=ast.AST)


def once_a_node(function: Callable[[Unit, Part], Answer]) -> Callable[[Unit, Part], Answer]:
    """Remember a function's answers about nodes of a file: as long as the file is kept, or the node while one types.

    They must depend on nothing but what a node holds.
    """
    question = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def asked(unit: Unit, node: Part) -> Answer:
        kept = unit.module.parsed.kept
        if kept is None:
            return whole(unit, node)
        table = kept.table(question)
        known: Answer | None = table.get(node)
        return table.put(node, function(unit, node)) if known is None else known

    whole = once_a_unit(function)
    return asked


@frozen()
class ClassRef:
    """A class of the project."""

    unit: Unit
    node: ast.ClassDef


def takes_class(node: FunctionNode) -> bool:
    """Whether a function is given its class in its first place by whoever calls it on that: a class method."""
    return any(isinstance(item, ast.Name) and item.id == "classmethod" for item in node.decorator_list)


def is_static(node: FunctionNode) -> bool:
    """Whether a function of a class is given nothing but what its callers hand it: a static method."""
    return any(isinstance(item, ast.Name) and item.id == "staticmethod" for item in node.decorator_list)


class Definition(NamedTuple):
    """Where a definition stands: the file, and its name there (none for the module itself)."""

    location: Path
    names: tuple[str, ...]


def _definition(found: object) -> Definition | None:
    """Where what a loader has found stands. Raises LookupError where the place does not say which one it is."""
    match found:
        case None:
            return None
        case Unit() as unit:
            names: tuple[str, ...] = ()
        case (Unit() as unit, ast.FunctionDef() | ast.AsyncFunctionDef() as node):
            if unit.functions.get(node.name) is not node:
                raise LookupError
            names = (node.name,)
        case ClassRef(unit=unit, node=node):
            names = (node.name,)
        case _:
            raise LookupError
    if unit.module.source.location is None:
        raise LookupError
    return Definition(unit.module.source.location, names)


_definitions: Memory[tuple[Hashable, Definition], Definition | None] = Memory(KEPT_NAMES)


class Loader:
    """Finds definitions of the project by dotted name; reads each file at most once a run (and once a process)."""

    def __init__(self, main: Unit, settings: Settings, read: ModuleReader) -> None:
        """Nothing is read here. read: gives the texts of other modules."""
        self.main = main
        self.settings = settings
        self.read = read
        self.world = world_of(read)
        self._units: Answers[Path, Unit | None] = Answers()
        self._found: Answers[tuple[Unit, str], object] = Answers()
        self._imported: Answers[Unit, frozenset[str]] = Answers()

    @cached_property
    def _main_is_as_read(self) -> bool:
        source = self.main.module.source
        text = module_text(source.location) if source.location is not None else source.text
        return text is not None and (text == source.text or LINE_END.sub("\n", text) == LINE_END.sub("\n", source.text))

    def remembers(self, unit: Unit) -> bool:
        """Whether what a name means in a file is the same for whoever asks, as long as the texts of files are the same.

        It is not where others read the checked file itself in another way, or not at all: one that is too long for it.
        A host sees to it that what rests on a text is remembered as long as that text stands.
        """
        if self.world is None or unit.folder is None:
            return False
        return self.read is not module_text or self._main_is_as_read

    def find(
        self, unit: Unit, dotted: str
    ) -> "FunctionNode | ClassRef | Unit | tuple[Unit, ast.expr] | tuple[Unit, FunctionNode] | None":
        """What a dotted name means inside the project: (unit, function), class, module, (unit, assigned expression)."""
        return self._found((unit, dotted), lambda: self._found_anew(unit, dotted))  # type: ignore[return-value]  # what `_find` gives

    def _found_anew(self, unit: Unit, dotted: str) -> object:
        """What a name means; which definition that is, is remembered beyond the tree that holds it."""
        if not self.remembers(unit):
            return self._find(unit, dotted, MAX_HOPS)
        answers: list[object] = []

        def asked() -> Definition | None:
            answers.append(self._find(unit, dotted, MAX_HOPS))
            return _definition(answers[0])

        start = self.names_of(unit, dotted)
        if start is None:
            return None
        known = _definitions((self.world, start), asked)
        if answers:
            return answers[0]
        if known is None:
            return None
        where = self.at(known.location)
        return self._inside(where, list(known.names), MAX_HOPS) if where is not None else None

    @staticmethod
    def names_of(unit: Unit, dotted: str) -> Definition | None:
        """The file of the longest module of the project that a dotted name begins with, and what follows; not read."""
        return _begun(unit.folder, unit.module.project.root, dotted) if unit.folder is not None else None

    @staticmethod
    def exists(unit: Unit, dotted: str) -> bool:
        """Whether a dotted name begins with a module of the project; no file is read."""
        if unit.folder is None:
            return False
        return dotted.startswith(".") or _exists(unit.folder, unit.module.project.root, dotted)

    def imported(self, unit: Unit) -> frozenset[str]:
        """The names in a file that are bound to modules of the project, or to what stands in them."""
        return self._imported(
            unit,
            lambda: frozenset(
                name
                for name, found in unit.module.names.imports.items()
                if name != "*" and any(self.exists(unit, item.target) for item in found)
            ),
        )

    def _find(self, unit: Unit, dotted: str, hops: int, seen: Seen | None = None) -> object:
        """seen: where this question has led already; modules may hand on one another's names."""
        if hops <= 0 or not dotted:
            return None
        parts = dotted.lstrip(".").split(".")
        if not dotted.startswith(".") and parts[0] in sys.stdlib_module_names:
            return None
        for size in range(len(parts), 0, -1):
            found = self._module(unit, dotted, parts[:size])
            if found is not None:
                return self._inside(found, parts[size:], hops, seen)
        return None

    def _inside(self, unit: Unit, rest: list[str], hops: int, seen: Seen | None = None) -> object:
        if not rest:
            return unit
        name = rest[0]
        if not unit.names(name):
            return self._behind_stars(unit, rest, hops, seen) if STAR.search(unit.module.text) is not None else None
        if name in unit.functions and len(rest) == 1:
            return (unit, unit.functions[name])
        if name in unit.classes:
            ref = ClassRef(unit, unit.classes[name])
            if len(rest) == 1:
                return ref
            method = self.method(ref, rest[1])
            return method if method is not None and len(rest) == 2 else None  # noqa: PLR2004 -- Class.method
        for item in unit.module.names.imports.get(name, ()):
            if item.scope is unit.module.tree:
                return self._find(unit, ".".join([item.target, *rest[1:]]), hops - 1, seen)
        if len(rest) == 1:
            value = unit.module.scopes.sole_value(unit.module.tree, name)
            if value is not None:
                return (unit, value)
        return self._behind_stars(unit, rest, hops, seen)

    def _behind_stars(self, unit: Unit, rest: list[str], hops: int, seen: Seen | None) -> object:
        seen = {} if seen is None else seen
        if seen.get((unit, *rest), 0) >= hops:
            return None
        seen[unit, *rest] = hops
        for star in unit.module.names.stars:
            found = self._find(unit, ".".join([star, *rest]), hops - 1, seen)
            if found is not None:
                return found
        return None

    def _module(self, unit: Unit, dotted: str, parts: list[str]) -> Unit | None:
        location = self._locate(unit, dotted, parts)
        if location is None:
            return None
        return self.at(location)

    def at(self, location: Path) -> Unit | None:
        """The module that a file of the project holds."""
        return self._units(location, lambda: self._load(location))

    def _locate(self, unit: Unit, dotted: str, parts: list[str]) -> Path | None:
        return located(unit.folder, unit.module.project.root, dotted, parts) if unit.folder is not None else None

    def _load(self, location: Path) -> Unit | None:
        if self.main.module.source.location == location:
            self.read(location)  # who is told the same later leans on it
            return self.main
        if self.read is module_text:
            return _on_disk(location, self._shown(location))
        text = self.read(location)
        return None if text is None else _with_text(location, self._shown(location), text)

    def _shown(self, location: Path) -> str:
        """The path as findings show it: relative to the same folder as the main file's."""
        path = location.as_posix()
        return path.removeprefix(self._base) if self._base else path

    @cached_property
    def _base(self) -> str:
        """The folder to which the main file's path is relative, with a `/` at its end; "" where it is not."""
        here = self.main.module.source
        path = here.location.as_posix() if here.location is not None else ""
        return path.removesuffix(here.path) if path.endswith("/" + here.path) else ""

    def bases(self, ref: ClassRef, *, load: bool = True) -> Iterator[ClassRef | str]:
        """The bases of a class: classes of the project, or qualified names of others (of all where load is false)."""
        for base in ref.node.bases:
            expression = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(expression, ast.Name) and expression.id in ref.unit.classes:
                local = ref.unit.classes[expression.id]
                if local is not ref.node:
                    yield ClassRef(ref.unit, local)
                continue
            dotted = ref.unit.module.name(expression)
            if dotted is None:
                continue
            found = self.find(ref.unit, dotted) if load else None
            yield found if isinstance(found, ClassRef) else dotted

    def lineage(self, ref: ClassRef, limit: int = 12, *, load: bool = True) -> Iterator[ClassRef | str]:
        """A class and all its bases, nearest first; other files are read only when they are asked for."""
        seen: list[ClassRef | str] = []
        waiting: list[Iterator[ClassRef | str]] = [iter((ref,))]
        while waiting and len(seen) < limit:
            for item in waiting.pop(0):
                if item in seen:
                    continue
                seen.append(item)
                yield item
                if isinstance(item, ClassRef):
                    waiting.append(self.bases(item, load=load))

    def method(self, ref: ClassRef, name: str) -> tuple[Unit, FunctionNode] | None:
        """A method of a class or of its bases."""
        for item in self.lineage(ref):
            if isinstance(item, ClassRef):
                found = item.unit.methods.get(item.node, {}).get(name)
                if found is not None:
                    return (item.unit, found)
        return None


class Read(NamedTuple):
    """A file as it was read: None where it cannot be, or is not worth it.

    looks: what that rests on. sign: of the file then, "" where it cannot be relied on.
    """

    unit: Unit | None
    looks: Bundle
    sign: str


_files: Shelf[Read] = Shelf(KEPT_TEXT)
forgets(_files.clear)  # a unit knows its project


def _on_disk(location: Path, shown: str) -> Unit | None:
    """The unit of a file as it lies on the disk: its text is read again only where it may have changed."""
    sign = sign_of(os.fspath(location))
    known = _files.get((location, shown))
    if known is None or not sign or known.sign != sign:
        text, looks = gathered(lambda: module_text(location))
        known = _kept(known, location, shown, text, looks, sign)
    project_of(location).module_name(location)  # facts of a unit that others share lean on it: a look of ours, too
    note(known.looks)
    return known.unit


def _with_text(location: Path, shown: str, text: str) -> Unit | None:
    """The unit of a file by a text that a host knows."""
    project_of(location).module_name(location)  # as above
    return _kept(_files.get((location, shown)), location, shown, text, NO_LOOKS, "").unit


def _kept(known: Read | None, location: Path, shown: str, text: str | None, looks: Bundle, sign: str) -> Read:
    """A file with a text: the one that is known, where it has the same; nothing is parsed here."""
    if known is not None and known.unit is not None and known.unit.module.text == text:
        unit: Unit | None = known.unit
    else:
        unit = None if text is None else Unit(Module(Source(path=shown, text=text, location=location), Settings()))
    read = Read(unit, looks, sign)
    _files.put((location, shown), read, len(text or ""))
    return read


def recall(module: Module) -> None:
    """Give a module that will be checked what was found out about it when another file of the run asked for it.

    Not one that a host holds in place of the disk's: its text changes with every keystroke.
    """
    source = module.source
    if module.read_module is not module_text or source.location is None or source.parsed is not None or source.plain:
        return
    known = _files.get((source.location, source.path))
    if known is not None and known.unit is not None and known.unit.module.text == source.text:
        project_of(source.location).module_name(source.location)  # as above
        note(known.looks)
        module.share(known.unit.module)


def located(folder: str, root: Path | None, dotted: str, parts: Sequence[str] | None = None) -> Path | None:
    """The file that a module's name means for a file in a folder. parts: those of the name that count, if not all."""
    if parts is None:
        parts = dotted.lstrip(".").split(".")
    if not dotted.startswith("."):
        return _absolute(folder, root, tuple(parts))
    for _ in range(len(dotted) - len(dotted.lstrip(".")) - 1):
        folder = os.path.dirname(folder)  # noqa: PTH120 -- as texts: imports are looked up thousands of times
    return module_file(folder, tuple(part for part in parts if part))


@remembered(KEPT_NAMES)
def _begun(folder: str, root: Path | None, dotted: str) -> Definition | None:
    """The file of the longest module that a dotted name begins with for a file in a folder, and what follows."""
    parts = dotted.lstrip(".").split(".")
    if not dotted.startswith(".") and parts[0] in sys.stdlib_module_names:
        return None
    for size in range(len(parts), 0, -1):
        found = located(folder, root, dotted, parts[:size])
        if found is not None:
            return Definition(found, tuple(parts[size:]))
    return None


@remembered(KEPT_NAMES)
def _exists(folder: str, root: Path | None, dotted: str) -> bool:
    """Whether an absolute name begins with a module of the project, for a file in a folder."""
    parts = dotted.split(".")
    if parts[0] in sys.stdlib_module_names:
        return False
    return any(_absolute(folder, root, tuple(parts[:size])) for size in range(1, min(len(parts), MAX_DOTS) + 1))


@remembered(32768)
def _absolute(folder: str, root: Path | None, parts: tuple[str, ...]) -> Path | None:
    """The file that an absolute name means for one in a folder: in its project, or else in one of the folders above."""
    if root is not None:
        return project_module(root, ".".join(parts))
    for _ in range(MAX_UP):
        found = module_file(folder, parts)
        if found is not None:
            return found
        above = os.path.dirname(folder)  # noqa: PTH120 -- as above
        if above == folder:
            return None
        folder = above
    return None
