"""JSON with places: what a reader asks for is taken, with where its strings stand; all else is stepped over.

A notebook is mostly pictures that nobody here looks at. So only members that are wanted become values, and strings stay
where they are until somebody reads them: a file of 200 MiB costs little more than its own bytes. Stepping over checks
that brackets and quotes fit, and that nothing stands between them that no JSON holds (such as the marks of a merge).
"""

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from valhalla_lint.core.regex import regex

WANTED_BY_ANY_NAME = "*"
STRING = regex(rb'"(?:[^"\\\x00-\x1f]++|\\[^\x00-\x1f])*+"')
BLANK = regex(rb"[ \t\n\r]*+")
STEP = regex(rb'(?:[-+.0-9eEtrufalsnNInity,:\s]++|"(?:[^"\\\x00-\x1f]++|\\[^\x00-\x1f])*+")*+')
"""All that stands between two brackets."""
SCALAR = regex(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|NaN|-?Infinity")
MAX_DEPTH = 500
"""Brackets within brackets; Python's own reader gives up at about twice as many."""
BLOCK = 1 << 16
"""Bytes between two places whose line and character are known."""
CONTINUING = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 that begin no character."""

Wanted: TypeAlias = Mapping[str, "Wanted"]
"""The members of an object that are taken, each with what is taken of it; `*` stands for every other name.

Of a list, the same is taken of each element; the members of an object about which it says nothing are stepped over.
"""


class JsonError(ValueError):
    """A text that is no JSON, where that was noticed: `at` counts bytes."""

    def __init__(self, problem: str, at: int) -> None:
        """problem: what was expected there."""
        super().__init__(problem)
        self.at = at


class Text(NamedTuple):
    """A string where it stands: the bytes from its opening quote to behind the closing one."""

    start: int
    end: int


Value: TypeAlias = "Text | list[Value] | dict[str, Value] | None"
"""Numbers, true, false and null are None: nobody wants them."""


def load(data: bytes, wanted: Wanted) -> Value:
    """What is wanted of a JSON text in UTF-8. Raises JsonError; linear in its length."""
    value, at = _value(data, _blank(data, 0), wanted)
    at = _blank(data, at)
    if at < len(data):
        raise JsonError("something follows the end of it", at)
    return value


def decoded(data: bytes, text: Text) -> str:
    """The characters of a string. Raises JsonError for a wrong escape, UnicodeDecodeError where it is not UTF-8."""
    try:
        value = json.loads(data[text.start : text.end].decode("utf-8"))
    except UnicodeDecodeError:
        raise
    except ValueError as error:
        raise JsonError("a string with a wrong escape", text.start) from error
    return str(value)


def _blank(data: bytes, at: int) -> int:
    found = BLANK.match(data, at)
    return found.end() if found else at


def _value(data: bytes, at: int, wanted: Wanted) -> tuple[Value, int]:
    match data[at : at + 1]:
        case b'"':
            found = _string(data, at)
            return found, found.end
        case b"{":
            return _object(data, at, wanted)
        case b"[":
            return _list(data, at, wanted)
        case _:
            scalar = SCALAR.match(data, at)
            if scalar is None:
                raise JsonError("a value is missing", at)
            return None, scalar.end()


def _string(data: bytes, at: int) -> Text:
    found = STRING.match(data, at)
    if found is None:
        raise JsonError("a string that is not closed on its line", at)
    return Text(at, found.end())


def _object(data: bytes, at: int, wanted: Wanted) -> tuple[dict[str, Value], int]:
    members: dict[str, Value] = {}
    at = _blank(data, at + 1)
    if data[at : at + 1] == b"}":
        return members, at + 1
    while True:
        if data[at : at + 1] != b'"':
            raise JsonError("the name of a member is missing", at)
        name = _string(data, at)
        at = _blank(data, name.end)
        if data[at : at + 1] != b":":
            raise JsonError("a colon is missing", at)
        at = _blank(data, at + 1)
        key = _name(data, name)
        inner = wanted.get(key, wanted.get(WANTED_BY_ANY_NAME))
        if inner is None:
            at = _over(data, at)
        else:
            members[key], at = _value(data, at, inner)
        at, ended = _next(data, at, b"}")
        if ended:
            return members, at


def _name(data: bytes, text: Text) -> str:
    """A member's name; one that is not UTF-8 is no name that anybody wants."""
    try:
        return decoded(data, text)
    except UnicodeDecodeError:
        return ""


def _list(data: bytes, at: int, wanted: Wanted) -> tuple[list[Value], int]:
    elements: list[Value] = []
    at = _blank(data, at + 1)
    if data[at : at + 1] == b"]":
        return elements, at + 1
    while True:
        if data[at : at + 1] == b"[":  # nothing that is wanted is a list of lists
            at = _over(data, at)
        else:
            value, at = _value(data, at, wanted)
            elements.append(value)
        at, ended = _next(data, at, b"]")
        if ended:
            return elements, at


def _next(data: bytes, at: int, closing: bytes) -> tuple[int, bool]:
    """Where the next element begins; or behind the closing bracket, and True."""
    at = _blank(data, at)
    match data[at : at + 1]:
        case b",":
            return _blank(data, at + 1), False
        case found if found == closing:
            return at + 1, True
        case _:
            raise JsonError("a comma or the closing bracket is missing", at)


def _over(data: bytes, at: int) -> int:
    """Where a value ends that nobody wants."""
    if data[at : at + 1] not in (b"{", b"["):
        return _value(data, at, {})[1]
    open_brackets = bytearray()
    while True:
        match data[at : at + 1]:
            case (b"{" | b"[") as bracket:
                open_brackets += b"}" if bracket == b"{" else b"]"
                if len(open_brackets) > MAX_DEPTH:
                    raise JsonError("it nests too deeply", at)
            case closing if open_brackets and closing == open_brackets[-1:]:
                open_brackets.pop()
            case _:
                raise JsonError("brackets do not fit, or something stands there that is no JSON", at)
        if not open_brackets:
            return at + 1
        found = STEP.match(data, at + 1)
        at = found.end() if found else at + 1


@dataclass(frozen=True, slots=True)
class Lines:
    """Which line and character a byte of a text stands for; cheap for any number of questions."""

    data: bytes = field(repr=False)
    _lines: tuple[int, ...] = field(init=False, repr=False)
    _characters: tuple[int, ...] = field(init=False, repr=False)
    _ascii: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Count up to every block."""
        lines, characters = [0], [0]
        ascii_only = self.data.isascii()
        for start in range(0, len(self.data), BLOCK):
            end = min(start + BLOCK, len(self.data))
            lines.append(lines[-1] + self.data.count(b"\n", start, end))
            characters.append(characters[-1] + (end - start if ascii_only else _characters(self.data[start:end])))
        object.__setattr__(self, "_lines", tuple(lines))
        object.__setattr__(self, "_characters", tuple(characters))
        object.__setattr__(self, "_ascii", ascii_only)

    def place(self, at: int) -> tuple[int, int]:
        """The line from 1 and the character in it from 0 of a byte."""
        begin = at // BLOCK * BLOCK
        line = self._lines[at // BLOCK] + self.data.count(b"\n", begin, at)
        found = self.data.rfind(b"\n", begin, at)
        if found < 0 and line > 0:  # the line begins in a block before, behind that block's last line end
            block = bisect_right(self._lines, line - 1) - 1
            found = self.data.rfind(b"\n", block * BLOCK, (block + 1) * BLOCK)
        return line + 1, self._character(at) - self._character(found + 1)

    def _character(self, at: int) -> int:
        if self._ascii:
            return at
        block = at // BLOCK
        return self._characters[block] + _characters(self.data[block * BLOCK : at])


def _characters(data: bytes) -> int:
    return len(data.translate(None, CONTINUING))
