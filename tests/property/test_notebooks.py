"""Notebooks of any content and any spelling: cells are read exactly, each place is where it says, nothing raises."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Source, Unread
from valhalla_lint.core.span import Span
from valhalla_lint.facts.notebooks import (
    SEPARATOR,
    Cell,
    CellText,
    Notebook,
    cell_place,
    cut,
    joined,
    notebook_of,
    program,
    restored,
    rewritten,
    source_of_cells,
)
from valhalla_lint.facts.parse import split_lines
from valhalla_lint.facts.reading import source_of
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(preset=Preset.AUDIT, strict_tiers=True))
quick = settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
LINES = st.sampled_from([
    "x = 1", "if x:", "    y = f(x)", "%matplotlib inline", "    !ls -l", "%%bash", "%%time", "s = '''", "'''",
    "x = !ls",
    "x = %time f(1)", "%time f(2)", "(", "% y)", "df?", "# é 🙂", "", "!a \\", "\\", SEPARATOR, '\tz = "\\""; \u2028',
])  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.one_of(LINES, st.text(max_size=8)), max_size=8).map("\n".join),
    st.lists(LINES, max_size=5).map("\r\n".join),
    st.text(max_size=30),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def cells(draw: st.DrawFn) -> dict[str, object]:
    """A cell whose source is a string, or a list of strings that are cut anywhere."""
    text = draw(TEXTS)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)))
    parts = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return {
        "cell_type": draw(st.sampled_from(["code", "code", "markdown"])),
        "outputs": draw(JSON),
        "other": draw(JSON),
        "source": text if draw(st.booleans()) else parts,
    }


@st.composite
def documents(draw: st.DrawFn) -> tuple[list[str], str]:
    """The sources of a notebook's cells, and the notebook in some spelling of JSON."""
    held = draw(st.lists(cells(), max_size=5))
    document = {"metadata": draw(JSON), "x": draw(JSON), "cells": held, "nbformat": 4}
    text = json.dumps(
        document,
        indent=draw(st.sampled_from([None, 0, 1, "\t"])),
        sort_keys=draw(st.booleans()),
        ensure_ascii=draw(st.booleans()),
    )
    return ["".join(cell["source"]) for cell in held], text  # type: ignore[arg-type]


@quick
@given(documents())
def test_sources_are_read_exactly_and_stand_where_they_say(drawn: tuple[list[str], str]) -> None:
    texts, document = drawn
    data = document.encode("utf-8", "surrogatepass")
    lines = document.split("\n")
    read = notebook_of(data)
    if not read.notes:  # lone surrogates written as themselves are no UTF-8
        assert [cell.source.text for cell in read.cells] == texts
    for cell in read.cells:
        for piece in cell.source.pieces:
            line = lines[piece.line - 1]
            assert line[piece.column - 1] == '"'
            assert line[piece.column + len(piece.raw)] == '"'


@quick
@given(documents(), st.data())
def test_places_in_the_file_hold_what_stands_in_the_cell(drawn: tuple[list[str], str], data: st.DataObject) -> None:
    _, document = drawn
    source = source_of(document.encode("utf-8", "replace"), "a.ipynb", None)
    assert isinstance(source, Source)
    assert source.notebook is not None
    lines = document.encode("utf-8", "replace").decode().split("\n")
    for stretch in source.notebook.stretches:
        rows = split_lines(stretch.text)[: stretch.lines]
        number = data.draw(st.integers(0, len(rows) - 1))
        start = data.draw(st.integers(0, len(rows[number])))
        end = data.draw(st.integers(start, len(rows[number])))
        place = cell_place(source.notebook, Span(stretch.first + number, start, stretch.first + number, end))
        assert place is not None
        assert (place.number, place.span.line, place.span.column) == (stretch.cell, number + 1, start)
        if place.file is None or place.file.line != place.file.end_line:
            continue  # in several strings that stand on several lines
        shown = lines[place.file.line - 1][place.file.column : place.file.end_column]
        if len(stretch.pieces) == 1:
            assert json.loads(f'"{shown}"') == rows[number][start:end]


@quick
@given(documents(), st.binary(min_size=1, max_size=3), st.data())
def test_a_damaged_notebook_is_read_or_refused(
    drawn: tuple[list[str], str], damage: bytes, data: st.DataObject
) -> None:
    whole = drawn[1].encode("utf-8", "replace")
    at = data.draw(st.integers(0, len(whole)))
    broken = whole[:at] + damage + whole[at + data.draw(st.integers(0, 3)) :]
    answer = source_of(broken, "a.ipynb", None)
    assert answer == source_of(broken, "a.ipynb", None)
    if isinstance(answer, Unread):
        assert answer.reason.startswith(("no notebook: ", "binary data"))
    else:
        for finding in LINTER.check(answer):
            assert finding.cell is not None or finding.code in ("VH906", "VH908")
            assert finding.code != "VH908", finding.message


@quick
@given(TEXTS)
def test_python_stands_on_the_lines_of_its_cell(text: str) -> None:
    made = program(text)
    if made.python is None:
        assert made.commands == text
        return
    ours, theirs = split_lines(made.python), split_lines(text)
    assert len(ours) == len(theirs)
    pairs = [(item.python, item.text) for item in made.replaced]
    assert restored(text, made.python) == text
    for mine, other in zip(ours, theirs, strict=True):
        assert mine == other or any(mine.startswith(one) and other.startswith(two) for one, two in pairs)
    if made.commands:
        for command, other in zip(split_lines(made.commands), theirs, strict=True):
            assert command in ("", other)


@quick
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_joined_cells_are_cut_again(texts: list[str]) -> None:
    held = [text for text in texts if SEPARATOR not in text]
    if held:
        assert cut(joined(held)) == held
    source = source_of_cells(Notebook(tuple(Cell(CellText(text), code=True, python=True) for text in texts)), "a", None)
    assert source.notebook is not None
    lines = split_lines(source.text)
    for stretch in source.notebook.stretches:
        if stretch.first + stretch.lines <= len(lines):
            assert lines[stretch.first + stretch.lines - 1] == SEPARATOR


@quick
@given(documents(), st.data())
def test_writing_cells_changes_nothing_else(drawn: tuple[list[str], str], data: st.DataObject) -> None:
    texts, document = drawn
    whole = document.encode("utf-8", "replace")
    if not texts:
        return
    held = [cell.source.text for cell in notebook_of(whole).cells]
    number = data.draw(st.integers(1, len(held)))
    rows = held[number - 1].splitlines(keepends=True)
    at = data.draw(st.integers(0, len(rows)))
    new = st.lists(st.sampled_from(["é = 1\n", "new\n", "x"]), max_size=2)
    rows[at : at + data.draw(st.integers(0, 2))] = data.draw(new)
    text = "".join(rows)
    if not held[number - 1]:
        return  # an empty list of strings has no place for one
    result = rewritten(whole, {number: text})
    before, after = json.loads(whole), json.loads(result)
    assert [cell.source.text for cell in notebook_of(result).cells] == [*held[: number - 1], text, *held[number:]]
    for cell in (before["cells"][number - 1], after["cells"][number - 1]):
        cell["source"] = None
    assert json.dumps(before) == json.dumps(after)
