"""A compiled table gives the answer of the table beside it, whatever became of either."""

from pathlib import Path
from shutil import copytree

import pytest

from valhalla_lint.facts import tables


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of our tables that the program reads instead of ours."""
    copy = copytree(tables.DATA, tmp_path / "data")
    monkeypatch.setattr(tables, "DATA", copy)
    monkeypatch.setattr(tables, "COMPILED", copy / "compiled")
    monkeypatch.setattr(tables, "table", tables.table.__wrapped__)
    return copy


@pytest.mark.parametrize("name", tables.names())
def test_it_says_what_the_table_says(name: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (data / f"{name}.toml").read_text(encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(tables, "parsed", lambda _: pytest.fail("the compiled table was not taken"))
        made = tables.table(name)
    assert made == tables.parsed(text)


def test_a_row_written_into_a_table_counts_at_once(data: Path) -> None:
    file = data / "tiers.toml"
    file.write_text(file.read_text(encoding="utf-8") + '\n[later]\nwords = ["new"]\n', encoding="utf-8")
    assert tables.table("tiers")["later"] == {"words": ["new"]}


@pytest.mark.parametrize("text", [None, "", "{", "[]", "null", '{"of":""}', "\x00"])
def test_a_broken_compiled_table_changes_nothing(data: Path, text: str | None) -> None:
    before = tables.table("tiers")
    file = data / "compiled" / "tiers.json"
    file.unlink()
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert tables.table("tiers") == before
