"""The table by which a run knows the rules says what the rules say."""

from pathlib import Path

import pytest

from valhalla_lint import rules


@pytest.fixture
def fresh() -> None:
    rules.heads.cache_clear()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("text", [None, "[]"], ids=["missing", "without a rule"])
def test_a_table_that_does_not_hold_every_rule_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    known = rules.heads()
    if text is not None:
        (tmp_path / "rules.json").write_text(text)
    monkeypatch.setattr(rules, "TABLE", tmp_path / "rules.json")
    rules.heads.cache_clear()
    assert rules.heads() == known
    assert [head.code for head in known] == [rule.code for rule in rules.all_rules()]


def test_a_head_gives_its_rule() -> None:
    for head in rules.heads():
        rule = rules.rule_of(head.code)
        assert (rule.name, rule.check is not None, rule.needs) == (head.name, head.checks, head.needs)
        assert head.topics == (rule.flow.topics if rule.flow is not None else frozenset())
