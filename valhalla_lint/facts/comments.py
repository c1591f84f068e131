"""The comments of a file and the lines that it joins, read only where a file has one that matters.

Tokenising costs as much as parsing. Where the text is Python, a look for strings and comments alone tells the same at a
tenth of that.
"""

import ast
import contextlib
import io
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.regex import regex

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

LEXEME = regex(
    r'''(?P<comment>\#[^\n]*+)
    |"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"""
    |\'\'\'[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+\'\'\'
    |"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"
    |'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'
    |(?P<joint>\\\n)''',
    re.DOTALL | re.VERBOSE,
)
"""A comment, a string of any form (a raw one ends at the same quote), or a line's end that joins two lines."""
NESTING_QUOTES = (3, 12)
"""The version of Python from which the expressions in an f-string may hold its own quotes, and comments."""


class Comment(NamedTuple):
    """One comment with its `#`; line counts from 1, column from 0 in characters."""

    line: int
    column: int
    text: str


class Lexed(NamedTuple):
    """The comments in source order, and first and last line of each stretch that a string or a backslash joins."""

    comments: tuple[Comment, ...] = ()
    joined: tuple[tuple[int, int], ...] = ()


def lexed(module: "Module") -> Lexed:
    """What the text of a file shows; of one that is not Python as a whole, each part is read by itself."""
    text = module.text.replace("\r\n", "\n").replace("\r", "\n")
    read = _tokenised if _nests_quotes(module) else _scanned
    cuts = module.parsed.cuts
    if not cuts:
        return read(text)
    lines = text.split("\n")
    parts = [
        (start, read("\n".join(lines[start:end]) + "\n"))
        for start, end in zip(cuts, (*cuts[1:], len(lines)), strict=True)
    ]
    return Lexed(
        tuple(comment._replace(line=comment.line + before) for before, part in parts for comment in part.comments),
        tuple((first + before, last + before) for before, part in parts for first, last in part.joined),
    )


def comments(text: str) -> tuple[Comment, ...]:
    """The comments of a text of which nothing is known; where it stops being Python, those up to there."""
    return _tokenised(text).comments


def _nests_quotes(module: "Module") -> bool:
    """Whether strings may stand inside strings, so that looking for quotes could take one for the other."""
    return sys.version_info >= NESTING_QUOTES and any(
        isinstance(part, ast.Constant | ast.JoinedStr)
        for node in module.nodes(ast.FormattedValue)
        for part in ast.walk(node.value)
    )


def _scanned(text: str) -> Lexed:
    comments: list[Comment] = []
    joints: list[tuple[int, int]] = []
    line, start, at = 1, 0, 0
    for match in LEXEME.finditer(text):
        begin, end = match.span()
        newlines = text.count("\n", at, begin)
        if newlines:
            line += newlines
            start = text.rfind("\n", at, begin) + 1
        at = begin
        if match.lastgroup == "comment":
            comments.append(Comment(line, begin - start, match[0]))
        elif within := text.count("\n", begin, end):
            joints.append((line, line + within))
    return Lexed(tuple(comments), tuple(_chains(joints)))


def _chains(joints: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The stretches of lines, those that share a line made one."""
    first, last = 0, 0
    for begin, end in joints:
        if begin > last:
            if first:
                yield first, last
            first = begin
        last = end
    if first:
        yield first, last


def _tokenised(text: str) -> Lexed:
    comments: list[Comment] = []
    joined: list[tuple[int, int]] = []
    first, last = sys.maxsize, 0
    import tokenize  # most files are judged without

    with contextlib.suppress(tokenize.TokenError, SyntaxError, ValueError):  # keeps what came before an error
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comments.append(Comment(token.start[0], token.start[1], token.string))
            if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            first, last = min(first, token.start[0]), max(last, token.end[0])
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                if last > first:
                    joined.append((first, last))
                first, last = sys.maxsize, 0
    return Lexed(tuple(comments), tuple(joined))
