"""Where the lines of a notebook's text stand: in which cell, and where in the file.

A notebook is checked as one text: the Python of all its cells, then what stands beside it (commands, texts for people,
outputs). A line of that text belongs to a stretch, and a stretch to a cell.
"""

from typing import NamedTuple

from valhalla_lint.core.span import Span


class Piece(NamedTuple):
    """A string of the file: what stands between its quotes, undecoded, and where its first character stands."""

    raw: str
    line: int
    column: int


class Stretch(NamedTuple):
    """Lines that come from one place of a notebook.

    first: their first line in the whole text, from 1. text: what stands in the cell, before anything was bent to make
    it Python. cell: counts all cells from 1. id: as the file has it, or "". output: which of the cell's outputs, from
    1; 0 for the cell's own source. pieces: its strings in the file; none where there is no file (editors hold cells).
    """

    first: int
    lines: int
    text: str
    cell: int
    id: str = ""
    output: int = 0
    pieces: tuple[Piece, ...] = ()


class Layout(NamedTuple):
    """The stretches of a notebook, by their first lines; lines between them separate cells."""

    stretches: tuple[Stretch, ...] = ()


class CellPlace(NamedTuple):
    """A place as readers of notebooks and programs that know only files see it.

    number, id, output: as in `Stretch`. span: in the cell (or output), its first line is 1. file: the place in the file
    itself, None where there is no file.
    """

    number: int
    id: str
    output: int
    span: Span
    file: Span | None = None

    @property
    def name(self) -> str:
        """The cell in words."""
        return f"cell {self.number} output {self.output}" if self.output else f"cell {self.number}"
