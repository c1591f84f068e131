"""Places in a text as an editor counts them: lines from 0, columns in the code units that both sides agreed on."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property

from lsprotocol.types import Position, PositionEncodingKind, Range

from valhalla_lint.core.span import Span
from valhalla_lint.hosts.lsp.lines import Lines

BASIC_PLANE_END = 0xFFFF
"""The last character that UTF-16 writes as one unit."""
Encoding = PositionEncodingKind | str | None


def _utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _utf16(text: str) -> int:
    if text.isascii():  # nearly all are, and Python knows it of each
        return len(text)
    return len(text) + sum(ord(character) > BASIC_PLANE_END for character in text)


UNITS: Mapping[str, Callable[[str], int]] = {
    PositionEncodingKind.Utf8.value: _utf8,
    PositionEncodingKind.Utf16.value: _utf16,
    PositionEncodingKind.Utf32.value: len,
}


class Places(Lines):
    """The places of one text in one encoding."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        """encoding: as negotiated; an unknown one counts as UTF-16, the protocol's own."""
        super().__init__(text)
        name = encoding.value if isinstance(encoding, PositionEncodingKind) else encoding
        self._units = UNITS.get(name or "", _utf16)

    @cached_property
    def _plain(self) -> list[str] | None:
        """The lines of a text in which every character is one unit, and one character ends a line; else None."""
        return self.text.split("\n") if self.text.isascii() and "\r" not in self.text else None

    def position(self, line: int, column: int) -> Position:
        """A line and a column in characters, both from 0, for the client."""
        if self._plain is not None:  # nearly always
            line = min(line, len(self._plain) - 1)
            return Position(line, min(column, len(self._plain[line])))
        line = min(line, len(self.starts) - 1)
        start = self.starts[line]
        return Position(line, self._units(self.text[start : self.offset(line, column)]))

    def at(self, offset: int) -> Position:
        """An offset in the text, for the client."""
        line = bisect_right(self.starts, offset) - 1
        return self.position(line, offset - self.starts[line])

    def range(self, span: Span) -> Range:
        """A finding's range for the client."""
        return Range(
            self.position(span.line - 1, span.column),
            self.position(span.end_line - 1, span.end_column),
        )

    def column(self, position: Position) -> int:
        """The column in characters of a place that the client names."""
        if position.line >= len(self.starts):
            return 0
        text = self.text[self.starts[position.line] : self.ends[position.line]]
        units = 0
        for column, character in enumerate(text):
            if units >= position.character:
                return column
            units += self._units(character)
        return len(text)
