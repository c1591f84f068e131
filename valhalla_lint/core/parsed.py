"""What reading a text as Python gave."""

import ast
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

Key = TypeVar("Key", bound=ast.AST)
Answer = TypeVar("Answer")


class Table(Generic[Key, Answer]):
    """Answers about nodes that outlive the text that was asked about: those of the last one and of the one before.

    Only what a node holds may be asked, and what the table was asked for with: what stands around a node can change.
    """

    __slots__ = ("_earlier", "_now", "context")

    def __init__(self, context: object) -> None:
        """context: what the answers depend on besides the node."""
        self.context = context
        self._earlier: dict[Key, Answer] = {}
        self._now: dict[Key, Answer] = {}

    def get(self, node: Key) -> Answer | None:
        """The answer about a node, None where there is none."""
        known = self._now.get(node)
        if known is None and (known := self._earlier.get(node)) is not None:
            self._now[node] = known
        return known

    def put(self, node: Key, answer: Answer) -> Answer:
        """Keep an answer; it is given back."""
        self._now[node] = answer
        return answer

    def turn(self) -> None:
        """A new text is read: what was not asked about the last one is forgotten."""
        self._earlier, self._now = self._now, {}


class Kept:
    """The tables of answers about the nodes of one text that is read again and again, by what is asked.

    joint: what was put together of the pieces of the last text; see `valhalla_lint.facts.joined`.
    """

    __slots__ = ("_tables", "joint")

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._tables: dict[str, Table[Any, Any]] = {}
        self.joint: object = None

    def table(self, question: str, context: object = None) -> Table[Any, Any]:
        """The table of a question; an empty one where the answers known depend on something else."""
        known = self._tables.get(question)
        if known is None or known.context != context:
            known = self._tables[question] = Table(context)
        return known

    def turn(self) -> None:
        """A new text is read."""
        for table in self._tables.values():
            table.turn()


class Parsed(NamedTuple):
    """A tree and, where the text is not Python as a whole, what is wrong (one sentence, without the file's name).

    Where `problem` is set, the tree holds only the statements that could be read.
    line, column: where reading stopped (1-based line, 0-based column); 1 and 0 where nothing says so.
    cuts: of such a text, the lines (from 0) at which the parts begin that were read each by itself.
    pieces: of a text that is read again and again, what it was put together from. kept: what is known of its nodes.
    """

    tree: ast.Module
    problem: str = ""
    line: int = 1
    column: int = 0
    cuts: tuple[int, ...] = ()
    pieces: "tuple[Piece, ...]" = ()
    kept: Kept | None = None


class Part(NamedTuple):
    """Some lines of a broken piece that were read apart.

    before: the number of lines before them in what they are part of. parts: their own, where they are broken, too.
    """

    before: int
    body: list[ast.stmt]
    parts: "Parts"


Parts = Mapping[tuple[str, int], Sequence[Part]]
"""Parts by their lines and how deep in blocks they stand."""


class Piece(NamedTuple):
    """Some lines, the number of lines before them, and their statements, at their places.

    fault: why they are not Python. parts: what was read apart of such lines. facts: what was found out about the
    statements by themselves; gone with them.
    """

    text: str
    before: int
    body: list[ast.stmt]
    fault: BaseException | None = None
    parts: Parts = MappingProxyType({})
    facts: dict[object, Any] | None = None

    def mentions(self, words: frozenset[str]) -> bool:
        """Whether one of some words, in small letters, stands in the lines."""
        known: bool | None = self.facts.get(words) if self.facts is not None else None
        if known is None:
            lower = self.text.lower()
            known = any(word in lower for word in words)
            if self.facts is not None:
                self.facts[words] = known
        return known

    @property
    def broken(self) -> bool:
        """Whether the lines are not Python."""
        return self.fault is not None


class Pieces(NamedTuple):
    """A text in pieces.

    unfinished: beginnings of pieces that are no Python without what follows them. left: the last broken piece of an
    earlier text that is none any more; its statements are part of no tree.
    """

    parsed: Parsed
    pieces: tuple[Piece, ...] = ()
    unfinished: frozenset[str] = frozenset()
    left: Piece | None = None
