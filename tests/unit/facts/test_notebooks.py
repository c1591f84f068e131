"""Notebooks: which of a file is Python, which is not, and where all of it stands."""

import json

import pytest
from notebooks import code, notebook, of_format_3, printed, spoken

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source, Unread
from valhalla_lint.facts.looks import MAX_NOTEBOOK_BYTES
from valhalla_lint.facts.minting import fill
from valhalla_lint.facts.notebooks import Cell, CellText, Notebook, cut, notebook_of, program, source_of_cells
from valhalla_lint.facts.reading import source_of
from valhalla_lint.linter import Linter

LOAD = "import torch\n"
UNSAFE = "torch.load(name)\n"
TOKEN = "{{token:github}}"


def read(text: str | bytes) -> Source:
    source = source_of(text if isinstance(text, bytes) else text.encode(), "a.ipynb", None)
    assert isinstance(source, Source)
    return source


def found(text: str | bytes) -> list[tuple[str, str]]:
    """Code and place of what is found in a notebook, in the order of the file; credentials minted first."""
    minted = fill(text).encode() if isinstance(text, str) else text
    report = Linter(Settings()).inspect(read(minted))
    return [(finding.code, finding.spot) for finding in report.findings]


def unread(data: bytes) -> str:
    answer = source_of(data, "a.ipynb", None)
    assert isinstance(answer, Unread)
    return answer.reason


def test_names_cross_cells_and_texts_do_not_count() -> None:
    text = notebook(spoken("import nothing"), code(LOAD), spoken("x (", kind="raw"), code("x = 1\n" + UNSAFE))
    assert read(text).text == "import torch\n\n# ---- next cell ----\nx = 1\ntorch.load(name)\n"
    assert found(text) == [("VH404", "cell 4:2:1")]


def test_flow_crosses_cells() -> None:
    text = notebook(
        code("from flask import Flask, request\napp = Flask('x')"),
        code("def place(name):\n    return 'data/' + name\n"),
        code("print(1)\n@app.get('/')\ndef show():\n    return open(place(request.args['name'])).read()\n"),
    )
    (finding,) = Linter(Settings(strict_tiers=True)).inspect(read(text)).findings
    assert finding.steps[0].line_in_words == "cell 3, line 4"
    assert any(step.line_in_words == "cell 2, line 2" for step in finding.steps)
    assert all(step.cell is not None for step in finding.steps)


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("x = 1\n", "x = 1\n"),
        ("%matplotlib inline\nx = 1", "# command 1\nx = 1"),
        ("!pip install a \\\n  b\nx = 1", "# command 1\n# command 2\nx = 1"),
        ("if x:\n    !ls\nelse:\n\t%cd ..\n", "if x:\n    _  # command 1\nelse:\n\t_  # command 2\n"),
        ("files = !ls\n", "files = _  # command 1\n"),
        ("a.b, c = %magic x\n", "a.b, c = _  # command 1\n"),
        ("x = %time f(1)\n", "x =       f(1)\n"),
        ("%time f(1)\n", "0;    f(1)\n"),
        ("%timeit -n 10 -q f(1)\n", "0;               f(1)\n".replace("0;               ", "0;".ljust(17))),
        ("%time for x in y: f(x)\n", "# command 1\n"),
        ("df.head?\n??df\nx?", "# command 1\n# command 2\n# command 3"),
        ("!echo it's\nx = '''\n!no\n%d\n'''\n", "# command 1\nx = '''\n!no\n%d\n'''\n"),
        ("y = (x\n% z)\n!ls", "y = (x\n% z)\n# command 1"),
        ("a = b ! = c\n", "a = b ! = c\n"),
        ("%%time\nx = 1\n", "# command 1\nx = 1\n"),
        ("pip install a\nimport a\npip = list\n", "# command 1\nimport a\npip = list\n"),
        ("\n%%capture out\r\nx = 1\r\n", "\n# command 1\r\nx = 1\r\n"),
        ("%%writefile app.py\nx = 1\n", "# command 1\nx = 1\n"),
        ("%%bash\nls\n", None),
        ("%%writefile notes.txt\nx = 1\n", None),
        ("%sql\nSELECT a FROM b\n", None),
        ("%sql SELECT a FROM b\nx = 1\n", "# command 1\nx = 1\n"),
    ],
)
def test_what_of_a_cell_is_python(text: str, python: str | None) -> None:
    assert program(text).python == python


def test_commands_are_searched_for_credentials_only() -> None:
    text = notebook(
        code(f"!curl -H 'Authorization: Bearer {TOKEN}' x\n%env API_TOKEN={TOKEN}\n{LOAD}x = !echo {TOKEN}\n"),
        code(f"%%bash\ncurl -H 'Authorization: Bearer {TOKEN}'  # noqa: VH102\nexport A={TOKEN}\n"),
        code("%%bash\n# noqa: VH101\n"),
    )
    assert found(text) == [
        ("VH102", "cell 1:1:1"),
        ("VH102", "cell 1:2:1"),
        ("VH102", "cell 1:4:1"),
        ("VH102", "cell 2:3:1"),
        ("VH901", "cell 3:2:1"),
    ]


def test_outputs_and_texts_are_searched_for_what_is_certain() -> None:
    text = notebook(
        spoken(f"# Setup\n\nThe key is {TOKEN}.\npassword: hunter2hunter2\n# noqa: VH101\n"),
        code(
            "x",
            printed(f"a\nAPI_TOKEN = '{{{{secret:30}}}}'\n{TOKEN}\n"),
            {
                "data": {"image/png": "AAAA", "text/plain": [f"'{TOKEN}'"]},
                "metadata": {},
                "output_type": "display_data",
            },
            {"ename": "E", "evalue": "x", "output_type": "error", "traceback": ["\x1b[31mE", f"x: {TOKEN}"]},
        ),
    )
    assert found(text) == [
        ("VH102", "cell 1:3:1"),
        ("VH102", "cell 2 output 1:3:1"),
        ("VH102", "cell 2 output 2:1:1"),
        ("VH102", "cell 2 output 3:2:1"),
    ]


def test_an_output_is_cleared_by_clearing_it() -> None:
    text = fill(notebook(code(f"x = '{TOKEN}'", printed(f"{TOKEN}\n"))))
    remedies = {item.spot: item.remedy for item in Linter(Settings()).inspect(read(text)).findings}
    assert remedies["cell 1 output 1:1:1"] == f"{remedies['cell 1:1:5']}; then clear the output"


def test_cells_of_other_languages_are_no_python() -> None:
    assert found(notebook(code(LOAD + UNSAFE), language="R")) == []
    assert found(notebook(code(LOAD + UNSAFE, vscode={"languageId": "sql"}), code(UNSAFE))) == []
    assert found(notebook(code(f"x <- '{TOKEN}'"), language="R")) == [("VH102", "cell 1:1:1")]


def test_a_cell_that_is_no_python_takes_no_other_along() -> None:
    text = notebook(
        code(LOAD),
        code("x = '''\n"),
        code("def load(name):\n    return torch.load(name)  # noqa: VH404\n"),
        code("print 'x'\n"),
        code("def load(name):\n    return torch.load(name)\n"),
    )
    assert found(text) == [("VH906", "cell 2:1:5"), ("VH404", "cell 5:2:12")]
    report = Linter(Settings()).inspect(read(text))
    assert report.notes[-1].endswith("; so is 1 of the cells below")


def test_both_formats_and_both_spellings_of_a_source() -> None:
    one = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": LOAD + UNSAFE}]})
    three = of_format_3(LOAD, UNSAFE)
    assert found(one) == [("VH404", "cell 1:2:1")]
    assert found(three) == [("VH404", "cell 2:1:1")]
    assert found(of_format_3(f"'{TOKEN}'")) == [("VH102", "cell 1:1:1")]


@pytest.mark.parametrize("data", [b"", b"  \n", notebook().encode(), b'{"cells": [], "nbformat": 4}'])
def test_an_empty_notebook_is_read(data: bytes) -> None:
    assert found(data) == []


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"x = 1\n", "broken JSON on line 1, column 1"),
        (b'{"cells": [', "broken JSON on line 1, column 12"),
        (notebook(code(LOAD)).encode()[:-20], "broken JSON on line"),
        (notebook(code(LOAD)).replace("nbformat_minor", "nbformat\nminor").encode(), "broken JSON on line 2"),
        (
            notebook(code(LOAD, printed("x"))).replace('"text": [', '"text": [\n<<<<<<< a\n').encode(),
            "marks of a merge",
        ),
        (b"[]", "the JSON is no object"),
        (b'{"a": 1}', "it has no list of cells"),
        (b'{"worksheets": [{"cells": 1}]}', "a worksheet has no list of cells"),
        (b'{"cells": [1]}', "cell 1 is no object"),
        (b'{"cells": [{"cell_type": "code"}]}', "cell 1 has no source"),
        (b'{"cells": [{"source": ["a", 1]}]}', "cell 1 has no source"),
        (b'{"cells": [{"source": "a\\x"}]}', "a string with a wrong escape"),
        (b'{"cells": ' + b"[" * 100_000, "broken JSON"),
        (b'{"x": ' + b"[" * 100_000, "it nests too deeply"),
        (b'{"x": faults}', "broken JSON"),
    ],
)
def test_what_is_no_notebook_is_unread_and_says_why(data: bytes, reason: str) -> None:
    assert reason in unread(data)
    assert unread(data).startswith("no notebook: ")


def test_odd_encodings() -> None:
    text = notebook(code("größe = 'ü🙂'; " + UNSAFE), code(LOAD))
    assert found(b"\xef\xbb\xbf" + text.encode()) == [("VH404", "cell 1:1:15")] == found(text)
    assert found(json.dumps(json.loads(text)).encode()) == [("VH404", "cell 1:1:15")]
    wide = Linter(Settings()).inspect(read(text.encode("utf-16")))
    assert wide.notes == ("encoded as UTF-16, which no notebook should be",)
    assert ("VH404", "cell 1:1:15") in found(text.encode("utf-16"))
    latin = Linter(Settings()).inspect(read(text.replace("🙂", "").encode("latin-1")))
    assert "read as Latin-1" in latin.notes[0]
    assert [finding.spot for finding in latin.findings if finding.code == "VH404"] == ["cell 1:1:14"]
    assert found(notebook(code("x = '\ud800'\n"), code(UNSAFE)).encode("utf-8", "surrogatepass"))


def test_large_outputs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = {"data": {"image/png": "iVBOR" * 2_000_000}, "metadata": {}, "output_type": "display_data"}
    assert found(notebook(code(LOAD, picture), code(UNSAFE))) == [("VH404", "cell 2:1:1")]
    much = notebook(code("x", printed("a\n" * 150_000), printed(TOKEN)))
    report = Linter(Settings()).inspect(read(fill(much)))
    assert report.notes == ("1 outputs were not searched: they hold more than 2,000,000 bytes of text in all",)
    assert [finding.code for finding in report.findings] == ["VH102", "VH906"]
    monkeypatch.setattr("valhalla_lint.facts.looks.MAX_NOTEBOOK_BYTES", 100)
    assert MAX_NOTEBOOK_BYTES > 200_000_000
    assert unread(notebook(code(LOAD)).encode()).startswith("larger than 0 MiB")


def test_what_stands_in_the_file() -> None:
    text = notebook(code("import torch\ny = 'ä\\t\"'; torch.load(x)\n"))
    (finding,) = Linter(Settings()).inspect(read(text)).findings
    assert finding.cell is not None
    assert finding.cell.file is not None
    line = text.splitlines()[finding.cell.file.line - 1]
    assert line[finding.cell.file.column : finding.cell.file.end_column] == "torch.load(x)"


def test_fingerprints_survive_a_moved_cell_and_an_edit_elsewhere() -> None:
    def prints(*cells: dict[str, object]) -> set[str]:
        return {item.fingerprint for item in Linter(Settings()).inspect(read(notebook(*cells))).findings}

    before = prints(code(LOAD), code("x = 1"), code("torch.load(x)"))
    assert len(before) == 1
    assert prints(spoken("new"), code("torch.load(x)"), code(LOAD), code("!ls\ny = 2\n")) == before


def test_answers_in_cells() -> None:
    text = notebook(
        code(LOAD + "torch.load(a)  # noqa: VH404\n# valhalla: ignore[VH404] -- ours\ntorch.load(\n  b)\n"),
        code("# valhalla: ignore-begin[VH404] -- all of them\ntorch.load(c)"),
        code("torch.load(d)\n# valhalla: ignore-end[VH404]\ntorch.load(e)  # noqa: VH999\n"),
    )
    report = Linter(Settings()).inspect(read(text))
    assert [(item.code, item.spot) for item in report.findings] == [("VH404", "cell 3:3:1"), ("VH902", "cell 3:3:16")]
    assert [item.finding.spot for item in report.suppressed] == ["cell 1:2:1", "cell 1:4:1", "cell 2:2:1", "cell 3:1:1"]
    assert [answer.cell.number for answer in report.answers if answer.cell is not None] == [1, 3, 1, 2]


def test_a_notebook_of_an_editor() -> None:
    cells = (
        Cell(CellText("import torch"), code=True, python=True, id="a"),
        Cell(CellText("# text"), code=False, python=False),
        Cell(CellText("!ls\ntorch.load(x)"), code=True, python=True, id="c"),
    )
    source = source_of_cells(Notebook(cells), "a.ipynb", None)
    (finding,) = Linter(Settings()).inspect(source).findings
    assert finding.cell is not None
    assert (finding.cell.id, finding.cell.number, finding.cell.span.line, finding.cell.file) == ("c", 3, 2, None)
    assert cut(source.text) == ["import torch", "# command 1\ntorch.load(x)"]


def test_ids_and_numbers() -> None:
    cells = notebook_of(notebook(code("a", cell_id="x"), spoken("b"), code("c", cell_id="y")).encode()).cells
    assert [(cell.id, cell.code, cell.python) for cell in cells] == [
        ("x", True, True),
        ("text", False, False),
        ("y", True, True),
    ]
