"""From text to tree: plain, deep (on a larger stack), or in parts where the text is not Python as a whole."""

import ast
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import NamedTuple

DEEP_STACK = 512 * 1024 * 1024
"""Bytes of stack for texts that nest too deeply for the ordinary one (address space, touched only as needed)."""
DEEP_LIMIT = 400_000
"""Recursion limit while such a text is parsed; a chain of 5,000 operators needs about 10,000."""
MAX_RECOVERED = 200_000
"""Lines up to which a broken file is read statement by statement."""

LINE_END = re.compile(r"\r\n|\r|\n")


class Parsed(NamedTuple):
    """A tree and, where the text is not Python as a whole, what is wrong (one sentence, without the file's name).

    Where `problem` is set the tree holds only the statements that could be read by themselves.
    line, column: where reading stopped (1-based line, 0-based column); 1 and 0 where nothing says so.
    """

    tree: ast.Module
    problem: str = ""
    line: int = 1
    column: int = 0


def split_lines(text: str) -> list[str]:
    """The lines as Python counts them (a form feed or a Unicode separator ends none), without their ends."""
    return LINE_END.split(text) if "\r" in text else text.split("\n")


def parse(text: str) -> Parsed:
    """Parse a text; never raises."""
    problem, line, column = "", 1, 0
    try:
        return Parsed(_parse(text))
    except (RecursionError, MemoryError):
        deep = _parse_deep(text)
        if isinstance(deep, ast.Module):
            return Parsed(deep)
        problem, line, column = _explain(deep)
    except (SyntaxError, ValueError) as error:  # ValueError: NUL bytes; its subclass UnicodeError: lone surrogates
        problem, line, column = _explain(error)
    return Parsed(recover(text), problem, line, column)


def parse_plain(text: str) -> ast.Module | None:
    """The tree of a text that is Python as a whole and nests no deeper than is usual; None for any other."""
    try:
        return _parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # odd escapes in the analysed text are not our warnings
        return ast.parse(text)


def _parse_deep(text: str) -> ast.Module | BaseException:
    """Parse on a thread with a large stack and a high recursion limit; returns the tree or what was raised."""
    result: list[ast.Module | BaseException] = []

    def work() -> None:
        try:
            result.append(_parse(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            result.append(error)

    limit = sys.getrecursionlimit()
    size = threading.stack_size()
    try:
        threading.stack_size(DEEP_STACK)
        sys.setrecursionlimit(DEEP_LIMIT)
        thread = threading.Thread(target=work, name="valhalla-lint deep parse")
        thread.start()
        thread.join()
    except (RuntimeError, ValueError) as error:  # no room for such a stack
        return error
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    return result[0] if result else RecursionError("nested too deeply")


def _explain(error: BaseException) -> tuple[str, int, int]:
    match error:
        case _ if "null byte" in str(error):
            return "holds NUL bytes", 1, 0
        case SyntaxError():
            what = f"not valid Python {sys.version_info.major}.{sys.version_info.minor} ({error.msg})"
            return what, max(1, error.lineno or 1), max(0, (error.offset or 1) - 1)
        case RecursionError() | MemoryError():
            return "nested too deeply to be parsed", 1, 0
        case UnicodeError():
            return "holds characters that cannot be encoded (lone surrogates)", 1, 0
        case _:
            return f"cannot be parsed ({error})", 1, 0


def recover(text: str) -> ast.Module:
    """The statements of a text that is not Python as a whole, each parsed by itself, at their own lines.

    The text is cut into logical lines (brackets and strings kept together, as in Python); heads of blocks
    (`def f(a="x"):`) are closed with `pass`, `print x` is read as a call. What is still nonsense is tried line by line
    and then left out. Linear in the text.
    """
    lines = split_lines(text.replace("\0", " "))
    module = ast.Module(body=[], type_ignores=[])
    for start, end in logical_lines("\n".join(lines[:MAX_RECOVERED])):
        found = _try("\n".join(lines[start:end]), start)
        if found is not None:
            module.body.extend(found)
        elif end - start > 1:
            for number in range(start, end):
                module.body.extend(_try(lines[number], number) or ())
    return module


LEXEME = re.compile(
    r"""(?P<string>\"{3}(?:[^"\\]|\\.|"(?!""))*\"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<comment>\#[^\n]*)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<joined>\\\n)|(?P<escape>\\.)|(?P<end>\n)""",
    re.DOTALL,
)
OUTERMOST = re.compile(r"(?:def|class|import|from|@|if __name__|async def)\b|@")
"""A line that begins with one of these at the left margin ends whatever bracket was left open before it."""


def logical_lines(text: str) -> Iterator[tuple[int, int]]:
    """First line and end (exclusive, from 0) of each stretch of lines that belong together; blank ones are left out."""
    depth = 0
    line = start = 0
    for found in LEXEME.finditer(text):
        match found.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "string" | "joined":
                line += found[0].count("\n")
            case "end":
                line += 1
                if depth == 0 or OUTERMOST.match(text, found.end()):
                    yield start, line
                    start, depth = line, 0
            case _:
                pass
    yield start, line + 1


BLOCK = re.compile(r"\s*(?:async\s+)?(?:def|class|if|for|while|with|elif)\b")
BRANCH = re.compile(r"(?P<head>(?:else|finally|try|except\b[^:\n]*)\s*:)(?P<rest>.*)", re.DOTALL)
PRINT = re.compile(r"print(?=[ \t]+[^=\s(])[ \t]")
OLD_PREFIX = re.compile(r"\b[uU][rR](?=[\"'])")


def _try(text: str, number: int) -> list[ast.stmt] | None:
    """The statements of some lines, moved to where they stand; None where they are not Python even with help."""
    stripped = text.lstrip(" \t\f")
    if not stripped.strip() or stripped.startswith("#"):
        return []
    if (branch := BRANCH.match(stripped)) is not None:
        stripped = " " * len(branch["head"]) + branch["rest"]
        text, stripped = " " * (len(text) - len(stripped)) + stripped, stripped.lstrip(" \t\f")
        if not stripped.strip() or stripped.startswith("#"):
            return []
    indent = len(text) - len(stripped)
    for candidate in _helped(stripped):
        try:
            tree = _parse(candidate)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        move(tree, number, len(text[:indent].encode("utf-8", "surrogatepass")))
        return [statement for statement in tree.body if statement.lineno <= number + text.count("\n") + 1]
    return None


def _helped(text: str) -> Iterator[str]:
    """A text as it is, and with what helps a line that makes no sense by itself."""
    yield text
    code = text.split("#", 1)[0].rstrip() if "\n" not in text else text.rstrip()
    if BLOCK.match(text) and code.endswith(":"):
        yield re.sub(r"^elif\b", "if", code) + " pass"
    if text.startswith("@"):
        yield text + "\ndef _(): pass"
    if PRINT.match(text):
        yield PRINT.sub("print(", code, count=1) + ")"
    if OLD_PREFIX.search(text):
        yield OLD_PREFIX.sub(" r", text)


def move(tree: ast.Module, lines: int, columns: int) -> None:
    """Move every node down, and what stands on the first line to the right."""
    for node in ast.walk(tree):
        if isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias | ast.excepthandler | ast.pattern):
            if node.lineno == 1:
                node.col_offset += columns
            if node.end_lineno == 1 and node.end_col_offset is not None:
                node.end_col_offset += columns
            node.lineno += lines
            if node.end_lineno is not None:
                node.end_lineno += lines
