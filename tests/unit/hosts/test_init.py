"""`init` adds what is missing and keeps every other byte."""

import tomllib
from pathlib import Path

import pytest

from valhalla_lint.config import Configuration
from valhalla_lint.hosts.cli.main import run


def init(folder: Path, file: str, before: str | None, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    place = folder / file
    if before is not None:
        place.write_bytes(before.encode())
    ended = run(["init", str(folder)])
    captured = capsys.readouterr()
    return ended, place.read_bytes().decode(), captured.out + captured.err


@pytest.mark.parametrize(
    "before",
    [
        '[project]\nname = "x"  # kept\n',
        '[project]\r\nname = "x"\r\n',
        '[project]\nname = "x"',
        "",
        '[tool.ruff]\nline-length = 100\n\n[tool.ruff.lint]\nselect = ["ALL"]\n',
        '[tool.ruff]\nlint.select = ["ALL"]\n',
        "[tool.ruff.lint.isort]\ncombine-as-imports = true\n",
        '[tool.ruff.lint]\nexternal = [\n  "X", # theirs\n]\n',
        "[tool.ruff.lint]\nexternal = []\n",
    ],
)
def test_the_rest_is_kept_byte_for_byte(tmp_path: Path, before: str, capsys: pytest.CaptureFixture[str]) -> None:
    ended, after, told = init(tmp_path, "pyproject.toml", before, capsys)
    assert ended == 0, told
    lines = after.splitlines(keepends=True)
    for line in before.splitlines():
        if "external" not in line:
            assert any(kept.rstrip("\r\n") == line for kept in lines)
    old, new = tomllib.loads(before), tomllib.loads(after)
    assert "valhalla-lint" in new["tool"]
    if "ruff" in old.get("tool", {}):
        assert "VH" in new["tool"]["ruff"]["lint"]["external"]
        assert {*old["tool"]["ruff"].get("lint", {}).get("external", [])} < {*new["tool"]["ruff"]["lint"]["external"]}
    assert ("\r\n" in after) == ("\r\n" in before)
    Configuration(base=tmp_path).settings_for(tmp_path / "a.py")
    ended, again, told = init(tmp_path, "pyproject.toml", None, capsys)
    assert (ended, again) == (0, after)
    assert "has [tool.valhalla-lint] already" in told


def test_a_file_that_is_no_toml_is_told_once_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended, after, told = init(tmp_path, "pyproject.toml", "[tool.ruff\n", capsys)
    assert (ended, after, told.count("is not TOML")) == (2, "[tool.ruff\n", 1)


def test_an_empty_name_is_not_the_working_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", ""]) == 2
    assert "is no folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_without_pyproject_it_writes_its_own_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ruff.toml").write_text("line-length = 100\n")
    ended, text, _ = init(tmp_path, "valhalla-lint.toml", None, capsys)
    assert ended == 0
    assert tomllib.loads(text)
    assert tomllib.loads((tmp_path / "ruff.toml").read_text()) == {"line-length": 100, "lint": {"external": ["VH"]}}


@pytest.mark.parametrize("before", ["broken = [\n", '[tool]\nruff = {lint = {select = ["E"]}}\n', "tool = 3\n"])
def test_what_cannot_be_edited_safely_is_left_alone(
    tmp_path: Path, before: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ended, after, told = init(tmp_path, "pyproject.toml", before, capsys)
    assert ended == 2
    assert "valhalla-lint: " in told
    if "ruff" in before:
        assert "by hand" in told
    else:
        assert after == before
