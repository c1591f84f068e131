"""Where something stands in a file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of characters: lines count from 1, columns from 0 in characters (not bytes); the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def __post_init__(self) -> None:
        """Raise ValueError where the range could not stand in any file."""
        if self.line < 1 or self.column < 0 or (self.end_line, self.end_column) < (self.line, self.column):
            message = f"no such range: {self.line}:{self.column} to {self.end_line}:{self.end_column}"
            raise ValueError(message)

    def contains(self, other: "Span") -> bool:
        """Whether the other range lies inside this one."""
        return (self.line, self.column) <= (other.line, other.column) and (other.end_line, other.end_column) <= (
            self.end_line,
            self.end_column,
        )
