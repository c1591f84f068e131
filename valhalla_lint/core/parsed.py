"""What reading a text as Python gave."""

import ast
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


class Piece(NamedTuple):
    """Some lines, the number of lines before them, and their statements, at their places. broken: not Python."""

    text: str
    before: int
    body: list[ast.stmt]
    broken: bool = False


class Pieces(NamedTuple):
    """A text in pieces. unfinished: beginnings of pieces that are no Python without what follows them."""

    parsed: Parsed
    pieces: tuple[Piece, ...] = ()
    unfinished: frozenset[str] = frozenset()
