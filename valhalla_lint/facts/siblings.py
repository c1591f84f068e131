"""Which of many a node is, told by where it stands: generated files hold displays of a hundred thousand elements."""

import ast
from bisect import bisect_left
from collections.abc import Sequence

MANY = 64
"""So many elements are looked at, and so many arguments are judged one by one; longer ones are data."""


def _place(node: ast.expr) -> tuple[int, int]:
    return (node.lineno, node.col_offset)


def position(node: ast.AST, siblings: Sequence[ast.expr]) -> int | None:
    """The index of a node among siblings in source order, or None where it is none; logarithmic in their number."""
    if not isinstance(node, ast.expr):
        return None
    if len(siblings) <= MANY:
        return next((at for at, other in enumerate(siblings) if other is node), None)
    at = bisect_left(siblings, _place(node), key=_place)
    return at if at < len(siblings) and siblings[at] is node else None
