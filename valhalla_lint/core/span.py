"""Where something stands in a file."""

from typing import NamedTuple, Self


class _Range(NamedTuple):
    line: int
    column: int
    end_line: int
    end_column: int


class Span(_Range):
    """A range of characters: lines count from 1, columns from 0 in characters (not bytes); the end is exclusive."""

    __slots__ = ()

    def __new__(cls, line: int, column: int, end_line: int, end_column: int) -> Self:
        """Raise ValueError where the range could not stand in any file."""
        if line < 1 or column < 0 or (end_line, end_column) < (line, column):
            message = f"no such range: {line}:{column} to {end_line}:{end_column}"
            raise ValueError(message)
        return super().__new__(cls, line, column, end_line, end_column)

    def contains(self, other: "Span") -> bool:
        """Whether the other range lies inside this one."""
        return (self.line, self.column) <= (other.line, other.column) and (other.end_line, other.end_column) <= (
            self.end_line,
            self.end_column,
        )
