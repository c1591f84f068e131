"""The one walk over a tree: nodes by type, parents, and each scope's own stretch of nodes.

A function for each of the most frequent classes, which knows its fields, and one for all others, which looks them up,
take a tenth less time than a loop over a stack of nodes, and that is four times as fast as `ast.NodeVisitor`. The loop
stays for trees that nest too deeply for functions.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar, cast

Node = TypeVar("Node", bound=ast.AST)
Answer = TypeVar("Answer")
Groups = Mapping[str, Sequence[Node]]
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


def _held(kind: type, leave_out: Sequence[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of a class that hold one node, and those that hold a list of nodes, in their order."""
    fields: tuple[str, ...] = getattr(kind, "_fields", ())
    held = [
        name
        for name in fields
        if name not in PLAIN_FIELDS and kind.__name__ not in PLAIN_IN.get(name, ()) and name not in leave_out
    ]
    lists = tuple(name for name in held if name in LIST_FIELDS and kind.__name__ not in SINGLE_IN.get(name, ()))
    return tuple(name for name in held if name not in lists), lists


def _shape(kind: type, leave_out: Sequence[str] = ()) -> Shape:
    single, lists = _held(kind, leave_out)
    several = cast("Several", attrgetter(*reversed(single))) if len(single) > 1 else None
    return lists[::-1], several, single[0] if len(single) == 1 else None


KINDS = tuple(kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST))
SHAPES = {kind: _shape(kind) for kind in KINDS}
HELD = {kind: _held(kind) for kind in KINDS}
OUTSIDE = {
    ast.FunctionDef: ("decorator_list",),
    ast.AsyncFunctionDef: ("decorator_list",),
    ast.ClassDef: ("decorator_list", "bases", "keywords"),
    ast.Lambda: (),
}
"""Parts of a definition that run in the scope around it."""
INNER: dict[type, Shape] = {kind: _shape(kind, OUTSIDE.get(kind, ())) for kind in (*OUTSIDE, ast.Module)}
INSIDE = {kind: _held(kind, OUTSIDE.get(kind, ())) for kind in (*OUTSIDE, ast.Module)}


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


def below(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all nodes below it, in no order that means anything; without contexts and operators."""
    stack = [node]
    while stack:
        item = stack.pop()
        yield item
        stack += children(item)


class Index:
    """A tree in the forms in which rules ask for it.

    parents: the node above each node. scopes: in the order in which they were met, the module first.
    order, by_type: what `every` and `nodes` give. stretch: for each scope, its own part of `order` (an inner scope is
    there with its head node only; its own nodes stand in its own stretch).
    """

    __slots__ = ("by_type", "order", "parents", "scopes", "stretch", "tree")

    def __init__(self, tree: ast.Module) -> None:
        """Walk the tree once; linear in its nodes."""
        self._begin(tree)
        try:
            self._walk()
        except RecursionError:
            self._begin(tree)
            self._walk_deep()

    def _begin(self, tree: ast.Module) -> None:
        self.tree = tree
        self.order: list[ast.AST] = []
        self.by_type: defaultdict[type, list[ast.AST]] = defaultdict(list)
        self.parents: dict[ast.AST, ast.AST] = {}
        self.scopes: list[ast.AST] = [tree]
        self.stretch: dict[ast.AST, tuple[int, int]] = {}

    def _walk(self) -> None:  # noqa: PLR0915 -- one function each for the most frequent classes
        """Walk from node to node. Raises RecursionError where the tree is too deep for that."""
        order, by_type, parents, scopes = self.order, self.by_type, self.parents, self.scopes
        seen = order.append
        keep_name, keep_constant = by_type[ast.Name].append, by_type[ast.Constant].append
        keep_attribute, keep_call = by_type[ast.Attribute].append, by_type[ast.Call].append
        keep_keyword, keep_arg = by_type[ast.keyword].append, by_type[ast.arg].append
        keep_assign, keep_expression = by_type[ast.Assign].append, by_type[ast.Expr].append
        keep_arguments, keep_subscript = by_type[ast.arguments].append, by_type[ast.Subscript].append

        def name(node: ast.Name) -> None:
            seen(node)
            keep_name(node)

        def constant(node: ast.Constant) -> None:
            seen(node)
            keep_constant(node)

        def attribute(node: ast.Attribute) -> None:
            seen(node)
            keep_attribute(node)
            value = node.value
            parents[value] = node
            visit[value.__class__](value)

        def call(node: ast.Call) -> None:
            seen(node)
            keep_call(node)
            function = node.func
            parents[function] = node
            visit[function.__class__](function)
            for item in node.args:
                parents[item] = node
                visit[item.__class__](item)
            for given in node.keywords:
                parents[given] = node
                keyword(given)

        def keyword(node: ast.keyword) -> None:
            seen(node)
            keep_keyword(node)
            value = node.value
            parents[value] = node
            visit[value.__class__](value)

        def arg(node: ast.arg) -> None:
            seen(node)
            keep_arg(node)
            annotation = node.annotation
            if annotation is not None:
                parents[annotation] = node
                visit[annotation.__class__](annotation)

        def arguments(node: ast.arguments) -> None:
            seen(node)
            keep_arguments(node)
            for rest in (node.vararg, node.kwarg):
                if rest is not None:
                    parents[rest] = node
                    arg(rest)
            for group in (node.posonlyargs, node.args, node.kwonlyargs):
                for item in group:
                    parents[item] = node
                    arg(item)
            for values in (node.kw_defaults, node.defaults):
                for value in values:
                    if value is not None:
                        parents[value] = node
                        visit[value.__class__](value)

        def subscript(node: ast.Subscript) -> None:
            seen(node)
            keep_subscript(node)
            value, place = node.value, node.slice
            parents[value] = node
            visit[value.__class__](value)
            parents[place] = node
            visit[place.__class__](place)

        def assign(node: ast.Assign) -> None:
            seen(node)
            keep_assign(node)
            value = node.value
            parents[value] = node
            visit[value.__class__](value)
            for target in node.targets:
                parents[target] = node
                visit[target.__class__](target)

        def expression(node: ast.Expr) -> None:
            seen(node)
            keep_expression(node)
            value = node.value
            parents[value] = node
            visit[value.__class__](value)

        def other(node: ast.AST) -> None:
            kind = node.__class__
            seen(node)
            by_type[kind].append(node)
            single, lists = HELD[kind]
            for field in single:
                item = getattr(node, field)
                if item is not None:
                    parents[item] = node
                    visit[item.__class__](item)
            for field in lists:
                for item in getattr(node, field):
                    if item is not None:
                        parents[item] = node
                        visit[item.__class__](item)

        def scope(node: ast.AST) -> None:
            kind = node.__class__
            seen(node)
            by_type[kind].append(node)
            scopes.append(node)
            for field in OUTSIDE[kind]:  # only the head; the rest is walked as a scope of its own
                for item in getattr(node, field):
                    parents[item] = node
                    visit[item.__class__](item)

        def inside(node: ast.AST) -> None:
            single, lists = INSIDE[node.__class__]
            for field in single:
                item = getattr(node, field)
                if item is not None:
                    parents[item] = node
                    visit[item.__class__](item)
            for field in lists:
                for item in getattr(node, field):
                    parents[item] = node
                    visit[item.__class__](item)

        visit: dict[type, Callable[[Any], None]] = {
            **dict.fromkeys(KINDS, other),
            **dict.fromkeys(OUTSIDE, scope),
            ast.Name: name,
            ast.Constant: constant,
            ast.Attribute: attribute,
            ast.Call: call,
            ast.keyword: keyword,
            ast.arg: arg,
            ast.arguments: arguments,
            ast.Subscript: subscript,
            ast.Assign: assign,
            ast.Expr: expression,
        }
        try:
            for inner in scopes:
                start = len(order)
                inside(inner)
                self.stretch[inner] = (start, len(order))
        finally:
            visit.clear()  # the functions hold each other through it, and the whole tree with them

    def _walk_deep(self) -> None:
        """The same with a stack of nodes, in the same order."""
        order, by_type, parents, scopes = self.order, self.by_type, self.parents, self.scopes

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
            self.stretch[scope] = (start, len(order))

    def nodes(self, kind: type[Node]) -> Sequence[Node]:
        """All nodes of exactly this class, scope by scope."""
        return cast("Sequence[Node]", self.by_type.get(kind, ()))

    def found(
        self, question: str, kind: type[Node], ask: Callable[[Sequence[Node]], Iterator[Answer]], context: str = ""
    ) -> Sequence[Answer]:
        """What nodes of a class say, in their order.

        question: names what is asked. ask: is given nodes, and must depend on nothing but the context, what each holds
        and what stands around it in its statement of the module: of a text that is read again and again, each is asked
        once, and again where the context has become another.
        """
        del question, context
        return list(ask(self.nodes(kind)))

    def grouped(self, kind: type[Node], group: Callable[[Sequence[Node]], Groups[Node]]) -> Groups[Node]:
        """The nodes of a class by a name that each has; see `found` for what may be asked of them.

        group: puts nodes into groups, and is a function of its own for each question.
        """
        return group(self.nodes(kind))

    def own(self, scope: ast.AST) -> list[ast.AST]:
        """A scope's own nodes in source order, without those of scopes inside it (their head nodes are there)."""
        start, end = self.stretch[scope]
        return self.order[start:end]

    def size(self, scope: ast.AST) -> int:
        """The number of a scope's own nodes; none of one that is not of this tree."""
        start, end = self.stretch.get(scope, (0, 0))
        return end - start

    def every(self) -> Sequence[ast.AST]:
        """Every node once (no contexts or operators, not the module), scope by scope, in source order inside one."""
        return self.order

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes above a node, nearest first, the module last."""
        parents = self.parents
        above = parents.get(node)
        while above is not None:
            yield above
            above = parents.get(above)
