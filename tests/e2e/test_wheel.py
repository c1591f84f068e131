"""What is shipped: every table and the typing marker, in the wheel and in the source archive."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "valhalla_lint").rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
)


@pytest.mark.slow
def test_archives_hold_the_whole_package(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    (archive,) = tmp_path.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as opened:
        assert set(SHIPPED) <= set(opened.namelist())
        assert not [name for name in opened.namelist() if not name.startswith("valhalla_lint")]
        metadata = next(name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        assert "License-Expression: MIT" in opened.read(metadata).decode()
    with tarfile.open(archive) as opened_archive:
        inside = {name.partition("/")[2] for name in opened_archive.getnames()}
    assert {*SHIPPED, "README.md", "LICENSE", "fixtures/model_server/README.md", ".pre-commit-hooks.yaml"} <= inside
