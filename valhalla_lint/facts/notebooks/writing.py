"""New texts for cells, written into the bytes of a notebook: every other byte stays."""

import codecs
import json
from collections.abc import Mapping, Sequence

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.notebooks.cells import NOTEBOOK, NotebookError, notebook_of
from valhalla_lint.facts.notebooks.json_places import JsonError, Text, Value, decoded, load

LINE = regex(r"[^\n]*\n|[^\n]+")
Edit = tuple[int, int, bytes]
"""First byte, end, and what stands there instead."""


def rewritten(data: bytes, texts: Mapping[int, str]) -> bytes:
    """The bytes of a notebook with new texts for some cells (counted from 1).

    Only the strings change whose lines changed; new ones are spelled and set like those beside them. Raises
    NotebookError where the result would not read as exactly what is wanted.
    """
    plain = data.removeprefix(codecs.BOM_UTF8)
    try:
        cells = _cells(load(plain, NOTEBOOK))
        edits = [edit for number, text in texts.items() for edit in _edits(plain, cells[number - 1], text)]
    except (JsonError, UnicodeDecodeError, IndexError) as error:
        raise NotebookError("no notebook whose cells could be written") from error
    position, parts = 0, [data[: len(data) - len(plain)]]
    for start, end, new in sorted(edits):
        parts += (plain[position:start], new)
        position = end
    result = b"".join((*parts, plain[position:]))
    wanted = [texts.get(number, cell.source.text) for number, cell in enumerate(notebook_of(data).cells, 1)]
    if [cell.source.text for cell in notebook_of(result).cells] != wanted:
        raise NotebookError("a notebook that would not read as what was written")
    return result


def _cells(value: Value) -> list[Value]:
    """The sources of the cells, in their order."""
    match value:
        case {"cells": list(cells)}:
            pass
        case {"worksheets": list(sheets)}:
            cells = [cell for sheet in sheets if isinstance(sheet, dict) for cell in _listed(sheet.get("cells"))]
        case _:
            cells = []
    return [cell.get("source", cell.get("input")) if isinstance(cell, dict) else None for cell in cells]


def _listed(value: Value) -> Sequence[Value]:
    return value if isinstance(value, list) else []


def _edits(data: bytes, source: Value, text: str) -> list[Edit]:
    """What changes in the source of one cell."""
    if isinstance(source, Text):
        return [(source.start, source.end, _spelled(text, data[source.start : source.end], decoded(data, source)))]
    old = [item for item in _listed(source) if isinstance(item, Text)]
    held = [decoded(data, item) for item in old]
    if "".join(held) == text or not old:
        return []
    first, last = _same_ends(held, text)
    before, after = sum(map(len, held[:first])), sum(map(len, held[last:]))
    lines = LINE.findall(text[before : len(text) - after])
    raw = data[old[0].start : old[-1].end]
    new = _gap(data, old).join(_spelled(line, raw, "".join(held)) for line in lines or [""])
    return [(old[first].start, old[last - 1].end, new)]


def _same_ends(held: Sequence[str], text: str) -> tuple[int, int]:
    """Which strings must change: from the first to before the last; at least one, so that there is a place for it."""
    first, at = 0, 0
    while first < len(held) - 1 and held[first].endswith("\n") and text.startswith(held[first], at):
        at += len(held[first])
        first += 1
    last, end = len(held), len(text)
    while last > first + 1:
        start = end - len(held[last - 1])
        if start < max(at, 1) or text[start:end] != held[last - 1] or text[start - 1] != "\n":
            break
        last, end = last - 1, start
    if at == end and last == first + 1 and first > 0:  # nothing takes the place of one string: a neighbour is told anew
        first -= 1
    return first, last


def _gap(data: bytes, strings: Sequence[Text]) -> bytes:
    """What stands between two strings of a list; of a list of one, a comma and what stands before it."""
    if len(strings) > 1:
        return data[strings[0].end : strings[1].start]
    begin = strings[0].start
    return b"," + data[len(data[:begin].rstrip(b" \t\r\n")) : begin]


def _spelled(text: str, raw: bytes, held: str) -> bytes:
    """A string as JSON, with escapes for what is not ASCII only where the cell has been written so."""
    escaped = raw.isascii() and not held.isascii()
    return json.dumps(text, ensure_ascii=escaped).encode("utf-8")
