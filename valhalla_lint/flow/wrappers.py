"""Decorators of the project: what their wrapper checks, cleans or supplies before it calls the function."""

import ast
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from valhalla_lint.core.frozen import replace
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.entries import REQUEST_NAMES, Entry
from valhalla_lint.flow.machine import Call, Frame
from valhalla_lint.flow.state import Cell, State, meet_all
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.values import CLEAN, Function, Value, merge_all
from valhalla_lint.flow.words import OWNERS

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Machine

MOST_WRAPPERS = 8
"""Decorators of one function that are interpreted."""
PASSED_ON = frozenset({*OWNERS, *REQUEST_NAMES})
MOST_PLACED = 2
"""Arguments that frameworks hand over by place: the object, and the request."""


def enter_through(machine: "Machine", entry: Entry, state: State, frame: Frame) -> None:
    """Let the wrappers of a function's decorators do their work on what it is called with, outermost first.

    What holds at every call of the function in a wrapper holds in the function, and what a wrapper hands over in place
    of an argument takes its place. A wrapper that does not call it, as far as can be seen, changes nothing.
    """
    for decorator, unit, function in islice(_decorators(machine, entry), MOST_WRAPPERS):
        wrapper = _wrapper(unit, function)
        if wrapper is None or not _speaks_of(unit, wrapper, entry.node):
            continue
        inner = _made(machine, entry, decorator, unit, function, wrapper, frame)
        if inner is not None:
            _pass(machine, entry, inner, state)


def looking_at_result(machine: "Machine", function: Function, frame: Frame) -> Function | None:
    """The innermost wrapper of a function's decorators that does something with what the function gave back.

    One that only hands the result on changes nothing for the caller.
    """
    node = function.node
    if isinstance(node, ast.Lambda) or not node.decorator_list:
        return None
    entry = Entry(function.unit, node, function.owner, None)
    found = (_around_result(machine, entry, item, frame) for item in islice(_decorators(machine, entry), MOST_WRAPPERS))
    inner = next((item for item in found if item is not None), None)
    return replace(inner, bound=function.bound, owner=function.owner) if inner is not None else None


def wrapped_method(machine: "Machine", ref: ClassRef, value: ast.expr, frame: Frame) -> Function | None:
    """What a class makes of one of its methods with a function of the project: `path = below_base(relative_path)`."""
    match value:
        case ast.Call(func=ast.Name() as func, args=[ast.Name(id=name)], keywords=[]):
            method = ref.unit.methods.get(ref.node, {}).get(name)
            found = _of_project(machine, ref.unit, func) if method is not None else None
            if method is None or found is None:
                return None
            return _around_result(machine, Entry(ref.unit, method, ref, None), (func, *found), frame)
        case _:
            return None


def _around_result(
    machine: "Machine", entry: Entry, found: tuple[ast.expr, Unit, FunctionNode], frame: Frame
) -> Function | None:
    decorator, unit, made_by = found
    wrapper = _wrapper(unit, made_by)
    if wrapper is None or not _looks_at_result(unit, wrapper):
        return None
    return _made(machine, entry, decorator, unit, made_by, wrapper, frame)


def _looks_at_result(unit: Unit, wrapper: FunctionNode) -> bool:
    """Whether a wrapper keeps what a function around it gives: `path = func(*args)`."""
    scopes = unit.module.scopes
    for item in unit.module.index.own(wrapper):
        match item:
            case ast.Assign(value=ast.Call(func=ast.Name(id=name) as func)):
                scope = scopes.binding_scope(func, name)
                if (
                    isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)
                    and scope is not wrapper
                    and any(arg.arg == name for arg in parameters(scope))
                ):
                    return True
            case _:
                pass
    return False


def _decorators(machine: "Machine", entry: Entry) -> Iterator[tuple[ast.expr, Unit, FunctionNode]]:
    """The decorators that are functions of the project."""
    for decorator in entry.node.decorator_list:
        found = _of_project(machine, entry.unit, decorator.func if isinstance(decorator, ast.Call) else decorator)
        if found is not None:
            yield decorator, *found


def _of_project(machine: "Machine", unit: Unit, func: ast.expr) -> tuple[Unit, FunctionNode] | None:
    """The function of the project that a name means."""
    dotted = unit.module.name(func)
    if isinstance(func, ast.Name) and func.id in unit.functions:
        return unit, unit.functions[func.id]
    if dotted is not None and machine.loader.exists(unit, dotted):
        match machine.loader.find(unit, dotted):
            case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as found):
                return where, found
            case _:
                pass
    return None


def _wrapper(unit: Unit, decorator: FunctionNode) -> FunctionNode | None:
    """The function inside a decorator that calls what the decorator, or a function in it, was given."""
    index, scopes = unit.module.index, unit.module.scopes
    waiting: list[FunctionNode] = [decorator]
    while waiting:
        around = waiting.pop()
        for item in index.own(around):
            if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                waiting.append(item)
            elif isinstance(item, ast.Call) and around is not decorator:
                called = item.func
                names = [called, *called.args] if isinstance(called, ast.Call) else [called]
                for name in names:
                    scope = scopes.binding_scope(name, name.id) if isinstance(name, ast.Name) else None
                    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) and scope is not around:
                        assert isinstance(name, ast.Name)
                        if any(arg.arg == name.id for arg in parameters(scope)):
                            return around
    return None


def _speaks_of(unit: Unit, wrapper: FunctionNode, node: FunctionNode) -> bool:
    """Whether a wrapper names one of a function's parameters, or takes arguments out by a key or a place."""
    names = {arg.arg for arg in parameters(node)} - {*OWNERS, *REQUEST_NAMES}
    if not names.isdisjoint(arg.arg for arg in parameters(wrapper)):
        return True
    if any(_is_given(unit, wrapper, call) for call in unit.module.index.own(wrapper) if isinstance(call, ast.Call)):
        return True
    spread = {item.arg for item in (wrapper.args.vararg, wrapper.args.kwarg) if item is not None}
    for item in unit.module.index.own(wrapper):
        match item:
            case ast.Constant(value=str(text)) if text in names:
                return True
            case ast.keyword(arg=str(text)) if text in names:
                return True
            case (
                ast.Subscript(value=ast.Name(id=held))
                | ast.Attribute(value=ast.Name(id=held))
                | ast.For(iter=ast.Name(id=held))
            ) if held in spread:
                return True
            case _:
                pass
    return False


def _is_given(unit: Unit, wrapper: FunctionNode, call: ast.Call) -> bool:
    """Whether a call in a wrapper hands something of its own to the function around which it stands, by place."""
    return (
        isinstance(call.func, ast.Name)
        and any(not isinstance(item, ast.Starred) and last_name(item) not in PASSED_ON for item in call.args)
        and isinstance(
            unit.module.scopes.binding_scope(call.func, call.func.id), ast.FunctionDef | ast.AsyncFunctionDef
        )
        and unit.module.scopes.binding_scope(call.func, call.func.id) is not wrapper
    )


def _made(
    machine: "Machine",
    entry: Entry,
    decorator: ast.expr,
    unit: Unit,
    function: FunctionNode,
    wrapper: FunctionNode,
    frame: Frame,
) -> Function | None:
    """The wrapper with the variables around it: the decorator, and what it is made with, are interpreted for it."""
    bare = decorator in entry.node.decorator_list
    given = Value(things=(Function(entry.unit, entry.node, owner=entry.owner, bare=bare),))
    variables: dict[str, Value] = {}
    if isinstance(decorator, ast.Call):
        call = Call(decorator, [], {}, State(), frame)
        call.arguments = [machine.evaluate(item, call.state, frame) for item in decorator.args]
        call.keywords = {
            item.arg: machine.evaluate(item.value, call.state, frame) for item in decorator.keywords if item.arg
        }
        variables = machine.bind(Function(unit, function), call)
    else:
        variables = {arg.arg: given for arg in islice(parameters(function), 1)}
    for _ in range(2):  # a decorator, or a function that makes one
        made = Frame(unit, function, depth=frame.depth + 1)
        machine.block(function.body, State(variables), made)
        for inner in made.nested:
            if inner.node is wrapper:
                return inner
        between = next((item for item in made.nested if wrapper in unit.module.index.own(item.node)), None)
        if between is None or isinstance(between.node, ast.Lambda):
            return None
        function = between.node
        variables = {**(between.closure or {}), **{arg.arg: given for arg in islice(parameters(function), 1)}}
    return None


def _pass(machine: "Machine", entry: Entry, wrapper: Function, state: State) -> None:
    """Interpret a wrapper up to its calls of the function, and take over what holds there."""
    node = wrapper.node
    assert not isinstance(node, ast.Lambda)
    inside = state.inside(_bound(machine, entry, node, state))
    frame = Frame(wrapper.unit, node, depth=1, closure=dict(wrapper.closure or {}))
    machine.calls_of, machine.seen_calls = entry.node, []
    machine.block(node.body, inside, frame)
    calls, machine.calls_of, machine.seen_calls = machine.seen_calls, None, []
    together = meet_all(there for there, _ in calls)
    if together is None:
        return
    for name in state.variables:
        given = [bound[name] for _, bound in calls if name in bound]
        if given and len(given) == len(calls) and name not in OWNERS:
            state.variables[name] = merge_all(given)
    state.take_effects(together)


def _bound(machine: "Machine", entry: Entry, node: FunctionNode, state: State) -> dict[str, Value]:
    """The parameters of a wrapper: a framework hands over the object and the request by place, all else by name."""
    given = {arg.arg: state.variables.get(arg.arg, CLEAN) for arg in parameters(entry.node)}
    placed = [name for name in islice(given, MOST_PLACED) if name in (*OWNERS, *REQUEST_NAMES)]
    variables: dict[str, Value] = {}
    args = node.args
    for arg in (*args.posonlyargs, *args.args):
        if placed:
            variables[arg.arg] = given.pop(placed.pop(0))
        else:
            variables[arg.arg] = given.pop(arg.arg, CLEAN)
    for arg in args.kwonlyargs:
        variables[arg.arg] = given.pop(arg.arg, CLEAN)
    if args.vararg is not None:
        left = [name for name in placed if name in given]  # a parameter of the wrapper's own may take one by its name
        items = dict[object, Value](enumerate(given.pop(name) for name in left))
        variables[args.vararg.arg] = machine.allocate(Cell("list", items), state)
    if args.kwarg is not None:
        variables[args.kwarg.arg] = machine.allocate(Cell("dict", dict[object, Value](given.items())), state)
    return variables
