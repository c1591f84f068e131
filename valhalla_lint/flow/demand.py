"""Which functions are worth interpreting: those in which something from outside can reach something that matters."""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.names import BUILTINS
from valhalla_lint.facts.scopes import FUNCTIONS, parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.borrowed import Lent, borrowed, is_property, resolved
from valhalla_lint.flow.entries import REQUEST_NAMES, Entry, handler_of, is_public
from valhalla_lint.flow.generation import TELLING
from valhalla_lint.flow.last_names import held_by_handlers
from valhalla_lint.flow.protocols import protocol_of
from valhalla_lint.flow.quiet import PATH_TEXTS, SECRET_TEXTS
from valhalla_lint.flow.registrations import registered
from valhalla_lint.flow.secrecy import key_is_secret, records, secret_name
from valhalla_lint.flow.shown import ANSWERS, LEVELS, answers, showing_methods, shown_by_row
from valhalla_lint.flow.strings import EXTENSION
from valhalla_lint.flow.tables import HANDING, handed
from valhalla_lint.flow.units import ClassRef, Unit, once_a_node, once_a_unit
from valhalla_lint.flow.words import (
    DISPOSITION,
    OWNERS,
    SHARDS,
    names_base,
    names_choice,
    pieces,
    reads_sent_file,
    words,
)

if TYPE_CHECKING:
    from valhalla_lint.flow.catalogue import Catalogue
    from valhalla_lint.flow.machine import Machine

CHECK_WORDS = frozenset({"commonprefix", "is_relative_to", "relative_to", "commonpath"})
PATH_STARTS = ("./", "../", "~/")
REQUEST = regex(r"req(?:uest)?\b")
"""What stands in every file that has a name for the request."""
NORMAL_WORDS = frozenset({"abspath", "join", "normpath", "realpath", "resolve"})
UP = frozenset({"..", "../", "..\\"})
UP_TEXTS = frozenset(f"{quote}..{rest}" for quote in "\"'" for rest in (quote, "/", "\\"))
"""What a hand-written check of a path asks one of: a word of containment, `startswith` beside one of these words, or
for a step up."""
NOWHERE: frozenset[str] = frozenset()
EVERYWHERE = frozenset({"", "*", "builtins", "io"})
"""Packages whose functions and objects are at hand without an import."""
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
ANSWERING = frozenset({"requests", "httpx", "aiohttp"})
"""Packages whose answers of other machines are read by `json()`, a word that says nothing by itself.

Services name what they list by plain names, so an audit alone looks at a function for nothing but such an answer.
"""
IMPORTERS = frozenset({"__import__", "import_module", "resolve_name"})
"""Functions for which a value counts that was put below nothing: what a checkpoint names there runs."""
CHECKERS = frozenset("path safe inside within subdir subpath traversal contained".split())
"""Words in the name of a function that checks places."""
ANCHORS = frozenset("tarfile zipfile TarFile ZipFile py7zr SevenZipFile rarfile RarFile UploadFile list_blobs".split())
MAX_KEY = 40
MAX_BORROWS = 3
"""Calls inside calls that are asked for a source; inside one file any number."""
MAX_ENTRIES = 2_000
"""Functions of one file that are interpreted; generated files can have ten times as many."""


class Words(NamedTuple):
    """The last names that a catalogue makes telling, by what they may be.

    roots: for each of sinks, the packages of which one is ("" for a builtin).
    """

    sinks: frozenset[str]
    sources: frozenset[str]
    roots: Mapping[str, frozenset[str]]


@lru_cache(maxsize=16)
def words_of(catalogue: "Catalogue", *, generation: bool, weak: bool = False) -> Words:
    """The telling last names; generation: those of engines are among the sinks; weak: files are among the sources."""
    sinks = catalogue.words("path") | catalogue.words("model") | JOIN_WORDS | CHECK_WORDS
    if generation:
        sinks |= catalogue.words("generation")
    roots: dict[str, set[str]] = {}
    for name, row in catalogue.calls.items():
        if row.sinks:
            roots.setdefault(name.rpartition(".")[2], set()).add(name.partition(".")[0] if "." in name else "")
    for (kind, name), row in catalogue.methods.items():
        if row.sinks:
            roots.setdefault(name, set()).add(kind.partition(".")[0])
    return Words(
        sinks,
        (catalogue.source_words - COMMON_SOURCES)
        | REQUEST_NAMES
        | ANCHORS
        | (catalogue.weak_source_words if weak else frozenset()),
        {name: frozenset(found) for name, found in roots.items() if name not in JOIN_WORDS | CHECK_WORDS},
    )


class Demand:
    """The candidates of one file."""

    def __init__(self, machine: "Machine", unit: Unit, *, audit: bool) -> None:
        """Nothing is looked for here."""
        self.machine = machine
        self.unit = unit
        self.audit = audit
        self._words = words_of(machine.catalogue, generation="generation" in machine.topics)
        self.sinks: set[ast.AST] = set()
        self.naming: set[ast.AST] = set()
        self.telling: set[ast.AST] = set()
        self.importing: set[ast.AST] = set()

    def entries(self) -> Iterator[Entry]:
        """The functions to interpret, in the order of the file."""
        self._find_sinks()
        if self.sinks:
            self._find_names()
        starts = self.sinks | self._outside()
        if not starts:
            return
        leading: set[str] | None = None
        count = 0
        for scope in self.unit.module.index.scopes:
            if scope not in starts or not isinstance(scope, FUNCTIONS):
                continue
            has_sink = scope in self.sinks
            leads = has_sink
            if not has_sink:
                leading = self._leading() if leading is None else leading
                leads = self._leads(scope, leading)
                if not leads and not (self._may_be_handler(scope) and self.machine.loader.imported(self.unit)):
                    continue
            owner = owner_of(self.unit, scope)
            handler, route = handler_of(self.machine, self.unit, scope, owner)
            if not leads and handler is None:
                continue  # what else is called on objects of other files is judged there
            entry = Entry(self.unit, scope, owner, handler, route)
            if self._may_begin(entry, has_sink=has_sink):
                count += 1
                if count > MAX_ENTRIES:
                    self.machine.bounds_hit.add((None, "functions"))
                    return
                yield entry

    def _may_be_handler(self, scope: FunctionNode) -> bool:
        """Whether something from outside may call a function; it is not asked which."""
        return (
            bool(scope.decorator_list)
            or protocol_of(scope) is not None
            or scope.name in self.machine.catalogue.handled
            or scope in registered(self.unit, self.machine.catalogue)
        )

    # -- where values may matter --------------------------------------------------------------------------------

    def _find_sinks(self, *, loose: bool = False) -> None:
        """The scopes that hold a call or an operator which may be a sink; loose: methods of common names are, too."""
        module = self.unit.module
        calls = module.calls
        scope_of = module.scopes.scope
        packages = packages_at_hand(self.unit)
        for name, last in called_as(self.unit, self._words.sinks):
            roots = self._words.roots.get(last)
            if roots is not None and roots.isdisjoint(packages):
                continue
            for node in calls[name]:
                if last in IMPORTERS:
                    self.importing.add(scope_of(node))
                if self._may_sink(node, last, loose=loose):
                    self.sinks.add(scope_of(node))
        if "generation" in self.machine.topics and ("_tokens" in module.text or "num_predict" in module.text):
            for keyword in module.nodes(ast.keyword):
                if keyword.arg in TELLING:
                    self.sinks.add(scope_of(keyword))
        paths = self.unit.has_paths
        for binary in module.index.found(f"joins of paths: {paths}", ast.BinOp, partial(_joins, at_hand=paths)):
            self.sinks.add(scope_of(binary))
        if not module.mentions(PATH_TEXTS):
            return
        for joined in module.nodes(ast.JoinedStr):
            if joined.values and _begins_path(joined.values[0]):
                self.sinks.add(scope_of(joined))
        for binary in module.nodes(ast.BinOp):
            if _begins_path(binary.left):
                self.sinks.add(scope_of(binary))
        for node in calls.get("format", ()):
            if isinstance(node.func, ast.Attribute) and _begins_path(node.func.value):
                self.sinks.add(scope_of(node))

    def _may_sink(self, node: ast.Call, last: str, *, loose: bool) -> bool:
        func = node.func
        if last == "replace" and node.args and _begins_with_dots(node.args[0]):
            self.telling.add(self.unit.module.scopes.scope(node))
            return True
        if last in COMMON_SINKS and not (loose or self._known_sink(func)):
            return False
        if last == "join" and not joins_path(node):
            return False
        return bool(node.args or node.keywords) or last not in JOIN_WORDS

    def _known_sink(self, func: ast.expr) -> bool:
        """Whether the whole name of what is called is known as a sink."""
        dotted = self.unit.module.name(func)
        row = self.machine.catalogue.behaviour(dotted) if dotted is not None else None
        return row is not None and bool(row.sinks)

    def _find_names(self) -> None:
        """The scopes that make names of files: a text that ends as they do."""
        scope_of = self.unit.module.scopes.scope
        for joined in self.unit.module.nodes(ast.JoinedStr):
            end = joined.values[-1] if joined.values else None
            if isinstance(end, ast.Constant) and isinstance(end.value, str) and EXTENSION.search(end.value):
                self.naming.add(scope_of(joined))

    # -- what is called -----------------------------------------------------------------------------------------

    def _leading(self) -> set[str]:
        """Last names of functions of the file that lead to a sink, of its classes, and of imports from the project."""
        names = leading_to(self.unit, self.sinks)
        return names | self._tables(names) | self.unit.classes.keys() | self.machine.loader.imported(self.unit)

    def _tables(self, names: set[str]) -> set[str]:
        """The names of tables in which one of some functions stands."""
        found: set[str] = set()
        module = self.unit.module
        for table in module.nodes(ast.Dict):
            if any(isinstance(item, ast.Name | ast.Attribute) and last_name(item) in names for item in table.values):
                match module.parent(table):
                    case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                        found.add(last_name(target))
                    case _:
                        pass
        return found - {""}

    def _leads(self, scope: ast.AST, leading: set[str]) -> bool:
        """Whether a function calls something by one of some last names, or something that stands behind one."""
        for node in self.unit.module.index.own(scope):
            if node.__class__ is not ast.Call:
                continue
            assert isinstance(node, ast.Call)
            func: ast.AST = node.func
            while not isinstance(func, ast.Name):
                if isinstance(func, ast.Attribute):
                    if func.attr in leading:
                        return True
                    func = func.value
                elif isinstance(func, ast.Call):
                    func = func.func
                elif isinstance(func, ast.Subscript):
                    func = func.value
                else:
                    break
            if isinstance(func, ast.Name) and func.id in leading:
                return True
            last = last_name(node.func)
            if last == "getattr" and _by_made_name(node):
                return True
            if last in HANDING and node.args and any(last_name(made.func) in leading for made in handed(node, last)):
                return True
        return False

    # -- what comes from outside --------------------------------------------------------------------------------

    def _outside(self) -> set[ast.AST]:
        """The functions that may be called from outside, or that name something that may come from there."""
        module = self.unit.module
        found = set(begins(self.machine, self.unit))
        found |= registered(self.unit, self.machine.catalogue).keys()
        if DISPOSITION in module.lower or SHARDS in module.text:
            reads = (*module.nodes(ast.Subscript), *module.nodes(ast.Call))
            sent = {module.scopes.scope(item) for item in reads if reads_sent_file(item)}
            self.telling |= sent
            found |= sent
        for kind in FUNCTIONS:
            if self.audit:
                found.update(module.nodes(kind))
            else:
                found.update(module.index.found(f"told by head: {kind.__name__}", kind, partial(_told, self.unit)))
        return found

    def _may_begin(self, entry: Entry, *, has_sink: bool) -> bool:
        if entry.handler is not None or entry.node in self.telling:
            return True
        public = is_public(entry)
        names_things = False
        for arg in parameters(entry.node):
            if arg.arg in OWNERS:
                continue
            if arg.arg in REQUEST_NAMES:
                return True
            if entry.node in self.importing and "model" in words(arg.arg):
                return True
            if self.audit or (public and (words(arg.arg) or (has_sink and entry.node in self.naming))):
                return True
            names_things = names_things or (has_sink and public and names_choice(arg.arg))
        if entry.node in begins(self.machine, self.unit):
            return True
        if has_sink and borrows(self.machine, self.unit, entry.node):
            return True
        if has_sink and _checks(self.unit, entry.node):
            return True
        if names_things:
            self.machine.things.add(entry.node)
        return names_things

    def ending(self) -> set[ast.AST]:
        """The functions that hold a sink, in themselves or inside, or call one of the file by name that does."""
        self._find_sinks(loose=True)
        calls = self.unit.module.calls
        module = self.unit.module
        held = self.sinks | {above for scope in self.sinks for above in module.ancestors(scope)}
        names = leading_to(self.unit, held)
        return held | {
            above
            for name in names & calls.keys()
            for node in calls[name]
            for above in (module.scopes.scope(node), *module.ancestors(module.scopes.scope(node)))
        }


def _told(unit: Unit, functions: Iterable[FunctionNode]) -> Iterator[FunctionNode]:
    """Those of some functions of which decorators, parameters or the bases of a class say that others may call them."""
    for node in functions:
        if (
            node.decorator_list
            or protocol_of(node) is not None
            or any(arg.arg in REQUEST_NAMES or words(arg.arg) for arg in parameters(node))
            or ((owner := unit.module.scopes.class_of(node)) is not None and owner.bases)
        ):
            yield node


@once_a_node
def _checks(unit: Unit, node: ast.AST) -> bool:
    """Whether a function holds a check of places that the rule about checks judges whatever is checked."""
    if isinstance(node, FUNCTIONS) and not CHECKERS.isdisjoint(pieces(node.name)):
        return True
    return any(
        isinstance(item, ast.Attribute)
        and (item.attr in CHECK_WORDS or item.attr in ("realpath", "abspath", "normpath"))
        for item in unit.module.index.own(node)
    )


def _by_made_name(node: ast.Call) -> bool:
    """Whether `getattr` is asked for a method of the object itself by a name that is put together."""
    match node:
        case ast.Call(func=ast.Name(), args=[ast.Name(id="self"), ast.JoinedStr() | ast.BinOp(), *_]):
            return True
        case _:
            return False


def owner_of(unit: Unit, node: ast.AST) -> ClassRef | None:
    """The class whose method a function is."""
    found = unit.module.scopes.class_of(node)
    return ClassRef(unit, found) if found is not None else None


def leading_to(unit: Unit, scopes: Iterable[ast.AST]) -> set[str]:
    """The names of some functions, and of all functions of the file that call one of them by name, and so on."""
    calls = unit.module.calls
    scope_of = unit.module.scopes.scope
    names: set[str] = set()
    waiting = [scope.name for scope in scopes if isinstance(scope, FUNCTIONS)]
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        for node in calls.get(name, ()):
            scope = scope_of(node)
            if isinstance(scope, FUNCTIONS):
                waiting.append(scope.name)
    return names


def may_begin(machine: "Machine", unit: Unit, node: ast.AST) -> bool:
    """Whether a function, or one of the project that it runs, names something that can be a source.

    Calls are followed `MAX_BORROWS` deep.
    """
    return _may_begin(machine, unit, node, MAX_BORROWS)


def _may_begin(machine: "Machine", unit: Unit, node: ast.AST, left: int) -> bool:
    return node in begins(machine, unit) or borrows(machine, unit, node, left)


def borrows(machine: "Machine", unit: Unit, node: ast.AST, left: int = MAX_BORROWS) -> bool:
    """Whether a function of the project that a function runs names something that can be a source."""
    if left <= 0 or not machine.loader.imported(unit):
        return False
    return machine.borrowing(
        (node, left),
        lambda: any(
            _lends(machine, unit, item, left - 1)
            if isinstance(item, Lent)
            else _may_begin(machine, unit, item, left - 1)
            for item in borrowed(machine, unit, node)
        ),
    )


def _lends(machine: "Machine", unit: Unit, lent: Lent, left: int) -> bool:
    """Whether a function of another file may begin, asked once for all files that have it from there."""

    def find() -> bool:
        found = resolved(machine, unit, lent)
        return found is not None and _may_begin(machine, *found, left)

    if not machine.loader.remembers(unit):
        return find()
    return machine.questions.ask(unit, lent.dotted, ("begins", lent.method, lent.plain, left), find)


class Guarding(NamedTuple):
    """The scopes of a file that check where a path leads: by containment, in any way, through what they call."""

    containing: frozenset[ast.AST]
    checking: frozenset[ast.AST]
    leading: frozenset[ast.AST]


def guarding(machine: "Machine", unit: Unit) -> Guarding:
    """Which functions of a file may check where a path leads."""
    known = machine.guarding.get(unit)
    if known is None:
        known = machine.guarding[unit] = _guarding(unit)
    return known


def _guarding(unit: Unit) -> Guarding:
    module = unit.module
    containing = _callers_of(unit, CHECK_WORDS)
    checking = set(containing)
    if "startswith" in module.calls:
        normal = _callers_of(unit, NORMAL_WORDS)
        checking |= _callers_of(unit, {"startswith"}) & (normal | _callers_of(unit, leading_to(unit, normal)))
    if module.mentions(UP_TEXTS):
        checking |= {module.scopes.scope(node) for node in module.nodes(ast.Constant) if node.value in UP}
    leading = checking | _callers_of(unit, leading_to(unit, checking))
    return Guarding(frozenset(containing), frozenset(checking), frozenset(leading))


def _callers_of(unit: Unit, names: Collection[str]) -> set[ast.AST]:
    """The scopes of a file that call something by one of some last names."""
    calls = unit.module.calls
    return {unit.module.scopes.scope(node) for name in names for node in calls.get(name, ())}


def begins(machine: "Machine", unit: Unit) -> set[ast.AST]:
    """The scopes of a file that name something that can be a source, or call one by name that does."""
    return machine.beginning(unit, lambda: _beginning(machine, unit))


LAST_OF_ANSWERS = frozenset(name.rpartition(".")[2] for name in ANSWERS)


def showing(unit: Unit, catalogue: "Catalogue") -> Iterator[tuple[FunctionNode | ast.Module, ClassRef | None]]:
    """The functions that show something to people (a log, the terminal, an exception) and name a secret.

    The statements of the module itself are one as well.
    """
    module = unit.module
    if not module.mentions(SECRET_TEXTS):
        return
    log_words = catalogue.words("log")
    methods = showing_methods(catalogue)
    shows: set[ast.AST] = set()
    scope_of = module.scopes.scope
    telling = [
        last for last in module.calls if last == "print" or last in log_words or last.rpartition("_")[2] in LEVELS
    ]
    for last in telling:
        for node in module.calls[last]:
            func = node.func
            if isinstance(func, ast.Name):
                if last == "print" or (last in log_words and shown_by_row(catalogue, module.name(func) or "")):
                    shows.add(scope_of(node))
            elif (
                last.rpartition("_")[2] in LEVELS
                or (last in log_words and shown_by_row(catalogue, module.name(func) or "", last))
                or not methods.get(last, NOWHERE).isdisjoint(module.packages)
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
    named = {scope.name for scope in shows if isinstance(scope, FUNCTIONS)}
    for last in named.intersection(module.calls):  # what is handed to them is shown by them
        shows.update(scope_of(node) for node in module.calls[last] if node.args or node.keywords)
    shows.update(node for kind in FUNCTIONS for node in module.nodes(kind) if answers(node))
    if module.tree in shows and _names_secret(unit, module.tree):
        yield module.tree, None
    for scope in module.index.scopes:
        if scope not in shows or not isinstance(scope, FUNCTIONS):
            continue
        owner = module.scopes.class_of(scope)
        ref = ClassRef(unit, owner) if owner is not None else None
        if _names_secret(unit, scope) or records(unit, scope, ref):
            yield scope, ref


def _names_secret(unit: Unit, scope: FunctionNode | ast.Module) -> bool:
    names, texts = _secrets(unit)
    for item in unit.module.index.own(scope):
        kind = item.__class__
        if kind is ast.Constant:
            assert isinstance(item, ast.Constant)
            text = item.value
            if text.__class__ is str and len(text) < MAX_KEY and " " not in text:
                known = texts.get(text)
                if known is None:
                    known = texts[text] = key_is_secret(text, unit)
                if known:
                    return True
            continue
        field = NAMED.get(kind)
        if field is None:
            continue
        name = getattr(item, field)
        known = names.get(name)
        if known is None:
            known = names[name] = name in WHOLES or secret_name(name, unit) or name in _holders(unit)
        if known:
            return True
    return False


NAMED: Mapping[type, str] = {ast.Name: "id", ast.Attribute: "attr", ast.arg: "arg"}
"""The nodes that name something, and where the name stands in them."""


@once_a_unit
def _secrets(unit: Unit) -> tuple[dict[str, bool], dict[str, bool]]:
    """Which names and keys of a file are known to mean secrets, or not to: filled as they are met."""
    del unit
    return {}, {}


WHOLES = frozenset({"environ", "headers", "getpass"})
"""Names of what holds or gives secrets under any name."""


@once_a_unit
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
    return node in machine.ending(unit, lambda: Demand(machine, unit, audit=False).ending())


def _beginning(machine: "Machine", unit: Unit) -> set[ast.AST]:
    wanted = words_of(machine.catalogue, generation=True, weak=machine.audit).sources
    module = unit.module
    scope_of = module.scopes.scope
    attributes, calls = module.attributes, module.calls
    found = {scope_of(node) for name, nodes in attributes.items() if name in wanted for node in nodes}
    if machine.audit and not ANSWERING.isdisjoint(module.packages):
        found.update(scope_of(node) for node in calls.get("json", ()) if not node.args)
    # A plain name that can be a source is imported, a class of the file, or means the request.
    plain = {name for name in module.names.imports if named_as(unit, name) in wanted} | (unit.classes.keys() & wanted)
    for held, roots in held_by_handlers(machine.catalogue).items():
        if not roots.isdisjoint(module.packages):
            found.update(scope_of(node) for node in attributes.get(held, ()) if _is_own(node))
    if machine.audit:
        plain |= BUILTINS & wanted
    if REQUEST.search(module.text):
        plain |= REQUEST_NAMES
    if plain:
        question = f"names: {sorted(plain)}"
        found.update(map(scope_of, module.index.found(question, ast.Name, partial(_named, wanted=plain))))
    waiting = [scope for scope in found if isinstance(scope, FUNCTIONS)]
    names: set[tuple[str, bool]] = set()
    while waiting:
        function = waiting.pop()
        called, asked = function.name, is_property(function)
        if (called, asked) in names:
            continue
        names.add((called, asked))
        for node in attributes.get(called, ()) if asked else calls.get(called, ()):
            scope = scope_of(node)
            if scope not in found:
                found.add(scope)
                if isinstance(scope, FUNCTIONS):
                    waiting.append(scope)
    return found


def _named(names: Sequence[ast.Name], *, wanted: Collection[str]) -> Iterator[ast.Name]:
    """Those of some names that are wanted."""
    return (name for name in names if name.id in wanted)


def named_as(unit: Unit, name: str) -> str:
    """The last name of what an imported name means: `join` of `from os.path import join as pjoin`."""
    found = unit.module.names.imports.get(name)
    return found[0].target.rpartition(".")[2] if found else name


def called_as(unit: Unit, wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    """The names by which a file calls something of some last names, each with that last name."""
    calls = unit.module.calls
    for name in calls:  # far fewer than words are wanted
        if name in wanted:
            yield name, name
    for name in unit.module.names.imports.keys() & calls.keys():
        last = named_as(unit, name)
        if last != name and last in wanted:
            yield name, last


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def packages_at_hand(unit: Unit) -> frozenset[str]:
    """The packages of which a file may have functions and objects."""
    known = unit.packages | EVERYWHERE
    return known | {"pathlib"} if unit.has_paths else known


def joins_paths(node: ast.BinOp, *, at_hand: bool) -> bool:
    """Whether `/` may put paths together; at_hand: the file may hold objects that are paths."""
    left, right = node.left, node.right
    if isinstance(left, ast.Constant) or (isinstance(right, ast.Constant) and not isinstance(right.value, str)):
        return False
    match left:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return at_hand or isinstance(right, ast.Constant | ast.JoinedStr) or names_base(name)
        case ast.Call() | ast.BinOp(op=ast.Div()) | ast.Subscript():
            return at_hand or isinstance(right, ast.Constant | ast.JoinedStr | ast.Name | ast.Attribute)
        case _:
            return at_hand or isinstance(right, ast.Constant | ast.JoinedStr)


def _joins(nodes: Sequence[ast.BinOp], *, at_hand: bool) -> Iterator[ast.BinOp]:
    for node in nodes:
        if node.op.__class__ is ast.Div and joins_paths(node, at_hand=at_hand):
            yield node


def joins_path(node: ast.Call) -> bool:
    """Whether a call of something that is called `join` may put a path together, rather than a text."""
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name | ast.Attribute):
        return False  # of a text, or of tables: `select(x).join(y, on)`
    return len(node.args) != 1 or isinstance(node.args[0], ast.Starred) or bool(node.keywords)


def _begins_path(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(PATH_STARTS)


def _begins_with_dots(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr) and node.values:
        node = node.values[0]
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("..")
