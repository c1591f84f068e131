"""The index of a text that is read in pieces, put together from theirs.

While one types, all pieces but one stay. What is known of each node is taken over from the text before, and only what
stands in pieces that came or went is touched: going through the nodes of a whole text took longer than anything else
that is not flow, for between two keystrokes they leave the processor's caches.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, cast

from valhalla_lint.core.parsed import Kept, Piece
from valhalla_lint.facts.index import SCOPES, Answer, Groups, Index, Node

BUNDLE = 8
"""Pieces whose layers are held together: of a long text only the pieces of one bundle are gone through one by one."""
Stretch = tuple[list[ast.AST], int, int]
"""Nodes in order, and which of them are a scope's own: from, to."""


class Layer:
    """Of a piece of a text, or of several, the scopes that are so many scopes deep: their nodes in order, and by class.

    scopes: those that begin in this layer. parts: the same layer of each piece, where it is that of several.
    """

    __slots__ = ("_facts", "by_type", "order", "parts", "scopes")

    def __init__(self, order: list[ast.AST], parts: "Sequence[Layer]" = ()) -> None:
        """order: the nodes."""
        self.order = order
        self.parts = parts
        self.by_type: dict[type, list[ast.AST]] = {}
        self._facts: dict[str, Any] = {}
        self.scopes: list[ast.AST]
        if parts:
            for part in parts:
                for kind, nodes in part.by_type.items():
                    if kind in self.by_type:
                        self.by_type[kind] += nodes
                    else:
                        self.by_type[kind] = nodes[:]
            self.scopes = [scope for part in parts for scope in part.scopes]
            return
        for node in order:
            kind = node.__class__
            if kind in self.by_type:
                self.by_type[kind].append(node)
            else:
                self.by_type[kind] = [node]
        self.scopes = [node for node in order if node.__class__ in SCOPES]

    def found(
        self, question: str, kind: type[Node], ask: Callable[[Sequence[Node]], Iterator[Answer]], context: str
    ) -> Sequence[Answer]:
        """What nodes of a class say, each asked once in a context."""
        known: tuple[str, Sequence[Answer]] | None = self._facts.get(question)
        if known is not None and known[0] == context:
            return known[1]
        answers: Sequence[Answer]
        if kind not in self.by_type:
            answers = ()
        elif self.parts:
            answers = [answer for part in self.parts for answer in part.found(question, kind, ask, context)]
        else:
            answers = [*ask(cast("Sequence[Node]", self.by_type[kind]))]
        self._facts[question] = context, answers
        return answers

    def grouped(self, kind: type[Node], group: Callable[[Sequence[Node]], Groups[Node]]) -> Groups[Node]:
        """The nodes of a class by a name that each has, each asked once."""
        question = f"{group.__module__}.{group.__qualname__}"
        known: Groups[Node] | None = self._facts.get(question)
        if known is None:
            if self.parts:
                known = together(part.grouped(kind, group) for part in self.parts)
            else:
                known = group(cast("Sequence[Node]", self.by_type.get(kind, ())))
            self._facts[question] = known
        return known


def together(parts: Iterable[Groups[Node]]) -> Groups[Node]:
    """Groups by name, put together in their order."""
    every: dict[str, list[Sequence[Node]]] = {}
    for part in parts:
        for name, nodes in part.items():
            if name in every:
                every[name].append(nodes)
            else:
                every[name] = [nodes]
    return {name: held[0] if len(held) == 1 else [*chain.from_iterable(held)] for name, held in every.items()}


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
        self.placed: list[Any] = [node for node in index.order if hasattr(node, "lineno")]
        self.parents = index.parents
        for statement in body:
            del self.parents[statement]
        self.around: dict[ast.AST, ast.AST] = {}
        self.stretch: dict[ast.AST, Stretch] = {}
        self.layers: list[Layer] = []
        scopes: Sequence[ast.AST] = index.scopes[:1]
        known = 1
        while scopes:
            before, after = index.stretch[scopes[0]][0], index.stretch[scopes[-1]][1]
            layer = Layer(index.order[before:after])
            if self.layers:
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
            node.lineno += lines
            node.end_lineno += lines


class _Joint:
    """What is known of the nodes of some pieces together; see `Layers`. parents: also above the statements.

    bundles: of neighbours, the layers of them all.
    """

    __slots__ = ("around", "bundles", "parents", "pieces", "stretch")

    def __init__(self) -> None:
        self.pieces: dict[Layers, None] = {}
        self.bundles: dict[tuple[Layers, ...], Sequence[Layer]] = {}
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
        every = [*pieces]
        neighbours = (tuple(every[first : first + BUNDLE]) for first in range(0, len(every), BUNDLE))
        self.bundles = {those: self.bundles.get(those) or _bundle(those) for those in neighbours}


def _by_depth(pieces: Collection[Sequence[Layer]]) -> list[Layer]:
    """The layers of pieces, the outermost of all first."""
    depth = max(map(len, pieces), default=0)
    return [layers[number] for number in range(depth) for layers in pieces if number < len(layers)]


def _bundle(pieces: tuple[Layers, ...]) -> Sequence[Layer]:
    """The layers of several pieces together."""
    depth = max(len(piece.layers) for piece in pieces)
    found = []
    for number in range(depth):
        parts = [piece.layers[number] for piece in pieces if number < len(piece.layers)]
        found.append(Layer([*chain.from_iterable(part.order for part in parts)], parts))
    return found


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
        bundles = joint.bundles.values()
        self._layers = _by_depth(bundles)
        self.scopes = [tree, *(scope for layer in self._layers for scope in layer.scopes)]
        self._top = [*chain.from_iterable(layers[0].order for layers in bundles)]
        self.by_type = defaultdict(list)

    def nodes(self, kind: type[Node]) -> Sequence[Node]:
        """As of any index; put together when first asked for."""
        known = self.by_type.get(kind)
        if known is None:
            layers = self._layers
            known = self.by_type[kind] = [*chain.from_iterable(layer.by_type.get(kind, ()) for layer in layers)]
        return cast("Sequence[Node]", known)

    def found(
        self, question: str, kind: type[Node], ask: Callable[[Sequence[Node]], Iterator[Answer]], context: str = ""
    ) -> Sequence[Answer]:
        """As of any index; each node is asked once in a context."""
        return [answer for layer in self._layers for answer in layer.found(question, kind, ask, context)]

    def grouped(self, kind: type[Node], group: Callable[[Sequence[Node]], Groups[Node]]) -> Groups[Node]:
        """As of any index; each node is asked once."""
        return together(layer.grouped(kind, group) for layer in self._layers)

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
