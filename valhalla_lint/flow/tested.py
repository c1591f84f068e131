"""Whether a caller looked at a name by a pattern or in a list before it hands it over, as far as the form tells."""

import ast
from collections.abc import Iterator

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.units import Unit

PATTERNS = frozenset({"match", "fullmatch", "search"})
LETTERS = frozenset({"isalnum", "isidentifier", "isdigit", "isdecimal"})


def is_tested(unit: Unit, around: FunctionNode | None, call: ast.Call, given: ast.expr) -> bool:
    """Whether a function refuses a name that fits no pattern, or is in no list, before it hands it to a call.

    The pattern is not judged: that is done where it stands. What only an audit wants to know hangs on the answer.
    """
    from valhalla_lint.flow.hinges import refuses

    if around is None or not isinstance(given, ast.Name):
        return False
    inside = set(unit.module.ancestors(call))
    if any(
        isinstance(statement, ast.Assert)
        and statement.lineno < call.lineno
        and _asks(unit, statement.test, given.id, wanted=True)
        for statement in unit.module.index.own(around)
    ):
        return True
    return any(
        _asks(unit, statement.test, given.id, wanted=statement in inside)
        for statement in unit.module.index.own(around)
        if isinstance(statement, ast.If)
        and statement.lineno < call.lineno
        and (refuses(statement.body) if statement not in inside else not inside.isdisjoint(statement.body))
    )


def _asks(unit: Unit, test: ast.expr, name: str, *, wanted: bool) -> bool:
    """Whether a condition asks a name for its form, or whether it is one of some; wanted: what holds goes on."""
    for part in _parts(test, ast.And if wanted else ast.Or):
        asked, positive = part, True
        while isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.Not):
            asked, positive = asked.operand, not positive
        match asked:
            case ast.Compare(left=ast.Name(id=found), ops=[ast.In()], comparators=[among]) if found == name:
                if positive is wanted and not isinstance(among, ast.Constant):
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
                if any(_fits(item, name) for item in _calls(unit, asked)):
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
            scope = unit.module.scopes.binding_scope(item, item.id)
            value = unit.module.scopes.sole_value(scope, item.id) if scope is not None else None
            if isinstance(value, ast.Call):
                yield value


def _fits(call: ast.Call, name: str) -> bool:
    """Whether a call asks the text of a name for its form."""
    if last_name(call.func) in PATTERNS:
        return any(isinstance(item, ast.Name) and item.id == name for item in call.args)
    match call.func:
        case ast.Attribute(value=ast.Name(id=found), attr=asked):
            return found == name and asked in LETTERS
        case _:
            return False
