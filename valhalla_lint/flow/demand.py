"""Which functions are worth interpreting: those in which something from outside can reach something that matters."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.entries import REQUEST_NAMES, Entry, handler_of, is_public
from valhalla_lint.flow.secrecy import key_is_secret, secret_name
from valhalla_lint.flow.shown import ANSWERS, LEVELS, answers, shown_by_row
from valhalla_lint.flow.strings import EXTENSION
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.words import pieces, words

if TYPE_CHECKING:
    from valhalla_lint.flow.catalogue import Catalogue
    from valhalla_lint.flow.machine import Machine

CHECK_WORDS = frozenset({"commonprefix", "is_relative_to", "relative_to", "commonpath"})
JOIN_WORDS = frozenset({"join", "joinpath", "Path", "PurePath"})
COMMON_SOURCES = frozenset(
    """get post put patch delete head options name path read key value values url uri text data content body list info
    json query on event view action task resource prompt render form stream media tool api trace receive params
    arguments args parameters recv media environ expose deployment BaseModel Schema Struct View Tool Resource
    content_type authorization files forms filename_ cookies params user_agent base_url referrer host""".split()
)
"""Words that name sources, but say nothing by themselves: what stands before the dot has to be known as well."""
COMMON_SINKS = frozenset(
    """get find add info replace run put input write call image audio video read copy file files edit link file_stream
    dump parse render connect load_state save_state get_data call_ stat serve template remove""".split()
)
"""Words of sinks that most methods of the name are not: they count only where the whole name is known."""
CHECKERS = frozenset("path safe inside within subdir subpath traversal contained".split())
"""Words in the name of a function that checks places."""
ANCHORS = frozenset("tarfile zipfile TarFile ZipFile py7zr SevenZipFile rarfile RarFile UploadFile".split())
SECRET_TEXTS = (
    "os.environ",
    ".headers",
    "getpass",
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "api_key",
    "apikey",
    "credential",
    "authorization",
    "cookie",
    "private_key",
)
"""One of these stands in every file that can show a secret."""
MAX_KEY = 40
MAX_ENTRIES = 2_000
"""Functions of one file that are interpreted; generated files can have ten times as many."""


class Demand:
    """The candidates of one file."""

    def __init__(self, machine: "Machine", unit: Unit, *, audit: bool) -> None:
        """Look at calls and operators by last name only."""
        self.machine = machine
        self.unit = unit
        self.audit = audit
        catalogue = machine.catalogue
        self.sink_words = catalogue.words("path") | catalogue.words("model") | JOIN_WORDS | CHECK_WORDS
        if "generation" in machine.topics:
            self.sink_words |= catalogue.words("generation")
        self.sinks: set[ast.AST] = set()
        self.naming: set[ast.AST] = set()
        self.telling: set[ast.AST] = set()
        self.calls: dict[ast.AST, set[str]] = {}

    def entries(self) -> Iterator[Entry]:
        """The functions to interpret, in the order of the file."""
        self._find_sinks()
        if not self.sinks and not self._imports_project():
            return
        carrying = self._carrying()
        count = 0
        for scope in self.unit.module.index.scopes:
            if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            has_sink = scope in self.sinks
            if not has_sink and not (self.calls.get(scope, set()) & carrying):
                continue
            owner = self._owner(scope)
            handler, route = handler_of(self.machine, self.unit, scope, owner)
            entry = Entry(self.unit, scope, owner, handler, route)
            if self._may_begin(entry, has_sink=has_sink):
                count += 1
                if count > MAX_ENTRIES:
                    self.machine.bounds_hit.add("functions")
                    return
                yield entry

    def _owner(self, node: FunctionNode) -> ClassRef | None:
        found = self.unit.module.scopes.class_of(node)
        return ClassRef(self.unit, found) if found is not None else None

    def _find_sinks(self) -> None:
        module = self.unit.module
        scope_of = module.scopes.scope
        for node in module.nodes(ast.Call):
            func = node.func
            last = func.attr if func.__class__ is ast.Attribute else func.id if func.__class__ is ast.Name else ""
            if last in self.sink_words:
                if last == "replace" and node.args and _begins_with_dots(node.args[0]):
                    self.sinks.add(scope_of(node))
                    self.telling.add(scope_of(node))
                    continue
                if last in COMMON_SINKS and not self._known_sink(func):
                    continue
                if last == "join" and isinstance(func, ast.Attribute) and isinstance(func.value, ast.Constant):
                    continue
                if node.args or node.keywords or last not in JOIN_WORDS:
                    self.sinks.add(scope_of(node))
        for binary in module.nodes(ast.BinOp):
            if (
                binary.op.__class__ is ast.Div
                and not isinstance(binary.left, ast.Constant)
                and not _number(binary.right)
            ):
                self.sinks.add(scope_of(binary))
        for joined in module.nodes(ast.JoinedStr):
            end = joined.values[-1] if joined.values else None
            if isinstance(end, ast.Constant) and isinstance(end.value, str) and EXTENSION.search(end.value):
                self.naming.add(scope_of(joined))
        if "./" in module.text or "~/" in module.text:
            for joined in module.nodes(ast.JoinedStr):
                first = joined.values[0] if joined.values else None
                if (
                    isinstance(first, ast.Constant)
                    and isinstance(first.value, str)
                    and first.value.startswith(("./", "../", "~/"))
                ):
                    self.sinks.add(scope_of(joined))
            for binary in module.nodes(ast.BinOp):
                left = binary.left
                if (
                    isinstance(left, ast.Constant)
                    and isinstance(left.value, str)
                    and left.value.startswith(("./", "../", "~/"))
                ):
                    self.sinks.add(scope_of(binary))
            for node in module.nodes(ast.Call):
                if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
                    text = node.func.value
                    if (
                        isinstance(text, ast.Constant)
                        and isinstance(text.value, str)
                        and text.value.startswith(("./", "../", "~/"))
                    ):
                        self.sinks.add(scope_of(node))

    def _known_sink(self, func: ast.expr) -> bool:
        """Whether the whole name of what is called is known as a sink."""
        dotted = self.unit.module.name(func)
        row = self.machine.catalogue.behaviour(dotted) if dotted is not None else None
        return row is not None and bool(row.sinks)

    def _carrying(self, *, imports: bool = True) -> set[str]:
        """Last names of functions of the file that lead to a sink, and of imports from the project."""
        module = self.unit.module
        names: set[str] = {
            scope.name for scope in self.sinks if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        for node in module.nodes(ast.Call):
            func = node.func
            last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
            if last:
                self.calls.setdefault(module.scopes.scope(node), set()).add(last)
        changed = True
        while changed:
            changed = False
            for scope, called in self.calls.items():
                if (
                    isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)
                    and scope.name not in names
                    and called & names
                ):
                    names.add(scope.name)
                    changed = True
        if not imports:
            return names
        owners = {owner.name for owner in self.unit.classes.values()}
        names |= owners & {name for called in self.calls.values() for name in called}
        roots = {
            name
            for name, found in module.names.imports.items()
            if name != "*" and any(self._of_project(item.target) for item in found)
        }
        return names | roots | self._attributes_of(roots)

    def ending(self) -> set[ast.AST]:
        """The functions that hold a sink, or call one of the file by name that does."""
        self._find_sinks()
        names = self._carrying(imports=False)
        return {scope for scope, called in self.calls.items() if called & names} | self.sinks

    def _attributes_of(self, roots: set[str]) -> set[str]:
        """The attributes that stand anywhere behind one of some names."""
        found: set[str] = set()
        if not roots:
            return found
        for node in self.unit.module.nodes(ast.Attribute):
            base: ast.expr = node
            while isinstance(base, ast.Attribute):
                base = base.value
            if isinstance(base, ast.Name) and base.id in roots:
                found.add(node.attr)
        return found

    def _of_project(self, target: str) -> bool:
        return self.machine.loader.exists(self.unit, target)

    def _imports_project(self) -> bool:
        return any(
            self._of_project(item.target)
            for name, found in self.unit.module.names.imports.items()
            if name != "*"
            for item in found
        )

    def _may_begin(self, entry: Entry, *, has_sink: bool) -> bool:
        if entry.handler is not None or entry.node in self.telling:
            return True
        public = is_public(entry)
        for arg in parameters(entry.node):
            if arg.arg in ("self", "cls"):
                continue
            if arg.arg in REQUEST_NAMES:
                return True
            if self.audit or (public and (words(arg.arg) or (has_sink and entry.node in self.naming))):
                return True
        if may_begin(self.machine, self.unit, entry.node, audit=self.audit):
            return True
        return has_sink and self._checks(entry.node)

    def _checks(self, node: ast.AST) -> bool:
        """Whether a function holds a check of places that the rule about checks judges whatever is checked."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not CHECKERS.isdisjoint(pieces(node.name)):
            return True
        for item in self.unit.module.index.own(node):
            if isinstance(item, ast.Attribute) and (
                item.attr in CHECK_WORDS or item.attr in ("realpath", "abspath", "normpath")
            ):
                return True
        return False


def may_begin(machine: "Machine", unit: Unit, node: ast.AST, *, audit: bool = False) -> bool:
    """Whether a function, or one of its file that it calls by name, names something that can be a source."""
    known = machine.beginning.get(unit)
    if known is None:
        known = machine.beginning[unit] = _beginning(machine, unit, audit=audit)
    return node in known


LAST_OF_ANSWERS = frozenset(name.rpartition(".")[2] for name in ANSWERS)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def showing(unit: Unit, catalogue: "Catalogue") -> Iterator[tuple[FunctionNode, ClassRef | None]]:
    """The functions that show something to people (a log, the terminal, an exception) and name a secret."""
    module = unit.module
    log_words = catalogue.words("log")
    if not any(word in module.lower for word in SECRET_TEXTS):
        return
    shows: set[ast.AST] = set()
    scope_of = module.scopes.scope
    for node in module.nodes(ast.Call):
        func = node.func
        if isinstance(func, ast.Name):
            if func.id == "print" or (func.id in log_words and shown_by_row(catalogue, module.name(func) or "")):
                shows.add(scope_of(node))
        elif isinstance(func, ast.Attribute):
            last = func.attr
            if last.rpartition("_")[2] in LEVELS or (
                last in log_words and shown_by_row(catalogue, module.name(func) or "", last)
            ):
                shows.add(scope_of(node))
    for raised in module.nodes(ast.Raise):
        if isinstance(raised.exc, ast.Call) and not all(isinstance(item, ast.Constant) for item in raised.exc.args):
            shows.add(scope_of(raised))
    for asserted in module.nodes(ast.Assert):
        if isinstance(asserted.msg, ast.JoinedStr):
            shows.add(scope_of(asserted))
    for last in LAST_OF_ANSWERS.intersection(module.calls):
        shows.update(scope_of(node) for node in module.calls[last])
    named = {scope.name for scope in shows if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)}
    for last in named.intersection(module.calls):  # what is handed to them is shown by them
        shows.update(scope_of(node) for node in module.calls[last] if node.args or node.keywords)
    shows.update(node for kind in FUNCTIONS for node in module.nodes(kind) if answers(node))
    for scope in module.index.scopes:
        if scope in shows and isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) and _names_secret(unit, scope):
            owner = module.scopes.class_of(scope)
            yield scope, ClassRef(unit, owner) if owner is not None else None


def _names_secret(unit: Unit, scope: FunctionNode) -> bool:
    for item in unit.module.index.own(scope):
        match item:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                if name in WHOLES or secret_name(name, unit) or name in _holders(unit):
                    return True
            case ast.Constant(value=str(text)) if len(text) < MAX_KEY:
                if " " not in text and key_is_secret(text, unit):
                    return True
            case _:
                pass
    return False


WHOLES = frozenset({"environ", "headers", "getpass"})
"""Names of what holds or gives secrets under any name."""


@lru_cache(maxsize=64)
def _holders(unit: Unit) -> frozenset[str]:
    """The classes of a file that have secret fields, and the names of their objects at the file's top level."""
    classes = {name for name, node in unit.classes.items() if _holds_secret(unit, node)}
    if not classes:
        return frozenset()
    objects = {
        target.id
        for statement in unit.module.tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
        for target in statement.targets
        if isinstance(target, ast.Name) and last_name(statement.value.func) in classes
    }
    return frozenset(classes | objects)


def _holds_secret(unit: Unit, node: ast.ClassDef) -> bool:
    return any(
        isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and secret_name(item.target.id, unit)
        for item in node.body
    )


def may_end(machine: "Machine", unit: Unit, node: ast.AST) -> bool:
    """Whether a function, or one of its file that it calls by name, holds something that can be a sink."""
    known = machine.ending.get(unit)
    if known is None:
        known = machine.ending[unit] = Demand(machine, unit, audit=False).ending()
    return node in known


def _beginning(machine: "Machine", unit: Unit, *, audit: bool) -> set[ast.AST]:
    wanted = (machine.catalogue.source_words - COMMON_SOURCES) | REQUEST_NAMES | ANCHORS
    if audit:
        wanted |= machine.catalogue.weak_source_words
    module = unit.module
    scope_of = module.scopes.scope
    found: set[ast.AST] = set()
    for attribute in module.nodes(ast.Attribute):
        if attribute.attr in wanted:
            found.add(scope_of(attribute))
    for name in module.nodes(ast.Name):
        if name.id in wanted:
            found.add(scope_of(name))
    calls: dict[ast.AST, set[str]] = {}
    for node in module.nodes(ast.Call):
        func = node.func
        last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        if last:
            calls.setdefault(scope_of(node), set()).add(last)
    names = {scope.name for scope in found if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)}
    changed = True
    while changed:
        changed = False
        for scope, called in calls.items():
            if scope not in found and called & names:
                found.add(scope)
                if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                    names.add(scope.name)
                changed = True
    return found


def _begins_with_dots(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr) and node.values:
        node = node.values[0]
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("..")


def _number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
