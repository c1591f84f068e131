"""The tree of a text from that of the text before it: only the top-level statements around a change are parsed anew."""

import ast

from valhalla_lint.facts.index import Index
from valhalla_lint.facts.parse import parse_plain

Located = ast.stmt


def spliced(before: str, tree: ast.Module, after: str) -> ast.Module | None:
    """The tree of `after`, exactly as parsing it gives it; None where that cannot be told from the change alone.

    tree: that of `before`. Effect: it is used up; its statements become part of the result, moved where lines were
    added or taken. The stretch that is parsed begins behind a statement that the change does not touch and ends before
    one, both at the left margin, and one statement more on the changed side is taken along: what is typed below a block
    may belong to it. A stretch that leaves something open (a bracket, a string, a decorator) does not parse by itself.
    """
    if not tree.body or "\r" in before or "\r" in after or "\0" in after or ("\\\n" in after and _odd(before, after)):
        return None
    old, new = before.split("\n"), after.split("\n")
    same = min(len(old), len(new))
    head = next((number for number in range(same) if old[number] != new[number]), same)
    tail = next((number for number in range(same - head) if old[-1 - number] != new[-1 - number]), same - head)
    body = tree.body
    first = _first(body, head)
    last = _last(body, len(old) - tail)
    start = _end(body[first - 1]) if first else 0
    stop = _start(body[last]) - 1 if last < len(body) else len(old)
    moved = len(new) - len(old)
    if first >= last or stop + moved < start or (start and new[start - 1].endswith("\\")):
        return None
    stretch = parse_plain("\n" * start + "\n".join(new[start : stop + moved]))
    if stretch is None:
        return None
    rest = body[last:]
    if moved:
        _move(rest, moved)
    return ast.Module(body=[*body[:first], *stretch.body, *rest], type_ignores=[])


def _odd(before: str, after: str) -> bool:
    """Whether lines are continued in a way that a change can have made."""
    return before.count("\\\n") != after.count("\\\n")


def _first(body: list[Located], head: int) -> int:
    """The first statement to be parsed anew: the one before the first that reaches beyond the unchanged head."""
    first = next((number for number, item in enumerate(body) if _end(item) > head), len(body))
    first = max(0, first - 1)
    while first and _end(body[first - 1]) >= _start(body[first]):  # one line, several statements
        first -= 1
    return first


def _last(body: list[Located], changed: int) -> int:
    """The first statement behind the change: it begins below the last changed line, on a line of its own."""
    last = next((number for number, item in enumerate(body) if _start(item) > changed), len(body))
    while 0 < last < len(body) and _start(body[last]) <= _end(body[last - 1]):
        last += 1
    return last


def _start(item: Located) -> int:
    """The line on which a statement begins, decorators included."""
    if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and item.decorator_list:
        return min(item.lineno, item.decorator_list[0].lineno)
    return item.lineno


def _end(item: Located) -> int:
    return item.end_lineno or item.lineno


def _move(statements: list[Located], lines: int) -> None:
    """Move all nodes down, or up."""
    for node in Index(ast.Module(body=statements, type_ignores=[])).order:
        if hasattr(node, "lineno") and hasattr(node, "end_lineno"):
            node.lineno += lines
            node.end_lineno += lines
