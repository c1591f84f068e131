"""Whether a caller looked at a name by a pattern or in a list before it hands it over, as far as the form tells."""

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.words import OWNERS

Resolve = Callable[[ast.Call, Unit, FunctionNode | None], tuple[Unit, FunctionNode] | None]
"""The function of the project that a call certainly calls."""


class How(NamedTuple):
    """How a name is looked at. patterns: those count as well, which nobody judges here."""

    resolve: Resolve
    patterns: bool


PATTERNS = frozenset({"match", "fullmatch", "search"})
MAX_HELPERS = 2
"""Helpers of helpers that are looked at."""
LETTERS = frozenset({"isalnum", "isidentifier", "isdigit", "isdecimal"})


def is_tested(
    unit: Unit, around: FunctionNode | None, call: ast.AST, given: ast.expr, resolve: Resolve, *, own: bool = True
) -> bool:
    """Whether a function refuses a name that fits no pattern, or is in no list, before it hands it to a call.

    It may leave that to a helper of the project, which raises or answers. The pattern is not judged: that is done where
    it stands. What only an audit wants to know hangs on the answer. own: the function's own conditions count, and
    patterns; else those of its helpers, and only lists and tables.
    """
    if around is None or not isinstance(given, ast.Name):
        return False
    inside = {call, *unit.module.ancestors(call)}
    how = How(resolve, patterns=own)
    return any(
        _refuses(unit, around, statement, given.id, inside, how, MAX_HELPERS, own=own)
        for statement in unit.module.index.own(around)
        if isinstance(statement, ast.stmt) and statement.lineno < getattr(call, "lineno", 0)
    )


def _refuses(
    unit: Unit,
    around: FunctionNode,
    statement: ast.stmt,
    name: str,
    inside: set[ast.AST],
    how: How,
    left: int,
    *,
    own: bool = True,
) -> bool:
    """Whether a statement lets a name that is not one of some go no further. inside: where it goes on to."""
    from valhalla_lint.flow.hinges import refuses

    match statement:
        case ast.Assert(test=test):
            return own and _asks(unit, test, name, how, wanted=True)
        case ast.If(test=test, body=body):
            on = statement in inside
            if not (refuses(body) if not on else not inside.isdisjoint(body)):
                return False
            if own and _asks(unit, test, name, how, wanted=on):
                return True
            return left > 0 and any(
                _answers(*found, how)
                for part, positive in _signed(test, ast.And if on else ast.Or)
                if positive is on
                for call in _calls(unit, part)
                if (found := _helper(unit, around, call, name, how.resolve)) is not None
            )
        case ast.Expr(value=ast.Call() as made) | ast.Assign(value=ast.Call() as made):
            above = unit.module.parent(statement)
            if left <= 0 or (above is not around and above not in inside):
                return False
            helper = _helper(unit, around, made, name, how.resolve)
            if helper is None:
                return False
            where, node, parameter = helper
            return any(_refuses(where, node, item, parameter, set(), how, left - 1) for item in node.body)
        case _:
            return False


def _helper(
    unit: Unit, around: FunctionNode, call: ast.Call, name: str, resolve: Resolve
) -> tuple[Unit, FunctionNode, str] | None:
    """The function that a call calls, and its parameter that gets a name as it stands, or as a text."""
    place = next((index for index, item in enumerate(call.args) if _is_name(item, name)), None)
    word = next((item.arg for item in call.keywords if _is_name(item.value, name)), None)
    if place is None and word is None:
        return None
    found = resolve(call, unit, around)
    if found is None:
        return None
    own = [arg.arg for arg in parameters(found[1])]
    if own[:1] and own[0] in OWNERS:
        own = own[1:]
    parameter = own[place] if place is not None and place < len(own) else word
    return (*found, parameter) if parameter in own and parameter is not None else None


def _is_name(node: ast.expr, name: str) -> bool:
    match node:
        case ast.Name(id=found) | ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=found)]):
            return found == name
        case _:
            return False


def _answers(unit: Unit, node: FunctionNode, parameter: str, how: How) -> bool:
    """Whether a function answers whether its parameter is one of some, and no to others."""
    given = [item.value for item in unit.module.index.own(node) if isinstance(item, ast.Return)]
    positive = [item for item in given if item is not None and not _is_no(item)]
    return bool(positive) and all(_asks(unit, item, parameter, how, wanted=True) for item in positive)


def _is_no(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _signed(test: ast.expr, kind: type[ast.boolop]) -> Iterator[tuple[ast.expr, bool]]:
    """The parts of a condition, each with whether it is asked as it stands or the other way round."""
    for part in _parts(test, kind):
        asked, positive = part, True
        while isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.Not):
            asked, positive = asked.operand, not positive
        yield asked, positive


def _asks(unit: Unit, test: ast.expr, name: str, how: How, *, wanted: bool) -> bool:
    """Whether a condition asks a name for its form, or whether it is one of some; wanted: what holds goes on."""
    for asked, positive in _signed(test, ast.And if wanted else ast.Or):
        match asked:
            case ast.Compare(left=ast.Name(id=found), ops=[ast.In()], comparators=[among]) if found == name:
                if positive is wanted and not isinstance(among, ast.Constant):
                    return True
            case ast.Compare(left=ast.Constant(value="/"), ops=[ast.In()], comparators=[ast.Name(id=found)]):
                if found == name and positive is not wanted:
                    return True
            case ast.Compare(left=ast.Constant(value="/"), ops=[ast.NotIn()], comparators=[ast.Name(id=found)]):
                if found == name and positive is wanted:
                    return True
            case ast.Compare(left=ast.Name(id=found), ops=[ast.Eq()], comparators=[ast.Constant()]) if found == name:
                if positive is wanted:
                    return True
            case ast.Compare(left=ast.Name(id=found), ops=[ast.NotEq()], comparators=[ast.Constant()]) if found == name:
                if positive is not wanted:
                    return True
            case ast.Compare(left=ast.Name(id=found), ops=[ast.NotIn()], comparators=[among]) if found == name:
                if positive is not wanted and not isinstance(among, ast.Constant):
                    return True
            case _:
                if any(_fits(item, name, how) for item in _calls(unit, asked)):
                    return True
    return False


def _parts(test: ast.expr, kind: type[ast.boolop]) -> Iterator[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, kind):
        for value in test.values:
            yield from _parts(value, kind)
    else:
        yield test


def _calls(unit: Unit, asked: ast.expr) -> Iterator[ast.Call]:
    """The calls in a condition, and those whose answer a name in it keeps."""
    for item in ast.walk(asked):
        if isinstance(item, ast.Call):
            yield item
        elif isinstance(item, ast.Name):
            value = unit.module.scopes.value_of(item)
            if isinstance(value, ast.Call):
                yield value


def _fits(call: ast.Call, name: str, how: How) -> bool:
    """Whether a call asks the text of a name for its form."""
    if last_name(call.func) in PATTERNS:
        return how.patterns and any(_is_name(item, name) for item in call.args)
    match call.func:
        case ast.Attribute(value=ast.Name(id=found), attr=asked):
            return found == name and asked in LETTERS
        case _:
            return False
