"""The one loop over a tree: nodes by type, parents, and each scope's own stretch of nodes.

A stack of nodes with the node-bearing fields of each class cached walks about four times as fast as
`ast.NodeVisitor`, and it cannot run out of stack on deep trees.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
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


LIST_FIELDS = frozenset(
    (
        *("args", "bases", "body", "cases", "comparators", "decorator_list", "defaults", "elts", "finalbody"),
        *("generators", "handlers", "ifs", "items", "keys", "keywords", "kw_defaults", "kwd_patterns", "kwonlyargs"),
        *("names", "orelse", "patterns", "posonlyargs", "targets", "type_params", "values"),
    )
)
"""Fields that hold a list of nodes in every class but those of `SINGLE_IN`."""

SINGLE_IN = {
    "args": ("FunctionDef", "AsyncFunctionDef", "Lambda"),
    "body": ("Lambda", "IfExp", "Expression"),
    "orelse": ("IfExp",),
}


Several = Callable[[ast.AST], tuple[ast.AST | None, ...]]
Shape = tuple[tuple[str, ...], Several | None, str | None]
"""Where the nodes below a class of nodes are: in lists (last field first: the stack turns them round again), in several
single fields (read in one call), or in one. Reading fields by kind saves a third of the walk."""


def _shape(kind: type, leave_out: Sequence[str] = ()) -> Shape:
    fields: tuple[str, ...] = getattr(kind, "_fields", ())
    held = [
        name
        for name in reversed(fields)
        if name not in PLAIN_FIELDS and kind.__name__ not in PLAIN_IN.get(name, ()) and name not in leave_out
    ]
    lists = tuple(name for name in held if name in LIST_FIELDS and kind.__name__ not in SINGLE_IN.get(name, ()))
    single = [name for name in held if name not in lists]
    several = cast("Several", attrgetter(*single)) if len(single) > 1 else None
    return lists, several, single[0] if len(single) == 1 else None


SHAPES = {kind: _shape(kind) for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)}
OUTSIDE = {
    ast.FunctionDef: ("decorator_list",),
    ast.AsyncFunctionDef: ("decorator_list",),
    ast.ClassDef: ("decorator_list", "bases", "keywords"),
    ast.Lambda: (),
}
"""Parts of a definition that run in the scope around it."""
INNER: dict[type, Shape] = {kind: _shape(kind, OUTSIDE.get(kind, ())) for kind in (*OUTSIDE, ast.Module)}


def children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes right below a node, without contexts and operators; three times as fast as `ast.iter_child_nodes`."""
    lists, several, one = SHAPES[node.__class__]
    for name in lists:
        for item in getattr(node, name):
            if item is not None:
                yield item
    if several is not None:
        for item in several(node):
            if item is not None:
                yield item
    elif one is not None:
        item = getattr(node, one)
        if item is not None:
            yield item


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

        def enter(node: ast.AST) -> tuple[ast.AST, ...]:
            scopes.append(node)
            return ()

        shapes = SHAPES.copy()
        for kind, fields in OUTSIDE.items():
            shapes[kind] = (fields[::-1], enter, None)  # only the head; the rest is walked as a scope of its own
        seen = order.append
        for scope in scopes:
            start = len(order)
            stack: list[ast.AST] = []
            push, pop = stack.append, stack.pop
            node = scope
            lists, several, one = INNER[scope.__class__]
            while True:
                for name in lists:
                    items = getattr(node, name)
                    if items:
                        for item in reversed(items):
                            if item is not None:
                                parents[item] = node
                                push(item)
                if several is not None:
                    for item in several(node):
                        if item is not None:
                            parents[item] = node
                            push(item)
                elif one is not None:
                    item = getattr(node, one)
                    if item is not None:
                        parents[item] = node
                        push(item)
                if not stack:
                    break
                node = pop()
                kind = node.__class__
                seen(node)
                by_type[kind].append(node)
                lists, several, one = shapes[kind]
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
