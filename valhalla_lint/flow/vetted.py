"""Values that are handed to a validator of the project before they are used, in a form that cannot be followed.

The validator is given the value, or a path that the same function makes of it; it looks where paths lie, or refuses
steps up and absolute names by their text. What it does is not decided here, so an audit tells all the same.
"""

import ast

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.gatekeepers import keeps_inside
from valhalla_lint.flow.hinges import refuses
from valhalla_lint.flow.labels import Kind, Mark
from valhalla_lint.flow.looked_up import before, ways
from valhalla_lint.flow.machine import Machine, Reached
from valhalla_lint.flow.receivers import meant, method_called
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.values import Place

CHANGING = frozenset("lstrip rstrip strip replace removeprefix removesuffix format unquote unquote_plus sub".split())
"""Calls that make another text of a text."""
BEGINNING = frozenset({"is_absolute", "isabs"})
"""Questions whether a path begins at the root."""


def is_vetted(machine: Machine, reached: Reached, weak: Place | None = None) -> bool:
    """Whether a value went as it stands, or in a path made of it, through a validator of the project that raises.

    weak: a check that is no good, so that the validator in which it stands is none.
    """
    if reached.label.origin.kind is Kind.MEMBER or reached.label.marks & (Mark.BASE | Mark.JOINED) == Mark.BASE:
        return False  # of the folder with which another path is compared, nothing is asked
    for unit, node, names in ways(reached):
        function = unit.module.function(node)
        if not names or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for statement in before(unit, node):
            match statement:
                case ast.Expr(value=ast.Call() as call):
                    if _is_given(unit, function, call, names) and _is_validator(machine, unit, call, weak):
                        return True
                case _:
                    pass
    return False


def _is_given(unit: Unit, function: FunctionNode, call: ast.Call, names: set[str]) -> bool:
    """Whether a call is given one of some names, or what the function makes of them before, and they stay so."""
    made = set(names)
    for item in unit.module.index.own(function):
        if isinstance(item, ast.Assign) and item.lineno < call.lineno and _holds(item.value, made):
            made.update(target.id for target in item.targets if isinstance(target, ast.Name))
    given = {item.id for item in call.args if isinstance(item, ast.Name) and item.id in made}
    later = [item for item in unit.module.index.own(function) if getattr(item, "lineno", 0) > call.lineno]
    changed = any(_changes(item, names | given) for item in later)
    return bool(given) and not changed


def _changes(node: ast.AST, names: set[str]) -> bool:
    """Whether a name is given another value, or another text is made of what it holds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            return name in names
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
            return name in names and method in CHANGING
        case ast.Call(func=func, args=[ast.Name(id=name), *_]):
            return name in names and last_name(func) in CHANGING
        case _:
            return False


def _holds(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(item, ast.Name) and item.id in names for item in ast.walk(node))


def _is_validator(machine: Machine, unit: Unit, call: ast.Call, weak: Place | None) -> bool:
    if not isinstance(call.func, ast.Name | ast.Attribute):
        return False
    found = meant(machine, unit, call.func)
    if found is None and isinstance(call.func, ast.Attribute):
        found = method_called(machine, unit, call.func)
    match found:
        case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as node):
            if weak is not None and _leads_to(where, node, weak):
                return False
            return keeps_inside(machine, where, node) or _refuses_text(where, node)
        case _:
            return False


def _leads_to(unit: Unit, node: FunctionNode, weak: Place) -> bool:
    """Whether a check stands in a function, or in one that it calls by that name."""
    holder = weak.unit.module.function(weak.node)
    called = {last_name(item.func) for item in unit.module.index.own(node) if isinstance(item, ast.Call)}
    return holder is node or getattr(holder, "name", "") in called


def _refuses_text(unit: Unit, node: FunctionNode) -> bool:
    """Whether a function raises both for a step up and for a path that begins at the root."""
    tests = [item.test for item in unit.module.index.own(node) if isinstance(item, ast.If) and refuses(item.body)]
    parts = [item for test in tests for item in ast.walk(test)]
    up = any(
        isinstance(item, ast.Compare) and isinstance(item.left, ast.Constant) and item.left.value == ".."
        for item in parts
    )
    return up and any(isinstance(item, ast.Call) and last_name(item.func) in BEGINNING for item in parts)
