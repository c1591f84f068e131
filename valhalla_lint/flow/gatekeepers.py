"""Functions of the project that look where a path lies, in a form in which nothing certain can be said of it.

A validator that lets some people choose freely, or whose body is too long to be followed, proves nothing of a value.
It is a check all the same: who reads the code finds it there.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.checks import escapes
from valhalla_lint.flow.hinges import hangs
from valhalla_lint.flow.labels import ANYTHING
from valhalla_lint.flow.policies import is_open, token_of
from valhalla_lint.flow.receivers import meant, method_called, own_method
from valhalla_lint.flow.state import State
from valhalla_lint.flow.tables import TASKS
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.values import Attempt, Body, Function, Label, Place, Reference, Value, all_labels, constant

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Call, Machine

PLACE_CHECKS = frozenset({"is_relative_to", "relative_to", "commonpath", "samefile"})
RESOLVING = frozenset({"realpath", "abspath", "normpath", "resolve"})
THREADS = frozenset({"to_thread", "run_in_threadpool", "run_sync", "run_in_executor"})
"""Calls that run the function that they are given."""
MAX_CALLED = 3
"""Calls inside calls that lead to a check."""
MAX_ASKED = 40
"""Calls of one function of which each is asked whether it leads to one."""


def note_gate(machine: "Machine", function: Function, call: "Call", given: tuple[Label, ...]) -> None:
    """Remember of what was given to a function, and is not proven by it, that it looks where a path lies."""
    state = call.state
    tokens = {token_of(machine, label) for label in given if is_open(machine, label, state)}
    tokens.update(_of_bodies(machine, call))
    if not tokens or not keeps_inside(machine, function.unit, function.node) or _is_switched(function):
        return
    attempt = Attempt(
        Place(function.unit, function.node),
        f"{getattr(function.node, 'name', 'a function')}()",
        "it looks where a path lies, in some cases",
        unread=True,
        gate=True,
    )
    for token in tokens:
        state.attempt(token, attempt)


def _is_switched(function: Function) -> bool:
    """Whether a parameter of a function alone decides that nothing is checked: whoever calls it says so."""
    node = function.node
    if isinstance(node, ast.Lambda):
        return False
    names = {arg.arg for arg in parameters(node)}
    for item in function.unit.module.index.own(node):
        match item:
            case ast.If(
                test=ast.Name(id=name) | ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)),
                body=[*_, ast.Return(value=ast.expr())],
            ) if name in names and len(item.orelse) == 0 and not _holds(item.body[-1], name):
                return True
            case _:
                pass
    return False


def _holds(node: ast.AST, name: str) -> bool:
    return any(isinstance(item, ast.Name) and item.id == name for item in ast.walk(node))


def proves(ends: Iterable[tuple[Value, State]], before: State) -> bool:
    """Whether a function proves at one of its ends where something lies, or has had it looked at, and not before.

    An end at which it says no does not count.
    """
    return any(_is_looked_at(state, before) and not _says_no(value, state) for value, state in ends)


def _is_looked_at(state: State, before: State) -> bool:
    return any(
        risk != before.proven.get(token) and not escapes(ANYTHING & ~risk) for token, risk in state.proven.items()
    ) or any(
        item.gate
        for token, attempts in state.tried.items()
        if attempts is not before.tried.get(token)
        for item in attempts
    )


def _says_no(value: Value, state: State) -> bool:
    """Whether an answer is `False`, or begins with it."""
    first = _elements(value, state)[:1]
    return any(item.const is False for item in (value, *first))


def _elements(value: Value, state: State) -> list[Value]:
    if isinstance(value.const, tuple):
        return [constant(item) for item in value.const]
    cells = [state.heap.get(thing.number) for thing in value.things if isinstance(thing, Reference)]
    return [item for cell in cells if cell is not None and cell.kind == "list" for item in cell.items.values()]


def lets_through(value: Value, state: State, before: Mapping[int, tuple[Attempt, ...]]) -> bool:
    """Whether the check of a function was read and is no good, or its answer tells what it proves: both are known.

    before: the checks that were tried when it was called.
    """
    truths = [item.truth for item in (value, *_elements(value, state)) if item.truth is not None]
    told = [facts for truth in truths for facts in (truth.holds, truth.fails) if facts]
    if any(not escapes(ANYTHING & ~risk) for facts in told for risk in facts.proven.values()):
        return True
    tried = [attempts for token, attempts in state.tried.items() if attempts is not before.get(token)]
    tried += [attempts for facts in told for attempts in facts.tried.values()]
    return any(_is_weak(item) for attempts in tried for item in attempts)


def _is_weak(attempt: Attempt) -> bool:
    """Whether a check asked a path for its place and was not enough; a fixed beginning (`../`) is none of a place."""
    asked = attempt.telling or (attempt.early and not attempt.check.startswith("startswith("))
    return asked and not attempt.void


def _of_bodies(machine: "Machine", call: "Call") -> Iterator[int]:
    """The tokens of the fields of request bodies that a call is given as a whole."""
    for value in call.everything:
        for thing in value.things:
            if isinstance(thing, Body) and not thing.many:
                for ref in machine.loader.lineage(thing.ref):
                    for line in ref.node.body if isinstance(ref, ClassRef) else ():
                        match line:
                            case ast.AnnAssign(target=ast.Name(id=name)):
                                text = f"{thing.origin.text}.{name}"
                                yield machine.token("source", thing.origin.kind, text)
                            case _:
                                pass


def given_to(machine: "Machine", call: "Call") -> tuple[Label, ...]:
    """What a call is given, in whichever container."""
    return tuple(label for value in call.everything for label in all_labels(value, call.state))


def keeps_inside(machine: "Machine", unit: Unit, node: ast.AST, left: int = MAX_CALLED) -> bool:
    """Whether a function asks where a path lies and acts on the answer, itself or in what it calls; files are read."""
    return machine.gates((node, left), lambda: _keeps_inside(machine, unit, node, left))


def _keeps_inside(machine: "Machine", unit: Unit, node: ast.AST, left: int) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    calls = [item for item in unit.module.index.own(node) if isinstance(item, ast.Call)]
    resolves = any(last_name(item.func) in RESOLVING for item in calls)
    asked = [item for item in calls if _asks(item) and (resolves or last_name(item.func) in PLACE_CHECKS)]
    if any(hangs(Place(unit, item)) for item in asked):
        return True
    return left > 0 and any(
        keeps_inside(machine, *found, left - 1)
        for item in calls[:MAX_ASKED]
        for found in _called(machine, unit, item)
        if found[1] is not node
    )


def _asks(call: ast.Call) -> bool:
    """Whether a call may ask where a path lies: by its beginning, if that is not a fixed text, or by containment."""
    match call:
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[given]):
            return not isinstance(given, ast.Constant | ast.Tuple)
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in PLACE_CHECKS
        case _:
            return False


def _called(machine: "Machine", unit: Unit, call: ast.Call) -> Iterator[tuple[Unit, ast.AST]]:
    """The functions of the project that a call with arguments calls."""
    if not call.args and not call.keywords:
        return
    functions = [call.func]
    if last_name(call.func) in THREADS | TASKS:
        functions += call.args[:2]
    for func in functions:
        match func:
            case ast.Name() | ast.Attribute():
                found = meant(machine, unit, func)
                if found is None and isinstance(func, ast.Attribute):
                    found = own_method(machine, unit, func) or method_called(machine, unit, func)
                match found:
                    case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as node):
                        yield where, node
                    case _:
                        pass
            case _:
                pass
