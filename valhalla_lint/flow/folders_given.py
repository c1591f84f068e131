"""Questions whether a folder was given, where the call that leads to them gives one: `if base:`, `if base is None:`."""

import ast
from collections.abc import Iterator

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import defaults
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.foreseen import MAX_STEPS, given
from valhalla_lint.flow.machine import Frame, Machine
from valhalla_lint.flow.receivers import meant, own_method
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.words import OWNERS, names_base

LOOK_UPS = frozenset("get getenv pop next getattr".split())
"""Calls that give nothing, or what they are told, where they find nothing."""
FINDERS = frozenset("first one_or_none scalar_one_or_none scalar match search fullmatch which input".split())
"""Calls that give nothing where they find nothing."""
TRIMMING = frozenset("strip lstrip rstrip lower".split())
"""Methods that make nothing of nothing."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def folder_given(machine: Machine, test: ast.expr, frame: Frame) -> bool | None:
    """What a question whether a folder was given says, where the call that led here gives one; None where it does not.

    A folder that a call names is taken for one, unless it may be left out further up, or what is handed over may be
    nothing by how it is made (`ROOTS.get(kind)`).
    """
    match test:
        case ast.Name(id=name):
            answer = True
        case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=None)]):
            answer = isinstance(op, ast.IsNot | ast.NotEq)
        case _:
            return None
    if not names_base(name):
        return None
    here: Frame | None = frame
    written: ast.expr = test
    for _ in range(MAX_STEPS):
        if here is None or not _is_parameter(name, here):  # something of its own that a caller hands over
            return None if here in (None, frame) or _may_be_nothing(machine, here.unit, written) else answer
        if here.site is None:
            return None if _may_be_left_out(name, here.node) or here is frame else answer
        match given(here, name):
            case None:
                return None
            case ast.Name(id=other) as written:
                name, here = other, here.caller
            case value:
                unit = here.caller.unit if here.caller is not None else here.unit
                return None if _may_be_nothing(machine, unit, value) else answer
    return None


def _is_parameter(name: str, frame: Frame) -> bool:
    """Whether a name is a parameter of a function that gives it no other value."""
    node = frame.node
    if not isinstance(node, Function):
        return False
    bound = frame.unit.module.scopes.bindings(node).get(name, ())
    return len(bound) == 1 and isinstance(bound[0], ast.arg)


def _may_be_left_out(name: str, node: ast.AST | None) -> bool:
    return isinstance(node, Function) and any(arg.arg == name for arg, _ in defaults(node))


def _may_be_nothing(machine: Machine, unit: Unit, node: ast.expr, left: int = MAX_STEPS) -> bool:
    """Whether an expression may be None or empty, by how it is made; what is not known is taken for something."""
    if left == 0:
        return True
    match node:
        case ast.Constant(value=value):
            return not value
        case ast.IfExp(body=body, orelse=orelse):
            return any(_may_be_nothing(machine, unit, item, left - 1) for item in (body, orelse))
        case ast.BoolOp(op=ast.Or(), values=[*_, last]):
            return _may_be_nothing(machine, unit, last, left - 1)
        case ast.BoolOp():
            return True
        case ast.NamedExpr(value=value) | ast.Await(value=value):
            return _may_be_nothing(machine, unit, value, left - 1)
        case ast.Name():
            return any(_may_be_nothing(machine, unit, item, left - 1) for item in _values(unit, node))
        case ast.Attribute(attr=name, value=ast.Name(id=owner)) if owner in OWNERS:
            kept = unit.module.attribute_values.get((unit.module.scopes.owner(node), name), ())
            asked = own_method(machine, unit, node)
            return any(_may_be_nothing(machine, unit, item, left - 1) for item in kept) or (
                asked is not None and _may_answer_nothing(machine, asked, left - 1)
            )
        case ast.Call(func=func):
            return _may_give_nothing(machine, unit, node, func, left - 1)
        case _:
            return False


def _may_give_nothing(machine: Machine, unit: Unit, call: ast.Call, func: ast.expr, left: int) -> bool:
    name = last_name(func)
    found = meant(machine, unit, func) if isinstance(func, ast.Name | ast.Attribute) else None
    if found is None and isinstance(func, ast.Attribute):
        found = own_method(machine, unit, func)
    match found:
        case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as made):
            return _may_answer_nothing(machine, (where, made), left)
        case _:
            pass
    if isinstance(func, ast.Attribute) and name in TRIMMING:
        return _may_be_nothing(machine, unit, func.value, left)
    if name in LOOK_UPS:
        told = call.args[2 if name == "getattr" else 1 :] + [item.value for item in call.keywords]
        return any(_may_be_nothing(machine, unit, item, left) for item in told) if told else name != "getattr"
    return name in FINDERS


def _may_answer_nothing(machine: Machine, found: tuple[Unit, FunctionNode], left: int) -> bool:
    unit, node = found
    returned = [item.value for item in unit.module.index.own(node) if isinstance(item, ast.Return)]
    return any(item is None or _may_be_nothing(machine, unit, item, left) for item in returned)


def _values(unit: Unit, node: ast.Name) -> Iterator[ast.expr]:
    """What a name may stand for: all that is assigned to it, and its default where it is not replaced for sure."""
    scopes = unit.module.scopes
    scope = scopes.binding_scope(node, node.id)
    if scope is None:
        return
    replaced = False
    for target in scopes.bindings(scope).get(node.id, ()):
        match unit.module.parent(target):
            case (
                ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.NamedExpr(value=value) as done
            ):
                yield value
                replaced = replaced or _is_for_sure(unit, done, node.id, scope)
            case ast.Tuple(elts=targets) as several:
                match unit.module.parent(several):
                    case ast.Assign(value=ast.Tuple(elts=values)) if len(values) == len(targets):
                        yield values[targets.index(target)]  # type: ignore[arg-type]  # it stands among them
                    case _:
                        pass
            case _:
                pass
    if not replaced and isinstance(scope, Function):
        yield from (value for arg, value in defaults(scope) if arg.arg == node.id)


def _is_for_sure(unit: Unit, done: ast.AST, name: str, scope: ast.AST) -> bool:
    """Whether an assignment is made on every way, or where the name holds nothing: `if root is None: root = …`."""
    match unit.module.parent(done):
        case ast.If(test=test):
            return any(isinstance(item, ast.Name) and item.id == name for item in ast.walk(test))
        case above:
            return above is scope
