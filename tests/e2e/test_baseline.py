"""Known findings, as people and CI use them: a file of them, or what a change adds."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command import LIMIT, Command, git, lines, write

from valhalla_lint.linter import check_paths

OTHER = "def limit(size):\n    return size > 7777\n"


def check(vh: Command, *arguments: str) -> tuple[int, list[str]]:
    ended, out, err = vh("check", "--output-format", "concise", *arguments)
    assert not err
    return ended, lines(out)


def test_only_new_findings_are_reported(vh: Command) -> None:
    write({"src/a.py": LIMIT, "src/b.py": OTHER})
    assert vh("baseline", "create")[:2] == (0, "valhalla-baseline.json: 2 known, 2 added\n")
    assert check(vh, "--baseline", "valhalla-baseline.json") == (0, [])
    write({"src/a.py": "# moved\n\n" + LIMIT + "\n\n" + LIMIT, "src/b.py": OTHER.replace("7777", "7778")})
    assert check(vh, "--baseline", "valhalla-baseline.json") == (
        1,
        ["src/a.py:8:26: VH301 [production]", "src/b.py:2:19: VH301 [production]"],
    )
    out = vh("check", "--baseline", "valhalla-baseline.json")[1]
    assert "Findings of the baseline that are gone: 1;" in out
    assert out.endswith("in 2 files, 1 finding known before.\n")
    assert json.loads(vh("check", "--baseline", "valhalla-baseline.json", "--output-format", "json")[1])["known"] == 1


def test_update_and_prune(vh: Command) -> None:
    write({"a.py": LIMIT, "b.py": OTHER, "pyproject.toml": '[tool.valhalla-lint]\nbaseline = "known.json"\n'})
    vh("baseline", "create")
    known = Path("known.json")
    write({"a.py": LIMIT + OTHER, "b.py": ""})
    assert check(vh) == (1, ["a.py:4:19: VH301 [production]"])
    before = known.read_text()
    assert vh("baseline", "prune", "--check")[0] == 1
    assert known.read_text() == before
    assert vh("baseline", "prune")[:2] == (0, "known.json: 1 known, 1 gone, 0 moved with their files\n")
    assert vh("baseline", "prune", "--check")[0] == 0
    assert check(vh) == (1, ["a.py:4:19: VH301 [production]"]), "pruning answers nothing new"
    assert "2 known, 1 added" in vh("baseline", "update")[1]
    assert check(vh) == (0, [])
    assert check(vh, "--no-baseline")[0] == 1
    assert check(vh, "--isolated")[0] == 1


def test_a_partial_run_drops_nothing_that_it_did_not_see(vh: Command) -> None:
    write({"src/a.py": LIMIT, "tests/b.py": 'KEY = "-----BEGIN"\n', "c.py": "x = 1  #noqa: VH101\n"})
    vh("baseline", "create", "--strict-tiers")
    known = Path("valhalla-baseline.json")
    before = known.read_text()
    for partial in (["src"], ["--select", "VH1"], ["--tiers", "test"], ["--ignore", "VH3,VH9"]):
        assert vh("baseline", "prune", *partial)[0] == 0
        assert known.read_text() == before, partial
    Path("c.py").unlink()
    assert "1 gone" in vh("baseline", "prune", "src")[1], "a file that is gone is gone for every run"


def test_moved_file_is_known_and_goes_on_as_moved(vh: Command) -> None:
    write({"old.py": LIMIT})
    vh("baseline", "create")
    Path("new").mkdir()
    Path("old.py").rename("new/name.py")
    assert check(vh, "--baseline", "valhalla-baseline.json") == (0, [])
    assert "1 moved" in vh("baseline", "prune")[1]
    write({"old.py": LIMIT})
    assert check(vh, "--baseline", "valhalla-baseline.json") == (1, ["old.py:2:26: VH301 [production]"])


def test_a_baseline_answers_from_every_folder(vh: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"pkg/src/a.py": LIMIT, "pyproject.toml": '[tool.valhalla-lint]\nbaseline = "ci/known.json"\n', "ci/x": ""})
    vh("baseline", "create")
    assert json.loads(Path("ci/known.json").read_text())["entries"][0]["path"] == "../pkg/src/a.py"
    monkeypatch.chdir("pkg")
    assert check(vh) == (0, [])
    assert check(vh, "../pkg/src") == (0, [])
    write({"src/b.py": OTHER})
    assert check(vh) == (1, ["src/b.py:2:19: VH301 [production]"])


def test_show(vh: Command) -> None:
    write({"a.py": LIMIT + LIMIT, "b.py": OTHER})
    vh("baseline", "create")
    assert vh("baseline", "show")[1] == "      3  VH301 magic-number\nvalhalla-baseline.json: 3 known in 2 files\n"
    told = json.loads(vh("baseline", "show", "--output-format", "json")[1])
    assert told == {"total": 3, "rules": {"VH301": 3}, "files": {"a.py": 2, "b.py": 1}}


def test_wrong_use_is_said_and_nothing_is_lost(vh: Command) -> None:
    write({"a.py": LIMIT})
    assert vh("check", "--baseline", "none.json")[0] == 2
    assert "baseline create" in vh("check", "--baseline", "none.json")[2]
    vh("baseline", "create")
    before = Path("valhalla-baseline.json").read_text()
    write({"a.py": "x = 1\n"})
    ended, _, err = vh("baseline", "create")
    assert (ended, Path("valhalla-baseline.json").read_text()) == (2, before)
    assert "--force" in err
    assert vh("baseline", "create", "--force")[0] == 0
    assert "is a folder" in vh("baseline", "create", "--force", "--baseline", ".")[2]
    for broken in (
        "",
        "[]",
        "{}",
        '{"version": 9, "entries": []}',
        '{"version": 1, "entries": [{"path": 1}]}',
        "[" * 100_000,
    ):
        write({"broken.json": broken})
        ended, _, err = vh("check", "--baseline", "broken.json")
        assert (ended, err.startswith("valhalla-lint: "), "Traceback" in err) == (2, True, False)


def test_what_cannot_be_read_is_never_known(vh: Command) -> None:
    write({"a.py": LIMIT})
    Path("b.py").symlink_to("nowhere")
    ended, _, err = vh("baseline", "create")
    assert ended == 3
    assert "b.py: not read" in err
    assert check(vh, "--baseline", "valhalla-baseline.json") == (3, ["b.py:1:1: VH907 [production]"])


@pytest.fixture
def repository(vh: Command) -> Command:
    """The command in a repository with two findings on its main branch."""
    write({"src/a.py": LIMIT, "src/b.py": OTHER, "pyproject.toml": "[tool.valhalla-lint]\n"})
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    git("checkout", "-q", "-b", "topic")
    return vh


def test_a_change_answers_for_what_it_adds(repository: Command) -> None:
    assert check(repository, "--diff-base", "main") == (0, [])
    write({"src/a.py": "import os\n\n" + LIMIT + LIMIT})
    Path("src/b.py").rename("src/moved.py")
    assert check(repository, "--diff-base", "main") == (1, ["src/a.py:6:26: VH301 [production]"])
    out = repository("check", "--diff-base", "main")[1]
    assert f"Compared with {git('rev-parse', 'main')[:12]}." in out
    assert "2 findings known before" in out


def test_what_the_other_branch_mended_is_not_held_against_this_one(repository: Command) -> None:
    git("checkout", "-q", "main")
    write({"src/b.py": "x = 1\n"})
    git("commit", "-q", "-a", "-m", "mended")
    git("checkout", "-q", "topic")
    assert check(repository, "--diff-base", "main") == (0, [])


def test_a_change_in_one_file_that_makes_another_dangerous(repository: Command) -> None:
    helper = "def place(name):\n    return {}\n"
    safe = '"a.txt"'
    user = (
        "from flask import Flask, request\n\nfrom src.helper import place\n\napp = Flask(__name__)\n\n\n"
        '@app.get("/x")\ndef show():\n    return open(place(request.args["name"])).read()\n'
    )
    write({"src/__init__.py": "", "src/helper.py": helper.format(safe), "src/user.py": user})
    git("add", ".")
    git("commit", "-q", "-m", "two")
    base = git("rev-parse", "HEAD")
    assert check(repository, "--diff-base", base) == (0, [])
    write({"src/helper.py": helper.format('"data/" + name')})
    ended, found = check(repository, "--diff-base", base, "src/user.py")
    assert ended == 1
    assert found == ["src/user.py:10:17: VH201 [production]"]


def test_settings_are_those_of_today_on_both_sides(repository: Command) -> None:
    write({"pyproject.toml": "[tool.valhalla-lint.rules.magic-number]\nallowed-values = [8192]\n"})
    assert check(repository, "--diff-base", "main") == (0, [])
    assert check(repository) == (1, ["src/b.py:2:19: VH301 [production]"])


def test_nothing_of_a_hostile_repository_runs(repository: Command, tmp_path: Path) -> None:
    canary = tmp_path / "canary.sh"
    canary.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\ncat\n")
    canary.chmod(0o755)
    for key in ("core.fsmonitor", "diff.external", "core.sshCommand", "filter.x.smudge", "core.hooksPath"):
        git("config", key, str(canary))
    write({".gitattributes": "*.py filter=x diff=x\n", "src/a.py": LIMIT + LIMIT})
    assert check(repository, "--diff-base", "main") == (1, ["src/a.py:4:26: VH301 [production]"])
    assert not (tmp_path / "ran").exists()


def test_odd_names_lead_nowhere(repository: Command, tmp_path: Path) -> None:
    blob = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"],  # noqa: S607 -- any git
        input=LIMIT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    rows = "".join(f"100644 blob {blob}\t{name}\n" for name in ("..", ".git", "a\\b.py", "c.py"))
    tree = subprocess.run(
        ["git", "mktree"],  # noqa: S607 -- any git
        input=rows,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    commit = git("commit-tree", tree, "-m", "odd")
    write({"c.py": LIMIT})
    assert check(repository, "--diff-base", commit, "c.py") == (0, [])
    assert not (tmp_path.parent / "a").exists()


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "main:src", "HEAD~9", ""])
def test_a_revision_that_is_none(repository: Command, revision: str) -> None:
    ended, _, err = repository("check", f"--diff-base={revision}")
    assert (ended, "Traceback" in err) == ((2, False) if revision else (1, False))


def test_no_repository(vh: Command) -> None:
    write({"a.py": LIMIT})
    ended, _, err = vh("check", "--diff-base", "main")
    assert (ended, "no git repository" in err) == (2, True)


USER = """\
from flask import Flask, request

from pkg.helper import place

app = Flask(__name__)


@app.get("/x")
def show():
    return open(place(request.args["name"])).read()
"""
CHANGES: dict[str, dict[str, str | None]] = {
    "nothing": {},
    "a file by itself": {"pkg/limits.py": LIMIT + LIMIT},
    "a helper that another file calls": {"pkg/helper.py": "def place(name):\n    return 'data/' + name\n"},
    "a helper that goes": {"pkg/helper.py": None},
    "a file that was missing": {"pkg/other.py": LIMIT, "flask.py": "class Flask: ...\n"},
    "a package that becomes a folder of tests": {"pkg/__init__.py": None, "pytest.ini": "[pytest]\ntestpaths = pkg\n"},
    "the project's own table": {"pyproject.toml": "[project]\nrequires-python = '>=3.14'\n[tool.pytest.ini_options]\n"},
    "a notebook": {"work/b.ipynb": '{"cells": [{"cell_type": "code", "source": "import torch\\ntorch.load(x)"}]}'},
    "a mark in a file": {"pkg/limits.py": LIMIT + "x = 1  # noqa: VH101\n"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_not_checked_again_would_have_said_the_same(
    vh: Command, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    write({
        "pkg/__init__.py": "", "pkg/helper.py": "def place(name):\n    return 'a.txt'\n", "pkg/user.py": USER,
        "pkg/limits.py": LIMIT, "work/a.py": OTHER, "pyproject.toml": "[project]\nname = 'pkg'\n",
    })  # fmt: skip
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    for name, text in CHANGES[change].items():
        if text is None:
            Path(name).unlink()
        else:
            write({name: text})
    again: list[str] = []

    def checked(*arguments: Any, but: frozenset[str], **options: Any) -> Any:  # noqa: ANN401 -- as the function that it stands for
        found = check_paths(*arguments, but=but, **options)
        again.extend(item.report.path for item in found)
        return found

    monkeypatch.setattr("valhalla_lint.hosts.cli.changed.check_paths", checked)
    quick = vh("check", "--diff-base", "main", "--preset", "audit", "--output-format", "json")
    fewer = list(again)
    again.clear()
    monkeypatch.setattr("valhalla_lint.hosts.cli.changed.the_same_elsewhere", lambda *_: frozenset())
    assert vh("check", "--diff-base", "main", "--preset", "audit", "--output-format", "json") == quick
    assert len(again) == 5
    if change in ("nothing", "a notebook"):
        assert fewer == []
    if change in ("a file by itself", "a mark in a file"):
        assert fewer == ["pkg/limits.py"]
    if change == "a helper that another file calls":
        assert fewer == ["pkg/helper.py", "pkg/user.py"]


def test_create_says_what_reads_the_file_where_nothing_does(vh: Command) -> None:
    write({"a.py": LIMIT})
    told = '`check` reads it where it is told so: --baseline {0}, or baseline = "{0}" in the configuration\n'
    assert vh("baseline", "create")[2] == (told.format("valhalla-baseline.json"))
    assert vh("baseline", "create", "--baseline", "known.json")[2] == (told.format("known.json"))
    write({"pyproject.toml": '[tool.valhalla-lint]\nbaseline = "known.json"\n'})
    assert "told so" not in vh("baseline", "create", "--force")[2]
    assert "told so" not in vh("baseline", "create", "--force", "--baseline", "known.json")[2]
    assert vh("baseline", "create", "--baseline", "other.json")[2] == (told.format("other.json"))
