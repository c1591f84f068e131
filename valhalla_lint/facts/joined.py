"""The index of a text that is read in pieces, put together from theirs.

While one types, all pieces but one stay. What is known of each node is taken over from the text before, and only what
stands in pieces that came or went is touched: going through the nodes of a whole text took longer than anything else
that is not flow, for between two keystrokes they leave the processor's caches.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from valhalla_lint.core.parsed import Kept, Piece
from valhalla_lint.facts.index import SCOPES, Answer, Groups, Index, Node

Stretch = tuple[list[ast.AST], int, int]
"""Nodes in order, and which of them are a scope's own: from, to."""


class Layer:
    """Of a piece of a text, the scopes that are so many scopes deep: their nodes in order, and by class.

    scopes: those that begin in this layer.
    """

    __slots__ = ("by_type", "facts", "order", "scopes")

    def __init__(self, index: Index, scopes: Sequence[ast.AST]) -> None:
        """index: of the piece. scopes: those of this layer."""
        start, end = index.stretch[scopes[0]][0], index.stretch[scopes[-1]][1]
        self.order = index.order[start:end]
        self.by_type: dict[type, list[ast.AST]] = {}
        for node in self.order:
            kind = node.__class__
            if kind in self.by_type:
                self.by_type[kind].append(node)
            else:
                self.by_type[kind] = [node]
        self.scopes = [node for node in self.order if node.__class__ in SCOPES]
        self.facts: dict[str, Any] = {}


class Layers:
    """The nodes of a piece of a text, layer by layer.

    parents: the node above each, but above its statements. placed: those that have a place of their own.
    around: the scope of each but those of the module itself.
    stretch: the own nodes of each scope but the module.
    """

    __slots__ = ("around", "body", "layers", "parents", "placed", "stretch")

    def __init__(self, body: list[ast.stmt]) -> None:
        """Walk the statements of a piece once."""
        tree = ast.Module(body=body, type_ignores=[])
        index = Index(tree)
        self.body = body
        self.placed = [node for node in index.order if hasattr(node, "lineno")]
        self.parents = index.parents
        for statement in body:
            del self.parents[statement]
        self.around: dict[ast.AST, ast.AST] = {}
        self.stretch: dict[ast.AST, Stretch] = {}
        self.layers: list[Layer] = []
        scopes: Sequence[ast.AST] = index.scopes[:1]
        known = 1
        while scopes:
            layer = Layer(index, scopes)
            if self.layers:
                before = index.stretch[scopes[0]][0]
                for scope in scopes:
                    begin, end = index.stretch[scope]
                    self.around.update(dict.fromkeys(index.order[begin:end], scope))
                    self.stretch[scope] = layer.order, begin - before, end - before
            self.layers.append(layer)
            scopes = index.scopes[known : known + len(layer.scopes)]
            known += len(scopes)


def shift(layers: Layers, lines: int) -> None:
    """Move the nodes of a piece down, or up."""
    if lines:
        for node in layers.placed:
            node.lineno += lines  # type: ignore[attr-defined]  # the class was asked
            node.end_lineno += lines  # type: ignore[attr-defined]  # as above


class _Joint:
    """What is known of the nodes of some pieces together; see `Layers`. parents: also above the statements."""

    __slots__ = ("around", "parents", "pieces", "stretch")

    def __init__(self) -> None:
        self.pieces: dict[Layers, None] = {}
        self.parents: dict[ast.AST, ast.AST] = {}
        self.around: dict[ast.AST, ast.AST] = {}
        self.stretch: dict[ast.AST, Stretch] = {}

    def turn(self, pieces: dict[Layers, None], tree: ast.Module) -> None:
        """Become that of other pieces, of a tree."""
        for gone in self.pieces.keys() - pieces.keys():
            for known, held in (
                (self.parents, gone.parents),
                (self.around, gone.around),
                (self.stretch, gone.stretch),
                (self.parents, gone.body),
            ):
                for node in held:
                    known.pop(node, None)
        for layers in pieces:
            if layers not in self.pieces:  # after those that went: a statement may have gone from one to another
                self.parents.update(layers.parents)
                self.around.update(layers.around)
                self.stretch.update(layers.stretch)
        self.parents.update(dict.fromkeys(tree.body, tree))
        self.pieces = pieces


class JoinedIndex(Index):
    """The index of a text that is read in pieces, which answers as that of the whole tree.

    around: the scope of each node but the module's own. What only a walk over the whole has, `order` and `stretch`, it
    has not.
    """

    __slots__ = ("_layers", "_stretch", "_top", "around")

    def __init__(self, tree: ast.Module, pieces: Sequence[Piece], kept: Kept | None = None) -> None:
        """Walk what has not been walked yet. Effect: pieces and kept hold what was found out.

        The index of an earlier text of which kept tells is used up.
        """
        self.tree = tree
        found: dict[Layers, None] = {}
        for piece in pieces:
            if not piece.body:
                continue
            known: Layers | None = piece.facts.get("index") if piece.facts is not None else None
            if known is None:
                known = Layers(piece.body)
                if piece.facts is not None:
                    piece.facts["index"] = known
            found[known] = None
        joint = kept.joint if kept is not None and isinstance(kept.joint, _Joint) else _Joint()
        if kept is not None:
            kept.joint = None  # whoever interrupts this leaves nothing half-done behind
        joint.turn(found, tree)
        if kept is not None:
            kept.joint = joint
        self.parents, self.around, self._stretch = joint.parents, joint.around, joint.stretch
        depth = max((len(layers.layers) for layers in found), default=0)
        self._layers = [
            layers.layers[number] for number in range(depth) for layers in found if number < len(layers.layers)
        ]
        self.scopes = [tree, *(scope for layer in self._layers for scope in layer.scopes)]
        self._top = [node for layers in found for node in layers.layers[0].order]
        self.by_type = defaultdict(list)

    def nodes(self, kind: type[Node]) -> Sequence[Node]:
        """As of any index; put together when first asked for."""
        known = self.by_type.get(kind)
        if known is None:
            known = self.by_type[kind] = [
                node for layer in self._layers if kind in layer.by_type for node in layer.by_type[kind]
            ]
        return cast("Sequence[Node]", known)

    def found(
        self, question: str, kind: type[Node], ask: Callable[[Sequence[Node]], Iterator[Answer]]
    ) -> Sequence[Answer]:
        """What nodes of a class say, in their order."""
        answers: list[Answer] = []
        for layer in self._layers:
            if kind in layer.by_type:
                known: list[Answer] | None = layer.facts.get(question)
                if known is None:
                    known = layer.facts[question] = list(ask(cast("Sequence[Node]", layer.by_type[kind])))
                answers += known
        return answers

    def grouped(self, kind: type[Node], group: Callable[[Sequence[Node]], Groups[Node]]) -> Groups[Node]:
        """As of any index; each layer is put into groups once."""
        every: dict[str, list[Sequence[Node]]] = {}
        question = f"{group.__module__}.{group.__qualname__}"
        for layer in self._layers:
            if kind in layer.by_type:
                known: Groups[Node] | None = layer.facts.get(question)
                if known is None:
                    known = layer.facts[question] = group(cast("Sequence[Node]", layer.by_type[kind]))
                for name, nodes in known.items():
                    if name in every:
                        every[name].append(nodes)
                    else:
                        every[name] = [nodes]
        return {
            name: parts[0] if len(parts) == 1 else [node for nodes in parts for node in nodes]
            for name, parts in every.items()
        }

    def own(self, scope: ast.AST) -> list[ast.AST]:
        """As of any index."""
        if scope is self.tree:
            return self._top[:]
        order, begin, end = self._stretch[scope]
        return order[begin:end]

    def size(self, scope: ast.AST) -> int:
        """As of any index."""
        if scope is self.tree:
            return len(self._top)
        _, begin, end = self._stretch.get(scope, ((), 0, 0))
        return end - begin

    def every(self) -> Sequence[ast.AST]:
        """As of any index."""
        return [node for layer in self._layers for node in layer.order]
