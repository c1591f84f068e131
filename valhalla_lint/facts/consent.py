"""Whether code stands behind an explicit permission: a switch that says trust, allow or dangerous."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from valhalla_lint.facts.calls import last_name
from valhalla_lint.facts.words import mentioned, words

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

CONSENT_WORDS = frozenset({"allow", "allowed", "allows", "consent", "dangerous", "dangerously", "disallowed",
                           "insecure", "permitted", "trust", "trusted", "trusts", "unsafe"})  # fmt: skip
"""Words in the name of a switch that somebody has to turn on knowingly."""
CHECKING_WORDS = frozenset({"assert", "check", "confirm", "ensure", "require", "validate", "verify"})
MAX_BEFORE = 100
"""How many statements before one are looked at."""
LEAVES = (ast.Raise, ast.Return)


def permitted(module: "Module", node: ast.AST) -> bool:
    """Whether a node is reached only where a switch of that kind is on.

    That is: inside an `if` that asks it, after an `if not ...: raise`, or after a call to a check that is named so.
    """
    below = node
    for above in module.ancestors(node):
        match above:
            case ast.If(test=test, body=body) if below is not test and below in body and _asks(test):
                return True
            case _:
                pass
        if isinstance(below, ast.stmt) and any(_refuses(statement) for statement in _before(above, below)):
            return True
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return False
        below = above
    return False


def _before(owner: ast.AST, statement: ast.stmt) -> Iterator[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(owner, name, None)
        if isinstance(block, list) and statement in block:
            number = block.index(statement)
            yield from block[max(0, number - MAX_BEFORE) : number]
            return


def _asks(test: ast.expr) -> bool:
    return not CONSENT_WORDS.isdisjoint(mentioned(test))


def _refuses(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(test=test, body=[*_, last]):
            return isinstance(last, LEAVES) and _asks(test)
        case ast.Expr(value=ast.Call(func=function)):
            said = words(last_name(function))
            return not CONSENT_WORDS.isdisjoint(said) and not CHECKING_WORDS.isdisjoint(said)
        case _:
            return False
