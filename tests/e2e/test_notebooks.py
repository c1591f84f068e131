"""Notebooks through the command: found like modules, told by cell and line, refused clearly when broken."""

import json
from pathlib import Path

from command import Command, write
from notebooks import code, notebook, printed, spoken

from valhalla_lint.facts.minting import fill

LOAD = notebook(spoken("# Load"), code("import torch\n%matplotlib inline\n"), code("x = 1\ntorch.load(x)\n"))
"""One finding: VH404 on line 2 of cell 3."""


def lines(text: str) -> list[str]:
    """Place, code and tier of each finding of a concise report."""
    return [f"{line.partition(']')[0]}]" for line in text.splitlines() if "VH" in line]


def test_notebooks_are_found_beside_modules(vh: Command) -> None:
    write(
        {
            "a.py": "import torch\ntorch.load(x)\n",
            "work/b.ipynb": LOAD,
            "work/.ipynb_checkpoints/b-checkpoint.ipynb": LOAD,
        }
    )
    ended, out, _ = vh("check", "--output-format", "concise")
    assert ended == 1
    assert lines(out) == ["a.py:2:1: VH404 [production]", "work/b.ipynb:cell 3:2:1: VH404 [script]"]
    assert lines(vh("check", "work/b.ipynb", "--output-format", "concise")[1]) == lines(out)[1:]
    named = vh("check", "-", "--stdin-filename", "work/b.ipynb", "--output-format", "concise", text=LOAD)[1]
    assert lines(named) == lines(out)[1:]


def test_people_read_cell_and_line(vh: Command) -> None:
    write({"b.ipynb": LOAD})
    out = vh("check")[1]
    assert "b.ipynb:cell 3:2:1  VH404" in out
    assert "     2 │ torch.load(x)\n" in out
    assert "cell 3, line 2" in vh("check", "--output-format", "html")[1]
    piped = vh("check", "-", "--stdin-filename", "b.ipynb", text=LOAD)[1]
    assert "     2 │ torch.load(x)\n" in piped


def test_programs_read_lines_of_the_file_and_the_cell(vh: Command) -> None:
    write({"b.ipynb": LOAD})
    line = LOAD.splitlines().index('    "torch.load(x)\\n"') + 1
    (row,) = json.loads(vh("check", "--output-format", "json")[1])["findings"]
    assert (row["line"], row["column"], row["end_column"]) == (line, 6, 19)
    assert row["cell"] == {
        "number": 3,
        "id": "one",
        "output": 0,
        "line": 2,
        "column": 1,
        "end_line": 2,
        "end_column": 14,
    }
    (result,) = json.loads(vh("check", "--output-format", "sarif")[1])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == line
    assert "(cell 3, line 2)" in result["message"]["text"]
    assert f"line={line},endLine={line},col=6" in vh("check", "--output-format", "github")[1]
    assert json.loads(vh("check", "--output-format", "gitlab")[1])[0]["location"]["positions"]["begin"]["line"] == line
    assert f'line="{line}"' in vh("check", "--output-format", "junit")[1]


def test_what_is_no_notebook_is_said_once(vh: Command) -> None:
    write({"a.ipynb": LOAD[:-9], "b.ipynb": LOAD})
    ended, out, err = vh("check", "--output-format", "concise")
    assert (ended, err) == (3, "")
    assert lines(out) == ["a.ipynb:1:1: VH907 [script]", "b.ipynb:cell 3:2:1: VH404 [script]"]
    assert "broken JSON on line" in out


def test_a_known_finding_stays_known_when_its_cell_moves(vh: Command) -> None:
    write({"b.ipynb": LOAD})
    vh("baseline", "create")
    write({"b.ipynb": notebook(code("y = 2\n!ls"), code("x = 1\ntorch.load(x)\n"), code("import torch\n"))})
    assert vh("check", "--baseline", "valhalla-baseline.json")[0] == 0
    write({"b.ipynb": notebook(code("import torch\ntorch.load(x)\n"), code("torch.load(x)\n"))})
    out = vh("check", "--baseline", "valhalla-baseline.json", "--output-format", "concise")[1]
    assert lines(out) == ["b.ipynb:cell 2:1:1: VH404 [script]"]


def test_answers_are_listed_by_cell(vh: Command) -> None:
    write({"b.ipynb": LOAD.replace("torch.load(x)", "torch.load(x)  # noqa: VH404")})
    assert vh("check")[0] == 0
    assert vh("suppressions")[1].startswith("b.ipynb:cell 3:2:16: VH404 [script] noqa, used (1 finding)\n")


def test_no_report_shows_a_secret_of_a_notebook(vh: Command) -> None:
    token = fill("{{token:github}}")
    write({"b.ipynb": notebook(spoken(f"use {token}"), code(f"!curl {token}\nt = '{token}'", printed(f"{token}\n")))})
    for form in ("full", "concise", "json", "sarif", "html", "github", "gitlab", "junit"):
        out = vh("check", "--output-format", form)[1]
        assert "VH102" in out
        assert not any(token[at : at + 5] in out for at in range(4, len(token) - 5))


def test_fix_leaves_a_broken_notebook_alone(vh: Command) -> None:
    write({"b.ipynb": LOAD[:-9]})
    ended, out, _ = vh("fix")
    assert ended == 3
    assert "left as it is: no notebook" in out
    assert Path("b.ipynb").read_text() == LOAD[:-9]
