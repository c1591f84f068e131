"""Literals that a credential is compared with."""

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from valhalla_lint.facts.binder import Binder, Bound
from valhalla_lint.facts.literals import target_name
from valhalla_lint.facts.secret_names import judge_name

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

CONTAINERS = (ast.Constant, ast.Tuple, ast.List, ast.Set)


def comparisons(module: "Module", binder: Binder) -> Iterator[Bound]:
    """Literals that are compared with what has a telling name: by `==`, `in`, `match`."""
    for node in module.nodes(ast.Compare):
        if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            continue
        left, right = node.left, node.comparators[0]
        if isinstance(right, CONTAINERS) or _is_encoded(right):
            if left.__class__ is not ast.Constant:
                yield from compared(target_name(left), right, binder)
        elif left.__class__ is ast.Constant and not isinstance(node.ops[0], ast.In | ast.NotIn):
            yield from compared(target_name(right), left, binder)
    for matched in module.nodes(ast.Match):
        name = target_name(matched.subject)
        if judge_name(name) is not None:
            for case in matched.cases:
                for pattern in ast.walk(case.pattern):
                    if isinstance(pattern, ast.MatchValue):
                        yield from compared(name, pattern.value, binder)
    for mapping in module.nodes(ast.MatchMapping):
        for key, pattern in zip(mapping.keys, mapping.patterns, strict=True):
            if isinstance(pattern, ast.MatchValue):
                yield from compared(target_name(key), pattern.value, binder)


def _is_encoded(node: ast.AST) -> bool:
    """Whether a literal is only turned into bytes: `"…".encode()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="encode")):
            return True
        case _:
            return False


def compared(name: str, other: ast.AST, binder: Binder, *, asserted: bool = False) -> Iterator[Bound]:
    """The literals of the other side of a comparison with a name; asserted: by a test's assertion."""
    verdict = judge_name(name) if name else None
    if verdict is None:
        return
    several = isinstance(other, ast.Tuple | ast.List | ast.Set)
    items: Iterable[ast.AST] = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else (other,)
    for item in items:
        if isinstance(item, ast.Constant) or _is_encoded(item):
            yield from binder.bound(
                name,
                item,
                "comparison",
                verdict=verdict,
                needs_strong=several or (asserted and verdict.kind != "password"),
            )
