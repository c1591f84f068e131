"""IPython's own syntax in a cell: what is left is Python on the very same lines and columns.

A command (`%magic`, `!command`, `name?`) is no Python; its lines become comments, and their text is kept to be
searched for credentials. `%time f()` runs Python: only the magic goes. Of a cell that begins with `%%magic` the rest is
Python for a few magics, and a foreign language for all others.
"""

import ast
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.parse import LEXEME, split_lines

PYTHON_CELLS = frozenset({
    "capture", "debug", "heat", "ipytest", "local", "memit", "mprun", "prun", "px", "pypy", "pyspark", "python",
    "python2", "python3", "scalene", "snakeviz", "time", "timeit",
})  # fmt: skip
"""Cell magics whose cell is Python."""
WRITES_FILE = frozenset({"file", "writefile"})
"""Cell magics that write the cell into a file."""
LANGUAGE_LINES = frozenset({"md", "r", "scala", "sh", "sql", "fs"})
"""Line magics that make a whole cell another language on some platforms, where they stand on its first line."""

INSTALLER = r"(?:conda|mamba|micromamba|pip|uv)[ \t]+(?:create|freeze|install|list|pip|show|uninstall|update|upgrade)\b"
"""Magics that are mostly written without their sign."""
SUSPICIOUS = regex(rf"^[ \t]*(?:[%!?,;/]|{INSTALLER})|\?[ \t\r]*$|=[ \t]*[!%]", re.MULTILINE)
"""What a text with a command must hold."""
CELL_MAGIC = regex(r"\s*%%(?P<name>\w+)(?P<rest>[^\n]*)")
LANGUAGE_LINE = regex(r"\s*%(?P<name>\w+)")
COMMAND = regex(
    rf"[ \t]*(?:%%?[A-Za-z_]|!|\?|[,;/][A-Za-z_]|{INSTALLER}"
    r"|[%\w*]+(?:\.[\w*]+|\[-?\d+\])*\?\??[ \t]*(?:[\r\n]|\Z))"
)
"""What makes a line a command where a statement may begin."""
TAKEN = regex(r"(?P<before>[ \t]*[A-Za-z_][\w., \t]*=[ \t]*)[!%](?P<magic>\w*)")
"""A command whose result gets a name."""
TIMED = regex(r"%(?:memit|prun|time|timeit)\b(?:[ \t]+-\w+(?:[ \t]+\d+)?)*[ \t]+(?=\S)")
"""A magic that runs the Python behind it."""
LINE_END = regex(r"(?:\r\n|\r|\n)\Z")
LINE = regex(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
UNKNOWN = "_"
"""The value of a command, of which nothing is known; also what keeps a block from being empty."""


class Replaced(NamedTuple):
    """What stands in a line of Python for what stands in the cell: the whole line without its end, or how it begins."""

    python: str
    text: str
    whole: bool

    def fits(self, line: str) -> bool:
        """Whether a line of Python is this one, perhaps changed behind its beginning."""
        return line == self.python if self.whole else line.startswith(self.python)


class Program(NamedTuple):
    """A cell of code as Python.

    python: the text, or None where the whole cell is of another language. commands: the cell's text with only its
    commands, "" where it has none. replaced: what stands in lines of `python` for something else, in their order.
    """

    python: str | None
    commands: str = ""
    replaced: tuple[Replaced, ...] = ()


def program(text: str) -> Program:
    """The Python of a cell's text; never raises. Linear in the text, but for strings that are never closed."""
    if SUSPICIOUS.search(text) is None:
        return Program(text)
    if (magic := CELL_MAGIC.match(text)) is not None and not _is_python(magic):
        return Program(None, text)
    if _parses(text):  # what looked like a command stands inside of a string or of brackets
        return Program(text)
    kept = list(_lines(text))
    python = "".join(item.python for item in kept)
    line = LANGUAGE_LINE.match(text)
    if line is not None and line["name"] in LANGUAGE_LINES and not _parses(python):
        return Program(None, text)
    ends = [LINE_END.search(item.text) for item in kept]
    return Program(
        python,
        "".join(item.text if item.command else (end[0] if end else "") for item, end in zip(kept, ends, strict=True))
        if any(item.command for item in kept)
        else "",
        tuple(item.replaced for item in kept if item.replaced is not None),
    )


def restored(before: str, python: str) -> str | None:
    """The text of a cell that was `before`, when its Python has become another text; None where that cannot be told.

    Every command stands again where its comment stands; a cell magic stays the first line.
    """
    old = program(before)
    left = list(old.replaced)
    parts: list[str] = []
    for line in LINE.findall(python):
        body = line.rstrip("\r\n")
        if left and left[0].fits(body):
            found = left.pop(0)
            parts.append(found.text + line[len(found.python) :])
        else:
            parts.append(line)
    text = "".join(parts)
    new = program(text)
    heads = [found and found[0] for found in (CELL_MAGIC.match(before), CELL_MAGIC.match(text))]
    if left or new.python != python or heads[0] != heads[1] or _said(new) != _said(old):
        return None
    return text


def _said(found: Program) -> list[str]:
    """The commands of a cell."""
    return [line for line in split_lines(found.commands) if line]


def _is_python(magic: re.Match[str]) -> bool:
    name = magic["name"].lower()
    return name in PYTHON_CELLS or (name in WRITES_FILE and magic["rest"].rstrip().endswith(".py"))


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


class _Line(NamedTuple):
    """A line with its end, what stands for it, and whether it is a command to be searched."""

    text: str
    replaced: Replaced | None = None

    @property
    def python(self) -> str:
        """The line as Python."""
        return self.text if self.replaced is None else self.replaced.python + self.text[len(self.replaced.text) :]

    @property
    def command(self) -> bool:
        """Whether it is a command as a whole."""
        return self.replaced is not None and self.replaced.whole


def _lines(text: str) -> Iterator[_Line]:
    """All lines of a text, from logical line to logical line."""
    at = number = 0
    while at < len(text):
        line = _line(text, at)
        if COMMAND.match(line) is not None:
            indent = line[: len(line) - len(line.lstrip(" \t"))]
            head = f"{indent}{UNKNOWN}  " if indent else ""
        elif (taken := TAKEN.match(line)) is not None:
            head = f"{taken['before']}{UNKNOWN}  "
        else:
            end = _logical_end(text, at)
            while at < end:
                line = _line(text, at)
                at += len(line)
                yield _Line(line)
            continue
        if (timed := _timed(line)) is not None:
            at += len(line)
            yield _Line(line, timed)
            continue
        more = True
        while more and line:
            number += 1
            at += len(line)
            body = line.rstrip("\r\n")
            yield _Line(line, Replaced(f"{head}# command {number}", body, whole=True))
            more, head = body.endswith("\\"), ""
            line = _line(text, at)


def _line(text: str, at: int) -> str:
    found = LINE.match(text, at)
    return found[0] if found else ""


def _timed(line: str) -> Replaced | None:
    """How a line begins whose magic runs the Python behind it; None for any other, or if that is no Python."""
    found = TIMED.search(line)
    if found is None:
        return None
    before, after = line[: found.start()], line[found.end() :]
    filler = "" if before.strip() else "0;"  # a statement of its own must not be indented
    python = before + filler.ljust(found.end() - found.start())
    return Replaced(python, line[: found.end()], whole=False) if _parses((python + after).lstrip(" \t")) else None


def _logical_end(text: str, at: int) -> int:
    """Where the logical line ends that begins at a place: brackets and strings are kept together."""
    depth = 0
    for found in LEXEME.finditer(text, at):
        match found.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "end" if depth == 0:
                return found.end()
            case _:
                pass
    return len(text)
