"""From text to tree: plain, deep (on a larger stack), or in parts where the text is not Python as a whole."""

import ast
import re
import sys
import threading
import warnings
from dataclasses import dataclass

DEEP_STACK = 512 * 1024 * 1024
"""Bytes of stack for texts that nest too deeply for the ordinary one (address space, touched only as needed)."""
DEEP_LIMIT = 400_000
"""Recursion limit while such a text is parsed; a chain of 5,000 operators needs about 10,000."""
MAX_RECOVERED = 200_000
"""Lines up to which a broken file is read statement by statement."""

LINE_END = re.compile(r"\r\n|\r|\n")
OPENERS = re.compile(r"[\[({]")


@dataclass(frozen=True, slots=True)
class Parsed:
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
    return LINE_END.split(text)


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

    A statement is a line, or several where brackets or triple quotes stay open; heads of blocks (`def f(a="x"):`) are
    closed with `pass`. Lines that are Python 2 (`print x`) or nonsense are left out. Linear in the text.
    """
    lines = split_lines(text.replace("\0", " "))
    module = ast.Module(body=[], type_ignores=[])
    number = 0
    while number < min(len(lines), MAX_RECOVERED):
        taken = _take(lines, number)
        if taken is None:
            number += 1
            continue
        statements, used = taken
        module.body.extend(statements)
        number += used
    return module


MAX_JOINED = 400
"""How many lines one statement may span when a broken file is read in parts."""
BLOCK = re.compile(r"\s*(?:async\s+)?(?:def|class|if|for|while|with|try|elif|else|except|finally)\b")


def _take(lines: list[str], number: int) -> tuple[list[ast.stmt], int] | None:
    """The statements that begin at a line and how many lines they take; None where none does."""
    first = lines[number]
    if not first.strip() or first.lstrip().startswith("#"):
        return None
    found = _try(first, number)
    if found is not None:
        return found, 1
    if not (OPENERS.search(first) or '"""' in first or "'''" in first or first.rstrip().endswith("\\")):
        return None
    end = number + 1
    step = 1
    while end < len(lines) and end - number < MAX_JOINED:
        end = min(end + step, len(lines), number + MAX_JOINED)
        if _closes(lines[end - 1]):
            found = _try("\n".join(lines[number:end]), number)
            if found is not None:
                return found, end - number
    return None


def _closes(line: str) -> bool:
    stripped = line.split("#", 1)[0].rstrip()
    return stripped.endswith((")", "]", "}", '"""', "'''", ":", '"', "'")) or not stripped


def _try(text: str, number: int) -> list[ast.stmt] | None:
    stripped = text.lstrip(" \t\f")
    indent = len(text) - len(stripped)
    if BLOCK.match(text) and stripped.rstrip().endswith(":"):
        head = re.sub(r"^(elif\b)", "if", stripped)
        if head.startswith(("else", "except", "finally", "try")):
            return []
        stripped = f"{head} pass"
    try:
        tree = _parse(stripped)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            on_first = node.lineno == 1
            end_first = node.end_lineno == 1  # type: ignore[attr-defined]  # has lineno, so it has the rest
            if on_first:
                node.col_offset += len(text[:indent].encode())  # type: ignore[attr-defined]  # as above
            if end_first:
                node.end_col_offset += len(text[:indent].encode())  # type: ignore[attr-defined]  # as above
            node.lineno += number
            node.end_lineno += number  # type: ignore[attr-defined]  # as above
    return tree.body
