"""The model server of `fixtures/`: every marked line is reported, no other line is, and each in its tier."""

from collections import Counter
from pathlib import Path

import pytest
from marks import marks

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.core.tier import Tier
from valhalla_lint.linter import Linter
from valhalla_lint.rules import all_rules

ROOT = Path(__file__).parents[2] / "fixtures" / "model_server"
FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))
TIERS = {"src": Tier.PRODUCTION, "tests": Tier.TEST, "scripts": Tier.SCRIPT, "benchmarks": Tier.SCRIPT}

NOT_SHOWN = frozenset({"VH906", "VH907", "VH908"})
"""Codes that no file of a working project can show: unreadable input and faults of our own."""

KNOWN = frozenset(rule.code for rule in all_rules())


def source_of(name: str) -> Source:
    return Source(path=name, text=(ROOT / name).read_text(encoding="utf-8"), location=ROOT / name)


@pytest.mark.parametrize("name", FILES)
def test_marked_lines_and_no_others(name: str) -> None:
    source = source_of(name)
    findings = Linter(Settings()).check(source)
    found = Counter((finding.span.line, finding.code) for finding in findings)
    due = marks(source.text)
    missed = sorted((due - found).elements())
    surplus = sorted((found - due).elements())
    assert not missed, f"{name}: not reported"
    assert not surplus, f"{name}: reported without a mark"


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_in_its_tier(name: str) -> None:
    assert Linter(Settings()).inspect(source_of(name)).tier is TIERS[name.partition("/")[0]]


def test_every_rule_is_shown() -> None:
    shown = {code for name in FILES for _line, code in marks(source_of(name).text)}
    assert shown == KNOWN - NOT_SHOWN
