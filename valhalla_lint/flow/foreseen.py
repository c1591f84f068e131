"""Conditions whose answer is known beforehand: the version of Python, and checks that are on unless switched off."""

import ast
import operator
from collections.abc import Callable
from typing import NamedTuple

from valhalla_lint.facts.scopes import defaults, parameters
from valhalla_lint.flow.machine import Frame, Machine
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.words import OWNERS, is_number, pieces

OLDEST = (3, 9)
"""The oldest Python for which a branch is looked at: those before it get no more repairs from anybody."""
NEWEST = (4, 0)
"""No Python is as new as this."""
CHECKING = frozenset(
    """restrict restricted restriction restrictions safe secure sandbox sandboxed check checked checks validate
    validation verify enforce strict confine confined contain contained jail protect protected guard safety""".split()
)
"""Words in the name of a switch with which a check is made."""
LETTING = frozenset(
    "allow allowed unrestricted unsafe insecure skip trust trusted disable bypass ignore outside".split()
)
"""Words in the name of a switch with which a check is left out."""
ALLOWING = frozenset({"allow", "allowed"})
ANYWHERE = frozenset(
    """outside absolute any anywhere arbitrary traversal symlink symlinks external parent parents root path paths
    escape""".split()
)
"""Words of which one says what an `allow_…` allows, where that is a place: others allow what is nothing of paths."""
DEEDS = frozenset(
    """write writes writing read save saving upload uploads download downloads delete deletion edit create modify update
    overwrite execute run""".split()
)
"""Words that say what such a switch permits: a deed as such (`allow_write`), which says nothing of where it is done."""
MAX_STEPS = 6
"""Names, arguments and attributes that are followed from a switch to its default."""
ORDER: dict[type, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
TURNED: dict[type, type] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


class Switch(NamedTuple):
    """A setting that decides whether a check is made. name: what it is called. on: what it is unless somebody says."""

    name: str
    on: bool


def of_version(test: ast.expr, unit: Unit) -> bool | None:
    """What a comparison of `sys.version_info` or `sys.version` gives on each Python from `OLDEST` on; else None."""
    if isinstance(test, ast.Name | ast.Attribute):
        dotted = unit.module.name(test) or ""
        return {"six.PY2": False, "six.PY3": True}.get(dotted)
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            pass
        case _:
            return None
    kind: type = op.__class__
    asked, other = left, right
    if not _is_version(asked, unit):
        asked, other, kind = right, left, TURNED.get(kind, kind)
        if not _is_version(asked, unit):
            return None
    bound = _version(other, asked)
    if not bound:
        return None
    if kind in ORDER:
        low, high = ORDER[kind](OLDEST, bound), ORDER[kind](NEWEST, bound)
        return low if low == high else None
    if kind in (ast.Eq, ast.NotEq) and (bound < OLDEST[: len(bound)] or bound >= NEWEST):
        return kind is ast.NotEq
    if kind is ast.Eq and bound == (3,):
        return _is_major(asked) or None
    return None


def _is_version(node: ast.expr, unit: Unit) -> bool:
    match node:
        case ast.Attribute(attr="major", value=value):
            return unit.module.name(value) == "sys.version_info"
        case ast.Subscript(value=value, slice=ast.Slice(lower=None)):
            return unit.module.name(value) == "sys.version_info"
        case ast.Subscript(value=value, slice=ast.Constant(value=0)):
            return unit.module.name(value) in ("sys.version_info", "sys.version")
        case ast.Name() | ast.Attribute():
            return unit.module.name(node) in ("sys.version_info", "sys.version")
        case _:
            return False


def _is_major(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute | ast.Subscript) and not (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    )


def _version(node: ast.expr, asked: ast.expr) -> tuple[int, ...]:
    """The version that something is compared with; empty where it is none."""
    match node:
        case ast.Tuple(elts=elements):
            found = [item.value for item in elements if isinstance(item, ast.Constant) and type(item.value) is int]
            return tuple(found) if len(found) == len(elements) else ()
        case ast.Constant(value=int(number)) if not isinstance(number, bool) and _is_major(asked):
            return (number,)
        case ast.Constant(value=str(text)):
            parts = text.split(".")
            return tuple(int(part) for part in parts) if all(map(is_number, parts)) else ()
        case _:
            return ()


def switch_of(machine: Machine, test: ast.expr, frame: Frame) -> Switch | None:
    """The switch that a condition asks, where it has a default and says that a check is made, or left out.

    It is a parameter of the function that is called from outside, or an attribute that the object's `__init__` sets
    to such a parameter. What calls in between hand over is followed.
    """
    here: Frame | None = frame
    for _ in range(MAX_STEPS):
        match test:
            case ast.Name(id=name) if here is not None and isinstance(
                here.node, ast.FunctionDef | ast.AsyncFunctionDef
            ):
                bound = here.unit.module.scopes.bindings(here.node).get(name, ())
                if len(bound) != 1:
                    return None
                if not isinstance(bound[0], ast.arg):
                    value = here.unit.module.scopes.sole_value(here.node, name)
                    if value is None:
                        return None
                    test = value
                elif here.site is None:
                    return _switch(name, {arg.arg: value for arg, value in defaults(here.node)}.get(name))
                else:
                    handed = given(here, name)
                    if handed is None:
                        return None
                    test, here = handed, here.caller
            case ast.Attribute(attr=name, value=ast.Name(id=owner)) if owner in OWNERS and here is not None:
                return _of_object(machine, here, name)
            case _:
                return None
    return None


def given(frame: Frame, name: str) -> ast.expr | None:
    """What the call that led into a function hands over for a parameter, as it is written."""
    node = frame.site.node if frame.site is not None else None
    function = frame.node
    if not isinstance(node, ast.Call) or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    for keyword in node.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    if names[:1] in (["self"], ["cls"]) and isinstance(node.func, ast.Attribute):
        names = names[1:]
    place = names.index(name) if name in names else len(node.args)
    if place < len(node.args) and not any(isinstance(item, ast.Starred) for item in node.args):
        return node.args[place]
    return None


def _of_object(machine: Machine, frame: Frame, name: str) -> Switch | None:
    unit = frame.unit
    owner = unit.module.scopes.class_of(frame.node) if frame.node is not None else None
    if owner is None:
        return None
    for item in machine.loader.lineage(ClassRef(unit, owner)):
        if not isinstance(item, ClassRef):
            continue
        values = item.unit.module.attribute_values.get((item.node, name), ())
        init = item.unit.methods.get(item.node, {}).get("__init__")
        if len(values) > 1 or init is None:
            return None
        if values:
            match values[0]:
                case ast.Name(id=parameter) if any(arg.arg == parameter for arg in parameters(init)):
                    return _switch(name, {arg.arg: value for arg, value in defaults(init)}.get(parameter))
                case _:
                    return None
    return None


def _switch(name: str, default: ast.expr | None) -> Switch | None:
    if not isinstance(default, ast.Constant) or not isinstance(default.value, bool):
        return None
    words = pieces(name)
    if default.value:
        return None if CHECKING.isdisjoint(words) else Switch(name, on=True)
    said = LETTING.intersection(words)
    if not said or not DEEDS.isdisjoint(words) or (said <= ALLOWING and ANYWHERE.isdisjoint(words)):
        return None
    return Switch(name, on=False)
