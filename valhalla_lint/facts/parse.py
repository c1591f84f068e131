"""From text to tree: plain, deep (on a larger stack), or in parts where the text is not Python as a whole."""

import ast
import re
import sys
import warnings
from collections.abc import Iterable, Iterator

from valhalla_lint.core.parsed import Parsed
from valhalla_lint.core.regex import regex
from valhalla_lint.facts.index import children

DEEP_STACK = 512 * 1024 * 1024
"""Bytes of stack for texts that nest too deeply for the ordinary one (address space, touched only as needed)."""
DEEP_LIMIT = 400_000
"""Recursion limit while such a text is parsed; a chain of 5,000 operators needs about 10,000."""
LINE_END = regex(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """The lines as Python counts them (a form feed or a Unicode separator ends none), without their ends."""
    return LINE_END.split(text) if "\r" in text else text.split("\n")


def parse(text: str) -> Parsed:
    """Parse a text; never raises."""
    whole = tree_of(text)
    if isinstance(whole, ast.Module):
        return Parsed(whole)
    from valhalla_lint.facts.pieces import read_in_pieces  # most texts are Python as a whole

    parts = read_in_pieces(text).parsed._replace(pieces=(), kept=None)  # it is read once
    if parts.problem and "\0" not in text:
        return parts
    problem, line, column = explain(whole)
    return parts._replace(problem=problem, line=line, column=column)


def tree_of(text: str) -> ast.Module | BaseException:
    """The tree of a text, or why there is none; never raises."""
    try:
        return _parse(text)
    except (RecursionError, MemoryError):
        return _parse_deep(text)
    except (SyntaxError, ValueError) as error:  # ValueError: NUL bytes; its subclass UnicodeError: lone surrogates
        return error


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

    import threading  # seldom

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


def explain(error: BaseException) -> tuple[str, int, int]:
    """What is wrong, in one sentence, and the line (from 1) and column (from 0) where reading stopped."""
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


LEXEME = regex(
    r"""(?P<string>\"{3}[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+\"{3}|'{3}[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'{3}"""
    r"""|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')"""
    r"""|(?P<comment>\#[^\n]*+)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<joined>\\\n)|(?P<escape>\\.)|(?P<end>\n)""",
    re.DOTALL,
)
NEVER_INSIDE = regex(
    r"[ \t\f]*+(?:assert|break|class|continue|def|del|global|import|nonlocal|pass|raise|return|try|while|with)\b"
)
"""A line that begins like this ends whatever bracket was left open before it."""


def logical_lines(
    text: str, at: int = 0, line: int = 0, *, until: int = sys.maxsize, brackets: bool = True
) -> Iterator[tuple[int, int, int]]:
    """First line and end (exclusive) of each stretch of lines that belong together, and the offset at which it ends.

    at, line: where to begin. until: the offset at which to stop. brackets: whether lines go on where a bracket is open.
    """
    depth = 0
    start = line
    for found in LEXEME.finditer(text, at, until):
        match found.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "string" | "joined":
                line += found[0].count("\n")
            case "end":
                line += 1
                if depth == 0 or not brackets or NEVER_INSIDE.match(text, found.end()):
                    yield start, line, found.end()
                    start, depth = line, 0
            case _:
                pass
    yield start, line + 1, min(len(text), until)


def move(nodes: Iterable[ast.AST], lines: int) -> None:
    """Move nodes and all below them down, or up."""
    if not lines:
        return
    stack = [*nodes]
    while stack:
        node = stack.pop()
        if hasattr(node, "lineno") and hasattr(node, "end_lineno"):
            node.lineno += lines
            node.end_lineno += lines
        stack.extend(children(node))
