"""The flow engine's one question: which values of a file reach what, unproven."""

import ast

from valhalla_lint.core.flow import Flow
from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.facts.module import Module
from valhalla_lint.flow import demand
from valhalla_lint.flow.calls import Calls
from valhalla_lint.flow.catalogue import load
from valhalla_lint.flow.entries import Entry, enter
from valhalla_lint.flow.machine import Call, Frame
from valhalla_lint.flow.report import flows
from valhalla_lint.flow.state import State
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.values import Function

TOPICS = frozenset({"path", "join", "check", "archive", "model", "generation", "log"})


class Interpreter(Calls):
    """All parts together."""

    def may_begin(self, unit: Unit, node: ast.AST) -> bool:
        """Whether a function's body can hold a source."""
        return demand.may_begin(self, unit, node)

    def may_end(self, unit: Unit, node: ast.AST) -> bool:
        """Whether a function's body can lead to a sink."""
        return demand.may_end(self, unit, node)

    def run(self, entry: Entry) -> None:
        """Interpret one function as if it were called from outside."""
        self.total += self.steps
        self.steps = 0
        self.entry = entry.node
        self.handled = entry.handler is not None
        frame = Frame(entry.unit, entry.node)
        state = State()
        enter(self, entry, state, frame)
        end = self.block(entry.node.body, state, frame)
        self.escaped(frame, end or state)

    def run_module(self, unit: Unit) -> None:
        """Interpret the statements of a module itself."""
        self.total += self.steps
        self.steps = 0
        self.entry = unit.module.tree
        self.handled = False
        frame = Frame(unit, None)
        self.block(unit.module.tree.body, State(), frame)

    def escaped(self, frame: Frame, state: State) -> None:
        """Functions defined inside and not called there: whoever gets them calls them, with the variables around."""
        for function in frame.nested:
            node = function.node
            if isinstance(node, ast.Lambda) or node in frame.called or node in self.visited:
                continue
            if not any(value.labels for value in state.variables.values()):
                continue
            self.visited.add(node)
            call = Call(ast.copy_location(ast.Call(func=ast.Name(id=node.name, ctx=ast.Load()), args=[], keywords=[]), node), [], {}, state, frame)
            self.call_function(function, call)


def find_flows(module: Module, topics: frozenset[str], settings: Settings) -> list[Flow]:
    """The flows of one file that answer the given topics; never raises on any text that parses."""
    wanted = topics & TOPICS
    if not wanted:
        return []
    unit = Unit(module)
    machine = Interpreter(unit, settings, load(settings.catalogue), wanted)
    audit = settings.preset is Preset.AUDIT
    try:
        found = demand.Demand(machine, unit, audit=audit)
        for entry in found.entries():
            machine.run(entry)
        if module.tree in found.sinks:
            machine.run_module(unit)
    except RecursionError:  # our own bounds come first; a host with a deep stack of its own may still get here
        machine.bounds_hit.add("nesting")
    return flows(machine, wanted)
