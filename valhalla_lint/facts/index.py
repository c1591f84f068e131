"""The one loop over a tree: nodes by type, parents, and each scope's own stretch of nodes.

A stack of nodes with the node-bearing fields of each class cached walks about four times as fast as
`ast.NodeVisitor`, and it cannot run out of stack on deep trees.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar, cast

Node = TypeVar("Node", bound=ast.AST)
Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
SCOPES = frozenset({ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda})

PLAIN_FIELDS = frozenset(
    (
        *("arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "lineno"),
        *("module", "op", "ops", "rest", "simple", "str", "tag", "type_comment", "type_ignores"),
    )
)
"""Fields that hold no nodes, or only shared ones, in every class that has them."""

PLAIN_IN = {
    "name": ("FunctionDef", "AsyncFunctionDef", "ClassDef", "alias", "ExceptHandler", "MatchAs", "MatchStar", "TypeVar",
             "ParamSpec", "TypeVarTuple"),
    "names": ("Global", "Nonlocal"),
    "value": ("Constant", "MatchSingleton"),
}  # fmt: skip
"""Fields that hold nodes in some classes, and plain values in these."""


def _node_fields(kind: type) -> tuple[str, ...]:
    """The fields of a node class that can hold nodes, last first (the stack turns them round again)."""
    fields: tuple[str, ...] = getattr(kind, "_fields", ())
    held = [name for name in fields if name not in PLAIN_FIELDS and kind.__name__ not in PLAIN_IN.get(name, ())]
    return tuple(reversed(held))


class _Fields(dict[type, tuple[str, ...]]):
    """Node-bearing fields by class, computed when a class is first met."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        found = _node_fields(kind)
        self[kind] = found
        return found


FIELDS = _Fields()
OUTSIDE = {
    ast.FunctionDef: ("decorator_list",),
    ast.AsyncFunctionDef: ("decorator_list",),
    ast.ClassDef: ("decorator_list", "bases", "keywords"),
}
"""Parts of a definition that run in the scope around it."""


class Index:
    """A tree in the forms in which rules ask for it.

    order: every node once (no contexts or operators, not the module), scope by scope, in source order inside a scope.
    by_type: the same by class. parents: the node above each node. stretch: for each scope, its own part of `order`
    (an inner scope is there with its head node only; its own nodes stand in its own stretch).
    scopes: in the order in which they were met, the module first.
    """

    __slots__ = ("by_type", "order", "parents", "scopes", "stretch", "tree")

    def __init__(self, tree: ast.Module) -> None:
        """Walk the tree once; linear in its nodes."""
        self.tree = tree
        order: list[ast.AST] = []
        by_type: defaultdict[type, list[ast.AST]] = defaultdict(list)
        parents: dict[ast.AST, ast.AST] = {}
        scopes: list[ast.AST] = [tree]
        stretch: dict[ast.AST, tuple[int, int]] = {}
        fields = FIELDS
        for scope in scopes:
            start = len(order)
            stack: list[ast.AST] = []
            push, pop = stack.append, stack.pop
            outside = OUTSIDE.get(scope.__class__, ())
            node = scope
            names: tuple[str, ...] = tuple(name for name in fields[scope.__class__] if name not in outside)
            while True:
                for name in names:
                    value = getattr(node, name, None)
                    if value.__class__ is list:
                        for item in value[::-1]:
                            if item is not None:
                                parents[item] = node
                                push(item)
                    elif value is not None:
                        parents[value] = node
                        push(value)
                if not stack:
                    break
                node = pop()
                kind = node.__class__
                order.append(node)
                by_type[kind].append(node)
                names = fields[kind]
                if kind in SCOPES:
                    scopes.append(node)
                    names = OUTSIDE.get(kind, ())
            stretch[scope] = (start, len(order))
        self.order = order
        self.by_type = by_type
        self.parents = parents
        self.scopes = scopes
        self.stretch = stretch

    def nodes(self, kind: type[Node]) -> Sequence[Node]:
        """All nodes of exactly this class, scope by scope."""
        return cast("Sequence[Node]", self.by_type.get(kind, ()))

    def own(self, scope: ast.AST) -> list[ast.AST]:
        """A scope's own nodes in source order, without those of scopes inside it (their head nodes are there)."""
        start, end = self.stretch[scope]
        return self.order[start:end]

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes above a node, nearest first, the module last."""
        parents = self.parents
        above = parents.get(node)
        while above is not None:
            yield above
            above = parents.get(above)
