"""The command over a folder of hostile inputs: it ends, says what it could not read, and loses no other file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import big, small, write_tree

COMMAND = [sys.executable, "-P", "-m", "valhalla_lint", "check", ".", "--isolated", "--no-cache"]


def test_every_file_is_accounted_for(tmp_path: Path) -> None:
    write_tree(tmp_path)
    run = subprocess.run(
        [*COMMAND, "--output-format", "json"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 3, run.stderr
    assert "Traceback" not in run.stderr
    report = json.loads(run.stdout)
    files = report["files"]
    unread = {item["path"] for item in files["unread"]}
    assert unread == {"binary.py", "dangling.py", "outside.py", "pipe.py"}
    assert all(item["reasons"] for item in (*files["unread"], *files["partly"]))
    named = [item.name for item in (*small(), *big())]
    assert files["checked"] + len(unread) >= len(named)
    found = {(item["path"], item["line"]) for item in report["findings"] if item["code"] == "VH101"}
    assert {(item.name, item.planted) for item in big() if item.planted} <= found
    assert ("with space and ünïcode.py", 1) in found


@pytest.mark.parametrize("form", ["full", "concise", "json"])
def test_secrets_are_not_in_the_output(form: str, tmp_path: Path) -> None:
    for item in small():
        (tmp_path / item.name).write_bytes(item.data)
    run = subprocess.run(
        [*COMMAND, "--output-format", form], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert "VH101" in run.stdout
    for start in ("WQf76", "iQkHX", "FwnXO", "EcKly", "MEKt"):
        assert start not in run.stdout + run.stderr
