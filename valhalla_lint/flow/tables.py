"""What a call means that is made by others or through a table: tasks, threads, `HANDLERS[kind](x)`, `getattr`."""

import ast
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.flow.callsites import HANDERS_ON
from valhalla_lint.flow.receivers import meant
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.words import OWNERS

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Machine

MAX_STEPS = 6
"""Variables and choices that lead from a call to the table."""
MAX_PICKS = 8
"""Functions of one table that are followed."""
TASKS = frozenset({"delay", "remote", "apply_async", "send", "submit", "enqueue"})
"""Methods of a task that run it with what they are given."""
STARTERS = frozenset({"Thread", "Process"})
"""Classes whose objects run a function that they are given as `target`."""
HANDING = TASKS | STARTERS | frozenset(HANDERS_ON)
"""The last names of all calls that may run a function which they are given."""


def handed(call: ast.Call, last: str) -> Iterator[ast.Call]:
    """The calls that a call makes of a function which it is given: `to_thread(f, x)`, `Thread(target=f, args=(x,))`.

    And those of a task that stands before the dot: `f.delay(x)`. last: the last name of what is called; nothing is
    handed on where it is not in `HANDING`.
    """
    func = call.func
    if last in TASKS and isinstance(func, ast.Attribute):
        yield ast.copy_location(ast.Call(func=func.value, args=call.args, keywords=call.keywords), call)
    elif last in STARTERS:
        given = {item.arg: item.value for item in call.keywords}
        target, args = given.get("target"), given.get("args")
        if target is not None and isinstance(args, ast.Tuple | ast.List):
            yield ast.copy_location(ast.Call(func=target, args=args.elts, keywords=[]), call)
    elif last in HANDERS_ON:
        for index, item in enumerate(call.args):
            if isinstance(item, ast.Name | ast.Attribute):
                made = ast.Call(func=item, args=call.args[index + 1 :], keywords=call.keywords)
                yield ast.copy_location(made, call)


class Pick(NamedTuple):
    """A function that stands in a table. owner: the class of the method that it is."""

    unit: Unit
    node: FunctionNode
    owner: ClassRef | None = None


def picked(machine: "Machine", unit: Unit, node: ast.expr, left: int = MAX_STEPS) -> tuple[Pick, ...]:
    """The functions of which an expression gives one by a name that is known when the program runs.

    `HANDLERS[kind]`, `HANDLERS.get(kind)`, `getattr(self, f"on_{kind}")`, and variables that hold one of these.
    """
    return tuple(islice(_picks(machine, unit, node, left), MAX_PICKS)) if left > 0 else ()


def _picks(machine: "Machine", unit: Unit, node: ast.expr, left: int) -> Iterator[Pick]:
    match node:
        case ast.Name():
            scope = unit.module.scopes.binding_scope(node, node.id)
            if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                return
            for binding in unit.module.scopes.bindings(scope).get(node.id, ()):
                match unit.module.parent(binding):
                    case ast.Assign(value=value) | ast.NamedExpr(value=value) if not isinstance(value, ast.Name):
                        yield from _picks(machine, unit, value, left - 1)
                    case _:
                        pass
        case ast.BoolOp(values=several):
            for value in several:
                yield from picked(machine, unit, value, left - 1)
        case ast.Subscript(value=table) | ast.Call(func=ast.Attribute(value=table, attr="get" | "pop")):
            for where, value in _tables(machine, unit, table):
                for item in value.values if isinstance(value, ast.Dict) else value.elts:
                    yield from _function(machine, where, item)
        case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id="self"), asked, *_]):
            owner = unit.module.scopes.owner(node)
            start = _beginning(asked)
            if owner is not None and start:
                for name, method in unit.methods.get(owner, {}).items():
                    if name.startswith(start):
                        yield Pick(unit, method, ClassRef(unit, owner))
        case _:
            pass


def _tables(machine: "Machine", unit: Unit, node: ast.expr) -> Iterator[tuple[Unit, ast.Dict | ast.List | ast.Tuple]]:
    """The displays that a name or an attribute of the object itself holds."""
    found: list[tuple[Unit, ast.expr]] = []
    module = unit.module
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in OWNERS:
            holder = module.scopes.owner(node)
            if holder is not None:
                found += [(unit, value) for value in module.attribute_values.get((holder, name), ())]
                value = module.scopes.sole_value(holder, name)
                found += [(unit, value)] if value is not None else []
        case ast.Name(id=name):
            value = module.scopes.value_of(node)
            if value is not None:
                found.append((unit, value))
            elif name in machine.loader.imported(unit):
                match meant(machine, unit, node):
                    case (Unit() as where, ast.expr() as value):
                        found.append((where, value))
                    case _:
                        pass
        case _:
            pass
    for where, value in found:
        if isinstance(value, ast.Dict | ast.List | ast.Tuple):
            yield where, value


def _function(machine: "Machine", unit: Unit, node: ast.expr) -> Iterator[Pick]:
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in OWNERS:
            holder = unit.module.scopes.owner(node)
            method = unit.methods.get(holder, {}).get(name) if holder is not None else None
            if holder is not None and method is not None:
                yield Pick(unit, method, ClassRef(unit, holder))
        case ast.Name() | ast.Attribute():
            match meant(machine, unit, node):
                case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as target):
                    yield Pick(where, target)
                case _:
                    pass
        case _:
            pass


def _beginning(node: ast.expr) -> str:
    """How a text that is put together begins."""
    match node:
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text
        case ast.BinOp(left=ast.Constant(value=str(text))):
            return text
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return text.partition("{")[0]
        case _:
            return ""
