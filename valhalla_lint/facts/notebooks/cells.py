"""What a notebook file holds: its cells and what they put out, each text with its place in the file."""

import codecs
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from valhalla_lint.core.notebook import Piece
from valhalla_lint.facts.notebooks.json_places import JsonError, Lines, Text, Value, Wanted, decoded, load

MERGE_MARKS = (b"\n<<<<<<< ", b"\n>>>>>>> ")
PYTHON_LANGUAGES = ("python", "ipython", "pyspark", "sage")
"""How the names of languages begin whose cells are Python."""
CODE = "code"
MAX_OUTPUT = 2_000_000
"""Bytes of the outputs of a notebook that are read, each line counted as a few more."""
LINE_COST = 16

TAKEN: Wanted = {}
OUTPUT: Wanted = {"text": TAKEN, "data": {"text/plain": TAKEN}, "traceback": TAKEN}
CELL: Wanted = {
    "cell_type": TAKEN,
    "id": TAKEN,
    "source": TAKEN,
    "input": TAKEN,
    "language": TAKEN,
    "metadata": {"vscode": {"languageId": TAKEN}},
    "outputs": OUTPUT,
}
NOTEBOOK: Wanted = {
    "cells": CELL,
    "worksheets": {"cells": CELL},
    "metadata": {"language_info": {"name": TAKEN}, "kernelspec": {"language": TAKEN}},
}
"""Both forms: cells right in the notebook (format 4), and in worksheets (format 3, where code is `input`)."""


class NotebookError(ValueError):
    """A file that is no notebook; the message says why, in a few words."""


class CellText(NamedTuple):
    """A text of a notebook, and the strings of the file that it is made of (none where there is no file)."""

    text: str
    pieces: tuple[Piece, ...] = ()


class Cell(NamedTuple):
    """A cell. code: whether it is run at all. python: whether what is run is Python. outputs: their texts."""

    source: CellText
    code: bool
    python: bool
    id: str = ""
    outputs: tuple[CellText, ...] = ()


class Notebook(NamedTuple):
    """The cells of a file, and what had to be bent to read them."""

    cells: tuple[Cell, ...] = ()
    notes: tuple[str, ...] = ()


def notebook_of(data: bytes) -> Notebook:
    """The cells of a notebook's bytes; an empty file is an empty notebook. Raises NotebookError."""
    plain, notes = _utf8(data)
    if not plain.strip():
        return Notebook(notes=notes)
    reader = _Reader(plain)
    try:
        cells = tuple(reader.cells(load(plain, NOTEBOOK)))
    except JsonError as error:
        line, column = reader.lines.place(min(error.at, len(plain)))
        what = "it holds the marks of a merge" if any(mark in plain for mark in MERGE_MARKS) else str(error)
        raise NotebookError(f"no notebook: broken JSON on line {line}, column {column + 1} ({what})") from error
    if reader.skipped:
        what = f"{reader.skipped:,} outputs were not searched: they hold more than {MAX_OUTPUT:,} bytes of text in all"
        notes = (*notes, what)
    return Notebook(cells, (*notes, *reader.notes))


def _utf8(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The bytes as UTF-8 without a mark, and what had to be bent for it."""
    for mark, name in (
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            text = data.decode(name, "replace").removeprefix("\ufeff")
            return text.encode("utf-8", "replace"), (f"encoded as {name.upper()}, which no notebook should be",)
    return data.removeprefix(codecs.BOM_UTF8), ()


class _Reader:
    """Reads cells from the values of one file; remembers what had to be bent."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.lines = Lines(data)
        self.notes: list[str] = []
        self._left = MAX_OUTPUT
        self.skipped = 0

    def cells(self, value: Value) -> Iterator[Cell]:
        if not isinstance(value, dict):
            raise NotebookError("no notebook: the JSON is no object")
        language = self._language(value.get("metadata"))
        listed = value.get("cells")
        sheets = value.get("worksheets")
        if not isinstance(listed, list):
            if not isinstance(sheets, list):
                raise NotebookError("no notebook: it has no list of cells")
            listed = [
                cell for sheet in sheets if isinstance(sheet, dict) for cell in self._listed(sheet.get("cells", []))
            ]
        for number, cell in enumerate(listed, 1):
            if not isinstance(cell, dict):
                raise NotebookError(f"no notebook: cell {number} is no object")
            yield self._cell(cell, language, number)

    @staticmethod
    def _listed(value: Value) -> Sequence[Value]:
        if not isinstance(value, list):
            raise NotebookError("no notebook: a worksheet has no list of cells")
        return value

    def _language(self, metadata: Value) -> str:
        """The language of the notebook's kernel; "" where nothing says."""
        for table, key in (("language_info", "name"), ("kernelspec", "language")):
            if found := self._word(_member(_member(metadata, table), key)):
                return found
        return ""

    def _cell(self, cell: dict[str, Value], language: str, number: int) -> Cell:
        code = self._word(cell.get("cell_type")) == CODE
        own = self._word(_member(_member(cell.get("metadata"), "vscode"), "languageId")) or self._word(
            cell.get("language")
        )
        source = self._text(cell.get("source", cell.get("input")))
        if source is None:
            raise NotebookError(f"no notebook: cell {number} has no source")
        python = code and (own or language or PYTHON_LANGUAGES[0]).lower().startswith(PYTHON_LANGUAGES)
        outputs = cell.get("outputs")
        return Cell(
            source=source,
            code=code,
            python=python,
            id=self._word(cell.get("id")),
            outputs=tuple(self._outputs(outputs if isinstance(outputs, list) else [])),
        )

    def _outputs(self, outputs: Sequence[Value]) -> Iterator[CellText]:
        """One text for each output, "" for what is no text: what was printed, the result in plain text, the error."""
        for output in outputs:
            frames = _member(output, "traceback")
            value = frames or _member(output, "text") or _member(_member(output, "data"), "text/plain")
            cost = _cost(value)
            if cost > self._left:
                self.skipped += 1
                yield CellText("")
                continue
            self._left -= cost
            if isinstance(frames, list):
                yield _lines([self._string(frame) for frame in frames if isinstance(frame, Text)])
            else:
                yield self._text(value) or CellText("")

    def _text(self, value: Value) -> CellText | None:
        """A text that is one string or a list of strings; None for anything else."""
        strings = value if isinstance(value, list) else [value]
        if not all(isinstance(string, Text) for string in strings):
            return None
        read = [self._string(string) for string in strings if isinstance(string, Text)]
        return CellText("".join(text for text, _ in read), tuple(piece for _, piece in read))

    def _word(self, value: Value) -> str:
        return self._string(value)[0] if isinstance(value, Text) else ""

    def _string(self, text: Text) -> tuple[str, Piece]:
        line, column = self.lines.place(text.start)
        raw = self.data[text.start + 1 : text.end - 1]
        try:
            return decoded(self.data, text), Piece(raw.decode("utf-8"), line, column + 1)
        except UnicodeDecodeError:
            note = f"not valid UTF-8 (first on line {line}); read as Latin-1"
            self.notes[:] = self.notes or [note]
            latin = self.data[text.start : text.end].decode("latin-1").encode("utf-8")
            return decoded(latin, Text(0, len(latin))), Piece(raw.decode("latin-1"), line, column + 1)


def _lines(strings: Sequence[tuple[str, Piece]]) -> CellText:
    """Strings that are lines, as one text; the end of each line stands where its string ends."""
    pieces: list[Piece] = []
    for _, piece in strings:
        pieces += [piece, Piece("\\n", piece.line, piece.column + len(piece.raw))]
    return CellText("".join(f"{text}\n" for text, _ in strings), tuple(pieces))


def _cost(value: Value) -> int:
    """What it costs to read a text, in bytes."""
    strings = value if isinstance(value, list) else [value]
    return sum(string.end - string.start + LINE_COST for string in strings if isinstance(string, Text))


def _member(value: Value, name: str) -> Value:
    return value.get(name) if isinstance(value, dict) else None
