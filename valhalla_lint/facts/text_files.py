"""Text files that are no Python, read as what they bind: a tree in which every `name = value` is a pair of literals.

So a value in YAML, TOML, JSON, a shell script or an environment file is judged by the very facts by which a literal in
Python is judged. What stands beside pairs is there as a plain literal, documents as texts for people. Lines are read
one by one; only a private key goes over several. Linear in the text.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple, TypeVar

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.comments import Comment
from valhalla_lint.facts.parse import split_lines

PYTHON_SUFFIXES = (".py", ".pyi", ".pyw", ".ipynb")
SETTINGS_SUFFIXES = (
    *(".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".config", ".properties", ".env", ".json", ".jsonc", ".json5"),
    *(".sh", ".bash", ".zsh", ".ksh", ".fish", ".tf", ".tfvars", ".hcl", ".txt", ".service", ".netrc", ".pgpass"),
)
"""Files of names and values."""
SETTINGS_NAMES = frozenset({
    ".bash_profile", ".bashrc", ".condarc", ".env", ".envrc", ".netrc", ".npmrc", ".pgpass", ".profile", ".pypirc",
    ".yarnrc", ".zshrc", "_netrc", "containerfile", "credentials", "dockerfile", "jenkinsfile", "makefile", "procfile",
})  # fmt: skip
SETTINGS_BEGINNINGS = (".env.", "dockerfile.", "containerfile.")
WRITTEN_SUFFIXES = (".md", ".markdown", ".rst", ".adoc", ".html", ".htm")
"""Texts that are written for people."""
DOCUMENT_SUFFIXES = (*WRITTEN_SUFFIXES, ".tex", ".svg", ".csv", ".tsv", ".po", ".log")
"""Texts for people, and tables."""

MAX_LINE = 200_000
"""Characters of a line that are read."""
SHORT = 4
"""Values with fewer characters open nothing."""
WORTH = 8
"""Texts beside pairs with fewer characters hold nothing."""
MAX_KEY_LINES = 400
"""Lines that a private key may take: one of 16,384 bits takes 200."""

WHOLE = regex(
    r"\s*(?:-\s{1,8})?(?:(?:export|set|setenv|ENV|ARG|local|readonly|-e|--env)\s{1,8}|//[^\s=]{1,200}:)?"
    r"(?P<open>[\"'])?(?P<name>[A-Za-z_][\w.-]{0,79})(?(open)(?P=open))(?P<sign>\s{0,40}(?:=>|\?=|:=|=|:(?!//))\s{0,40})"
)
"""A line that is a pair."""
INLINE = regex(
    r"(?<![\w.-])(?P<name>[A-Za-z_][\w.-]{0,79})[\"']?\]?\s{0,8}(?:=>|:=|==|!=|[:=])\s{0,8}"
    r"(?P<quote>[\"'])(?P<value>(?:[^\"'\\]|\\.|(?!(?P=quote))[\"']){4,4000}?)(?P=quote)"
)
"""A pair inside a line, its value in quotes."""
NETRC = regex(r"\blogin\s{1,8}\S{1,200}\s{1,8}(?P<name>password)\s{1,8}(?P<value>\S{1,200})")
BARE_END = regex(r"[\s;&|]")
"""What ends a value without quotes where no blank stands around the sign, as in a shell."""
REMARK = regex(r"\s#.*$")
REFERENCE = regex(r"[$`!*&<%@(]|ENC\[|\{cipher\}|\{\{|vault:v\d")
"""What begins a value that says where another one is kept, or that is sealed."""
NO_SECRET = regex(r"[\^~<>=!v ]*\d+(?:\.\d+)+[\w.+-]*|[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
"""A version that a package must have, and the place of an object in a module, which entry points name."""
BLOCK = regex(r"[|>][+-]?\d?")
"""A value that stands on the lines below."""
KEY_BEGIN = regex(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
KEY_END = regex(r"-----END |Private-MAC:")
REMARKS = ("#", ";", "// ")
SHEBANG = regex(r"#!.{0,200}\bpython")


_Place = tuple[int, int, int, int]
"""First line, first byte, last line and end as `ast` has them."""
Node = TypeVar("Node", ast.expr, ast.stmt)


class TextKind(Enum):
    """How a text file is read."""

    SETTINGS = "settings"
    CODE = "code"
    """Of other languages, and what has no telling name: pairs with their value in quotes only."""
    DOCUMENT = "document"


def kind_of(path: str) -> TextKind:
    """How a text file is read, by its name."""
    name = path.rpartition("/")[2].lower()
    if name.endswith(DOCUMENT_SUFFIXES):
        return TextKind.DOCUMENT
    return TextKind.SETTINGS if is_settings(name) else TextKind.CODE


def is_looked_for(name: str) -> bool:
    """Whether a text file of this name is read when its folder is named; all others are where they are named."""
    return is_settings(name) or name.lower().endswith(WRITTEN_SUFFIXES)


def is_settings(name: str) -> bool:
    """Whether a file of this name holds names and values."""
    lower = name.lower()
    return lower.endswith(SETTINGS_SUFFIXES) or lower in SETTINGS_NAMES or lower.startswith(SETTINGS_BEGINNINGS)


def is_python(path: str, text: str) -> bool:
    """Whether a file is Python: by its name, or where that says nothing, by its first line."""
    name = path.rpartition("/")[2]
    return name.lower().endswith(PYTHON_SUFFIXES) or (
        "." not in name and not is_settings(name) and SHEBANG.match(text) is not None
    )


def long_lines(text: str) -> str:
    """What a reader must know of lines of which only the beginning is read; "" where there is none."""
    if len(text) <= MAX_LINE:
        return ""
    found = [number for number, line in enumerate(split_lines(text), 1) if len(line) > MAX_LINE]
    if not found:
        return ""
    lines = f"line {found[0]}" if len(found) == 1 else f"{len(found):,} lines, the first of them line {found[0]},"
    return f"only the first {MAX_LINE:,} characters of {lines} were read"


def text_comments(lines: Sequence[str]) -> tuple[Comment, ...]:
    """What stands behind a `#` at a line's beginning or after a blank, outside of quotes."""
    found = []
    for number, line in enumerate(lines, 1):
        if "#" in line and (column := _remark(line)) >= 0:
            found.append(Comment(number, column, line[column:]))
    return tuple(found)


def _remark(line: str) -> int:
    quote = ""
    for column, character in enumerate(line[:MAX_LINE]):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'" and (column == 0 or not line[column - 1].isalnum()):
            quote = character
        elif character == "#" and (column == 0 or line[column - 1] in " \t"):
            return column
    return -1


def text_tree(lines: Sequence[str], kind: TextKind) -> ast.Module:
    """What the lines of a text file bind, as a module of literals at their own places."""
    return ast.Module(body=list(_statements(lines, kind)), type_ignores=[])


class _Pair(NamedTuple):
    """A name and its value: what the value is, and where it stands in its line."""

    name: str
    value: str
    start: int
    end: int


def _statements(lines: Sequence[str], kind: TextKind) -> Iterator[ast.stmt]:
    above = ""  # the name that a `name: X` line gives to the `value: …` below it
    block = ""  # the name whose value stands on the next line
    number = 0
    while number < len(lines):
        line = lines[number][:MAX_LINE]
        number += 1
        if (marker := KEY_BEGIN.search(line)) and not KEY_END.search(line, marker.end()):
            end = _end_of_key(lines, number)
            yield _plain("\n".join(lines[number - 1 : end]), number, marker.start(), end, lines[end - 1])
            number = end
            continue
        stripped = line.strip()
        if len(stripped) < SHORT:
            continue
        if kind is TextKind.DOCUMENT or stripped.startswith(REMARKS):
            if not stripped.startswith("#"):  # those are among the comments
                yield _spoken(line, number)
            continue
        pairs = list(_pairs(line, kind))
        if block and not pairs:
            start = len(line) - len(line.lstrip())
            pairs = [_Pair(block, stripped, start, start + len(stripped))]
        block = ""
        rest = line
        for pair in pairs:
            name = above if pair.name.lower() == "value" and above else pair.name
            above = pair.value if pair.name.lower() == "name" else ""
            if BLOCK.fullmatch(pair.value):
                block = name
            elif len(pair.value) >= SHORT and not NO_SECRET.fullmatch(pair.value):
                yield _bound(name, pair, line, number)
            rest = rest[: pair.start] + " " * (pair.end - pair.start) + rest[pair.end :]
        if len(rest.strip()) >= WORTH:
            yield _plain(rest, number, 0, number, rest)


def _end_of_key(lines: Sequence[str], begin: int) -> int:
    """The line on which a private key ends, that of its beginning where it has no end; `begin` counts from 1."""
    for number in range(begin, min(len(lines), begin + MAX_KEY_LINES)):
        if KEY_END.search(lines[number]):
            return number + 1
    return begin


def _pairs(line: str, kind: TextKind) -> Iterator[_Pair]:
    whole = WHOLE.match(line) if kind is TextKind.SETTINGS else None
    taken = 0
    if whole is not None:
        pair = _whole(line, whole)
        if pair is not None:
            yield pair
            taken = pair.end
    for match in INLINE.finditer(line, taken):
        yield _Pair(match["name"], match["value"], match.start("quote"), match.end())
    for match in NETRC.finditer(line, taken):
        yield _Pair(match["name"], match["value"], *match.span("value"))


def _whole(line: str, match: re.Match[str]) -> _Pair | None:
    """The pair that a whole line is; None where its value is a structure, which is looked into instead."""
    start = match.end()
    value = line[start:]
    if value[:1] in ('"', "'"):
        closed = _closing(value)
        inner = value[1:closed]
        return _Pair(match["name"], "" if REFERENCE.match(inner) else inner, start, start + closed + 1)
    if value[:1] in ("{", "[") and not REFERENCE.match(value):
        return None
    value = REMARK.sub("", value).rstrip(" \t,;\r")
    if match["sign"].strip() == match["sign"] == "=" and (end := BARE_END.search(value)):
        value = value[: end.start()]
    return _Pair(match["name"], "" if REFERENCE.match(value) else value, start, start + len(value))


def _closing(value: str) -> int:
    """Where the quote that begins a value is closed; its end where it is not."""
    quote, column = value[0], 1
    while column < len(value):
        if value[column] == "\\":
            column += 1
        elif value[column] == quote:
            return column
        column += 1
    return len(value)


def _bound(name: str, pair: _Pair, line: str, number: int) -> ast.stmt:
    place = _place(line, number, pair.start, pair.end)
    key, value = _at(ast.Constant(name), place), _at(ast.Constant(pair.value), place)
    return _assigned(_at(ast.Dict(keys=[key], values=[value]), place), place)


def _plain(text: str, number: int, start: int, end_number: int, last: str) -> ast.stmt:
    """A literal that is bound to no telling name; it may go over several lines."""
    place = (number, start, end_number, _bytes(last, len(last)))
    return _assigned(_at(ast.Constant(text), place), place)


def _assigned(value: ast.expr, place: _Place) -> ast.stmt:
    """A statement that says nothing of a value, but that it is no text for people."""
    return _at(ast.Assign(targets=[_at(ast.Name("_", ast.Store()), place)], value=value), place)


def _spoken(text: str, number: int) -> ast.stmt:
    """A text for people."""
    place = _place(text, number, 0, len(text))
    return _at(ast.Expr(_at(ast.Constant(text), place)), place)


def _place(line: str, number: int, start: int, end: int) -> _Place:
    """A range of characters of a line."""
    return number, _bytes(line, start), number, _bytes(line, end)


def _bytes(line: str, column: int) -> int:
    return column if line.isascii() else len(line[:column].encode("utf-8", "surrogatepass"))


def _at(node: Node, place: _Place) -> Node:
    """A node at its place."""
    node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = place
    return node
