"""From a place in a notebook's whole text to the cell, and to the file."""

import json
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from valhalla_lint.core.notebook import CellPlace, Layout, Stretch
from valhalla_lint.core.span import Span
from valhalla_lint.facts.parse import LINE_END

ESCAPE = r"\u"
ESCAPE_LENGTH = len(r"\u0000")


def cell_place(layout: Layout, span: Span) -> CellPlace | None:
    """Where a range of the whole text stands: between two cells in the one above; None where there is no text."""
    return CellPlaces(layout).of(span)


class CellPlaces:
    """Answers for many places of one notebook; what is worked out for a cell is kept."""

    def __init__(self, layout: Layout) -> None:
        """Nothing is worked out here."""
        self._stretches = layout.stretches
        self._first_lines = [stretch.first for stretch in layout.stretches]
        self._cells: dict[int, _Cell] = {}

    def of(self, span: Span) -> CellPlace | None:
        """Where a range of the whole text stands: between two cells in the one above; None where there is no text."""
        number = bisect_right(self._first_lines, span.line) - 1
        if number < 0:
            return None
        cell = self._cells.get(number)
        if cell is None:
            cell = self._cells[number] = _Cell(self._stretches[number])
        return cell.place(span)


class _Cell:
    """The lines of one stretch, and where its characters stand in the file."""

    def __init__(self, stretch: Stretch) -> None:
        self._stretch = stretch
        self._starts = (0, *(found.end() for found in LINE_END.finditer(stretch.text)))
        self._ends: list[int] = []  # where each string of the file ends in the text
        self._raw: dict[int, Sequence[int]] = {}

    def place(self, span: Span) -> CellPlace:
        stretch = self._stretch
        line, column = self._inside(span.line, span.column)
        inside = Span(line, column, *max((line, column), self._inside(span.end_line, span.end_column)))
        return CellPlace(stretch.cell, stretch.id, stretch.output, inside, self._in_file(inside))

    def _inside(self, line: int, column: int) -> tuple[int, int]:
        """A place counted in its own cell; the end of the cell for what lies behind it."""
        text, starts = self._stretch.text, self._starts
        number = line - self._stretch.first + 1
        if number > min(self._stretch.lines, len(starts)):
            number, column = min(self._stretch.lines, len(starts)), len(text)
        end = starts[number] if number < len(starts) else len(text)
        return number, min(column, len(text[starts[number - 1] : end].rstrip("\r\n")))

    def _in_file(self, span: Span) -> Span | None:
        """A range of the cell in the file, of several strings from the first to the last of them."""
        if not self._stretch.pieces:
            return None
        begin = self._starts[span.line - 1] + span.column
        end = self._starts[span.end_line - 1] + span.end_column
        first = self._file_place(begin, at_end=False)
        last = self._file_place(end, at_end=True) if end > begin else first
        return Span(*first, *max(first, last))

    def _file_place(self, offset: int, *, at_end: bool) -> tuple[int, int]:
        """Line and column in the file of a character; at_end: rather at the end of a string than at the next."""
        pieces = self._stretch.pieces
        if not self._ends:
            total = 0
            for piece in pieces:
                total += len(piece.raw) if "\\" not in piece.raw else len(json.loads(f'"{piece.raw}"'))
                self._ends.append(total)
        number = (bisect_left if at_end else bisect_right)(self._ends, offset)
        number = min(number, len(pieces) - 1)
        inside = offset - (self._ends[number - 1] if number else 0)
        return pieces[number].line, pieces[number].column + self._raw_length(number, inside)

    def _raw_length(self, number: int, characters: int) -> int:
        """How many characters of an undecoded string stand for so many of the decoded one."""
        raw = self._stretch.pieces[number].raw
        if "\\" not in raw:
            return min(characters, len(raw))
        if number not in self._raw:
            self._raw[number] = _offsets(raw)
        offsets = self._raw[number]
        return offsets[min(characters, len(offsets) - 1)]


def _offsets(raw: str) -> Sequence[int]:
    """Where each character of a string begins in its undecoded form, and where that ends."""
    found = array("L")
    at = 0
    while at < len(raw):
        found.append(at)
        at += _unit(raw, at)
    found.append(at)
    return found


def _unit(raw: str, at: int) -> int:
    """How many characters of an undecoded string stand for the one that begins at a place."""
    if raw[at] != "\\":
        return 1
    if not raw.startswith(ESCAPE, at):
        return len(r"\n")
    high, low = raw[at + 2 : at + 6], raw[at + 8 : at + 12]
    paired = high[:1] in "dD" and high[1:2] in "89abAB" and raw.startswith(ESCAPE, at + ESCAPE_LENGTH)
    return (2 if paired and low[:1] in "dD" and low[1:2] in "cdefCDEF" else 1) * ESCAPE_LENGTH
