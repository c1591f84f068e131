"""The tree and the comments of a notebook: a cell that is no Python takes none of the others along."""

from collections.abc import Iterator

from valhalla_lint.core.parsed import Parsed
from valhalla_lint.facts.comments import Comment, comments
from valhalla_lint.facts.notebooks.joining import cut
from valhalla_lint.facts.parse import move, parse, split_lines


def parse_cells(text: str) -> Parsed:
    """Parse the joined text of cells; never raises. The problem is that of the first cell that has one."""
    whole = parse(text)
    if not whole.problem:
        return whole
    broken: list[Parsed] = []
    cells = list(_cells(text))
    body = []
    for before, cell in cells:
        parsed = parse(cell)
        if parsed.problem:
            broken.append(parsed._replace(line=parsed.line + before))
        move(parsed.tree.body, before)
        body += parsed.tree.body
    if not broken:
        return whole
    whole.tree.body = body
    first = broken[0]
    more = f"; so is {len(broken) - 1:,} of the cells below" if len(broken) > 1 else ""
    return Parsed(whole.tree, f"{first.problem}{more}", first.line, first.column)


def cell_comments(text: str) -> tuple[Comment, ...]:
    """The comments of the joined text of cells, each cell read by itself."""
    return tuple(
        comment._replace(line=comment.line + before) for before, cell in _cells(text) for comment in comments(cell)
    )


def _cells(text: str) -> Iterator[tuple[int, str]]:
    """Each cell, and how many lines of the text stand before it."""
    before = 0
    for cell in cut(text):
        yield before, cell
        before += len(split_lines(f"{cell}\n"))
