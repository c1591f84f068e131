"""From a place in a notebook's whole text to the cell, and to the file."""

import json
from bisect import bisect_right
from functools import lru_cache

from valhalla_lint.core.notebook import CellPlace, Layout, Piece, Stretch
from valhalla_lint.core.span import Span
from valhalla_lint.facts.parse import LINE_END

ESCAPE = r"\u"


def cell_place(layout: Layout, span: Span) -> CellPlace | None:
    """Where a range of the whole text stands: between two cells in the one above; None where there is no text."""
    stretches = layout.stretches
    number = bisect_right(stretches, span.line, key=lambda stretch: stretch.first) - 1
    if number < 0:
        return None
    stretch = stretches[number]
    inside = Span(*_inside(stretch, span.line, span.column), *_inside(stretch, span.end_line, span.end_column))
    return CellPlace(stretch.cell, stretch.id, stretch.output, inside, _in_file(stretch, inside))


def _inside(stretch: Stretch, line: int, column: int) -> tuple[int, int]:
    """A place counted in its own cell; the end of the cell for what lies behind it."""
    starts = _line_starts(stretch.text)
    number = line - stretch.first + 1
    if number > min(stretch.lines, len(starts)):
        number, column = min(stretch.lines, len(starts)), len(stretch.text)
    end = starts[number] if number < len(starts) else len(stretch.text)
    text = stretch.text[starts[number - 1] : end].rstrip("\r\n")
    return number, min(column, len(text))


def _in_file(stretch: Stretch, span: Span) -> Span | None:
    """A range of a cell in the file, of several strings from the first to the last of them."""
    if not stretch.pieces:
        return None
    starts = _line_starts(stretch.text)
    begin = starts[span.line - 1] + span.column
    end = starts[span.end_line - 1] + span.end_column
    first = _file_place(stretch, begin, at_end=False)
    last = _file_place(stretch, end, at_end=True) if end > begin else first
    return Span(*first, *last) if first <= last else Span(*first, *first)


def _file_place(stretch: Stretch, offset: int, *, at_end: bool) -> tuple[int, int]:
    """Line and column in the file of a character of a cell; at_end: rather at the end of a string than at the next."""
    ends = _piece_ends(stretch.pieces)
    number = next((at for at, end in enumerate(ends) if offset < end or (at_end and offset == end)), len(ends) - 1)
    piece = stretch.pieces[number]
    before = ends[number - 1] if number else 0
    return piece.line, piece.column + _raw_length(piece.raw, offset - before)


def _raw_length(raw: str, characters: int) -> int:
    """How many characters of an undecoded string stand for so many of the decoded one."""
    if "\\" not in raw:
        return min(characters, len(raw))
    at = 0
    while characters > 0 and at < len(raw):
        at += _unit(raw, at)
        characters -= 1
    return at


def _unit(raw: str, at: int) -> int:
    """How many characters of an undecoded string stand for the one that begins at a place."""
    if raw[at] != "\\":
        return 1
    if not raw.startswith(ESCAPE, at):
        return 2
    size = 6
    high, low = raw[at + 2 : at + 6], raw[at + 8 : at + 12]
    paired = high[:1] in "dD" and high[1:2] in "89abAB" and raw.startswith(ESCAPE, at + 6)
    return 2 * size if paired and low[:1] in "dD" and low[1:2] in "cdefCDEF" else size


@lru_cache(maxsize=64)
def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(found.end() for found in LINE_END.finditer(text)))


@lru_cache(maxsize=64)
def _piece_ends(pieces: tuple[Piece, ...]) -> tuple[int, ...]:
    """Where each string ends in the decoded text of the cell."""
    ends: list[int] = []
    total = 0
    for piece in pieces:
        total += len(json.loads(f'"{piece.raw}"'))
        ends.append(total)
    return tuple(ends)
