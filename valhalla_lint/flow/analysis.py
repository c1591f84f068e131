"""The flow engine's one question: which values of a file reach what, unproven."""

import ast
from collections.abc import Mapping

from valhalla_lint.core.flow import Flow
from valhalla_lint.core.frozen import replace
from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.reading import ModuleReader, module_text
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.flow import demand
from valhalla_lint.flow.calls import Calls
from valhalla_lint.flow.catalogue import load
from valhalla_lint.flow.entries import Entry, enter
from valhalla_lint.flow.labels import Use
from valhalla_lint.flow.lexical import futile_checks
from valhalla_lint.flow.machine import SECOND_LOOK, USUAL, Call, Frame, Reached
from valhalla_lint.flow.may import May
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
        self.total += self.steps
        self.steps = 0
        self.entry = entry.node
        self.route = entry.route
        self.asks = entry.handler is not None or demand.borrows(self, entry.unit, entry.node)
        self.bounds = SECOND_LOOK if entry.node in self.second else USUAL
        self.limit = self.bounds.steps if self.may.abroad else self.bounds.own
        frame = Frame(entry.unit, entry.node)
        state = State()
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
        self.total += self.steps
        self.steps = 0
        self.entry = node
        self.asks = False
        self.secrets = True
        self.bounds = USUAL
        self.limit = USUAL.own
        if isinstance(node, ast.Module):
            self.block(node.body, State(), Frame(unit, None))
            self.secrets = False
            return
        frame = Frame(unit, node, owner=owner)
        variables: dict[str, Value] = {}
        for arg in parameters(node):
            kind = unit.module.name(arg.annotation) if arg.annotation is not None else None
            variables[arg.arg] = instance(kind or "")
        state = State(variables)
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
        self.total += self.steps
        self.steps = 0
        self.entry = unit.module.tree
        self.asks = False
        self.bounds = USUAL
        self.limit = USUAL.steps
        frame = Frame(unit, None)
        self.settle_entry(frame, self.block(unit.module.tree.body, State(), frame))

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
        if label.content in state.ever or label.spot in state.ever:
            return  # a check is in sight: what it guards is judged where it is used
        left, attempts = self.left(label, state), self.tried_so_far(label, state)
        self.reached.append(
            Reached(label, left, Use.LOAD, joined.place, "a path", joined.sites, attempts, self.entry, "join")
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
    unit = Unit(module)
    found, cut = _looked(Interpreter(unit, settings, load(settings.catalogue), wanted, read), wanted)
    if cut and any(settings.preset is Preset.AUDIT or not flow.audit for flow in found):
        machine = Interpreter(unit, settings, load(settings.catalogue), wanted, read)
        machine.second = cut
        found, _ = _looked(machine, wanted)
    return found


def _looked(machine: Interpreter, wanted: frozenset[str]) -> tuple[list[Flow], frozenset[ast.AST]]:
    """The flows of a file, and the entries from which something was reached though a bound was hit."""
    try:
        _follow(machine, machine.main, wanted)
        found = flows(machine, wanted) if machine.reached or machine.checks else []
        cut = {entry for entry, _ in machine.bounds_hit if entry is not None}
        return found, frozenset(entry for entry in cut if any(reached.entry is entry for reached in machine.reached))
    finally:
        vars(machine).clear()  # its parts know it: without these rings the file's trees die at once


def _follow(machine: Interpreter, unit: Unit, wanted: frozenset[str]) -> None:
    """Interpret what is worth it. Effect: the machine knows what reached what."""
    audit = machine.audit
    try:
        found = demand.Demand(machine, unit, audit=audit)
        may = machine.may = May(machine, audit=audit)  # a cheap superset, so that little is interpreted in vain
        for entry in found.entries():
            if entry.node in found.telling or may.passes(
                entry, every=entry.node in found.naming or entry.node in found.importing
            ):
                machine.run(entry)
        if unit.module.tree in found.sinks and may.passes_itself(unit):
            machine.run_module(unit)
        if "check" in wanted:
            machine.checks.extend(futile_checks(unit))
        if "log" in wanted:
            for node, owner in demand.showing(unit, machine.catalogue):
                machine.run_secrets(unit, node, owner)
    except RecursionError:  # our own bounds come first; a host with a deep stack of its own may still get here
        machine.bounds_hit.add((None, "nesting"))
