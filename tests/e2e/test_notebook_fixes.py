"""Mending notebooks: the strings of the changed lines change, every other byte stays, and commands stay commands."""

import difflib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import Command, write
from notebooks import code, notebook, printed, spoken

from valhalla_lint.facts.minting import fill

SECRET = fill("{{secret:32}}")


def changed(before: str, after: str) -> list[str]:
    """The lines that a change takes away and adds."""
    rows = difflib.ndiff(before.splitlines(), after.splitlines())
    return [row.replace("    ", "", 1) for row in rows if row[:1] in "+-"]


def test_only_the_strings_of_changed_lines_change(vh: Command) -> None:
    before = notebook(
        spoken("# Größe"),
        code(
            "%matplotlib inline\nimport torch\nif x:\n    !ls  # é\ny = 1  # noqa: VH101\n",
            printed("y = 1  # noqa: VH101"),
        ),
        code("a = %time torch.load(x)\n!pip install a \\\n   b\nmodel = torch.load(a)"),
    )
    write({"b.ipynb": before})
    ended, out, _ = vh("fix")
    assert (ended, out.splitlines()[0]) == (
        0,
        "b.ipynb:cell 2:5: VH901 remove the suppression of VH101",
    )
    after = Path("b.ipynb").read_text()
    assert changed(before, after) == ['- "y = 1  # noqa: VH101\\n"', '+ "y = 1\\n"']
    ended, out, _ = vh("fix", "--unsafe-fixes")
    assert "b.ipynb:cell 3:4: VH404" in out
    assert changed(after, Path("b.ipynb").read_text()) == [
        '- "a = %time torch.load(x)\\n",',
        '+ "a = %time torch.load(x, weights_only=True)\\n",',
        '- "model = torch.load(a)"',
        '+ "model = torch.load(a, weights_only=True)"',
    ]
    assert vh("fix", "--unsafe-fixes")[1] == "Fixed 0 findings in 0 files.\n"


def test_new_lines_are_set_like_those_beside_them(vh: Command) -> None:
    before = notebook(
        spoken("# Key"),
        code("# the key\nimport sys\nprint(sys.path)\n"),
        code(f"API_TOKEN = '{SECRET}'"),
    )
    write({"b.ipynb": before})
    assert vh("check", "--fix", "--unsafe-fixes")[0] == 0
    assert changed(before, Path("b.ipynb").read_text()) == [
        '+ "import os\\n",',
        f"""- "API_TOKEN = '{SECRET}'\"""",
        """+ "API_TOKEN = os.environ[\\"API_TOKEN\\"]\"""",
    ]


@pytest.mark.parametrize("where", ["output", "page", "markdown", "command"])
def test_a_secret_that_stands_elsewhere_in_the_file_is_not_half_removed(vh: Command, where: str) -> None:
    page = {"data": {"text/html": [f"<b>{SECRET}</b>"]}, "metadata": {}, "output_type": "display_data"}
    before = notebook(
        spoken(f"use {SECRET}" if where == "markdown" else "text"),
        code(
            f"API_TOKEN = '{SECRET}'\n" + (f"!echo {SECRET}" if where == "command" else ""),
            *([printed(SECRET)] if where == "output" else [page] if where == "page" else []),
        ),
    )
    write({"b.ipynb": before})
    out = vh("fix", "--unsafe-fixes")[1]
    assert Path("b.ipynb").read_text() == before
    assert "b.ipynb" in out
    assert "elsewhere in the file" in out or "still stands in its outputs" in out


def test_what_is_left_is_told_by_its_place_afterwards(vh: Command) -> None:
    cells = (
        code("import os"),
        code("def f(prompt):\n    return len(prompt) <= 6144"),
        code("from flask import request\nprint(open('notes/' + request.args['name']))"),
    )
    write({"valhalla-lint.toml": "strict-tiers = true\n", "a.ipynb": notebook(*cells)})
    _, out, err = vh("fix", "--select", "VH2,VH3")
    assert "a.ipynb:cell 2:2: VH301" in out + err
    assert "a.ipynb:cell 3:2: VH201" in out + err


def test_nothing_is_said_of_notebooks_without_python(vh: Command) -> None:
    write({"empty.ipynb": "", "texts.ipynb": notebook(spoken("# Notes"))})
    ended, out, err = vh("fix")
    assert (ended, out + err) == (0, "Fixed 0 findings in 0 files.\n")


def test_one_string_and_one_line(vh: Command) -> None:
    before = json.dumps(json.loads(notebook(code("x = 'ü'  # noqa: VH101\ny = 2\n")))).replace(
        json.dumps(["x = 'ü'  # noqa: VH101\n", "y = 2\n"]), json.dumps("x = 'ü'  # noqa: VH101\ny = 2\n")
    )
    write({"b.ipynb": before})
    assert vh("fix")[0] == 0
    after = Path("b.ipynb").read_text()
    assert after == before.replace("  # noqa: VH101", "")
    assert "\\u00fc" in after


def test_a_diff_is_told_cell_by_cell(vh: Command) -> None:
    before = notebook(code("x = 1"), code("%cd ..\ny = 2  # noqa: VH101\n"))
    write({"b.ipynb": before})
    ended, out, _ = vh("fix", "--diff")
    assert ended == 1
    assert out == (
        "--- a/b.ipynb:cell 2\n+++ b/b.ipynb:cell 2\n@@ -1,2 +1,2 @@\n %cd ..\n-y = 2  # noqa: VH101\n+y = 2\n"
    )
    assert Path("b.ipynb").read_text() == before


def test_a_cell_magic_stays_the_first_line_and_broken_cells_are_refused(vh: Command) -> None:
    before = notebook(code("%%time\nx = 1  # noqa: VH101\n"))
    write({"a.ipynb": before, "b.ipynb": notebook(code("x = (\n"), code("y = 2  # noqa: VH101\n"))})
    out = vh("fix")[1]
    assert changed(before, Path("a.ipynb").read_text()) == ['- "x = 1  # noqa: VH101\\n"', '+ "x = 1\\n"']
    assert "b.ipynb:cell 2:1: VH901 the file could only be read in part" in out


def test_standard_input(tmp_path: Path) -> None:
    before = notebook(code("y = 2  # noqa: VH101"))
    done = subprocess.run(
        [sys.executable, "-m", "valhalla_lint", "fix", "-", "--stdin-filename", "b.ipynb"],
        cwd=tmp_path,
        input=before.encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == before.replace("  # noqa: VH101", "")
