"""Cells joined to one text, so that names and flow cross them, and texts cut into cells again."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.core.notebook import Layout, Stretch
from valhalla_lint.core.source import Source
from valhalla_lint.facts.notebooks.cells import CellText, Notebook
from valhalla_lint.facts.notebooks.magics import program
from valhalla_lint.facts.parse import split_lines

SEPARATOR = "# ---- next cell ----"
"""The line between two cells of a text: a comment, so that the text is Python."""
BETWEEN = f"\n{SEPARATOR}\n"


def joined(texts: Iterable[str]) -> str:
    """Texts of cells as one; `cut` gives them back."""
    return BETWEEN.join(texts)


def cut(text: str) -> list[str]:
    """The texts of the cells of a joined text (more of them, if a cell holds the separator itself)."""
    return text.split(BETWEEN)


class _Part(NamedTuple):
    """What becomes a stretch: the text to check, the text of the cell, and whose it is."""

    text: str
    shown: CellText
    cell: int
    id: str
    output: int = 0


def source_of_cells(notebook: Notebook, path: str, location: Path | None) -> Source:
    """A notebook as a source: the Python of its cells, and beside it what is searched for credentials only.

    For files and for editors: these hold cells as documents, so they make a `Notebook` of `Cell`s themselves.
    """
    parts = [(number, cell) for number, cell in enumerate(notebook.cells, 1) if cell.code]
    programs = [(number, cell, program(cell.source.text) if cell.python else None) for number, cell in parts]
    python = [
        _Part(found.python, cell.source, number, cell.id)
        for number, cell, found in programs
        if found is not None and found.python is not None
    ]
    commands = [
        _Part(text, cell.source, number, cell.id)
        for number, cell, found in programs
        if (text := cell.source.text if found is None else found.commands)
    ]
    stretches: list[Stretch] = []
    texts: list[tuple[str, int]] = []
    first = 1
    for group in (python, commands, list(_spoken(notebook))):
        texts.append((joined(part.text for part in group), first - 1))
        for part in group:
            lines = _count(part.text)
            stretches.append(Stretch(first, lines, part.shown.text, part.cell, part.id, part.output, part.shown.pieces))
            first += lines + 1
        first += not group
    (python_text, _), *more = texts
    return Source(
        path=path,
        text=python_text,
        location=location,
        notes=notebook.notes,
        notebook=Layout(tuple(stretches)),
        beside=tuple(
            Source(path, beside, location=location, plain=True, document=document, first=before)
            for (beside, before), document in zip(more, (False, True), strict=True)
            if beside
        ),
    )


def _count(text: str) -> int:
    """Lines that a text takes before a separator."""
    return len(split_lines(f"{text}\n")) - 1


def _spoken(notebook: Notebook) -> Iterator[_Part]:
    """Texts for people and outputs, in the order of the cells."""
    for number, cell in enumerate(notebook.cells, 1):
        if not cell.code and cell.source.text:
            yield _Part(cell.source.text, cell.source, number, cell.id)
        for place, output in enumerate(cell.outputs, 1):
            if output.text.strip():
                yield _Part(output.text, output, number, cell.id, place)


def shown_lines(source: Source) -> list[str]:
    """The lines of the whole text of a source, as its cells have them, for excerpts: spans of findings count these."""
    if source.notebook is None:
        return split_lines(source.text)
    lines: list[str] = []
    for stretch in source.notebook.stretches:
        lines += [""] * (stretch.first - 1 - len(lines))
        lines += split_lines(stretch.text)[: stretch.lines]
    return lines
