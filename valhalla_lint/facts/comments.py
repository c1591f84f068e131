"""The comments of a file, read only where a file has one that matters."""

import contextlib
import io
import tokenize
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment with its `#`; line counts from 1, column from 0 in characters."""

    line: int
    column: int
    text: str


def comments(text: str) -> tuple[Comment, ...]:
    """All comments in source order; where the text stops being Python, those up to there."""
    found: list[Comment] = []
    with contextlib.suppress(tokenize.TokenError, SyntaxError, ValueError):
        found.extend(  # keeps what came before an error
            Comment(token.start[0], token.start[1], token.string)
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        )
    return tuple(found)
