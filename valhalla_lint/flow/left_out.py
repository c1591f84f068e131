"""Checks that a setting of whoever runs the program leaves out: off unless somebody sets it."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.machine import Machine
from valhalla_lint.flow.receivers import meant
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.words import pieces

UNSAFE = frozenset("unsafe insecure unrestricted unchecked nocheck outside arbitrary".split())
"""Words that say how it is without the check."""
ALONE = frozenset("unsafe unrestricted unchecked nocheck outside".split())
"""Those that say so at the end of a name, of whatever: `insecure` mostly speaks of connections there."""
SKIPPING = frozenset("bypass skip disable disabled".split())
"""Words that leave something out; what, another one says."""
PLACES = frozenset(
    """path paths file files folder folders dir dirs directory directories traversal symlink symlinks absolute outside
    external filesystem""".split()
)
CHECKS = frozenset(
    """check checks validation restrict restriction restrictions sandbox sandboxing confine confinement contain
    containment jail protection safety guard""".split()
)
FILLING = frozenset("allow allowed access mode enable enabled".split())
"""Words that may stand beside. What only allows something (`ALLOW_DOWNLOADS`) may be what the program is there for."""
SAID = UNSAFE | SKIPPING | PLACES | CHECKS | FILLING
SETTINGS = frozenset("config conf cfg settings options env environ".split())
"""What programs call the settings of who runs them."""
READERS = frozenset({"os.getenv", "os.environ.get", "environ.get", "getenv"})
TEXTUAL = frozenset("lower upper strip casefold".split())
"""Methods that make something of a setting's text."""
MAKING = frozenset("bool strtobool str int".split())
"""Functions that do."""
YES = frozenset({"1", "true", "yes", "on", "y", "t"})
NO = frozenset({"", "0", "false", "no", "off", "n", "f", "none"})
TURNING = (ast.Not, ast.NotEq, ast.NotIn, ast.IsNot)
MAX_MENTIONED = 60
"""Nodes of a function that only answers for a setting; a longer one does more."""
MAX_STEPS = 6
"""Calls and names that are followed from a condition to the setting."""


class Setting(NamedTuple):
    """A setting that is asked. value: what is asked of it is that, unless somebody sets it. unit: where it is kept."""

    name: str
    value: object
    unit: Unit


def left_out_by_operator(machine: Machine, test: ast.expr, unit: Unit) -> str | None:
    """The setting of the operator's that a condition asks and by which checks are left out: off unless it is set.

    It is a variable of the environment, a setting, or what a function without arguments answers that reads one; each
    is judged by its name (`ALLOW_UNSAFE_PATHS`). One that the program itself puts on is not off.
    """
    for asked in _asked(machine, test, unit, MAX_STEPS):
        if not asked.value and _leaves_checks_out(asked.name):
            units = {id(where): where for where in (unit, asked.unit, machine.main)}
            if not any(_is_put_on(where, asked.name) for where in units.values()):
                return asked.name
    return None


def _leaves_checks_out(name: str) -> bool:
    """Whether a name says that a check of places is left out (`SKIP_PATH_CHECKS`), and speaks of nothing else."""
    words = list(pieces(name))
    while words and words[0] not in SAID:  # whose setting it is
        del words[0]
    if not words or not SAID.issuperset(words):
        return False
    if not SKIPPING.isdisjoint(words):
        return not CHECKS.isdisjoint(words)
    return not UNSAFE.isdisjoint(words) and (
        not (PLACES - UNSAFE).isdisjoint(words) or [word for word in words if word not in FILLING][-1] in ALONE
    )


def _asked(machine: Machine, test: ast.expr, unit: Unit, left: int) -> Iterator[Setting]:
    module = unit.module
    if left == 0:
        return
    match test:
        case ast.Compare(left=inner, ops=[ast.Eq() | ast.Is()], comparators=[ast.Constant(value=wanted)]):
            if not _is_no(wanted):
                for asked in _asked(machine, inner, unit, left - 1):
                    yield asked._replace(value=asked.value == wanted)
        case ast.Compare(left=inner, ops=[ast.In()], comparators=[ast.Tuple() | ast.Set() | ast.List() as items]):
            values = module.constants.value(items)
            if isinstance(values, tuple | frozenset) and not any(map(_is_no, values)):
                for asked in _asked(machine, inner, unit, left - 1):
                    yield asked._replace(value=asked.value in values)
        case ast.Call(func=func, args=[name, *_]) if module.name(func) in READERS or _is_look_up(func):
            if (text := module.constants.text(name)) is not None and (default := _default(test)) is not None:
                yield Setting(text, module.constants.value(default), unit)
        case ast.Call(func=ast.Attribute(attr=attr, value=inner), args=[]) if attr in TEXTUAL:
            for asked in _asked(machine, inner, unit, left - 1):
                value = asked.value
                yield asked._replace(value=getattr(value, attr)() if isinstance(value, str) else value)
        case ast.Call(func=ast.Name(id=maker), args=[inner]) if maker in MAKING:
            for asked in _asked(machine, inner, unit, left - 1):
                yield asked._replace(value=_made(maker, asked.value))
        case ast.Call(func=func):
            match meant(machine, unit, func) if isinstance(func, ast.Name | ast.Attribute) else None:
                case (Unit() as where, ast.FunctionDef() as node):
                    yield from _answered(machine, test, unit, where, node, left - 1)
                case _:
                    pass
        case ast.Subscript(value=owner, slice=key) if _holds_settings(owner):
            if (text := module.constants.text(key)) is not None:
                yield Setting(text, None, _kept_in(machine, unit, owner))
        case ast.Attribute(attr=text, value=owner) if _holds_settings(owner):
            yield Setting(text, None, _kept_in(machine, unit, owner))
        case ast.Name() if module.scopes.binding_scope(test, test.id) is module.tree:
            bound = module.scopes.value_of(test)
            if bound is not None:
                yield from _asked(machine, bound, unit, left - 1)
        case _:
            pass


def _default(call: ast.Call) -> ast.expr | None:
    """What a look-up gives where nothing is set; None where that is not known."""
    for keyword in call.keywords:
        return keyword.value if keyword.arg == "default" and len(call.args) == 1 else None
    match call.args:
        case [_]:
            return ast.Constant(value=None)
        case [_, default] if not isinstance(default, ast.Starred):
            return default
        case _:
            return None


def _made(maker: str, value: object) -> object:
    """What `bool`, `int`, `str` or `strtobool` makes of a setting's text, as a condition sees it."""
    if maker == "strtobool" or (maker == "int" and isinstance(value, str)):
        return not _is_no(value)
    return bool(value) if maker == "bool" else value


def _is_no(value: object) -> bool:
    return value.lower() in NO if isinstance(value, str) else not value


def _is_look_up(func: ast.expr) -> bool:
    """Whether a call looks into the settings: `settings.get(NAME)`."""
    return isinstance(func, ast.Attribute) and func.attr == "get" and _holds_settings(func.value)


def _holds_settings(owner: ast.expr) -> bool:
    return last_name(owner).lower() in SETTINGS


def _kept_in(machine: Machine, unit: Unit, owner: ast.expr) -> Unit:
    """Where what holds settings is made, as far as that is known."""
    match meant(machine, unit, owner) if isinstance(owner, ast.Name | ast.Attribute) else None:
        case (Unit() as where, _):
            return where
        case _:
            return unit


def _answered(
    machine: Machine, call: ast.Call, unit: Unit, where: Unit, node: ast.FunctionDef, left: int
) -> Iterator[Setting]:
    """The settings for which a short function answers: it names them, or is called with their name."""
    if where.module.index.size(node) > MAX_MENTIONED:
        return
    match call:
        case ast.Call(args=[], keywords=[]):
            body = [item for item in node.body if not _is_said(item)]
            match body:
                case [ast.Return(value=ast.expr() as value)]:
                    yield from _asked(machine, value, where, left)
                case _ if _answers_straight(where, node):
                    for item in where.module.index.own(node):
                        if isinstance(item, ast.Call | ast.Subscript | ast.Attribute):
                            yield from _asked(machine, item, where, min(left, 1))
                case _:
                    pass
        case ast.Call(args=[name], keywords=[]) if _answers_straight(where, node):
            text = unit.module.constants.text(name)
            if text is not None and any(_reads(where, item) for item in where.module.index.own(node)):
                yield Setting(text, None, where)
        case _:
            pass


def _is_said(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _answers_straight(unit: Unit, node: ast.FunctionDef) -> bool:
    """Whether a function turns nothing around, says yes to nothing, and takes nothing for set that is not."""
    return not any(
        isinstance(item, TURNING)
        or (isinstance(item, ast.Constant) and item.value is True)
        or (
            isinstance(item, ast.Call)
            and _reads(unit, item)
            and ((default := _default(item)) is None or not _is_no(unit.module.constants.value(default)))
        )
        for item in unit.module.index.own(node)
    )


def _reads(unit: Unit, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func):
            return unit.module.name(func) in READERS or _is_look_up(func)
        case ast.Attribute(value=owner) | ast.Subscript(value=owner):
            return _holds_settings(owner)
        case _:
            return False


def _is_put_on(unit: Unit, name: str) -> bool:
    """Whether a file gives a setting a value that puts it on: by itself, in a table, or as what there is by default."""
    return any(name in _put_on(unit, node) for node in unit.module.index.nodes(ast.Constant) if _says_yes(node))


def _says_yes(node: ast.Constant) -> bool:
    value = node.value
    return value.lower() in YES if isinstance(value, str) else value is True or (type(value) is int and value == 1)


def _put_on(unit: Unit, node: ast.AST) -> Iterator[str | None]:
    """What a constant is the value of."""
    text = unit.module.constants.text
    match above := unit.module.parent(node):
        case ast.Assign(targets=targets):
            yield from (_target(unit, target) for target in targets)
        case ast.AnnAssign(target=target):
            yield _target(unit, target)
        case ast.Dict(keys=keys, values=values):
            yield from (text(key) for key, value in zip(keys, values, strict=True) if value is node)
        case ast.keyword(arg=name):
            yield name
            call = unit.module.parent(above)
            if name == "default" and isinstance(call, ast.Call):
                yield from map(text, call.args)
                yield from _put_on(unit, call)
        case ast.Call(args=args):
            yield from map(text, args)
        case _:
            pass


def _target(unit: Unit, node: ast.expr) -> str | None:
    return unit.module.constants.text(node.slice) if isinstance(node, ast.Subscript) else last_name(node)
