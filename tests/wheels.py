"""Whether a qualified name is defined in a wheel or in the standard library; nothing of a wheel is imported or run.

A wheel's members are parsed with `ast`. Imports inside a package are followed, also the lazy ones that write their
names into tables; a name that only a compiled module holds counts where it stands in that module as a whole word.
"""

import ast
import importlib
import inspect
import re
import subprocess
import sys
import sysconfig
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

MAX_DEPTH = 24
COMPILED = (".so", ".pyd", ".dylib", ".abi3.so")
PLATFORMS = ("macosx_14_0_arm64", "manylinux1_x86_64")  # the first have no libraries of accelerators: far smaller
PYTHON = "3.11"


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name leads to: a node where there is one, "" or the reason to believe in it otherwise."""

    node: ast.AST | None
    how: str = ""


class Sources:
    """The modules of some wheels, read as text."""

    def __init__(self, wheels: Mapping[str, Path | None]) -> None:
        """wheels: import name -> wheel, None for the standard library."""
        self.wheels = wheels
        self._open: dict[Path, zipfile.ZipFile] = {}
        self._members: dict[Path, frozenset[str]] = {}
        self._trees: dict[str, ast.Module | None] = {}

    def wheel(self, dotted: str) -> Path | None:
        """The wheel whose import name is the longest prefix of a dotted name."""
        parts = dotted.split(".")
        for count in range(len(parts), 0, -1):
            found = self.wheels.get(".".join(parts[:count]))
            if found is not None:
                return found
        return None

    def archive(self, wheel: Path) -> zipfile.ZipFile:
        if wheel not in self._open:
            self._open[wheel] = zipfile.ZipFile(wheel)
            self._members[wheel] = frozenset(self._open[wheel].namelist())
        return self._open[wheel]

    def members(self, wheel: Path) -> frozenset[str]:
        self.archive(wheel)
        return self._members[wheel]

    def texts(self, dotted: str) -> Iterator[str]:
        """The sources of a module: its stub and its code, each if there."""
        base = dotted.replace(".", "/")
        names = [f"{base}/__init__.pyi", f"{base}.pyi", f"{base}/__init__.py", f"{base}.py"]
        wheel = self.wheel(dotted)
        if wheel is None:
            root = Path(sysconfig.get_path("stdlib"))
            for name in names:
                if (root / name).is_file():
                    yield (root / name).read_text(encoding="utf-8")
            return
        prefixes = [""]
        prefixes += sorted(
            {name.split("/purelib/")[0] + "/purelib/" for name in self.members(wheel) if "/purelib/" in name}
        )
        for name in names:
            for prefix in prefixes:
                if prefix + name in self.members(wheel):
                    yield self.archive(wheel).read(prefix + name).decode("utf-8", "replace")

    def tree(self, dotted: str) -> ast.Module | None:
        """The statements of a module, stub and code together; None where there is no such module."""
        if dotted not in self._trees:
            bodies: list[ast.stmt] = []
            found = False
            for text in self.texts(dotted):
                found = True
                try:
                    bodies += ast.parse(text).body
                except SyntaxError:  # written for a newer Python than this one
                    continue
            self._trees[dotted] = ast.Module(bodies, []) if found else None
        return self._trees[dotted]

    def is_package(self, dotted: str) -> bool:
        wheel = self.wheel(dotted)
        base = dotted.replace(".", "/")
        if wheel is None:
            return (Path(sysconfig.get_path("stdlib")) / base).is_dir()
        return any(name.startswith(base + "/") for name in self.members(wheel))

    def compiled(self, dotted: str) -> bytes | None:
        """The bytes of a compiled module, or None."""
        wheel = self.wheel(dotted)
        base = dotted.replace(".", "/")
        if wheel is None:
            return None
        for name in sorted(self.members(wheel)):
            if name.endswith(COMPILED) and name.startswith((base + ".", base + "/__init__.")):
                return self.archive(wheel).read(name)
        return None

    def defines_somewhere(self, word: str, roots: Mapping[str, Path | None]) -> bool:
        """Whether any module of some wheels defines a function, class or attribute of this name."""
        for wheel in roots.values():
            if wheel is None:
                continue
            operation = f'"{word.title().replace("_", "")}"'.encode()
            for name in self.members(wheel):
                if name.endswith("paginators-1.json") and operation in self.archive(wheel).read(name):
                    return True  # a client whose methods are made from a description of the service
                if name.endswith((".py", ".pyi")):
                    text = self.archive(wheel).read(name).decode("utf-8", "replace")
                    if any(f"{kind} {word}{end}" in text for kind in ("def", "class") for end in "(:["):
                        return True
                    if f"\n{word} = " in text or f"self.{word} = " in text:
                        return True
        return False


@dataclass
class Resolver:
    """Follows qualified names through the modules of some sources."""

    sources: Sources
    seen: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)

    def resolve(self, name: str) -> Definition | None:
        """What a qualified name leads to, or None."""
        self.seen.clear()
        parts = name.split(".")
        for count in range(len(parts), 0, -1):
            module = ".".join(parts[:count])
            if self.sources.tree(module) is not None:
                found = self.member(module, parts[count:], MAX_DEPTH)
                if found is not None:
                    return found
            if count < len(parts) and (data := self.sources.compiled(module)) is not None and holds(data, parts[-1]):
                return Definition(None, "compiled")
        return self.at_run_time(parts) if self.sources.wheel(name) is None else None

    @staticmethod
    def at_run_time(parts: list[str]) -> Definition | None:
        """The standard library's compiled modules and builtins, asked themselves."""
        if parts[0] not in sys.stdlib_module_names and parts[0] not in dir(__builtins__):
            import builtins

            if not hasattr(builtins, parts[0]):
                return None
        for count in range(len(parts), -1, -1):
            try:
                value: object = imported(".".join(parts[:count]) or "builtins")
            except ImportError:
                continue
            for part in parts[count:]:
                if not hasattr(value, part):
                    return None
                value = getattr(value, part)
            return Definition(None, "runs")
        return None

    def member(self, module: str, rest: list[str], depth: int) -> Definition | None:
        """What a chain of names means in a module; a question that was asked before leads nowhere new."""
        if (module, tuple(rest)) in self.seen:
            return None
        self.seen.add((module, tuple(rest)))
        tree = self.sources.tree(module)
        if not rest:
            return Definition(tree, "module")
        if tree is None or depth <= 0:
            return None
        word, after = rest[0], rest[1:]
        fallback: Definition | None = None
        stars: list[str] = []
        for statement in statements(tree):
            match statement:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name == word:
                    if not after and not overloads(statement):
                        return Definition(statement)
                    fallback = Definition(None, "overloaded") if not after else fallback
                case ast.ClassDef(name=name) if name == word:
                    found = self.in_class(module, statement, after, depth - 1)
                    if found is not None:
                        return found
                case ast.ImportFrom(names=names):
                    origin = absolute(module, statement, package=self.sources.is_package(module))
                    for item in names:
                        if item.name == "*":
                            stars.append(origin)
                        elif (item.asname or item.name) == word:
                            found = self.resolve_in(origin, [item.name, *after], depth - 1)
                            if found is not None:
                                return found
                case ast.Import(names=names):
                    for item in names:
                        if word == (item.asname or item.name.partition(".")[0]):
                            origin = item.name if item.asname else word
                            found = self.resolve_in(origin, after, depth - 1)
                            if found is not None:
                                return found
                case ast.Assign(targets=targets, value=value):
                    if any(isinstance(target, ast.Name) and target.id == word for target in flat(targets)):
                        found = self.assigned(module, value, after, depth - 1)
                        if found is not None:
                            return found
                case ast.AnnAssign(target=ast.Name(id=name)) if name == word:
                    if not after:
                        return Definition(statement)
                    found = self.expression(module, statement.annotation, after, depth - 1)
                    if found is not None:
                        return found
                case _:
                    pass
        if fallback is not None:
            return fallback
        for origin in stars:
            if origin != module and (found := self.resolve_in(origin, rest, depth - 1)) is not None:
                return found
        submodule = f"{module}.{word}"
        if self.sources.tree(submodule) is not None:
            return self.member(submodule, after, depth - 1)
        return self.lazy(module, tree, rest, depth)

    def lazy(self, module: str, tree: ast.Module, rest: list[str], depth: int) -> Definition | None:
        """Names that a module's `__getattr__` serves from a table of texts."""
        word = rest[0]
        if not any(isinstance(item, ast.Constant) and item.value == word for item in ast.walk(tree)):
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    for text in table_entry(key, value, word):
                        for origin in (text, f"{module}.{text.lstrip('.')}"):
                            target = origin if not origin.startswith(".") else f"{module}{origin}"
                            found = self.resolve_in(target, rest, depth - 1)
                            if found is not None:
                                return found
        serves = any(
            (isinstance(node, ast.FunctionDef) and node.name == "__getattr__")
            or (isinstance(node, ast.Name) and node.id in ("__getattr__", "_LazyModule"))
            for node in ast.walk(tree)
        )
        return Definition(None, "listed") if serves and len(rest) == 1 else None

    def resolve_in(self, module: str, rest: list[str], depth: int) -> Definition | None:
        """A chain of names that starts in a module (or package) of another place."""
        if depth <= 0:
            return None
        if self.sources.tree(module) is not None:
            return self.member(module, rest, depth - 1)
        owner, _, last = module.rpartition(".")
        if owner and self.sources.tree(owner) is not None:
            found = self.member(owner, [last, *rest], depth - 1)
            if found is not None:
                return found
        data = self.sources.compiled(module)
        if data is not None and rest and holds(data, rest[-1]):
            return Definition(None, "compiled")
        if self.sources.wheel(module) is None:
            return self.at_run_time([*module.split("."), *rest])
        return None

    def assigned(self, module: str, value: ast.expr, after: list[str], depth: int) -> Definition | None:
        """What a plain assignment gives: itself, or a member of what it stands for."""
        if not after:
            return self.expression(module, value, after, depth) or Definition(value, "assigned")
        return self.expression(module, value, after, depth)

    def expression(self, module: str, value: ast.expr | None, after: list[str], depth: int) -> Definition | None:
        """A member of what an expression stands for: a name, an attribute, an object made by a call of a class."""
        match value:
            case ast.Name() | ast.Attribute():
                chain = chain_of(value)
                return self.member(module, [*chain, *after], depth - 1) if chain else None
            case ast.Constant(value=str(text)):
                try:
                    return self.expression(module, ast.parse(text, mode="eval").body, after, depth - 1)
                except SyntaxError:
                    return None
            case ast.Call(func=called, args=args) if after:
                found = self.expression(module, called, after, depth - 1)
                if found is not None:
                    return found
                if any(
                    isinstance(node, ast.Constant) and node.value == after[0]
                    for item in args
                    for node in ast.walk(item)
                ):
                    return Definition(value, "named tuple")
                for argument in args:
                    found = self.expression(module, argument, after, depth - 1)
                    if found is not None:
                        return found
                return None
            case ast.Subscript(value=inner, slice=index):
                return self.expression(module, inner, after, depth - 1) or self.expression(
                    module, index, after, depth - 1
                )
            case ast.Tuple(elts=elements):
                for element in elements:
                    found = self.expression(module, element, after, depth - 1)
                    if found is not None:
                        return found
                return None
            case ast.BinOp(left=left, right=right):
                return self.expression(module, left, after, depth - 1) or self.expression(
                    module, right, after, depth - 1
                )
            case _:
                return None

    def in_class(self, module: str, node: ast.ClassDef, after: list[str], depth: int) -> Definition | None:
        """A member of a class: defined in its body, set on self, or inherited."""
        if not after:
            return Definition(node)
        if depth <= 0:
            return None
        word, rest = after[0], after[1:]
        overloaded = False
        for item in (*statements(node), *names_set(node)):
            match item:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) if (
                    name == word
                ):
                    if not overloads(item):
                        return Definition(item) if not rest else None
                    overloaded = True
                case ast.Name(id=name, ctx=ast.Store()) if name == word:
                    return Definition(item)
                case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()) if name == word:
                    return Definition(item)
                case ast.Assign(targets=[ast.Name(id="__slots__")], value=ast.Tuple(elts=elements)) if any(
                    isinstance(element, ast.Constant) and element.value == word for element in elements
                ):
                    return Definition(item)
                case _:
                    pass
        if overloaded:
            return Definition(None, "overloaded")
        if not rest and any(isinstance(item, ast.FunctionDef) and item.name == "__getattr__" for item in node.body):
            texts = [
                item.value for item in ast.walk(node) if isinstance(item, ast.Constant) and isinstance(item.value, str)
            ]
            if any(word in text for text in texts):
                return Definition(None, "served")
        for base in node.bases:
            found = self.expression(module, base, after, depth - 1)
            if found is not None:
                return found
        return None


def holds(data: bytes, word: str) -> bool:
    """Whether a compiled module holds a name by itself, not as a part of a longer one."""
    return re.search(rb"(?<!\w)" + re.escape(word.encode()) + rb"(?!\w)", data) is not None


def overloads(node: ast.AST) -> bool:
    """Whether a function is one of several signatures."""
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(
        chain_of(item)[-1:] == ["overload"] for item in node.decorator_list
    )


def table_entry(key: ast.expr | None, value: ast.expr, word: str) -> Iterator[str]:
    """The module texts that a table of lazy imports gives for a word: {word: module} or {module: [word, …]}."""
    texts = [node.value for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        if key.value == word:
            yield from texts
        elif word in texts:
            yield key.value


def names_set(node: ast.ClassDef) -> Iterator[ast.AST]:
    """What the body of a class binds, and what its methods set on their object."""
    for statement in statements(node):
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            yield from ast.walk(statement)
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (item for item in ast.walk(statement) if isinstance(item, ast.Attribute))


def statements(tree: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    """The statements of a module or class that bind names in it, those inside `if`, `try` and `with` too."""
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        statement = waiting.pop(0)
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With | ast.For):
            for name in ("body", "orelse", "finalbody"):
                waiting += getattr(statement, name, [])
            for handler in getattr(statement, "handlers", []):
                waiting += handler.body


def flat(targets: list[ast.expr]) -> Iterator[ast.expr]:
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            yield from flat(target.elts)
        else:
            yield target


def chain_of(value: ast.expr) -> list[str]:
    """The names of a dotted expression, or none."""
    parts: list[str] = []
    while isinstance(value, ast.Attribute):
        parts.append(value.attr)
        value = value.value
    return [value.id, *reversed(parts)] if isinstance(value, ast.Name) else []


def absolute(module: str, node: ast.ImportFrom, *, package: bool) -> str:
    """The module that an import names."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    base = parts[: len(parts) - node.level + (1 if package else 0)]
    return ".".join([*base, node.module] if node.module else base)


def accepts(node: ast.AST | None, argument: int | str, *, bound: bool) -> bool:
    """Whether a function (or class) takes an argument at a position or by a name; True where that cannot be told.

    bound: the first parameter is filled by the receiver.
    """
    if isinstance(node, ast.ClassDef):
        makers = [
            item for item in node.body if isinstance(item, ast.FunctionDef) and item.name in ("__init__", "__new__")
        ]
        return not makers or any(accepts(maker, argument, bound=True) for maker in makers)
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    args = node.args
    if isinstance(argument, str):
        names = {item.arg for item in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
        return args.kwarg is not None or argument in names
    count = len(args.posonlyargs) + len(args.args) - (1 if bound else 0)
    return argument < 0 or args.vararg is not None or argument < count


def takes_receiver(node: ast.AST | None) -> bool:
    """Whether a method gets its object or class as first parameter."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    names = [item.arg for item in (*node.args.posonlyargs, *node.args.args)]
    return (
        bool(names)
        and names[0] in ("self", "cls", "mcs")
        and not any(isinstance(item, ast.Name) and item.id == "staticmethod" for item in node.decorator_list)
    )


@dataclass
class Cache:
    """Wheels in a folder, fetched by pip where they are missing."""

    folder: Path

    @cached_property
    def pip(self) -> list[str]:
        return [sys.executable, "-m", "pip"]

    def wheel(self, requirement: str) -> Path | None:
        """The wheel of a pinned requirement, or None where it cannot be had."""
        name, _, version = requirement.partition("==")
        stem = name.replace("-", "_").lower()
        for item in self.folder.glob("*.whl"):
            parts = item.name.lower().split("-")
            if parts[0].replace(".", "_") == stem.replace(".", "_") and parts[1] == version:
                return item
        before = set(self.folder.glob("*.whl"))
        for platform in PLATFORMS:
            command = [
                *self.pip,
                "download",
                "--quiet",
                "--no-deps",
                "--only-binary",
                ":all:",
                "--dest",
                str(self.folder),
            ]
            command += ["--python-version", PYTHON, "--implementation", "cp", "--platform", platform, requirement]
            subprocess.run(command, capture_output=True, check=False, timeout=600)
            if new := set(self.folder.glob("*.whl")) - before:
                return new.pop()
        return None


def imported(name: str) -> object:
    """A module of the standard library, also one that is about to leave it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def runs_here(name: str) -> bool:
    """Whether the running Python has a name of the standard library."""
    return Resolver.at_run_time(name.split(".")) is not None


def signature_allows(name: str, argument: int | str) -> bool:
    """Whether a callable of the running Python takes an argument; True where it does not tell."""
    parts = name.split(".")
    for count in range(len(parts), -1, -1):
        try:
            value: object = importlib.import_module(".".join(parts[:count]) or "builtins")
        except ImportError:
            continue
        try:
            for part in parts[count:]:
                value = getattr(value, part)
            parameters = inspect.signature(value).parameters  # type: ignore[arg-type]  # not every value is callable: TypeError below
        except (AttributeError, TypeError, ValueError):
            return True
        kinds = {item.kind for item in parameters.values()}
        if isinstance(argument, str):
            return argument in parameters or inspect.Parameter.VAR_KEYWORD in kinds
        plain = [
            item for item in parameters.values() if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)
        ]
        return argument < 0 or inspect.Parameter.VAR_POSITIONAL in kinds or argument < len(plain)
    return True
