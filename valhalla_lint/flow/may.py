"""A cheap answer before the exact one: can anything from outside reach anything that matters in a function at all?

Taint is spread over the names of a function, without order, branches or guards, and followed into the functions that it
calls. What the interpreter would report is found here too, at a small part of its cost, so only functions that pass are
interpreted. Methods of unknown objects count only where the package of their class is imported in the file.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.flow.entries import REQUEST_NAMES, Entry, is_public
from valhalla_lint.flow.labels import Behaviour
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.words import words

if TYPE_CHECKING:
    from valhalla_lint.flow.catalogue import Catalogue
    from valhalla_lint.flow.machine import Machine

MAX_DEPTH = 5
"""Calls inside calls that are followed, as by the interpreter."""
CROSSING = 3
"""What a call into another file costs of that depth: reading one is dear, and few flows lead through more than two."""
MAX_TARGETS = 4
"""Methods of one name that are tried where the receiver is not known."""
HARMLESS = frozenset(
    (
        "UUID",
        "bool",
        "callable",
        "float",
        "hasattr",
        "hash",
        "id",
        "int",
        "isinstance",
        "issubclass",
        "len",
        "ord",
        "type",
    )
)
"""Calls whose answer holds nothing of their arguments that could matter."""
CONVERSIONS = frozenset({"UUID", "float", "int"})
"""Calls among those that raise where their argument is no such thing: what comes after them knows that it is one."""
JOINS = frozenset({"Path", "PosixPath", "PurePath", "PurePosixPath", "join", "joinpath"})
PATH_STARTS = ("./", "../", "~/")
CHECKS = frozenset({"commonpath", "commonprefix", "is_relative_to", "relative_to"})
NORMALS = frozenset({"abspath", "join", "normpath", "realpath", "resolve"})
"""A hand-written check of a path asks one of the first, or `startswith` beside one of the second, or names `..`. Where
one stands every parameter is followed, as such checks are judged whatever is checked."""
MUTATORS = (
    "add",
    "append",
    "extend",
    "feed",
    "insert",
    "load",
    "parse",
    "push",
    "put",
    "register",
    "set",
    "update",
    "write",
)
"""How the names of methods begin after which the receiver holds the argument."""
ROOTS_OF_ALL = frozenset({"*", "builtins", "io", "pathlib"})
"""Packages whose objects are at hand without an import."""


@dataclass(frozen=True, slots=True)
class ByName:
    """Rows about methods and attributes by their last name, each with the package of its class."""

    sinks: Mapping[str, tuple[tuple[str, Behaviour], ...]]
    sources: Mapping[str, frozenset[str]]
    attributes: Mapping[str, frozenset[str]]


class _Key:
    """A catalogue as a key: catalogues are kept for the process, so identity is enough."""

    __slots__ = ("catalogue",)

    def __init__(self, catalogue: "Catalogue") -> None:
        self.catalogue = catalogue

    def __hash__(self) -> int:
        return id(self.catalogue)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.catalogue is self.catalogue


@lru_cache(maxsize=8)
def _by_name(key: _Key) -> ByName:
    sinks: dict[str, list[tuple[str, Behaviour]]] = {}
    sources: dict[str, set[str]] = {}
    attributes: dict[str, set[str]] = {}
    for (kind, name), row in key.catalogue.methods.items():
        root = kind.partition(".")[0]
        if row.sinks:
            sinks.setdefault(name, []).append((root, row))
        if row.source is not None:
            sources.setdefault(name, set()).add(root)
    for (kind, name), row in key.catalogue.attributes.items():
        if row.source is not None:
            attributes.setdefault(name, set()).add(kind.partition(".")[0])
    return ByName(
        {name: tuple(rows) for name, rows in sinks.items()},
        {name: frozenset(roots) for name, roots in sources.items()},
        {name: frozenset(roots) for name, roots in attributes.items()},
    )


@dataclass(slots=True, eq=False)
class Outline:
    """One function: which expressions flow into which names, and where values could matter."""

    links: list[tuple[tuple[str, ...], ast.expr]] = field(default_factory=list)
    calls: list[tuple[ast.Call, str]] = field(default_factory=list)
    returns: list[ast.expr] = field(default_factory=list)
    joins: list[ast.expr] = field(default_factory=list)
    texts: list[ast.expr] = field(default_factory=list)
    inner: list[FunctionNode] = field(default_factory=list)
    checks: bool = False
    contains: bool = False


class May:
    """The cheap analysis of one file and of what it calls."""

    def __init__(self, machine: "Machine", *, audit: bool) -> None:
        """Nothing is analysed here."""
        self._machine = machine
        self._audit = audit
        self._outlines: dict[ast.AST, Outline] = {}
        self._known: dict[tuple[ast.AST, frozenset[str], bool, bool], bool] = {}
        self._gives: dict[ast.AST, bool] = {}
        self._named: dict[Unit, dict[str, list[FunctionNode]]] = {}
        self._idle: dict[tuple[ast.AST, frozenset[str]], frozenset[ast.stmt]] = {}
        self._handled = False
        self.abroad = False
        self.puts = False
        """Whether other files are followed to their sinks: only for what is certain to come from outside."""
        self._given: dict[Unit, frozenset[str]] = {}
        self._roots: dict[Unit, frozenset[str]] = {}
        self._rows = _by_name(_Key(machine.catalogue))
        catalogue = machine.catalogue
        self._sink_words = catalogue.words("path") | catalogue.words("model")
        if "generation" in machine.topics:
            self._sink_words |= catalogue.words("generation")
        self._source_words = catalogue.source_words | (catalogue.weak_source_words if audit else frozenset())

    def passes(self, entry: Entry, *, every: bool = False) -> bool:
        """Whether a function that is called from outside is worth interpreting; every: all parameters count."""
        self._handled = entry.handler is not None
        self.puts = False
        self.abroad = self._audit or self._handled or self._certain(entry)
        if self._outline(entry.unit, entry.node).contains:
            return True
        return self.reaches(entry.unit, entry.node, self._start(entry, every=every))

    def _certain(self, entry: Entry) -> bool:
        """Whether a function holds a source of which it is certain that it is outside."""
        if any(arg.arg in REQUEST_NAMES for arg in parameters(entry.node)):
            return True
        outline = self._outline(entry.unit, entry.node)
        return any(self._tainted(entry.unit, expression, set()) for _, expression in outline.links) or any(
            self._tainted(entry.unit, call, set()) for call, _ in outline.calls
        )

    def _start(self, entry: Entry, *, every: bool) -> frozenset[str]:
        """The parameters that may hold something from outside."""
        every = every or entry.handler is not None or self._audit or self._outline(entry.unit, entry.node).checks
        public = is_public(entry)
        return frozenset(
            arg.arg
            for arg in parameters(entry.node)
            if arg.arg not in ("self", "cls") and (every or arg.arg in REQUEST_NAMES or (public and words(arg.arg)))
        )

    def reaches(self, unit: Unit, node: ast.AST, start: frozenset[str], depth: int = MAX_DEPTH) -> bool:
        """Whether something from outside, or one of the given names, may reach something that matters."""
        key = (node, start, self.abroad, self.puts)
        known = self._known.get(key)
        if known is None:
            self._known[key] = False  # a recursive call adds nothing
            known = self._known[key] = self._reaches(unit, node, start, depth)
        return known

    def _reaches(self, unit: Unit, node: ast.AST, start: frozenset[str], depth: int) -> bool:
        outline = self._outline(unit, node)
        names = set(start)
        self._spread(unit, outline, names)
        if any(self._tainted(unit, join, names) for join in outline.joins):
            return True
        # a parameter counts where it is put below something: what a caller opens as it stands is the caller's business
        puts = self.abroad or self.puts or any(self._tainted(unit, text, names) for text in outline.texts)
        for call, last in outline.calls:
            if puts and last in self._sink_words and self._sink(unit, call, last, names):
                return True
        if depth <= 0:
            return False
        before, self.puts = self.puts, puts and not self.abroad
        try:
            return any(self._helper(unit, node, call, last, names, depth) for call, last in outline.calls) or any(
                self.reaches(unit, inner, frozenset(names), depth - 1) for inner in outline.inner
            )
        finally:
            self.puts = before

    # -- one function -------------------------------------------------------------------------------------------

    def _outline(self, unit: Unit, node: ast.AST) -> Outline:
        known = self._outlines.get(node)
        if known is not None:
            return known
        found = self._outlines[node] = Outline()
        links = found.links
        asked: set[str] = set()
        for item in unit.module.index.own(node):
            match item:
                case ast.Assign():
                    links.append((tuple(name for target in item.targets for name in _targets(target)), item.value))
                case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr() if item.value is not None:
                    links.append((tuple(_targets(item.target)), item.value))
                case ast.For() | ast.AsyncFor() | ast.comprehension():
                    links.append((tuple(_targets(item.target)), item.iter))
                case ast.withitem() if item.optional_vars is not None:
                    links.append((tuple(_targets(item.optional_vars)), item.context_expr))
                case ast.Match():
                    captured = (
                        part.name
                        for case in item.cases
                        for part in ast.walk(case.pattern)
                        if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name
                    )
                    links.append((tuple(captured), item.subject))
                case ast.Call():
                    self._outline_call(unit, item, found)
                case ast.Attribute():
                    asked.add(item.attr)
                case ast.Constant(value=".." | "../" | "..\\"):
                    found.checks = True
                case ast.BinOp(op=ast.Div()):
                    found.joins.append(item)
                case ast.BinOp(left=ast.Constant(value=str(text))) if text.startswith(PATH_STARTS):
                    found.joins.append(item)
                case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if text.startswith(PATH_STARTS):
                    found.joins.append(item)
                case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()):
                    found.texts.append(item)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    found.inner.append(item)
                case ast.Return() | ast.Yield() if item.value is not None:
                    found.returns.append(item.value)
                case _:
                    pass
        found.contains = not asked.isdisjoint(CHECKS)
        if found.contains or ("startswith" in asked and not asked.isdisjoint(NORMALS)):
            found.checks = True
        return found

    @staticmethod
    def _outline_call(unit: Unit, item: ast.Call, found: Outline) -> None:
        func = item.func
        if isinstance(func, ast.Name):
            last = func.id
        elif isinstance(func, ast.Attribute):
            last = func.attr
            receiver = tuple(_targets(func.value)) if last.startswith(MUTATORS) else ()
            if receiver and receiver[0] not in unit.module.names.imports:  # `names.append(name)`
                found.links.extend((receiver, argument) for argument in item.args)
                found.links.extend((receiver, keyword.value) for keyword in item.keywords)
            if isinstance(func.value, ast.Constant) and isinstance(func.value.value, str):
                if last == "format" and func.value.value.startswith(PATH_STARTS):
                    found.joins.append(item)
                elif last in ("format", "join"):
                    found.texts.append(item)
                last = "" if last == "join" else last
        else:
            return
        found.calls.append((item, last))
        if last in JOINS:
            found.joins.append(item)

    def _spread(self, unit: Unit, outline: Outline, names: set[str]) -> None:
        """Add every name that something tainted flows into."""
        names |= self._imported_sources(unit)
        pending = [link for link in outline.links if link[0]]
        before = -1
        while before != len(names):
            before = len(names)
            rest = []
            for link in pending:
                if self._tainted(unit, link[1], names):
                    names.update(link[0])
                else:
                    rest.append(link)
            pending = rest

    def _tainted(self, unit: Unit, node: ast.expr, names: set[str]) -> bool:
        """Whether an expression holds one of the names, or a source."""
        stack: list[ast.AST] = [node]
        while stack:
            item = stack.pop()
            match item:
                case ast.Name():
                    if item.id in names or item.id in REQUEST_NAMES:
                        return True
                case ast.Constant() | ast.Lambda() | ast.Compare():
                    pass
                case ast.Attribute():
                    if self._source_attribute(unit, item.attr):
                        return True
                    base = item.value
                    if isinstance(base, ast.Name) and base.id in ("self", "cls"):
                        if f"self.{item.attr}" in names or base.id in names:
                            return True
                    else:
                        stack.append(base)
                case ast.Call(func=ast.Name(id=name)) if name in HARMLESS:
                    pass
                case ast.Call():
                    if self._source_call(unit, item):
                        return True
                    stack.extend(item.args)
                    stack.extend(keyword.value for keyword in item.keywords)
                    stack.append(item.func)
                case _:
                    stack.extend(ast.iter_child_nodes(item))
        return False

    # -- what need not be interpreted ---------------------------------------------------------------------------

    def idle(self, unit: Unit, node: ast.AST, start: frozenset[str]) -> frozenset[ast.stmt]:
        """The statements of a function that change nothing about what is outside, when the given names are.

        They hold nothing tainted, bind no name on which something tainted, a condition on it or an answer depends, and
        let control pass.
        """
        key = (node, start)
        known = self._idle.get(key)
        if known is None:
            known = self._idle[key] = self._find_idle(unit, node, start)
        return known

    def _find_idle(self, unit: Unit, node: ast.AST, start: frozenset[str]) -> frozenset[ast.stmt]:
        outline = self._outline(unit, node)
        tainted = set(start)
        self._spread(unit, outline, tainted)
        cold: list[ast.stmt] = []
        needed = {name for value in outline.returns for name in _reads(value)}
        asking = {
            call
            for call, last in outline.calls
            if last in CONVERSIONS and any(self._tainted(unit, argument, tainted) for argument in call.args)
        }
        for statement in unit.module.index.own(node):
            if not isinstance(statement, ast.stmt):
                continue
            heads = _heads(statement)
            if heads is None:
                needed.update(_reads_itself(statement))
            elif (
                any(self._tainted(unit, head, tainted) for head in heads)
                or _may_leave(statement)
                or (asking and any(part in asking for head in heads for part in ast.walk(head)))
            ):
                needed.update(name for head in heads for name in _reads(head))
            else:
                cold.append(statement)
        cold.sort(key=_inner_first)
        waiting = [link for link in outline.links if link[0]]
        while True:
            waiting = _close(needed, waiting)
            bound = needed | tainted
            quiet: set[ast.stmt] = set()
            for statement in cold:
                if all(item in quiet for item in _inside(statement)) and bound.isdisjoint(_binds(statement)):
                    quiet.add(statement)
            # What is interpreted after all asks its own conditions.
            before = len(needed)
            needed.update(
                name
                for statement in cold
                if statement not in quiet
                for head in _heads(statement) or ()
                for name in _reads(head)
            )
            if len(needed) == before:
                return frozenset(quiet)

    # -- sources and sinks --------------------------------------------------------------------------------------

    def _imported(self, unit: Unit) -> frozenset[str]:
        """The packages from which a file imports anything."""
        known = self._roots.get(unit)
        if known is None:
            found = (item.target.partition(".")[0] for many in unit.module.names.imports.values() for item in many)
            known = self._roots[unit] = ROOTS_OF_ALL.union(found)
        return known

    def _imported_sources(self, unit: Unit) -> frozenset[str]:
        """The names that imports give to what holds something from outside: `from os import environ`."""
        known = self._given.get(unit)
        if known is None:
            attributes = self._machine.catalogue.attributes
            known = self._given[unit] = frozenset(
                name
                for name, many in unit.module.names.imports.items()
                for item in many
                if (row := attributes.get((item.target.rpartition(".")[0], item.target.rpartition(".")[2]))) is not None
                and row.source is not None
            )
        return known

    def _source_attribute(self, unit: Unit, name: str) -> bool:
        if name == "request":
            return True
        roots = self._rows.attributes.get(name)
        return roots is not None and not roots.isdisjoint(self._imported(unit))

    def _source_call(self, unit: Unit, call: ast.Call) -> bool:
        func = call.func
        last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        if last not in self._source_words:
            return self._gives_source(unit, func, last)
        name = unit.module.name(func)
        if name is not None:
            row = self._machine.catalogue.behaviour(name)
            return row is not None and row.source is not None
        roots = self._rows.sources.get(last)
        return roots is not None and not roots.isdisjoint(self._imported(unit))

    def _gives_source(self, unit: Unit, func: ast.expr, last: str) -> bool:
        """Whether a function of the project that is called returns something from outside by itself."""
        named = self._by_name_of(unit)
        if any(self._returns_source(unit, target) for target in named.get(last, ())[:MAX_TARGETS]):
            return True
        if not self._handled or last in named:
            return False
        name = unit.module.name(func)
        if name is None or "." not in name or not self._machine.loader.exists(unit, name):
            return False
        match self._machine.loader.find(unit, name):
            case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as target):
                return self._returns_source(where, target)
            case _:
                return False

    def _by_name_of(self, unit: Unit) -> dict[str, list[FunctionNode]]:
        """All functions of a file, inner ones and methods too, by their names."""
        named = self._named.get(unit)
        if named is None:
            named = self._named[unit] = {}
            for scope in unit.module.index.scopes:
                if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                    named.setdefault(scope.name, []).append(scope)
        return named

    def _returns_source(self, unit: Unit, target: FunctionNode) -> bool:
        known = self._gives.get(target)
        if known is None:
            self._gives[target] = False  # a recursive call adds nothing
            outline = self._outline(unit, target)
            names: set[str] = set()
            self._spread(unit, outline, names)
            known = self._gives[target] = any(self._tainted(unit, value, names) for value in outline.returns)
        return known

    def _sink(self, unit: Unit, call: ast.Call, last: str, names: set[str]) -> bool:
        """Whether something tainted may be a dangerous argument of a call."""
        catalogue = self._machine.catalogue
        name = unit.module.name(call.func)
        row = None
        if name is not None:
            row = catalogue.behaviour(name) or (catalogue.any_method(last) if "." in name else None)
        rows: Iterable[Behaviour]
        if row is not None:
            rows = (row,)
        else:
            if last == "replace" and len(call.args) != 1:
                return False  # of a text, not of a path
            roots = self._imported(unit)
            rows = (each for root, each in self._rows.sinks.get(last, ()) if root in roots)
        return any(
            self._tainted(unit, argument, names)
            for each in rows
            for sink in each.sinks
            for argument in _arguments(call, sink.arguments)
        )

    # -- what is called -----------------------------------------------------------------------------------------

    def _helper(self, unit: Unit, node: ast.AST, call: ast.Call, last: str, names: set[str], depth: int) -> bool:
        """Whether a function of the project that is called takes something tainted to where it matters."""
        hot = [number for number, argument in enumerate(call.args) if self._tainted(unit, argument, names)]
        named = [keyword.arg for keyword in call.keywords if self._tainted(unit, keyword.value, names)]
        if not hot and not named:
            return False
        for where, target, bound in self._targets_of(unit, node, call, last, cross=depth >= CROSSING):
            start = _given(target, hot, named, bound=bound)
            left = depth - (1 if where is unit else CROSSING)
            if start and self.reaches(where, target, start, left):
                return True
        return False

    def _targets_of(
        self, unit: Unit, node: ast.AST, call: ast.Call, last: str, *, cross: bool
    ) -> Iterator[tuple[Unit, FunctionNode, bool]]:
        """The functions of the project that a call may mean, each with whether its first parameter is given already."""
        func = call.func
        loader = self._machine.loader
        if isinstance(func, ast.Name):
            if func.id in unit.functions:
                yield unit, unit.functions[func.id], False
                return
            if func.id in unit.classes:
                yield from self._constructor(ClassRef(unit, unit.classes[func.id]))
                return
            inner = self._by_name_of(unit).get(func.id, ())
            if inner:
                yield from ((unit, target, False) for target in inner[:MAX_TARGETS])
                return
        elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in ("self", "cls"):
            owner = unit.module.scopes.class_of(node)
            method = loader.method(ClassRef(unit, owner), func.attr) if owner is not None else None
            if method is not None:
                yield (*method, True)
                return
        name = unit.module.name(func)
        if name is not None:
            if cross and self.abroad and "." in name and loader.exists(unit, name):
                match loader.find(unit, name):
                    case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as target):
                        yield where, target, False
                    case ClassRef() as ref:
                        yield from self._constructor(ref)
                    case _:
                        pass
            return
        if isinstance(func, ast.Attribute):
            for _, method_node in unit.methods_by_name.get(last, [])[:MAX_TARGETS]:
                yield unit, method_node, True

    def _constructor(self, ref: ClassRef) -> Iterator[tuple[Unit, FunctionNode, bool]]:
        method = self._machine.loader.method(ref, "__init__")
        if method is not None:
            yield (*method, True)


def _targets(node: ast.expr) -> Iterator[str]:
    """The names that an assignment to a target changes; `self.x` counts as a name."""
    stack: list[ast.expr] = [node]
    while stack:
        match stack.pop():
            case ast.Name(id=name):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                yield f"self.{name}"
            case ast.Attribute(value=value) | ast.Subscript(value=value) | ast.Starred(value=value):
                stack.append(value)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                stack.extend(elements)
            case _:
                pass


def _arguments(call: ast.Call, which: tuple[int | str, ...]) -> Iterator[ast.expr]:
    """The expressions that a row's argument list means: -1 is the receiver, no list means all; spread ones always."""
    for item in which:
        if isinstance(item, str):
            yield from (keyword.value for keyword in call.keywords if keyword.arg == item)
        elif item < 0:
            if isinstance(call.func, ast.Attribute):
                yield call.func.value
        elif item < len(call.args):
            yield call.args[item]
    yield from (argument.value for argument in call.args if isinstance(argument, ast.Starred))
    yield from (keyword.value for keyword in call.keywords if keyword.arg is None)
    if not which:
        yield from call.args
        yield from (keyword.value for keyword in call.keywords)


def _given(target: FunctionNode, hot: list[int], named: list[str | None], *, bound: bool) -> frozenset[str]:
    """The parameters that arguments at these positions and keywords become."""
    args = target.args
    plain = [arg.arg for arg in (*args.posonlyargs, *args.args)][1 if bound else 0 :]
    every = {arg.arg for arg in parameters(target)}
    found: set[str] = set()
    for number in hot:
        if number < len(plain):
            found.add(plain[number])
        elif args.vararg is not None:
            found.add(args.vararg.arg)
    for keyword in named:
        if keyword is None:
            found |= every
        elif keyword in every:
            found.add(keyword)
        elif args.kwarg is not None:
            found.add(args.kwarg.arg)
    return frozenset(found)


LEAVING = frozenset({"_exit", "abort", "error", "exit", "fail", "quit"})
"""Names of calls that never come back."""
REFUSING = ("abort", "assert", "check", "ensure", "fail", "raise", "require", "validate", "verify")
"""How the names of functions begin that may raise instead of coming back."""


def _heads(statement: ast.stmt) -> list[ast.expr] | None:
    """The expressions that a statement evaluates itself; None for a statement that always has to be interpreted."""
    match statement:
        case ast.Assign() | ast.AugAssign() | ast.Expr():
            return [statement.value]
        case ast.AnnAssign():
            return [statement.value] if statement.value is not None else []
        case ast.If() | ast.While():
            return [statement.test]
        case ast.For() | ast.AsyncFor():
            return [statement.iter]
        case ast.With() | ast.AsyncWith():
            return [item.context_expr for item in statement.items]
        case ast.Try() | ast.TryStar() | ast.Pass():
            return []
        case _:
            return None


def _inside(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements directly inside a compound one."""
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(statement, name, ())
    for handler in getattr(statement, "handlers", ()):
        yield from handler.body


def _binds(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement itself binds or changes."""
    match statement:
        case ast.Assign():
            for target in statement.targets:
                yield from _targets(target)
        case ast.AnnAssign() | ast.AugAssign() | ast.For() | ast.AsyncFor():
            yield from _targets(statement.target)
        case ast.With() | ast.AsyncWith():
            for item in statement.items:
                if item.optional_vars is not None:
                    yield from _targets(item.optional_vars)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver))):
            yield from _targets(receiver)
        case _:
            pass
    for head in _heads(statement) or ():
        for part in ast.walk(head):
            if isinstance(part, ast.NamedExpr):
                yield from _targets(part.target)


def _reads(node: ast.expr) -> Iterator[str]:
    """The names that an expression reads; `self.x` counts as a name."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in ("self", "cls"):
            yield f"self.{part.attr}"


def _may_leave(statement: ast.stmt) -> bool:
    """Whether a statement is a call after which control may not go on, or waits for a value."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))):
            return name in LEAVING or name.lstrip("_").startswith(REFUSING)
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            return True
        case _:
            return False


def _inner_first(statement: ast.stmt) -> tuple[int, int]:
    """A key that puts inner statements before those that hold them."""
    return -statement.lineno, -statement.col_offset


def _close(needed: set[str], links: list[tuple[tuple[str, ...], ast.expr]]) -> list[tuple[tuple[str, ...], ast.expr]]:
    """Add every name that flows into a needed one; returns the links that did not take part."""
    before = -1
    while before != len(needed):
        before = len(needed)
        rest = []
        for link in links:
            if needed.isdisjoint(link[0]):
                rest.append(link)
            else:
                needed.update(_reads(link[1]))
        links = rest
    return links


def _reads_itself(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement that is always interpreted reads, without those of statements inside it."""
    match statement:
        case ast.Match():
            yield from _reads(statement.subject)
            for case in statement.cases:
                if case.guard is not None:
                    yield from _reads(case.guard)
        case ast.Assert():
            yield from _reads(statement.test)
        case ast.Delete():
            for target in statement.targets:
                yield from _reads(target)
        case ast.Raise() if statement.exc is not None:
            yield from _reads(statement.exc)
        case _:
            pass
