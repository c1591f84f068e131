"""Every rule's own examples: each marked line is flagged, and no other line is."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from valhalla_lint.core.rule import Example, Rule, options_of
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.minting import fill
from valhalla_lint.linter import Linter
from valhalla_lint.rules import all_rules

TRAILING = re.compile(r"  # VH\d{3}$", re.MULTILINE)
"""Marks that must go before the text is checked: a comment is what these rules judge."""
MARK = re.compile(r"(?P<kind>missed |false )?\b(?P<code>VH\d{3})\b")


def marks(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, code and kind ("", "missed", "false") of each mark; marks stand in comments."""
    for number, line in enumerate(text.split("\n"), 1):
        if "# " not in line:
            continue
        for match in MARK.finditer(line.rpartition("# ")[2]):
            yield number, match["code"], (match["kind"] or "").strip()


def examples() -> Iterator[object]:
    for rule in all_rules():
        for polarity, group in (("bad", rule.bad), ("good", rule.good)):
            for number, example in enumerate(group):
                if example.code:
                    yield pytest.param(rule, example, id=f"{rule.code}-{polarity}{number}")


@pytest.mark.parametrize(("rule", "example"), list(examples()))
def test_example(rule: Rule, example: Example) -> None:
    text = fill(example.text)
    options = {rule.code: rule.options(**example.options)} if rule.options is not None else {}
    settings = Settings(select=() if rule.by_engine else (rule.code,), rules=options)
    checked = TRAILING.sub("", text) if rule.by_engine else text
    findings = Linter(settings).check(Source(example.path, checked))
    found = Counter((finding.span.line, finding.code) for finding in findings if finding.code == rule.code)
    wanted: Counter[tuple[int, str]] = Counter()
    for line, code, kind in marks(text):
        if code == rule.code and kind != "missed":
            wanted[line, code] += 1
    assert found == wanted


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_rule_is_whole(rule: Rule) -> None:
    assert all(fact.about for fact in options_of(rule)), "every option says what it does"
    assert any(True for example in rule.bad for _ in marks(example.text)) or rule.by_engine, "a bad example is marked"
    assert not any(kind == "" for example in rule.good for _, code, kind in marks(example.text) if code == rule.code)
    module = rule.name.replace("-", "_")
    assert re.fullmatch(r"[a-z_]+", module)
