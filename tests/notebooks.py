"""Notebooks as Jupyter writes them, for tests."""

import json
from collections.abc import Mapping, Sequence

Cell = dict[str, object]


def lines(text: str) -> list[str]:
    """A text as the list of lines that Jupyter writes."""
    return text.splitlines(keepends=True)


def code(text: str, *outputs: Mapping[str, object], cell_id: str = "one", **metadata: object) -> Cell:
    """A cell of code with what it put out."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": metadata,
        "outputs": list(outputs),
        "source": lines(text),
    }


def spoken(text: str, kind: str = "markdown") -> Cell:
    """A cell that is not run."""
    return {"cell_type": kind, "id": "text", "metadata": {}, "source": lines(text)}


def printed(text: str) -> Cell:
    """What a cell printed."""
    return {"name": "stdout", "output_type": "stream", "text": lines(text)}


def notebook(*cells: Cell, language: str = "python", indent: int | None = 1) -> str:
    """A notebook of format 4.5, keys sorted, as Jupyter writes it."""
    document = {
        "cells": list(cells),
        "metadata": {
            "kernelspec": {"display_name": language, "language": language, "name": language},
            "language_info": {"name": language},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=indent, sort_keys=True, ensure_ascii=False) + "\n"


def of_format_3(*texts: str, outputs: Sequence[Mapping[str, object]] = ()) -> str:
    """A notebook of format 3: cells in worksheets, code as `input`."""
    cells = [
        {"cell_type": "code", "collapsed": False, "input": text, "language": "python", "outputs": list(outputs)}
        for text in texts
    ]
    return json.dumps({"metadata": {"name": ""}, "nbformat": 3, "worksheets": [{"cells": cells}]}, indent=1)
