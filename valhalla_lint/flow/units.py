"""Files as flow sees them: their functions and classes by name, and other modules of the project, loaded on demand."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.disk import forgets, remembered
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.project import module_file, project_of
from valhalla_lint.facts.reading import ModuleReader, module_text
from valhalla_lint.flow.shelf import Shelf

MAX_HOPS = 6
"""Re-exports that are followed to find a definition."""
MAX_DOTS = 5
"""Parts of a dotted name that are tried as a module."""
MAX_UP = 6
"""Folders above a file in which its imports are looked for where no project root is known."""
KEPT_TEXT = 1_000_000
"""Characters of the modules of a project that stay in memory: about 70 MB with their trees and facts."""


class Unit:
    """One file: module-level functions and classes, methods of classes."""

    __slots__ = ("classes", "functions", "methods", "methods_by_name", "module")

    def __init__(self, module: Module) -> None:
        """Collect definitions; nothing is interpreted."""
        self.module = module
        self.functions: dict[str, FunctionNode] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.methods: dict[ast.ClassDef, dict[str, FunctionNode]] = {}
        self.methods_by_name: dict[str, list[tuple[ast.ClassDef, FunctionNode]]] = {}
        tree = module.tree
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef):
            for node in module.nodes(kind):
                assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                scope = module.scopes.scope(node)
                if scope is tree:
                    self.functions[node.name] = node
                elif isinstance(scope, ast.ClassDef):
                    self.methods.setdefault(scope, {})[node.name] = node
                    self.methods_by_name.setdefault(node.name, []).append((scope, node))
        for node in module.nodes(ast.ClassDef):
            self.classes.setdefault(node.name, node)

    @property
    def path(self) -> str:
        """The path as findings show it."""
        return self.module.path


@dataclass(frozen=True, slots=True)
class ClassRef:
    """A class of the project."""

    unit: Unit
    node: ast.ClassDef


class Loader:
    """Finds definitions of the project by dotted name; reads each file at most once a run (and once a process)."""

    def __init__(self, main: Unit, settings: Settings, read: ModuleReader) -> None:
        """Nothing is read here. read: gives the texts of other modules."""
        self.main = main
        self.settings = settings
        self._read = read
        self._units: dict[Path, Unit | None] = {}
        self._found: dict[tuple[Unit, str], object] = {}

    def find(
        self, unit: Unit, dotted: str
    ) -> "FunctionNode | ClassRef | Unit | tuple[Unit, ast.expr] | tuple[Unit, FunctionNode] | None":
        """What a dotted name means inside the project: (unit, function), class, module, (unit, assigned expression)."""
        key = (unit, dotted)
        if key not in self._found:
            self._found[key] = self._find(unit, dotted, MAX_HOPS)
        return self._found[key]  # type: ignore[return-value]  # only `_find` writes there

    def exists(self, unit: Unit, dotted: str) -> bool:
        """Whether a dotted name begins with a module of the project; no file is read."""
        parts = dotted.lstrip(".").split(".")
        if dotted.startswith("."):
            return unit.module.source.location is not None
        if parts[0] in sys.stdlib_module_names:
            return False
        return any(
            self._locate(unit, dotted, parts[:size]) is not None for size in range(1, min(len(parts), MAX_DOTS) + 1)
        )

    def _find(self, unit: Unit, dotted: str, hops: int) -> object:
        if hops <= 0 or not dotted:
            return None
        parts = dotted.lstrip(".").split(".")
        if not dotted.startswith(".") and parts[0] in sys.stdlib_module_names:
            return None
        for size in range(len(parts), 0, -1):
            found = self._module(unit, dotted, parts[:size])
            if found is not None:
                return self._inside(found, parts[size:], hops)
        return None

    def _inside(self, unit: Unit, rest: list[str], hops: int) -> object:
        if not rest:
            return unit
        name = rest[0]
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
                return self._find(unit, ".".join([item.target, *rest[1:]]), hops - 1)
        if len(rest) == 1:
            value = unit.module.scopes.sole_value(unit.module.tree, name)
            if value is not None:
                return (unit, value)
        for star in unit.module.names.stars:
            found = self._find(unit, ".".join([star, *rest]), hops - 1)
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
        if self.main.module.source.location == location:
            return self.main
        if location not in self._units:
            self._units[location] = self._load(location)
        return self._units[location]

    def _locate(self, unit: Unit, dotted: str, parts: list[str]) -> Path | None:
        here = unit.module.source.location
        if here is None:
            return None
        if dotted.startswith("."):
            level = len(dotted) - len(dotted.lstrip("."))
            folder = here.parent
            for _ in range(level - 1):
                folder = folder.parent
            return module_file(str(folder), tuple(part for part in parts if part))
        project = unit.module.project
        found = project.find(".".join(parts))
        if found is not None or project.root is not None:
            return found
        return _upward(here.parent, tuple(parts))

    def _load(self, location: Path) -> Unit | None:
        text = self._read(location)
        if text is None:
            return None
        project_of(location).module_name(location)  # facts of a unit that others share lean on it: a look of ours, too
        return _unit(location, self._shown(location), text)

    def _shown(self, location: Path) -> str:
        """The path as findings show it: relative to the same folder as the main file's."""
        here = self.main.module.source
        if here.location is not None and here.location.as_posix().endswith("/" + here.path):
            base = Path(here.location.as_posix().removesuffix("/" + here.path) or "/")
            try:
                return location.relative_to(base).as_posix()
            except ValueError:
                pass
        return location.as_posix()

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


_units: Shelf[Unit] = Shelf(KEPT_TEXT)
forgets(_units.clear)  # a unit knows its project


def _shelf(location: Path, shown: str, text: str) -> list[Unit]:
    """The place of one file's unit (by content) in this process: empty until the file is met."""
    return _units.place((location, shown, text), len(text))


def _unit(location: Path, shown: str, text: str) -> Unit:
    shelf = _shelf(location, shown, text)
    if not shelf:
        shelf.append(Unit(Module(Source(path=shown, text=text, location=location), Settings())))
    return shelf[0]


def unit_of(module: Module) -> Unit:
    """The unit of a file that is checked itself; other files of the run that ask for it need not parse it again.

    A text that a host holds in place of the disk's changes with every keystroke: the units of all its states would pile
    up, and its tree may be used again for the next one.
    """
    source = module.source
    if source.location is None or module.read_module is not module_text:
        return Unit(module)
    shelf = _shelf(source.location, source.path, source.text)
    if not shelf:
        shelf.append(Unit(module))
    return shelf[0] if shelf[0].module is module else Unit(module)


@remembered(16384)
def _upward(folder: Path, parts: tuple[str, ...]) -> Path | None:
    for _ in range(MAX_UP):
        found = module_file(str(folder), parts)
        if found is not None:
            return found
        if folder.parent == folder:
            return None
        folder = folder.parent
    return None
