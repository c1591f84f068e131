"""Defaults that became safe in some release count where the project rules out older ones, and only there."""

from pathlib import Path

import pytest

from valhalla_lint.core.finding import Confidence, Finding
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LOAD = "import torch\n\n\ndef read(path):\n    return torch.load(path)\n"
UNPACK = "import tarfile\n\n\ndef unpack(path):\n    with tarfile.open(path) as tar:\n        tar.extractall()\n"
OFF = "import tarfile\n\n\ndef unpack(path):\n    tarfile.open(path).extractall(filter='fully_trusted')\n"
OWN = "import pickle\n\nimport torch\n\n\ndef read(path):\n    return torch.load(path, pickle_module=pickle)\n"


def findings(folder: Path, declaration: str, code: str) -> list[Finding]:
    (folder / "pyproject.toml").write_text(f"[project]\n{declaration}\n", encoding="utf-8")
    return Linter(Settings()).check(Source("src/app.py", code, location=folder / "src" / "app.py"))


@pytest.mark.parametrize(
    ("declaration", "code", "rules"),
    [
        ('dependencies = ["torch>=2.6"]', LOAD, []),
        ('dependencies = ["torch>=2.5"]', LOAD, ["VH404"]),
        ('dependencies = ["torch"]', LOAD, ["VH404"]),
        ('dependencies = ["torch>=2.6"]', OWN, ["VH404"]),
        ('requires-python = ">=3.14"', UNPACK, []),
        ('requires-python = ">=3.12"', UNPACK, ["VH204"]),
        ('requires-python = "<4"', UNPACK, ["VH204"]),
        ('requires-python = ">=3.14"', OFF, ["VH204"]),
    ],
)
def test_declared(tmp_path: Path, declaration: str, code: str, rules: list[str]) -> None:
    assert [finding.code for finding in findings(tmp_path, declaration, code)] == rules


@pytest.mark.parametrize(
    ("declaration", "code"), [('dependencies = ["torch>=2.2"]', LOAD), ('requires-python = ">=3.11"', UNPACK)]
)
def test_undeclared_is_less_certain(tmp_path: Path, declaration: str, code: str) -> None:
    (declared,) = findings(tmp_path, declaration, code)
    (undeclared,) = Linter(Settings()).check(Source("src/app.py", code))
    assert declared.confidence is Confidence.HIGH
    assert undeclared.confidence is Confidence.MEDIUM
