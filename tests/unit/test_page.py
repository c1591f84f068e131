"""A rule's page says everything that its RULE says."""

import re

import pytest

from valhalla_lint.core.rule import STAR, Rule, options_of
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


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_page_is_tidy_markdown(rule: Rule) -> None:
    outside_code = re.sub(r"```python\n.*?\n```", "", page(rule), flags=re.DOTALL)
    assert "\n\n\n" not in re.sub(r"```python\n.*?\n```", "code", page(rule), flags=re.DOTALL)
    assert not re.search(r"\{\w+\}", outside_code), "a message's values are named, not left as placeholders"
    assert outside_code.endswith("\n")
