"""Places in a text as offsets, and splicing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from valhalla_lint.core.span import Span
from valhalla_lint.facts.parse import LINE_END
from valhalla_lint.fixes.fix import Edit


@dataclass(frozen=True, slots=True)
class Places:
    """The lines of a text as offsets of characters; lines count from 1, as in spans."""

    text: str
    starts: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Find the line ends, as Python counts lines."""
        object.__setattr__(self, "starts", (0, *(found.end() for found in LINE_END.finditer(self.text))))

    def offset(self, line: int, column: int = 0) -> int:
        """The offset of a place."""
        return self.starts[line - 1] + column

    def range(self, span: Span) -> tuple[int, int]:
        """The offsets of a span."""
        return self.offset(span.line, span.column), self.offset(span.end_line, span.end_column)

    def line_start(self, line: int) -> int:
        """The offset at which a line begins; the end of the text for the line after the last."""
        return self.starts[line - 1] if line <= len(self.starts) else len(self.text)

    def line_end(self, line: int) -> str:
        """The characters that end lines around a line: its own, else those of the line before, else a newline."""
        for number in (line, line - 1):
            if 1 <= number < len(self.starts) and (found := LINE_END.search(self.text, self.starts[number - 1])):
                return found[0]
        found = LINE_END.search(self.text)
        return found[0] if found else "\n"


def splice(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. Raises ValueError where two of them overlap."""
    parts: list[str] = []
    position = 0
    for edit in sorted(edits):
        if edit.start < position:
            raise ValueError("two edits overlap")
        parts += (text[position : edit.start], edit.text)
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)


def origin(offset: int, edits: Sequence[Edit]) -> int | None:
    """Where a character of the new text stood in the old one; None inside what edits have put there.

    The first character of a replacement counts as standing where the replaced text began. edits: sorted.
    """
    shift = 0
    for edit in edits:
        begin = edit.start + shift
        if offset < begin:
            break
        if offset < begin + len(edit.text):
            return edit.start if offset == begin and edit.end > edit.start else None
        shift += len(edit.text) - (edit.end - edit.start)
    return offset - shift
