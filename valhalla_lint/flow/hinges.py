"""What hangs on the answer to a check: a refusal, a deed, or only how something is called."""

import ast
from collections.abc import Iterable, Sequence

from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.effects import LEAVING
from valhalla_lint.flow.statements import REFUSALS
from valhalla_lint.flow.values import Place
from valhalla_lint.flow.words import pieces

TEXT_CALLS = frozenset(
    """str len relpath basename dirname split rsplit join format replace lstrip rstrip strip removeprefix removesuffix
    relative_to normcase normpath lower upper quote append startswith endswith sub partition rpartition print""".split()
)
"""Calls that make texts of texts, or keep one."""
BAD_REQUEST = 400
"""The first status of HTTP that refuses."""


def hangs(place: Place) -> bool:
    """Whether something hangs on the answer to a question: a refusal, a deed, or an answer of the function's own.

    Where both ways only go on to make a text (`return name`), the answer picks a label.
    """
    module = place.unit.module
    node = place.node
    about = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
    if isinstance(node, ast.Call) and last_name(node.func) == "relative_to":
        return _is_tried(module.ancestors(node))
    for above in module.ancestors(node):
        match above:
            case ast.If(test=test, body=body, orelse=others) if test is node:
                rest = () if others else _after(above, module.parent(above))
                return any(map(refuses, (body, others, rest))) or any(_does(way, about) for way in (body, others))
            case ast.IfExp(test=test, body=first, orelse=second) if test is node:
                return any(_is_refusal(item) for item in (first, second))
            case ast.BoolOp() | ast.UnaryOp() | ast.Compare() | ast.NamedExpr() | ast.GeneratorExp() | ast.Call():
                node = above
            case _:
                return True
    return True


def _is_tried(above: Iterable[ast.AST]) -> bool:
    """Whether an exception is what is wanted of a call: it stands for itself, or in a `try`."""
    return any(isinstance(item, ast.Expr | ast.Try) for item in above)


def _after(node: ast.If, above: ast.AST | None) -> Sequence[ast.stmt]:
    """The statements behind another one."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(above, name, None)
        if isinstance(block, list) and node in block:
            return block[block.index(node) + 1 :]
    return ()


def refuses(way: Sequence[ast.stmt]) -> bool:
    """Whether statements end with an exception, with no answer, with an error, or with the next round."""
    match way[-1:]:
        case [ast.Raise() | ast.Continue() | ast.Break()]:
            return True
        case [ast.Return(value=None)]:
            return True
        case [ast.Return(value=ast.expr() as value)]:
            return _is_refusal(value)
        case [ast.Expr(value=ast.Call(func=func))]:
            name = last_name(func)
            return name in LEAVING or not REFUSALS.isdisjoint(pieces(name))
        case _:
            return False


def _is_refusal(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=None | bool() | ""):
            return True
        case ast.Constant(value=str(text)):
            return not REFUSALS.isdisjoint(pieces(text))
        case ast.JoinedStr(values=parts):
            return any(_is_refusal(part) for part in parts if isinstance(part, ast.Constant))
        case ast.Tuple(elts=[first, *rest]):
            return _is_refusal(first) or any(map(_is_error_number, rest))
        case ast.Dict(keys=keys):
            return any(key is not None and _is_refusal(key) for key in keys)
        case ast.Tuple(elts=[]) | ast.List(elts=[]):
            return True
        case ast.Call(func=func):
            return not REFUSALS.isdisjoint(pieces(last_name(func)))
        case _:
            return False


def _is_error_number(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and type(value.value) is int and value.value >= BAD_REQUEST


def _does(way: Sequence[ast.stmt], about: set[str]) -> bool:
    """Whether statements hand what was asked about to a call that is not one of texts."""
    return any(
        last_name(item.func) not in TEXT_CALLS
        and any(isinstance(part, ast.Name) and part.id in about for given in item.args for part in ast.walk(given))
        for statement in way
        for item in ast.walk(statement)
        if isinstance(item, ast.Call)
    )
