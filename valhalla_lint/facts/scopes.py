"""Function, class and module around a node, and what each scope binds."""

import ast
from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter

from valhalla_lint.core.parsed import Kept, Table
from valhalla_lint.facts.index import SCOPES, FunctionNode, Index
from valhalla_lint.facts.joined import JoinedIndex

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
BINDING = frozenset(
    (
        *(*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom, ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
        *(ast.MatchMapping, ast.Global, ast.Nonlocal),
    )
)
"""Classes of nodes, besides names, that may bind a name or say where it is bound."""


def parameters(node: FunctionNode | ast.Lambda) -> Iterator[ast.arg]:
    """All parameters of a function in order, `*args` and `**kwargs` included."""
    args = node.args
    yield from args.posonlyargs
    yield from args.args
    if args.vararg:
        yield args.vararg
    yield from args.kwonlyargs
    if args.kwarg:
        yield args.kwarg


def defaults(node: FunctionNode | ast.Lambda) -> Iterator[tuple[ast.arg, ast.expr]]:
    """The parameters that have a default, each with it."""
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    yield from zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True)
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if default is not None:
            yield arg, default


class Scopes:
    """The scopes of one file; bindings of a scope are computed when first asked for."""

    __slots__ = ("_begun", "_bindings", "_definitions", "_index", "_kept", "_scopes")

    def __init__(self, index: Index, kept: Kept | None = None) -> None:
        """Nothing is computed here. kept: what is known of the nodes, of a text that is read again and again."""
        self._kept: Table[ast.AST, dict[str, list[ast.AST]]] | None = (
            kept.table("bindings") if kept is not None else None
        )
        self._index = index
        self._scopes: dict[ast.AST, ast.AST] = {}
        self._bindings: dict[ast.AST, dict[str, list[ast.AST]]] = {}
        self._definitions: dict[ast.AST, str] = {}
        self._begun: list[tuple[int, int, _Definition]] | None = None

    def scope(self, node: ast.AST) -> ast.AST:
        """The scope in which a node runs: decorators, bases and the head of a definition belong to the one around it.

        The module itself for nodes at its level. Defaults of parameters count as inside their function.
        """
        known = self._scopes.get(node)
        if known is None:  # more than half of all questions are asked again
            known = self._scopes[node] = self._scope(node)
        return known

    def _scope(self, node: ast.AST) -> ast.AST:
        parents = self._index.parents
        below = node
        above = parents.get(node)
        while above is not None:
            kind = above.__class__
            if kind in SCOPES and not (
                below in getattr(above, "decorator_list", ())
                or below in getattr(above, "bases", ())
                or below in getattr(above, "keywords", ())
            ):
                return above
            below = above
            above = parents.get(above)
        return self._index.tree

    def function(self, node: ast.AST) -> FunctionNode | None:
        """The nearest function around a node (not the node itself), or None."""
        for above in self._index.ancestors(node):
            if isinstance(above, FUNCTIONS):
                return above
        return None

    def class_of(self, function: ast.AST) -> ast.ClassDef | None:
        """The class whose body holds a function directly (through `if` and `try`), or None."""
        parents = self._index.parents
        above = parents.get(function)
        while above is not None:
            if isinstance(above, ast.ClassDef):
                return above
            if above.__class__ in SCOPES:
                return None
            above = parents.get(above)
        return None

    def owner(self, node: ast.AST) -> ast.ClassDef | None:
        """The class of which a node stands in a method, or None."""
        function = self.function(node)
        return self.class_of(function) if function is not None else None

    def definition(self, node: ast.AST) -> str:
        """The dotted name of the definition around a node, such as "Service.generate"; "" at module level."""
        scope = self.scope(node)
        while isinstance(scope, ast.Lambda):
            scope = self.scope(scope)
        return self._dotted(scope)

    def definition_at(self, line: int, column: int) -> str:
        """The dotted name of the definition around a place (column in bytes), as `definition` gives it for a node.

        For what is no node: a comment, a line inside a literal. Comments below the last line of a definition belong to
        the one around it.
        """
        if self._begun is None:
            nodes = self._index.nodes
            found: list[_Definition] = [*nodes(ast.FunctionDef), *nodes(ast.AsyncFunctionDef), *nodes(ast.ClassDef)]
            self._begun = sorted(((node.lineno, node.col_offset, node) for node in found), key=itemgetter(0, 1))
        number = bisect_right(self._begun, (line, column), key=itemgetter(0, 1))
        above: ast.AST | None = self._begun[number - 1][2] if number else None
        while above is not None:
            if isinstance(above, DEFINITIONS) and line <= (above.end_lineno or 0):
                return self._dotted(above)
            above = self._index.parents.get(above)
        return ""

    def _dotted(self, scope: ast.AST) -> str:
        known = self._definitions.get(scope)
        if known is not None:
            return known
        names: list[str] = []
        above: ast.AST | None = scope
        while above is not None:
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.append(above.name)
            above = self._index.parents.get(above)
        dotted = ".".join(reversed(names))
        self._definitions[scope] = dotted
        return dotted

    def bindings(self, scope: ast.AST) -> dict[str, list[ast.AST]]:
        """The names that a scope binds, each with the nodes that bind it (in source order).

        A node is the `Name` that is stored to, the `arg`, the definition, the import, the handler or the pattern.
        """
        known = self._bindings.get(scope)
        if known is not None:
            return known
        table = self._kept if scope is not self._index.tree else None
        if table is not None and (kept := table.get(scope)) is not None:
            self._bindings[scope] = kept
            return kept
        found: dict[str, list[ast.AST]] = {}
        outward: set[str] = set()
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for arg in parameters(scope):
                found.setdefault(arg.arg, []).append(arg)
        for node in self._index.own(scope):
            kind = node.__class__
            if kind is ast.Name:  # most nodes are: they are asked first, and cheaply
                if node.ctx.__class__ is not ast.Load:  # type: ignore[attr-defined]  # the class was compared
                    found.setdefault(node.id, []).append(node)  # type: ignore[attr-defined]  # as above
                continue
            if kind not in BINDING:
                continue
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    found.setdefault(node.name, []).append(node)
                case ast.Import():
                    for item in node.names:
                        found.setdefault(item.asname or item.name.partition(".")[0], []).append(node)
                case ast.ImportFrom():
                    for item in node.names:
                        found.setdefault(item.asname or item.name, []).append(node)
                case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    found.setdefault(name, []).append(node)
                case ast.MatchMapping(rest=str(name)):
                    found.setdefault(name, []).append(node)
                case ast.Global() | ast.Nonlocal():
                    outward.update(node.names)
                case _:
                    pass
        for name in outward:
            found.pop(name, None)
        self._bindings[scope] = found
        if table is not None:
            table.put(scope, found)
        return found

    def binding_scope(self, node: ast.AST, name: str) -> ast.AST | None:
        """The scope whose binding a name at a node refers to; None for builtins and unknown names.

        Class scopes count only for code that stands directly in them, as in Python itself.
        """
        scope = self.scope(node)
        start = scope
        while True:
            if (scope is start or not isinstance(scope, ast.ClassDef)) and name in self.bindings(scope):
                return scope
            if scope is self._index.tree:
                return None
            scope = self.scope(scope)

    def value_of(self, name: ast.Name) -> ast.expr | None:
        """What a name stands for where it is read: what one plain assignment binds it to, or None."""
        scope = self.binding_scope(name, name.id)
        return self.sole_value(scope, name.id) if scope is not None else None

    def sole_value(self, scope: ast.AST, name: str) -> ast.expr | None:
        """The expression that a name is bound to in a scope, if exactly one plain assignment binds it; else None."""
        nodes = self.bindings(scope).get(name, ())
        if len(nodes) != 1:
            return None
        target = nodes[0]
        match self._index.parents.get(target):
            case ast.Assign(targets=[only], value=value) if only is target:
                return value
            case ast.AnnAssign(target=only, value=ast.expr() as value) if only is target:
                return value
            case ast.NamedExpr(target=only, value=value) if only is target:
                return value
            case _:
                return None


class JoinedScopes(Scopes):
    """The scopes of a text that is read in pieces."""

    __slots__ = ("_around",)

    def __init__(self, index: JoinedIndex, kept: Kept | None) -> None:
        """As for others."""
        super().__init__(index, kept)
        self._around = index.around

    def scope(self, node: ast.AST) -> ast.AST:
        """The scope in which a node runs."""
        known = self._around.get(node)
        return super().scope(node) if known is None else known
