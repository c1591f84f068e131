"""Programs as people write them: handlers, services, tables of functions, files that import each other.

Each stands in `programs/` as it is vulnerable and as it is mended: a line that begins with `#-` is of the first only,
one with `#+` of the second; `---` begins a file.
"""

import re
from pathlib import Path

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.flow.may import May
from valhalla_lint.linter import Linter

CODES = ("VH201", "VH202", "VH203", "VH204", "VH401")
VARIANT = re.compile(r"\s*#[-+] ")


def programs() -> dict[str, str]:
    """The texts of all programs by name."""
    found = {}
    for file in sorted((Path(__file__).parent / "programs").glob("*.txt")):
        for part in file.read_text(encoding="utf-8").split("=== ")[1:]:
            name, _, text = part.partition("\n")
            found[name] = text
    return found


def found_in(root: Path, text: str, mark: str) -> list[str]:
    """The findings in one variant of a program that is written below a folder; mark: that of its own lines."""
    (root / "pyproject.toml").write_text("", encoding="utf-8")
    files: dict[str, list[str]] = {}
    name = "app.py"
    for line in text.splitlines():
        if line.startswith("--- "):
            name = line.removeprefix("--- ")
            files[name] = []
            continue
        if VARIANT.match(line) and line.lstrip()[1] != mark:
            continue
        files.setdefault(name, []).append(line.replace(f"#{mark} ", "", 1) if VARIANT.match(line) else line)
    for path, lines in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("\n".join(lines), encoding="utf-8")
    linter = Linter(Settings(select=CODES, isolated=True))
    return [
        f"{path}:{finding.span.line}: {finding.code}"
        for path in files
        for finding in linter.check(
            Source(path=path, text=(root / path).read_text(encoding="utf-8"), location=root / path)
        )
    ]


@pytest.mark.parametrize("name", programs())
def test_a_program_is_reported_as_it_was_and_silent_as_it_is_mended(name: str, tmp_path: Path) -> None:
    vulnerable, mended = tmp_path / "vulnerable", tmp_path / "mended"
    vulnerable.mkdir()
    mended.mkdir()
    assert found_in(vulnerable, programs()[name], "-")
    assert found_in(mended, programs()[name], "+") == []


@pytest.mark.parametrize("name", programs())
def test_interpreting_every_function_whole_finds_nothing_more(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = found_in(tmp_path, programs()[name], "-")
    passes = May.passes
    monkeypatch.setattr(May, "passes", lambda self, entry, *, every=False: passes(self, entry, every=every) or True)
    monkeypatch.setattr(May, "idle", lambda *_: frozenset())
    assert found_in(tmp_path, programs()[name], "-") == asked
