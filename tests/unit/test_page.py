"""A rule's page says everything that its RULE says."""

import re

import pytest

from valhalla_lint.core.rule import STAR, Rule, options_of
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter
from valhalla_lint.reports.page import PLACEHOLDER, page
from valhalla_lint.rules import all_rules


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_page_tells_the_whole_rule(rule: Rule) -> None:
    text = page(rule)
    assert text.startswith(f"# {rule.code} {rule.name}\n")
    assert rule.why in text
    for example in (*rule.bad, *rule.good):
        assert PLACEHOLDER.sub("", example.text).split("\n")[0] in re.sub(
            r"<[a-z0-9-]+ (?:token|random characters)>", "", text
        )
    assert "{{" not in text
    for option in options_of(rule):
        assert f"| `{option.name.replace('_', '-')}` |" in text


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_page_says_where_silence_is_broken(rule: Rule) -> None:
    broken = rule.loud and None in rule.tiers.values()
    assert ("| silent* |" in page(rule)) == broken
    assert (STAR in page(rule)) == broken


def test_no_page_offers_a_comment_that_answers_nothing() -> None:
    covered = (
        "# valhalla: ignore-begin[VH9] -- all of them\n"
        "a = 1  # noqa: VH101\n"
        "b = 2  # valhalla: ignore[VH999] -- none\n"
        "c = 3  # valhalla: ignore[VH301]\n"
        "d = 4  # valhalla: ignore[VH301] until=2001-01-01 -- old\n"
        "e = 5  #noqa: VH101\n"
        "# valhalla: ignore-end[VH9]\n"
    )
    told = {finding.code for finding in Linter(Settings()).check(Source("src/app.py", covered))}
    assert told == {rule.code for rule in all_rules() if "No other comment answers it" in page(rule)}


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_page_is_tidy_markdown(rule: Rule) -> None:
    outside_code = re.sub(r"```python\n.*?\n```", "", page(rule), flags=re.DOTALL)
    assert "\n\n\n" not in re.sub(r"```python\n.*?\n```", "code", page(rule), flags=re.DOTALL)
    assert not re.search(r"\{\w+\}", outside_code), "a message's values are named, not left as placeholders"
    assert outside_code.endswith("\n")
