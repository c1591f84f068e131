"""The same tree gives the same findings through every door; what a host cannot show is listed in `docs/hosts.md`.

Compared are path, line, column, code and message. flake8 reads `# noqa` itself, so there it is switched off and the
findings that such comments silence elsewhere are expected; bandit's own `# nosec` is switched off as well.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command import LIMIT
from notebooks import code, notebook

from valhalla_lint.config import Configuration
from valhalla_lint.facts.minting import fill

Found = list[tuple[str, int, int, str, str]]
Files = dict[str, bytes]
FIXTURE = Path(__file__).parents[2] / "fixtures" / "model_server"
ANSWERED = LIMIT.replace("8192", "8192  # noqa: VH301") + LIMIT.replace(
    "8192", "8192  # valhalla: ignore[VH301] -- known"
)
WEB = """\
from flask import Flask, request

from app.places import place

app = Flask(__name__)


@app.get("/x")
def show():
    return open(place(request.args["name"])).read()
"""
PLACES = "def place(name):\n    return 'data/' + name\n"
ODD = "def check(größe):\n\tß = größe > 4096; 小 = 'ü🙂'; return ß or größe < 7777\n"
TABLES = """\
[tool.valhalla-lint]
exclude = ["old/"]
preset = "audit"
strict-tiers = true

[tool.valhalla-lint.rules.magic-number]
allowed-values = [4096]

[tool.valhalla-lint.per-file-ignores]
"api/**" = ["VH3"]
"""


def model_server() -> Files:
    return {path.relative_to(FIXTURE).as_posix(): path.read_bytes() for path in FIXTURE.rglob("*") if path.is_file()}


def texts(**files: str) -> Files:
    return {name.replace("__", "/").replace("_py", ".py"): fill(text).encode() for name, text in files.items()}


TREES: dict[str, Callable[[], Files]] = {
    "a model server": model_server,
    "flow across files": lambda: texts(app____init___py="", app__web_py=WEB, app__places_py=PLACES),
    "answers in the source": lambda: texts(src__a_py=ANSWERED + "x = 1  # noqa: VH101\ny = 2  #noqa: VH101\n"),
    "odd characters": lambda: {
        "src/plain.py": ODD.encode(),
        "src/crlf.py": ODD.replace("\n", "\r\n").encode(),
        "src/bom.py": b"\xef\xbb\xbf" + ODD.encode(),
        "src/latin.py": b"# coding: latin-1\n" + ODD.replace("小 = 'ü🙂'", "b = 'ü'").encode("latin-1"),
    },
    "settings": lambda: (
        {"pyproject.toml": TABLES.encode()}
        | texts(old__a_py=LIMIT, api__a_py=LIMIT, tests__a_py=LIMIT, b_py=ODD, c_py='KEY = "{{token:github}}"\n')
    ),
    "settings further down": lambda: (
        {
            "pyproject.toml": b"[tool.valhalla-lint]\n",
            "part/pyproject.toml": b'[tool.valhalla-lint]\nignore = ["VH301"]\n',
        }
        | texts(a_py=LIMIT, part__a_py=LIMIT + "x = 1  #noqa: VH101\n")
    ),
}


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr
    return done.stdout


def from_command(folder: Path, *paths: str) -> tuple[Found, Found]:
    """Findings, and those that `# noqa` silences."""
    document = json.loads(run(folder, "valhalla_lint", "check", "--output-format", "json", *paths))
    silenced = [item["finding"] for item in document["suppressed"] if item["kind"].startswith("noqa")]
    return _of_rows(document["findings"]), _of_rows(silenced)


def _of_rows(rows: list[dict[str, object]]) -> Found:
    return sorted(
        (
            str(row["path"]),
            int(str(row["line"])),
            int(str(row["column"])),
            str(row["code"]),
            f"[{row['tier']}] {row['message']}",
        )
        for row in rows
    )


def from_flake8(folder: Path, *options: str) -> Found:
    form = "%(path)s\t%(row)d\t%(col)d\t%(code)s\t%(text)s"
    told = run(
        folder, "flake8", "--isolated", "--select=VH", "--disable-noqa", f"--format={form}", "-j1", *options, "."
    )
    found = []
    for line in told.splitlines():
        path, row, column, code, text = line.split("\t", 4)
        found.append((path.removeprefix("./"), int(row), int(column), code, text))
    return sorted(found)


def from_bandit(folder: Path) -> Found:
    told = json.loads(run(folder, "bandit", "-q", "-r", ".", "-x", ".none", "--ignore-nosec", "-f", "json"))
    return sorted(
        (
            row["filename"].removeprefix("./"),
            row["line_number"],
            row["col_offset"] + 1,
            row["test_id"],
            row["issue_text"],
        )
        for row in told["results"]
        if row["test_id"].startswith("VH")
    )


def from_server(folder: Path) -> Found:
    pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
    from valhalla_lint.facts.reading import decode
    from valhalla_lint.hosts.lsp.diagnostics import diagnostics
    from valhalla_lint.hosts.lsp.orders import Document
    from valhalla_lint.hosts.lsp.session import Session

    session = Session(Configuration())
    session.use((folder.as_uri(),))
    found = []
    for path in folder.rglob("*.py"):
        document = Document(path.as_uri(), "python", decode(path.read_bytes()).text)
        for item in diagnostics(session.judge(document).verdict, "utf-32", related=True):
            start = item.range.start
            place = path.relative_to(folder).as_posix()
            found.append((place, start.line + 1, start.character + 1, str(item.code), str(item.message)))
    return sorted(found)


@pytest.mark.parametrize("tree", TREES)
def test_every_door_shows_the_same(tree: str, tmp_path: Path) -> None:
    for name, data in TREES[tree]().items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    expected, silenced = from_command(tmp_path, ".")
    assert expected, "a tree without findings shows nothing"
    named = [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*.py"), reverse=True)]
    assert from_command(tmp_path, *named) == (expected, silenced), "as pre-commit calls it: every file by its name"
    assert from_flake8(tmp_path) == sorted([*expected, *silenced])
    assert from_bandit(tmp_path) == expected
    assert from_server(tmp_path) == expected
    shutil.rmtree(tmp_path)


def test_what_a_baseline_knows_no_door_shows(tmp_path: Path) -> None:
    answered = LIMIT.replace("8192", "8192  # noqa: VH301")
    (tmp_path / "pyproject.toml").write_text('[tool.valhalla-lint]\nbaseline = "ci/known.json"\n')
    (tmp_path / "ci").mkdir()
    (tmp_path / "a.py").write_text(LIMIT)
    (tmp_path / "b.py").write_text(LIMIT.replace("8192", "7777"))
    run(tmp_path, "valhalla_lint", "baseline", "create")
    (tmp_path / "a.py").write_text("\n" + answered + LIMIT + LIMIT)
    (tmp_path / "b.py").rename(tmp_path / "moved.py")
    expected, silenced = from_command(tmp_path, ".")
    assert [(path, line) for path, line, *_ in expected] == [("a.py", 7)]
    assert from_flake8(tmp_path) == sorted([*expected, *silenced])
    assert from_bandit(tmp_path) == expected
    assert from_server(tmp_path) == expected
    everything, _ = from_command(tmp_path, "--no-baseline", ".")
    assert len(everything) == 3
    assert from_flake8(tmp_path, "--vh-baseline=") == sorted([*everything, *silenced])
    (tmp_path / "pyproject.toml").write_text("[tool.valhalla-lint]\n")
    assert from_flake8(tmp_path, "--vh-baseline", "ci/known.json") == sorted([*expected, *silenced])


def test_a_notebook_that_a_host_is_given_is_read_as_one(tmp_path: Path) -> None:
    answered = "torch.load(x)  # noqa: VH404\ntorch.load('''\n''')  # noqa: VH404\n"
    text = notebook(code("import torch\n!ls\n"), code(answered + "torch.load(y)\n"))
    (tmp_path / "b.ipynb").write_text(text)
    document = json.loads(run(tmp_path, "valhalla_lint", "check", "--output-format", "json", "b.ipynb"))
    (row,) = document["findings"]
    told = run(tmp_path, "flake8", "--isolated", "--select=VH", "b.ipynb")
    assert told.startswith(f"b.ipynb:{row['line']}:{row['column']}: VH404 [script] ")
    assert len(told.splitlines()) == 1
    assert "(cell 2, line 4)" in told
    results = json.loads(run(tmp_path, "bandit", "-q", "-f", "json", "b.ipynb"))["results"]
    ours = [item for item in results if item["test_id"].startswith("VH")]
    assert [(item["test_id"], item["line_number"]) for item in ours] == [("VH404", row["line"])]
