"""What a project declares about versions, whichever file it declares it in."""

from pathlib import Path

import pytest

from valhalla_lint.facts.project import Project
from valhalla_lint.facts.versions import declared, lower_bound


@pytest.mark.parametrize(
    ("specifiers", "lowest"),
    [
        (">=2.6", (2, 6)),
        (">=2.6,<3", (2, 6)),
        ("<3,>=2.6.1", (2, 6, 1)),
        ("~=2.6", (2, 6)),
        ("==2.6.*", (2, 6)),
        ("^2.6", (2, 6)),
        ("2.6", (2, 6)),
        ("<3", None),
        ("!=2.6", None),
        ("", None),
        ("*", None),
        ("^1.13 || ^2.6", (1, 13)),
        ("<1 || >=2.6", None),
    ],
)
def test_lower_bound(specifiers: str, lowest: tuple[int, ...] | None) -> None:
    assert lower_bound(specifiers) == lowest


FILES = {
    "pyproject.toml": (
        '[project]\nname = "x"\nrequires-python = ">=3.12"\ndependencies = ["Torch[extra] >= 2.6 ; extra"]\n'
    ),
    "setup.cfg": "[options]\npython_requires = >=3.12\ninstall_requires =\n    torch>=2.6\n    numpy\n",
    "setup.py": 'from setuptools import setup\nsetup(python_requires=">=3.12", install_requires=["torch>=2.6"])\n',
    "requirements.txt": "# tools\n-r other.txt\ntorch==2.6.0  # pinned\n",
}


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    found = declared(Project(tmp_path))
    assert found.rules_out("torch", (2, 6))
    assert not found.rules_out("torch", (2, 7))
    assert found.rules_out("python", (3, 12)) is (name != "requirements.txt")
    assert not found.rules_out("numpy", (0,))


def test_poetry(tmp_path: Path) -> None:
    table = '[tool.poetry.dependencies]\npython = "^3.14"\ntorch = { version = "^2.6", optional = true }\n'
    (tmp_path / "pyproject.toml").write_text(table, encoding="utf-8")
    found = declared(Project(tmp_path))
    assert found.rules_out("python", (3, 14))
    assert found.rules_out("torch", (2, 6))


def test_the_lowest_of_several_lines_counts(tmp_path: Path) -> None:
    lines = "torch>=2.6; python_version >= '3.10'\ntorch>=2.2; python_version < '3.10'\n"
    (tmp_path / "requirements.txt").write_text(lines, encoding="utf-8")
    assert not declared(Project(tmp_path)).rules_out("torch", (2, 6))


def test_the_project_table_decides_over_pins_for_development(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["torch>=2.2"]\n', encoding="utf-8")
    (tmp_path / "requirements-dev.txt").write_text("torch==2.9.0\n", encoding="utf-8")
    assert not declared(Project(tmp_path)).rules_out("torch", (2, 6))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("text", ["", "\x00", "][", "[project]\nrequires-python = 3\n", "[options\n=", "(" * 300])
def test_a_broken_file_declares_nothing(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert declared(Project(tmp_path)).python is None


def test_a_python_file_is_never_run(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text(
        f'open(r"{tmp_path / "ran"}", "w")\nsetup(python_requires=">=3.12")\n', encoding="utf-8"
    )
    assert declared(Project(tmp_path)).rules_out("python", (3, 12))
    assert not (tmp_path / "ran").exists()
