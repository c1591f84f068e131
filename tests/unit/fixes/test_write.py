"""Bytes on disk."""

import os
import sys
from pathlib import Path

import pytest

from valhalla_lint.config import Configuration
from valhalla_lint.fixes.run import mend_paths, write
from valhalla_lint.fixes.write import CannotWriteError, commit, drop, encoded, kept, stage

LIMIT = "def check(prompt):\n    return len(prompt) > 8192  # é\n"
NEW = b"PROMPT_LENGTH_LIMIT = 8192\n\n\n"


@pytest.fixture
def configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Configuration:
    monkeypatch.chdir(tmp_path)
    return Configuration(isolated=True)


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("latin-1", b"# coding: latin-1\n"),
        ("cp1252", b"# -*- coding: cp1252 -*-\n"),
    ],
)
def test_encodings_and_marks_stay(configuration: Configuration, tmp_path: Path, encoding: str, head: bytes) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(head + LIMIT.encode(encoding))
    assert not write(mend_paths(["."], configuration))
    new = file.read_bytes()
    assert new.startswith(head)
    assert new.replace(NEW, b"").replace(b"> PROMPT_LENGTH_LIMIT", b"> 8192") == head + LIMIT.encode(encoding)
    assert NEW in new


def test_mode_links_and_other_names_stay(configuration: Configuration, tmp_path: Path) -> None:
    real, link, twin = tmp_path / "real.py", tmp_path / "link.txt", tmp_path / "twin.txt"
    real.write_text(LIMIT, encoding="utf-8")
    real.chmod(0o755)
    link.symlink_to(real.name)
    assert not write(mend_paths(["link.txt"], configuration))
    assert link.is_symlink()
    assert real.read_bytes().startswith(NEW)
    assert real.stat().st_mode & 0o777 == 0o755
    real.write_text(LIMIT, encoding="utf-8")
    os.link(real, twin)
    assert not write(mend_paths(["real.py"], configuration))
    assert twin.read_bytes().startswith(NEW)
    assert sorted(item.name for item in tmp_path.iterdir()) == ["link.txt", "real.py", "twin.txt"]


def test_read_only_and_changed_files_are_left_and_the_others_written(
    configuration: Configuration, tmp_path: Path
) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(LIMIT, encoding="utf-8")
    (tmp_path / "a.py").chmod(0o444)
    outcomes = mend_paths(["."], configuration)
    (tmp_path / "b.py").write_text("x = 1\n", encoding="utf-8")
    assert write(outcomes) == {"a.py": "it is read-only", "b.py": "it has changed since it was read"}
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == LIMIT
    assert (tmp_path / "b.py").read_text(encoding="utf-8") == "x = 1\n"
    assert (tmp_path / "c.py").read_bytes().startswith(NEW)
    assert len(list(tmp_path.iterdir())) == 3


def test_a_file_that_changes_after_staging_is_left(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"old")
    staged = stage(file, b"old", b"new")
    file.write_bytes(b"other")
    with pytest.raises(CannotWriteError, match="changed since"):
        commit(staged)
    assert file.read_bytes() == b"other"
    file.write_bytes(b"old")
    drop(stage(file, b"old", b"new"))
    assert [item.name for item in tmp_path.iterdir()] == ["a.py"]


def test_what_has_no_exact_form_is_refused() -> None:
    with pytest.raises(CannotWriteError, match="exactly"):
        kept(b"x = 1\n", "x = 2\n")
    with pytest.raises(CannotWriteError, match="it cannot be written in"):
        encoded(kept(b"# coding: latin-1\n", "# coding: latin-1\n"), "\u20ac")


def test_a_plain_check_loads_no_mender() -> None:
    import subprocess

    code = (
        "import sys; from valhalla_lint.__main__ import main; sys.argv = ['vh', 'check', '-', '--isolated'];"
        "main(); sys.exit('libcst' in sys.modules or 'valhalla_lint.fixes' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=LIMIT.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
