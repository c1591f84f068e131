"""Where the lines of a text begin and end."""

import re
from functools import cached_property
from itertools import accumulate

LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line for the protocol and for Python alike; a form feed or a Unicode separator does not."""


class Lines:
    """The lines of one text. What lies beyond the text is moved to its nearest place."""

    def __init__(self, text: str) -> None:
        """Nothing is looked for yet."""
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        if "\r" not in self.text:
            return [0, *accumulate(len(line) + 1 for line in self.text.split("\n")[:-1])]
        return [0, *(found.end() for found in LINE_END.finditer(self.text))]

    @cached_property
    def ends(self) -> list[int]:
        """The offset at which each line ends, before its line end."""
        if "\r" not in self.text:
            return [*(start - 1 for start in self.starts[1:]), len(self.text)]
        return [*(found.start() for found in LINE_END.finditer(self.text)), len(self.text)]

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and a column in characters, both from 0."""
        if line >= len(self.starts):
            return len(self.text)
        return min(self.starts[line] + column, self.ends[line])
