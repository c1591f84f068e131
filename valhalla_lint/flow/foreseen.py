"""Conditions whose answer is known beforehand: the version of Python, and checks that are on unless switched off."""

import ast
import operator
from collections.abc import Callable, Iterator
from typing import NamedTuple

from valhalla_lint.facts.scopes import defaults, parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.machine import Frame, Machine
from valhalla_lint.flow.receivers import meant
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.words import OWNERS, is_number, names_base, pieces

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
LEAVING_OUT = frozenset(
    "unsafe insecure unrestricted unchecked bypass skip disable disabled outside arbitrary nocheck".split()
)
"""Words in the name of an operator's setting that say that a check is left out: it is off unless somebody sets it.
What only allows something (`ALLOW_DOWNLOADS`) may be what the program is there for."""
SETTINGS = frozenset("config conf cfg settings options env environ".split())
"""What programs call the settings of who runs them."""
READERS = frozenset({"os.getenv", "os.environ.get", "environ.get", "getenv"})
TEXTUAL = frozenset("lower upper strip casefold bool strtobool str int".split())
"""Calls that make something of a setting's text, or of that."""
YES = frozenset({"1", "true", "yes", "on", "y", "t", True})
MAX_MENTIONED = 60
"""Nodes of a function that only answers for a setting; a longer one does more."""
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
                    return _switch(name, {arg.arg: given for arg, given in defaults(here.node)}.get(name))
                else:
                    given = _given(here, name)
                    if given is None:
                        return None
                    test, here = given, here.caller
            case ast.Attribute(attr=name, value=ast.Name(id=owner)) if owner in OWNERS and here is not None:
                return _of_object(machine, here, name)
            case _:
                return None
    return None


def left_out_by_operator(machine: Machine, test: ast.expr, unit: Unit) -> str | None:
    """The setting of the operator's that a condition asks and by which checks are left out: off unless it is set.

    It is a variable of the environment, a setting, or what a function without arguments answers that reads one; each
    is judged by its name (`ALLOW_UNSAFE_PATHS`).
    """
    for name in _settings_asked(machine, test, unit, MAX_STEPS):
        if not LEAVING_OUT.isdisjoint(pieces(name)):
            return name
    return None


def folder_given(test: ast.expr, frame: Frame) -> bool | None:
    """What a question whether a folder was given says, where the call that led here gives one; None where it does not.

    `if base:`, `if base is None:`. A folder that a call names is taken for one, unless it may be left out further up.
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
    for _ in range(MAX_STEPS):
        if here is None or not _is_parameter(name, here):
            return answer if here is not frame else None  # something of its own that a caller hands over
        if here.site is None:
            return None if _may_be_left_out(name, here) or here is frame else answer
        match _given(here, name):
            case None | ast.Constant(value=None):
                return None
            case ast.Name(id=other):
                name, here = other, here.caller
            case _:
                return answer
    return None


def _is_parameter(name: str, frame: Frame) -> bool:
    """Whether a name is a parameter of a function that gives it no other value."""
    node = frame.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    bound = frame.unit.module.scopes.bindings(node).get(name, ())
    return len(bound) == 1 and isinstance(bound[0], ast.arg)


def _may_be_left_out(name: str, frame: Frame) -> bool:
    node = frame.node
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(
        arg.arg == name for arg, _ in defaults(node)
    )


def _settings_asked(machine: Machine, test: ast.expr, unit: Unit, left: int) -> Iterator[str]:
    module = unit.module
    if left == 0:
        return
    match test:
        case ast.Compare(left=inner, ops=[ast.Eq() | ast.Is()], comparators=[ast.Constant(value=value)]):
            if (value.lower() if isinstance(value, str) else value) in YES:
                yield from _settings_asked(machine, inner, unit, left - 1)
        case ast.Compare(left=inner, ops=[ast.In()], comparators=[ast.Tuple() | ast.Set() | ast.List()]):
            yield from _settings_asked(machine, inner, unit, left - 1)
        case ast.Call(func=func, args=[name, *_]) if module.name(func) in READERS or _is_look_up(func):
            if (text := module.constants.text(name)) is not None:
                yield text
        case ast.Call(func=ast.Attribute(attr=attr, value=inner), args=[]) if attr in TEXTUAL:
            yield from _settings_asked(machine, inner, unit, left - 1)
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in TEXTUAL:
            yield from _settings_asked(machine, inner, unit, left - 1)
        case ast.Call(func=func, args=[], keywords=[]):
            match meant(machine, unit, func):
                case (Unit() as where, ast.FunctionDef() as node):
                    yield from _settings_read(machine, where, node)
                case _:
                    pass
        case ast.Subscript(value=owner, slice=key) if last_name(owner).lower() in SETTINGS:
            if (text := module.constants.text(key)) is not None:
                yield text
        case ast.Attribute(attr=name, value=owner) if last_name(owner).lower() in SETTINGS:
            yield name
        case ast.Name() if module.scopes.binding_scope(test, test.id) is module.tree:
            bound = module.scopes.value_of(test)
            if bound is not None:
                yield from _settings_asked(machine, bound, unit, left - 1)
        case _:
            pass


def _is_look_up(func: ast.expr) -> bool:
    """Whether a call looks into the settings: `settings.get(NAME)`."""
    return isinstance(func, ast.Attribute) and func.attr == "get" and last_name(func.value).lower() in SETTINGS


def _settings_read(machine: Machine, unit: Unit, node: ast.FunctionDef) -> Iterator[str]:
    """The settings that a short function without arguments names, where it or what it calls reads settings."""
    module = unit.module
    if module.index.size(node) > MAX_MENTIONED:
        return
    own = list(module.index.own(node))
    calls = [item for item in own if isinstance(item, ast.Call)]
    read = any(_reads(unit, item) for item in own)
    for call in calls:
        if read:
            break
        match meant(machine, unit, call.func) if isinstance(call.func, ast.Name | ast.Attribute) else None:
            case (Unit() as where, ast.FunctionDef() as asked) if where.module.index.size(asked) <= MAX_MENTIONED:
                read = any(_reads(where, item) for item in where.module.index.own(asked))
            case _:
                pass
    if not read:
        return
    for item in own:
        if isinstance(item, ast.Name | ast.Constant) and (text := module.constants.text(item)) is not None:
            if text.isidentifier():
                yield text
        elif isinstance(item, ast.Attribute) and last_name(item.value).lower() in SETTINGS:
            yield item.attr


def _reads(unit: Unit, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func):
            return unit.module.name(func) in READERS or _is_look_up(func)
        case ast.Attribute(value=owner) | ast.Subscript(value=owner):
            return last_name(owner).lower() in SETTINGS
        case _:
            return False


def _given(frame: Frame, name: str) -> ast.expr | None:
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
                    return _switch(name, {arg.arg: given for arg, given in defaults(init)}.get(parameter))
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
