"""What reading a text as Python gave."""

import ast
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class Parsed(NamedTuple):
    """A tree and, where the text is not Python as a whole, what is wrong (one sentence, without the file's name).

    Where `problem` is set, the tree holds only the statements that could be read.
    line, column: where reading stopped (1-based line, 0-based column); 1 and 0 where nothing says so.
    cuts: of such a text, the lines (from 0) at which the parts begin that were read each by itself.
    """

    tree: ast.Module
    problem: str = ""
    line: int = 1
    column: int = 0
    cuts: tuple[int, ...] = ()


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

    fault: why they are not Python. parts: what was read apart of such lines.
    """

    text: str
    before: int
    body: list[ast.stmt]
    fault: BaseException | None = None
    parts: Parts = MappingProxyType({})

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
