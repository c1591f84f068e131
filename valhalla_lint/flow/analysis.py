"""The flow engine's one question: which values of a file reach what, unproven."""

import ast
from collections.abc import Callable, Mapping, Sequence

from valhalla_lint.core.flow import Flow
from valhalla_lint.core.frozen import replace
from valhalla_lint.core.settings import Settings
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.reading import ModuleReader, module_text
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.flow import demand
from valhalla_lint.flow.calls import Calls
from valhalla_lint.flow.catalogue import load
from valhalla_lint.flow.entries import Entry, enter
from valhalla_lint.flow.labels import Use
from valhalla_lint.flow.lexical import futile_checks
from valhalla_lint.flow.machine import MAX_TOTAL, SECOND_LOOK, USUAL, Call, Frame, Reached
from valhalla_lint.flow.may import May
from valhalla_lint.flow.noted import Noted, together
from valhalla_lint.flow.provenance import Provenance
from valhalla_lint.flow.report import flows
from valhalla_lint.flow.secrecy import label_of, records
from valhalla_lint.flow.state import Cell, Joined, State
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.values import CLEAN, Function, Value, all_labels, instance, union
from valhalla_lint.flow.wrappers import enter_through, looking_at_result, wrapped_method

TOPICS = frozenset({"path", "join", "check", "archive", "model", "generation", "log"})


WRAPPER = 120
"""Nodes of a function up to which it is read wherever it stands: wrappers, checks and cleaners are short."""


class Interpreter(Calls):
    """All parts together."""

    may: May

    def may_begin(self, unit: Unit, node: ast.AST) -> bool:
        """Whether a function's body can hold a source."""
        return demand.may_begin(self, unit, node)

    def guards(self, unit: Unit, node: ast.AST) -> bool:
        """Whether a function, or one of its file that it calls by name, may check where a path leads."""
        return node in demand.guarding(self, unit).leading

    def may_end(self, unit: Unit, node: ast.AST) -> bool:
        """Whether a function's body can lead to a sink."""
        return demand.may_end(self, unit, node)

    def wrapped(self, function: Function, call: Call) -> Function | None:
        """The wrapper of a decorated function that does something with what the function gives back."""
        return looking_at_result(self, function, call.frame) if not (function.bare or self.secrets) else None

    def wrapped_method(self, ref: ClassRef, value: ast.expr, frame: Frame) -> Function | None:
        """What a class makes of a method with a function of the project."""
        return wrapped_method(self, ref, value, frame)

    def run(self, entry: Entry) -> None:
        """Interpret one function as if it were called from outside."""
        self.bounds = SECOND_LOOK if entry.node in self.second else USUAL
        self.begin(entry.node, self.bounds.steps if self.may.abroad else self.bounds.own)
        self.route = entry.route
        self.asks = entry.handler is not None or demand.borrows(self, entry.unit, entry.node)
        frame = Frame(entry.unit, entry.node)
        state = self.beginning_state()
        enter(self, entry, state, frame)
        if entry.node.decorator_list:
            enter_through(self, entry, state, frame)
            self.total += self.steps
            self.steps = 0  # the function itself has all of its own
        frame.idle = self.idle(frame, state.variables, state)
        end = self.block(entry.node.body, state, frame)
        self.escaped(frame, end or state)
        self.settle_entry(frame, end)

    def run_secrets(
        self, unit: Unit, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Module, owner: ClassRef | None
    ) -> None:
        """Interpret one function, or a module's own statements, for what its secrets reach; nothing else is outside."""
        self.bounds = USUAL
        self.begin(node, USUAL.own)
        self.asks = False
        self.secrets = True
        if isinstance(node, ast.Module):
            self.block(node.body, self.beginning_state(), Frame(unit, None))
            self.secrets = False
            return
        frame = Frame(unit, node, owner=owner)
        variables: dict[str, Value] = {}
        for arg in parameters(node):
            kind = unit.module.name(arg.annotation) if arg.annotation is not None else None
            variables[arg.arg] = instance(kind or "")
        state = self.beginning_state(variables)
        for name, key in records(unit, node, owner).items():
            held = Value((label_of(self, f"{name}[{key!r}]", node, frame),))
            variables[name] = self.allocate(Cell("dict", {key: held}), state)
        self.block(node.body, state, frame)
        self.secrets = False

    def idle(self, frame: Frame, variables: Mapping[str, Value], state: State) -> frozenset[ast.stmt]:
        """The statements of a function that need not be interpreted when it is called with these values."""
        if self.secrets or frame.node is None or isinstance(frame.node, ast.Lambda):
            return frozenset()
        into = (frame.unit, frame.node)
        start = frozenset(name for name, value in variables.items() if self.hands_on(value, state, into))
        return self.may.idle(frame.unit, frame.node, start)

    def judged_there(self, function: Function, variables: Mapping[str, Value], state: State) -> bool:
        """Whether a function of another file leads a caller's own parameter to where it matters.

        Such a function is an entry of its own file and is judged there; only guards and cleaners are read across files,
        unless the value is certain to come from outside.
        """
        if self.secrets or self.may.abroad or function.unit is self.main or isinstance(function.node, ast.Lambda):
            return False
        if function.unit.module.index.size(function.node) <= WRAPPER:
            return False
        start = frozenset(name for name, value in variables.items() if self.hands_on(value, state))
        return self.may.reaches(function.unit, function.node, start)

    def run_module(self, unit: Unit) -> None:
        """Interpret the statements of a module itself."""
        self.bounds = USUAL
        self.begin(unit.module.tree, USUAL.steps)
        self.asks = False
        frame = Frame(unit, None)
        self.settle_entry(frame, self.block(unit.module.tree.body, self.beginning_state(), frame))

    def settle_entry(self, frame: Frame, end: State | None) -> None:
        """Judge what was put below a folder, and the checks on which the function's answers depend, at all its ends."""
        ends = [(value, state) for value, state in frame.returns]
        if end is not None:
            ends.append((CLEAN, end))
        answered: set[tuple[int, int]] = set()
        for value, state in ends:
            for label in all_labels(value, state):
                joined = state.pending.get((label.content, label.spot))
                if joined is not None:
                    answered.add((label.content, label.spot))
                    self.reach_join(joined, state)
        if ends:
            last = ends[-1][1]
            for label in union(value.labels for value in frame.yields):  # handed back one by one, as known by then
                key = (label.content, label.spot)
                joined = last.pending.get(key)
                if joined is not None and key not in answered:
                    answered.add(key)
                    self.reach_join(replace(joined, label=replace(joined.label, risk=label.risk)), last)
            for key, joined in last.pending.items():
                if key not in answered and "model" in joined.label.origin.words:
                    self.reach_join(joined, last)
        for _, state in ends:
            for attempts in state.tried.values():
                self.checks.extend(attempt for attempt in attempts if not attempt.void)

    def reach_join(self, joined: Joined, state: State) -> None:
        """Note a value below a folder that is handed back, or left there, with what is known by then."""
        label = joined.label
        if label.content in state.run.ever or label.spot in state.run.ever:
            return  # a check is in sight: what it guards is judged where it is used
        left, attempts = self.left(label, state), self.tried_so_far(label, state)
        self.reached.append(
            Reached(label, left, Use.LOAD, joined.place, "a joined path", joined.sites, attempts, self.entry, "join")
        )

    def escaped(self, frame: Frame, state: State) -> None:
        """Functions defined inside and not called there: whoever gets them calls them, with the variables around."""
        for function in frame.nested:
            node = function.node
            if isinstance(node, ast.Lambda) or node in frame.called or node in self.visited:
                continue
            if not any(value.labels for value in state.variables.values()):
                continue
            self.visited.add(node)
            call = Call(
                ast.copy_location(ast.Call(func=ast.Name(id=node.name, ctx=ast.Load()), args=[], keywords=[]), node),
                [],
                {},
                state,
                frame,
            )
            self.call_function(function, call)


def find_flows(
    module: Module, topics: frozenset[str], settings: Settings, read: ModuleReader = module_text
) -> list[Flow]:
    """The flows of one file that answer the given topics; never raises on any text that parses.

    read: gives the texts of other modules of the project.
    """
    wanted = topics & TOPICS
    if not wanted:
        return []
    machine = Interpreter(Unit(module), settings, load(settings.catalogue), wanted, read)
    try:
        notes: list[Noted] = []
        _guarded(machine, notes, lambda: _follow(machine, machine.main, wanted, notes))
        found = _told(machine, notes, wanted)
        cut = frozenset(entry for entry, _ in machine.bounds_hit if entry is not None)
        cut &= {reached.entry for reached in machine.reached}
        if cut and any(machine.audit or not flow.audit for flow in found):
            _guarded(machine, notes, lambda: _follow_further(machine, notes, cut))
            found = _told(machine, notes, wanted)
        return found
    finally:
        vars(machine).clear()  # its parts know it: without these rings the file's trees die at once


def _told(machine: Interpreter, notes: Sequence[Noted], wanted: frozenset[str]) -> list[Flow]:
    """The flows of a file by what was noted of its entries."""
    together(notes).note_in(machine)
    return flows(machine, wanted) if machine.reached or machine.checks else []


def _guarded(machine: Interpreter, notes: list[Noted], follow: Callable[[], None]) -> None:
    """Follow entries; our own bounds come before Python's, but a host with a deep stack of its own may get there."""
    try:
        follow()
    except RecursionError:
        noted = Noted()
        noted.bounds_hit.add((None, "nesting"))
        notes.append(noted)


def _follow(machine: Interpreter, unit: Unit, wanted: frozenset[str], notes: list[Noted]) -> None:
    """Interpret what is worth it. Effect: what reached what is noted, of each entry by itself."""
    audit = machine.audit

    def noting(entry: Entry | None = None) -> None:
        noted = Noted(entry, abroad=machine.may.abroad)
        notes.append(noted)
        noted.note_in(machine)

    notes.append(Noted())
    notes[0].note_in(machine)
    found = demand.Demand(machine, unit, audit=audit)
    may = machine.may = May(machine, audit=audit)  # a cheap superset, so that little is interpreted in vain
    for entry in found.entries():
        if entry.node in found.telling or may.passes(
            entry, every=entry.node in found.naming or entry.node in found.importing
        ):
            noting(entry)
            machine.run(entry)
    noting()
    if unit.module.tree in found.sinks and may.passes_itself(unit):
        machine.run_module(unit)
    if "check" in wanted:
        machine.checks.extend(futile_checks(unit))
    if "log" in wanted:
        for node, owner in demand.showing(unit, machine.catalogue):
            machine.run_secrets(unit, node, owner)


def _follow_further(machine: Interpreter, notes: list[Noted], cut: frozenset[ast.AST]) -> None:
    """Follow entries once more, further. Effect: what is noted of them is what was found so.

    Where the steps of the file are used up, what was noted of the others before stays.
    """
    machine.second, machine.secrets = cut, False
    machine.total = machine.steps = 0
    machine.inlined.clear()
    machine.visited.clear()
    machine.provenance = Provenance(machine)
    for index, before in enumerate(notes):
        if before.entry is None or before.entry.node not in cut:
            continue
        after = Noted(before.entry, abroad=before.abroad)
        after.note_in(machine)
        machine.may.abroad = before.abroad
        machine.run(before.entry)
        if machine.total + machine.steps > MAX_TOTAL:
            return
        notes[index] = after
