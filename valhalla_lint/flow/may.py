"""A cheap answer before the exact one: can anything from outside reach anything that matters in a function at all?

Taint is spread over the names of a function, without order, branches or guards, and followed into the functions that it
calls. What the interpreter would report is found here too, at a small part of its cost, so only functions that pass are
interpreted. Methods of unknown objects count only where the package of their class is imported in the file.
"""

import ast
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.frozen import changing, field
from valhalla_lint.core.parsed import Table
from valhalla_lint.core.regex import regex
from valhalla_lint.facts.disk import Answers
from valhalla_lint.facts.index import FunctionNode, children
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.borrowed import (
    Abroad,
    Lent,
    abroad,
    function_abroad,
    is_property,
    may_be_lent,
    methods_of,
    resolved,
)
from valhalla_lint.flow.catalogue import ANY as WHATEVER
from valhalla_lint.flow.demand import (
    IMPORTERS,
    PATH_STARTS,
    guarding,
    joins_path,
    joins_paths,
    may_begin,
    may_end,
    named_as,
    packages_at_hand,
    words_of,
)
from valhalla_lint.flow.effects import binds, close, heads, inner_first, inside, may_leave, reads, reads_itself, targets
from valhalla_lint.flow.entries import REQUEST_NAMES, Entry, is_public, takes_messages
from valhalla_lint.flow.generation import bounds_asked, tells
from valhalla_lint.flow.labels import Behaviour
from valhalla_lint.flow.last_names import by_name
from valhalla_lint.flow.receivers import method_called
from valhalla_lint.flow.tables import HANDING, handed, picked
from valhalla_lint.flow.units import ClassRef, Unit, is_static, once_a_node, takes_class
from valhalla_lint.flow.words import OWNERS, names_choice, pieces, reads_sent_file

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Machine

MAX_DEPTH = 5
"""Calls inside calls that are followed, as by the interpreter."""
CROSSING = 2
"""What a call into another file costs of that depth: reading one is dear, few flows lead through more than three."""
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
LOGS = frozenset({"log", "logger", "logging"})
"""Words in the name of what only writes a log: some of its methods are called as those of other objects are."""
OPAQUE = frozenset({ast.Compare, ast.Constant, ast.Lambda})
"""Expressions whose value holds nothing of what stands in them."""
NO_NAMES: frozenset[str] = frozenset()
WORD = regex(r"\w+")


OUTLINED = frozenset(
    (
        *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension),
        *(ast.withitem, ast.Match, ast.Call, ast.BinOp, ast.JoinedStr),
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Return, ast.Yield),
    )
)
"""Classes of nodes of which an outline may take note."""


@changing
class Atoms:
    """All that matters of an expression here.

    names: whose taint taints it. asked: what may be a source itself, in the order in which it is asked. source: whether
    it is one, None as long as nobody asked.
    """

    names: frozenset[str]
    asked: tuple[ast.Attribute | ast.Call, ...] = ()
    source: bool | None = None


class Everything:
    """Holds every name."""

    def __contains__(self, name: object) -> bool:
        """Always."""
        return True


ANY = Everything()


class Hot(NamedTuple):
    """What can be a source in a file by its last name.

    attributes, calls: those that the tables know. functions: those of the file itself. others: what it has of others.
    words: the first three, to tell whether they are those of an earlier text.
    """

    attributes: Container[str]
    calls: Container[str]
    functions: Container[str]
    others: Abroad
    words: tuple[frozenset[str], ...] = ()


EVERYTHING = Hot(ANY, ANY, ANY, Abroad())


@changing
class Outline:
    """One function: which expressions flow into which names, and where values could matter.

    holders: its parameters that are objects of which something comes from outside, by their annotations. requests:
    those that are the request itself, of which only some parts do.
    """

    links: list[tuple[tuple[str, ...], ast.expr]] = field(default_factory=list)
    calls: list[tuple[ast.Call, str]] = field(default_factory=list)
    returns: list[ast.expr] = field(default_factory=list)
    joins: list[ast.expr] = field(default_factory=list)
    texts: list[ast.expr] = field(default_factory=list)
    inner: list[FunctionNode] = field(default_factory=list)
    holders: frozenset[str] = frozenset()
    requests: frozenset[str] = frozenset()


@changing
class Seen:
    """What files hold, whatever is asked of it."""

    outlines: dict[ast.AST, Outline] = field(default_factory=dict)
    named: dict[Unit, dict[str, list[FunctionNode]]] = field(default_factory=dict)
    given: dict[Unit, frozenset[str]] = field(default_factory=dict)
    hot_words: Answers[Unit, Hot] = field(default_factory=Answers)
    roots: dict[Unit, frozenset[str]] = field(default_factory=dict)
    bounds: dict[Unit, bool] = field(default_factory=dict)


class May:
    """The cheap analysis of one file and of what it calls."""

    def __init__(self, machine: "Machine", *, audit: bool, seen: Seen | None = None) -> None:
        """Nothing is analysed here. seen: by another analysis of the same run."""
        self._machine = machine
        self._seen = seen if seen is not None else Seen()
        self._audit = audit
        self._atoms: dict[ast.expr, Atoms] = {}
        self._kept = machine.main.module.parsed.kept
        self._spellings: Table[ast.expr, Atoms] | None = None
        self._heat: Table[ast.expr, Atoms] | None = None
        self._outlines: Table[ast.AST, Outline] | None = None
        self._known: dict[tuple[ast.AST, frozenset[str], bool, bool], bool] = {}
        self._gives: dict[ast.AST, bool] = {}
        self._idle: dict[tuple[ast.AST, frozenset[str]], frozenset[ast.stmt]] = {}
        self.abroad = False
        self.puts = False
        """Whether other files are followed to their sinks: only for what is certain to come from outside."""
        self._rows = by_name(machine.catalogue, weak=audit)
        self._sink_words = words_of(machine.catalogue, generation="generation" in machine.topics).sinks

    def passes(self, entry: Entry, *, every: bool = False) -> bool:
        """Whether a function that is called from outside is worth interpreting; every: all parameters count."""
        self.puts = False
        self.abroad = self._audit or entry.handler is not None or self._certain(entry.unit, entry.node)
        if entry.node in guarding(self._machine, entry.unit).containing:
            return True
        return self.reaches(entry.unit, entry.node, self._start(entry, every=every))

    def passes_itself(self, unit: Unit) -> bool:
        """Whether the statements of a module itself are worth interpreting."""
        self.puts = False
        self.abroad = self._audit or self._certain(unit, unit.module.tree)
        return self.reaches(unit, unit.module.tree, frozenset())

    def _certain(self, unit: Unit, node: FunctionNode | ast.Module) -> bool:
        """Whether a function or module holds a source of which it is certain that it is outside."""
        if not isinstance(node, ast.Module) and any(arg.arg in REQUEST_NAMES for arg in parameters(node)):
            return True
        outline = self._outline(unit, node)
        if outline.holders:
            return True
        return any(self._tainted(unit, expression, set()) for _, expression in outline.links) or any(
            self._tainted(unit, call, set()) for call, _ in outline.calls
        )

    def _start(self, entry: Entry, *, every: bool) -> frozenset[str]:
        """The parameters that may hold something from outside."""
        # A check of a path that is written by hand is judged whatever it checks.
        checking = guarding(self._machine, entry.unit).checking
        every = every or entry.handler is not None or self._audit or entry.node in checking
        public = is_public(entry)
        return frozenset(
            arg.arg
            for arg in parameters(entry.node)
            if arg.arg not in OWNERS and (every or arg.arg in REQUEST_NAMES or (public and names_choice(arg.arg)))
        )

    def reaches(self, unit: Unit, node: ast.AST, start: frozenset[str], depth: int = MAX_DEPTH) -> bool:
        """Whether something from outside, or one of the given names, may reach something that matters."""
        if not (self.abroad and depth >= CROSSING) and not may_end(self._machine, unit, node):
            return False
        objects = self._outline(unit, node).requests
        if not objects.isdisjoint(start):
            start -= objects
        key = (node, start, self.abroad, self.puts)
        known = self._known.get(key)
        if known is None:
            self._known[key] = False  # a recursive call adds nothing
            known = self._known[key] = self._reaches(unit, node, start, depth)
        return known

    def _reaches(self, unit: Unit, node: ast.AST, start: frozenset[str], depth: int) -> bool:
        outline = self._outline(unit, node)
        names = set(start | outline.holders)
        self._spread(unit, outline, names)
        if any(self._tainted(unit, join, names) for join in outline.joins):
            return True
        # a parameter counts where it is put below something: what a caller opens as it stands is the caller's business
        puts = self.abroad or self.puts or any(self._tainted(unit, text, names) for text in outline.texts)
        for call, last in outline.calls:
            if (puts or last in IMPORTERS) and last in self._sink_words and self._sink(unit, call, last, names):
                return True
            if self.abroad and self._bounds(unit) and tells(call):
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
        known = self._seen.outlines.get(node)
        if known is not None:
            return known
        found = self._seen.outlines[node] = self._drawn(unit, node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            held = {
                arg.arg for arg in parameters(node) if arg.annotation is not None and self._holds(unit, arg.annotation)
            }
            found.holders = frozenset(held - REQUEST_NAMES)
            found.requests = frozenset(
                arg.arg
                for arg in parameters(node)
                if arg.arg in REQUEST_NAMES
                and (arg.annotation is None or arg.arg in held)
                and not takes_messages(self._machine, unit.module.scopes.class_of(node))
            )
        return found

    def _drawn(self, unit: Unit, node: ast.AST) -> Outline:
        """An outline as far as a function's own statements tell, and what the file's imports are called."""
        if self._kept is None or unit is not self._machine.main:
            return self._draw(unit, node)
        if self._outlines is None:
            named = {name: found[0].target for name, found in unit.module.names.imports.items()}
            self._outlines = self._kept.table("outline", (named, unit.has_paths))
        known = self._outlines.get(node) or self._outlines.put(node, self._draw(unit, node))
        return Outline(known.links, known.calls, known.returns, known.joins, known.texts, known.inner)

    def _draw(self, unit: Unit, node: ast.AST) -> Outline:
        found = Outline()
        links = found.links
        for item in unit.module.index.own(node):
            if item.__class__ not in OUTLINED:
                continue
            match item:
                case ast.Call():  # the most frequent first
                    self._outline_call(unit, item, found)
                case ast.Assign():
                    links.append((tuple(name for target in item.targets for name in targets(target)), item.value))
                case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr() if item.value is not None:
                    links.append((tuple(targets(item.target)), item.value))
                case ast.For() | ast.AsyncFor() | ast.comprehension():
                    links.append((tuple(targets(item.target)), item.iter))
                case ast.withitem() if item.optional_vars is not None:
                    links.append((tuple(targets(item.optional_vars)), item.context_expr))
                case ast.Match():
                    captured = (
                        part.name
                        for case in item.cases
                        for part in ast.walk(case.pattern)
                        if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name
                    )
                    links.append((tuple(captured), item.subject))
                case ast.BinOp(op=ast.Div()):
                    if joins_paths(item, at_hand=unit.has_paths):
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
        return found

    def _holds(self, unit: Unit, annotation: ast.expr) -> bool:
        """Whether an annotation says that something is an object of which a part comes from outside."""
        for part in ast.walk(annotation):
            match part:
                case ast.Name() | ast.Attribute():
                    if unit.module.name(part) in self._rows.holders:
                        return True
                case ast.Constant(value=str(text)):
                    if not self._rows.holder_words.isdisjoint(WORD.findall(text)):
                        return True
                case _:
                    pass
        return False

    @staticmethod
    def _outline_call(unit: Unit, item: ast.Call, found: Outline) -> None:
        func = item.func
        if isinstance(func, ast.Name):
            last = named_as(unit, func.id)
        elif isinstance(func, ast.Attribute):
            last = func.attr
            receiver = tuple(targets(func.value)) if last.startswith(MUTATORS) else ()
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
            last = ""
        found.calls.append((item, last))
        if last in HANDING:
            found.calls.extend((made, last_name(made.func)) for made in handed(item, last))
        if last in JOINS and (last != "join" or joins_path(item)):
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
        atoms = self._atoms.get(node)
        if atoms is None:
            atoms = self._atoms[node] = self._find_atoms(unit, node)
        if atoms.source or not atoms.names.isdisjoint(names):
            return True
        if atoms.source is None:
            atoms.source = self._asks(unit, atoms.asked)
        return atoms.source

    def _asks(self, unit: Unit, asked: Iterable[ast.Attribute | ast.Call]) -> bool:
        """Whether one of some attributes and calls is a source."""
        for item in asked:
            if isinstance(item, ast.Call):
                if self._source_call(unit, item):
                    return True
            elif self._source_attribute(unit, item):
                return True
        return False

    def _find_atoms(self, unit: Unit, node: ast.expr) -> Atoms:
        if self._kept is None or unit is not self._machine.main:
            return self._spell(unit, node, self._hot(unit))
        if self._spellings is None:
            of_handlers = self._rows.request_holders.isdisjoint(self._imported(unit))
            self._spellings = self._kept.table("spelled", (self._rows.request_parts, of_handlers, self._bounds(unit)))
        spelled = self._spellings.get(node)
        if spelled is None:
            spelled = self._spellings.put(node, self._spell(unit, node, EVERYTHING))
        if not spelled.asked:
            return spelled
        hot = self._hot(unit)
        if hot.others.imported:
            return self._heated(unit, spelled, hot)
        if self._heat is None:
            self._heat = self._kept.table("heated", (self._spellings.context, hot.words))
        heated = self._heat.get(node)
        if heated is None:
            heated = self._heat.put(node, self._heated(unit, spelled, hot))
        return Atoms(heated.names, heated.asked) if heated.asked else heated  # what is a source is asked anew

    def _heated(self, unit: Unit, spelled: Atoms, hot: Hot) -> Atoms:
        """The atoms of an expression, of which only what is hot in the file is asked."""
        asked: list[ast.Attribute | ast.Call] = []
        for item in spelled.asked:
            if isinstance(item, ast.Attribute):
                known = item.attr in hot.attributes
                named: ast.expr = item
            else:
                named = item.func
                last = getattr(named, "attr", None) or getattr(named, "id", "")
                known = last in hot.calls or last in hot.functions
            if known or (hot.others.imported and may_be_lent(self._machine, unit, named, hot.others)):
                asked.append(item)
        return Atoms(spelled.names, tuple(asked), None if asked else False)

    def _spell(self, unit: Unit, node: ast.expr, hot: Hot) -> Atoms:
        """What matters of an expression as it is written. hot: what is asked."""
        attributes, calls, functions, others, _ = hot
        names: set[str] = set()
        asked: list[ast.Attribute | ast.Call] = []
        stack: list[ast.AST] = [node]
        while stack:
            item = stack.pop()
            if isinstance(item, ast.Name):  # no `match`: it takes half as long again, and this is asked most of all
                if item.id in REQUEST_NAMES:
                    return Atoms(frozenset(), source=True)
                names.add(item.id)
            elif isinstance(item, ast.Attribute):
                base = item.value
                if isinstance(base, ast.Name) and base.id in OWNERS:
                    names.update((f"self.{item.attr}", base.id))
                elif item.attr in self._rows.request_parts or not self._is_request(unit, base):
                    stack.append(base)
                elif isinstance(base, ast.Name):  # of the request itself only some parts come from outside
                    names.add(base.id)
                if item.attr in attributes or (others.imported and may_be_lent(self._machine, unit, item, others)):
                    asked.append(item)
            elif isinstance(item, ast.Call):
                if reads_sent_file(item):
                    return Atoms(frozenset(), source=True)
                func = item.func
                last = ""
                if isinstance(func, ast.Name):
                    last = func.id
                    if last in HARMLESS and not (last in CONVERSIONS and self._bounds(unit)):
                        continue
                elif isinstance(func, ast.Attribute):
                    last = func.attr
                if (
                    last in calls
                    or last in functions
                    or (others.imported and may_be_lent(self._machine, unit, func, others))
                ):
                    asked.append(item)
                stack += item.args
                stack += [keyword.value for keyword in item.keywords]
                stack.append(func)
            elif isinstance(item, ast.Subscript) and reads_sent_file(item):
                return Atoms(frozenset(), source=True)
            elif item.__class__ not in OPAQUE:
                stack.extend(children(item))
        return Atoms(frozenset(names), tuple(asked), None if asked else False)

    def _bounds(self, unit: Unit) -> bool:
        """Whether a file may hand numbers to a call in which they need bounds."""
        known = self._seen.bounds.get(unit)
        if known is None:
            known = "generation" in self._machine.topics and bounds_asked(unit.module.text)
            self._seen.bounds[unit] = known
        return known

    def _hot(self, unit: Unit) -> Hot:
        """What can be a source in a file, by last names."""
        return self._seen.hot_words(unit, lambda: self._hot_anew(unit))

    def _hot_anew(self, unit: Unit) -> Hot:
        by_root = self._rows.attributes_of
        attributes = {"request"}
        for root in self._imported(unit):
            attributes |= by_root.get(root, NO_NAMES)
        attributes.update(
            name
            for name, methods in unit.methods_by_name.items()
            if any(is_property(method) for _, method in methods[:MAX_TARGETS])
        )
        calls, functions = self._rows.giving, self._functions(unit)
        words = (frozenset(attributes), calls, frozenset(functions))
        return Hot(attributes, calls, functions, abroad(self._machine, unit), words)

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
        tainted = set(start | outline.holders)
        self._spread(unit, outline, tainted)
        cold: list[ast.stmt] = []
        read = self._reader(unit)
        needed = {name for value in outline.returns for name in read(value)}
        asking = {
            call
            for call, last in outline.calls
            if last in CONVERSIONS and any(self._tainted(unit, argument, tainted) for argument in call.args)
        }
        if lively := self._lively(outline, tainted):
            asking |= {call for call, last in outline.calls if last in lively}
        for statement, evaluated, leaves in _doing(unit, node):
            if evaluated is None:
                needed.update(reads_itself(statement))
            elif (
                leaves
                or any(self._tainted(unit, head, tainted) for head in evaluated)
                or (asking and any(part in asking for head in evaluated for part in ast.walk(head)))
            ):
                for head in evaluated:
                    needed.update(read(head))
            else:
                cold.append(statement)
        cold.sort(key=inner_first)
        waiting = [link for link in outline.links if link[0]]
        while True:
            waiting = close(needed, waiting, read)
            bound = needed | tainted
            quiet: set[ast.stmt] = set()
            for statement in cold:
                if all(item in quiet for item in inside(statement)) and bound.isdisjoint(binds(statement)):
                    quiet.add(statement)
            # What is interpreted after all asks its own conditions.
            before = len(needed)
            for statement in cold:
                if statement not in quiet:
                    for head in heads(statement) or ():
                        needed.update(read(head))
            if len(needed) == before:
                return frozenset(quiet)

    @staticmethod
    def _reader(unit: Unit) -> Callable[[ast.expr], Iterable[str]]:
        """What tells the names that an expression reads."""
        kept = unit.module.parsed.kept
        if kept is None:
            return reads
        table: Table[ast.expr, frozenset[str]] = kept.table("reads")

        def read(node: ast.expr) -> frozenset[str]:
            known = table.get(node)
            return table.put(node, frozenset(reads(node))) if known is None else known

        return read

    @staticmethod
    def _lively(outline: Outline, tainted: set[str]) -> frozenset[str]:
        """The functions inside a function that look at something tainted without being handed it, by name."""
        if not outline.inner:
            return frozenset()
        read = {
            inner.name: {item.id for item in ast.walk(inner) if isinstance(item, ast.Name)} for inner in outline.inner
        }
        lively = {name for name, names in read.items() if not names.isdisjoint(tainted)}
        waiting = read.keys() - lively
        while more := {name for name in waiting if not read[name].isdisjoint(lively)}:  # those that call such a one
            lively |= more
            waiting = waiting - more
        return frozenset(lively)

    # -- sources and sinks --------------------------------------------------------------------------------------

    def _imported(self, unit: Unit) -> frozenset[str]:
        """The packages of which a file may have objects."""
        known = self._seen.roots.get(unit)
        if known is None:
            known = self._seen.roots[unit] = packages_at_hand(unit)
        return known

    def _imported_sources(self, unit: Unit) -> frozenset[str]:
        """The names that imports give to what holds something from outside: `from os import environ`."""
        known = self._seen.given.get(unit)
        if known is None:
            attributes = self._machine.catalogue.attributes
            known = self._seen.given[unit] = frozenset(
                name
                for name, many in unit.module.names.imports.items()
                for item in many
                if (row := attributes.get((item.target.rpartition(".")[0], item.target.rpartition(".")[2]))) is not None
                and self._rows.gives(row, weak=self._audit)
            )
        return known

    def _is_request(self, unit: Unit, base: ast.expr) -> bool:
        """Whether an expression is the request itself, of which only some parts come from outside.

        What some frameworks' handlers call their request comes from outside as a whole.
        """
        if isinstance(base, ast.Name):
            return base.id in REQUEST_NAMES
        return (
            isinstance(base, ast.Attribute)
            and base.attr == "request"
            and self._rows.request_holders.isdisjoint(self._imported(unit))
        )

    def _source_attribute(self, unit: Unit, node: ast.Attribute) -> bool:
        """Whether an attribute may come from outside although the names in it do not."""
        methods = unit.methods_by_name.get(node.attr, ())
        if any(is_property(method) and self.returns_source(unit, method) for _, method in methods[:MAX_TARGETS]):
            return True
        if not methods:
            for found in methods_of(self._machine, unit, node, plain=True):
                if isinstance(found, Lent):
                    if self._lends(unit, found):
                        return True
                elif is_property(found) and self.returns_source(unit, found):
                    return True
        if methods and isinstance(node.value, ast.Name) and node.value.id in OWNERS:
            return False  # a method of the project: what it gives is asked where it is called
        if node.attr == "request":
            return True
        roots = self._rows.attributes.get(node.attr)
        if roots is None or roots.isdisjoint(self._imported(unit)):
            return False
        dotted = unit.module.name(node)
        if dotted is not None:
            owner, _, name = dotted.rpartition(".")
            catalogue = self._machine.catalogue
            row = catalogue.attribute(catalogue.instance(owner) or owner, name)
            return row is not None and self._rows.gives(row, weak=self._audit)
        return self._may_hold(unit, node.value)

    def _source_call(self, unit: Unit, call: ast.Call) -> bool:
        """Whether a call may give something from outside although the names in it hold nothing."""
        func = call.func
        last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        roots = self._rows.sources.get(last)
        if roots is not None and WHATEVER in roots and isinstance(func, ast.Attribute):
            return True
        if last in self._rows.calls or roots is not None or last in self._rows.holder_words:
            name = unit.module.name(func)
            if name is not None:
                row = self._machine.catalogue.behaviour(name)
                if name in self._rows.holders or (row is not None and self._rows.gives(row, weak=self._audit)):
                    return True
            elif (
                roots is not None
                and not roots.isdisjoint(self._imported(unit))
                and isinstance(func, ast.Attribute)
                and self._may_hold(unit, func.value)
            ):
                return True
        return self._gives_source(unit, func, last)  # which may be called as a method of some library is

    def _may_hold(self, unit: Unit, node: ast.expr) -> bool:
        """Whether an object may hold something from outside although no tainted name stands in it.

        A variable of the function does not: what is put into it is followed. What an object of the project holds, what
        a module binds and what functions of the project give is not.
        """
        while not isinstance(node, ast.Name):
            match node:
                case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Await(value=inner):
                    node = inner
                case ast.Call(func=func):
                    last = (
                        func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
                    )
                    if last[:1].isupper() or last in self._functions(unit):
                        return True
                    if isinstance(func, ast.Attribute) and unit.module.name(func) is None:
                        node = func.value
                    else:
                        return self._machine.loader.exists(unit, unit.module.name(func) or "")
                case _:
                    return not isinstance(node, ast.Constant | ast.JoinedStr)
        if node.id in OWNERS:
            return True
        scopes = unit.module.scopes
        scope = scopes.binding_scope(node, node.id)
        return scope is None or scope is unit.module.tree or scope is not scopes.function(node)

    def _gives_source(self, unit: Unit, func: ast.expr, last: str) -> bool:
        """Whether a function of the project that is called returns something from outside by itself."""
        named = self._functions(unit)
        if any(self.returns_source(unit, target) for target in named.get(last, ())[:MAX_TARGETS]):
            return True
        if any(self._lends(unit, found) for found in function_abroad(self._machine, unit, func)):
            return True  # also where a function of this file has its name: `def user(): return service.user()`
        return (
            last not in named
            and isinstance(func, ast.Attribute)
            and any(
                self._lends(unit, found) if isinstance(found, Lent) else self.returns_source(unit, found)
                for found in methods_of(self._machine, unit, func)
            )
        )

    def _lends(self, unit: Unit, lent: Lent) -> bool:
        """Whether a function of another file returns something from outside by itself."""

        def find() -> bool:
            found = resolved(self._machine, unit, lent)
            return found is not None and may.returns_source(*found)

        if not self._machine.loader.remembers(unit):
            may = self
            return find()
        may = self._anew()
        return self._machine.questions.ask(unit, lent.dotted, ("gives", lent.method, lent.plain), find)

    def _anew(self) -> "May":
        """The same analysis without answers that may lean on questions which are not answered yet."""
        other = May(self._machine, audit=self._audit, seen=self._seen)
        other.abroad, other.puts = self.abroad, self.puts
        return other

    def _functions(self, unit: Unit) -> Mapping[str, list[FunctionNode]]:
        """The functions of a file by name."""
        named = self._seen.named.get(unit)
        if named is None:
            named = self._seen.named[unit] = {}
            for scope in unit.module.index.scopes:
                if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                    named.setdefault(scope.name, []).append(scope)
        return named

    def returns_source(self, unit: Unit, target: FunctionNode) -> bool:
        """Whether a function returns something from outside without being handed anything."""
        if not may_begin(self._machine, unit, target):
            return False
        known = self._gives.get(target)
        if known is None:
            self._gives[target] = False  # a recursive call adds nothing
            outline = self._outline(unit, target)
            names = set(outline.holders)
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
            if isinstance(call.func, ast.Attribute) and not LOGS.isdisjoint(pieces(last_name(call.func.value))):
                return False
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
        if not self._of_project(unit, call.func, last, cross=self.abroad and depth >= CROSSING):
            return False
        hot = [number for number, argument in enumerate(call.args) if self._tainted(unit, argument, names)]
        named = [keyword.arg for keyword in call.keywords if self._tainted(unit, keyword.value, names)]
        if not hot and not named:
            return False
        cross = depth >= CROSSING
        name = unit.module.name(call.func) if cross and self.abroad else None
        if name is not None and self._machine.loader.remembers(unit) and self._is_abroad(unit, call.func, name):
            more = ("reaches", tuple(hot), tuple(named), depth - CROSSING, self.puts)
            may = self._anew()
            return self._machine.questions.ask(
                unit, name, more, lambda: may.leads_on(unit, node, call, last, hot, named, depth)
            )
        return self.leads_on(unit, node, call, last, hot, named, depth)

    def _is_abroad(self, unit: Unit, func: ast.expr, name: str) -> bool:
        """Whether a call means a definition in another file, by its name alone."""
        if isinstance(func, ast.Name) and (func.id in unit.functions or func.id in unit.classes):
            return False
        if "." not in name or not self._machine.loader.exists(unit, name) or picked(self._machine, unit, func):
            return False
        return not (isinstance(func, ast.Name) and self._functions(unit).get(func.id))

    def leads_on(
        self, unit: Unit, node: ast.AST, call: ast.Call, last: str, hot: list[int], named: list[str | None], depth: int
    ) -> bool:
        """Whether a function that is called takes its arguments at some positions and keywords to where it matters."""
        for where, target, bound in self._targets_of(unit, node, call, last, cross=depth >= CROSSING):
            start = _given(target, hot, named, bound=bound)
            left = depth - (1 if where is unit else CROSSING)
            if start and self.reaches(where, target, start, left):
                return True
        return False

    def _of_project(self, unit: Unit, func: ast.expr, last: str, *, cross: bool) -> bool:
        """Whether a call may mean a function of the project at all, by its name alone; cross: of another file too."""
        if last in self._functions(unit) or last in unit.classes:
            return True
        if isinstance(func, ast.Subscript | ast.Call):  # out of a table
            return True
        if isinstance(func, ast.Name) and isinstance(
            unit.module.scopes.binding_scope(func, func.id), ast.FunctionDef | ast.AsyncFunctionDef
        ):
            return True
        while isinstance(func, ast.Attribute):
            func = func.value
        if not isinstance(func, ast.Name):
            return False
        if func.id in OWNERS:
            return True
        return cross and self.abroad and bool(self._machine.loader.imported(unit))

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
            inner = self._functions(unit).get(func.id, ())
            if inner:
                yield from ((unit, target, False) for target in inner[:MAX_TARGETS])
                return
        elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in OWNERS:
            owner = unit.module.scopes.class_of(node)
            method = loader.method(ClassRef(unit, owner), func.attr) if owner is not None else None
            if method is not None:
                yield (*method, not is_static(method[1]))
                return
        several = picked(self._machine, unit, func)
        if several:
            for pick in several:
                if cross or pick.unit is unit:
                    yield pick.unit, pick.node, pick.owner is not None
            return
        name = unit.module.name(func)
        if name is not None:
            if cross and self.abroad and "." in name and loader.exists(unit, name):
                match loader.find(unit, name):
                    case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as target):
                        yield where, target, takes_class(target)
                    case ClassRef() as ref:
                        yield from self._constructor(ref)
                    case _:
                        if isinstance(func, ast.Attribute):  # of an object that another module made
                            method = method_called(self._machine, unit, func)
                            if method is not None:
                                yield (*method, True)
            return
        if isinstance(func, ast.Attribute):
            if cross and self.abroad and (method := method_called(self._machine, unit, func)) is not None:
                yield (*method, True)
                return
            for _, method_node in unit.methods_by_name.get(last, [])[:MAX_TARGETS]:
                yield unit, method_node, not is_static(method_node)

    def _constructor(self, ref: ClassRef) -> Iterator[tuple[Unit, FunctionNode, bool]]:
        method = self._machine.loader.method(ref, "__init__")
        if method is not None:
            yield (*method, True)


@once_a_node
def _doing(unit: Unit, node: ast.AST) -> Sequence[tuple[ast.stmt, list[ast.expr] | None, bool]]:
    """The own statements of a scope, each with what it evaluates itself (see `heads`), and whether it may leave."""
    return [
        (item, evaluated, evaluated is not None and may_leave(item))
        for item in unit.module.index.own(node)
        if isinstance(item, ast.stmt)
        for evaluated in (heads(item),)
    ]


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
