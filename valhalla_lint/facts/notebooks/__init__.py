"""Jupyter notebooks: read from a file or taken from an editor, joined to one text, and back.

From bytes: `source_of_notebook(data, path, location)`. From an editor, which holds cells as documents:
`source_of_cells(Notebook(cells), path, location)`, with a `Cell(CellText(text), code=…, python=…, id=…)` for each
document in its order. Either is an ordinary `Source` for `Linter.inspect`; each finding (and step) of it has a `cell`,
whose `number` counts all cells from 1 and whose `span` stands in that cell. `Source.text` is the Python of the cells,
joined; `cut` gives their texts back, commands of IPython as `program` has replaced them, and `restored(cell, text)`
puts the commands of a cell into a new text for it. `cell_place(source.notebook, span)` translates any other place of
the text. `rewritten(data, texts)` writes new texts into a file's bytes.
"""

from pathlib import Path

from valhalla_lint.core.source import Source, Unread
from valhalla_lint.facts.notebooks.cells import Cell, CellText, Notebook, NotebookError, notebook_of
from valhalla_lint.facts.notebooks.joining import SEPARATOR, cut, joined, shown_lines, source_of_cells
from valhalla_lint.facts.notebooks.magics import Program, program, restored
from valhalla_lint.facts.notebooks.parsing import cell_comments, parse_cells
from valhalla_lint.facts.notebooks.places import CellPlaces, cell_place
from valhalla_lint.facts.notebooks.writing import rewritten

__all__ = [
    "SEPARATOR",
    "Cell",
    "CellPlaces",
    "CellText",
    "Notebook",
    "NotebookError",
    "Program",
    "cell_comments",
    "cell_place",
    "cut",
    "is_notebook",
    "joined",
    "notebook_of",
    "parse_cells",
    "program",
    "restored",
    "rewritten",
    "shown_lines",
    "source_of_cells",
    "source_of_notebook",
]

SUFFIX = ".ipynb"


def is_notebook(path: str) -> bool:
    """Whether a file is a notebook, by its name."""
    return path.lower().endswith(SUFFIX)


def source_of_notebook(data: bytes, path: str, location: Path | None) -> Source | Unread:
    """A notebook's bytes as a source; unread, with the reason, where they are no notebook. Never raises."""
    try:
        return source_of_cells(notebook_of(data), path, location)
    except NotebookError as error:
        return Unread(path, str(error))
