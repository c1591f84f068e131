"""Fixes of a notebook: its cells are mended as one program, and written back cell by cell."""

import json
from collections.abc import Mapping, Sequence

from valhalla_lint.core.notebook import Layout, Stretch
from valhalla_lint.core.source import Source
from valhalla_lint.facts.notebooks import NotebookError, cut, restored, rewritten
from valhalla_lint.facts.parse import split_lines
from valhalla_lint.fixes.diff import difference
from valhalla_lint.fixes.write import CannotWriteError

ELSEWHERE = "a value that would go still stands in its outputs: clear them first"


def changed_cells(source: Source, text: str) -> Mapping[int, str]:
    """The new texts of the cells, by their numbers, that a new text of the whole program changes.

    Raises CannotWriteError where the commands of a cell would not be what they were.
    """
    if text == source.text:
        return {}
    held = _program(source)
    old, new = cut(source.text), cut(text)
    if not len(held) == len(old) == len(new):
        raise CannotWriteError("a cell holds the line that separates cells here")
    found: dict[int, str] = {}
    for stretch, before, after in zip(held, old, new, strict=True):
        if before != after:
            whole = restored(stretch.text, after)
            if whole is None:
                raise CannotWriteError(f"the commands of cell {stretch.cell} would not stay what they are")
            found[stretch.cell] = whole
    return found


def layout_of(source: Source, text: str) -> Layout:
    """Where the cells of a notebook stand in a new text of its whole program."""
    first = 1
    stretches: list[Stretch] = []
    for stretch, held in zip(_program(source), cut(text), strict=False):
        lines = len(split_lines(f"{held}\n")) - 1
        stretches.append(stretch._replace(first=first, lines=lines, text=held, pieces=()))
        first += lines + 1
    return Layout(tuple(stretches))


def written(data: bytes, cells: Mapping[int, str], secrets: Sequence[str]) -> bytes:
    """The bytes of a notebook with new texts for some cells.

    secrets: values that the fixes took out of the program. Raises CannotWriteError where they would still be there.
    """
    try:
        result = rewritten(data, cells)
    except NotebookError as error:
        raise CannotWriteError(f"it cannot be written: {error}") from error
    if any(_stands_in(secret, result) for secret in secrets):
        raise CannotWriteError(ELSEWHERE)
    return result


def _stands_in(secret: str, data: bytes) -> bool:
    return any(
        json.dumps(secret, ensure_ascii=escaped)[1:-1].encode("utf-8", "surrogatepass") in data
        for escaped in (True, False)
    )


def differences(source: Source, cells: Mapping[int, str], secrets: frozenset[str]) -> str:
    """A unified diff of each changed cell that shows no secret."""
    held = {stretch.cell: stretch.text for stretch in _program(source)}
    return "".join(
        difference(f"{source.path}:cell {number}", held[number], text, secrets) for number, text in cells.items()
    )


def _program(source: Source) -> list[Stretch]:
    """The stretches of the cells that are Python."""
    lines = len(split_lines(source.text)) if source.text else 0
    return [stretch for stretch in (source.notebook.stretches if source.notebook else ()) if stretch.first <= lines]
