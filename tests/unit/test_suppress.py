"""What an author's answers in the source do, and what is said of answers that are wrong."""

import datetime as dt
from dataclasses import replace

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

TODAY = dt.date(2027, 1, 15)
SETTINGS = Settings(today=TODAY)
BROKEN = "def broken(:"  # VH906 on line 1, whatever else the rules become


def codes(text: str, settings: Settings = SETTINGS) -> list[str]:
    return [finding.code for finding in Linter(settings).check(Source("src/app.py", text))]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("", ["VH906"]),
        ("  # noqa: VH906", []),
        ("  # noqa: VH9", []),
        ("  # noqa", []),
        ("  # noqa: E501", ["VH906"]),
        ("  # noqa: VH905", ["VH901", "VH906"]),
        ("  # noqa: vh906", ["VH905", "VH906"]),
        ("  #noqa: VH906", ["VH905", "VH906"]),
        ("  # noqa: VH", ["VH905"]),
        ("  # noqa:  VH906", ["VH905"]),
        ("  # the noqa rules are in the handbook", ["VH906"]),
        ("  # valhalla: ignore[VH906] -- kept broken on purpose", []),
        ("  # valhalla: ignore[VH906]", ["VH904"]),
        ("  # valhalla: ignore[VH906] until=2027-01-15 -- this week", []),
        ("  # valhalla: ignore[VH906] until=2027-01-14 -- last week", ["VH903", "VH906"]),
        ("  # valhalla: ignore[VH906] until=soon -- one day", ["VH905", "VH906"]),
        ("  # valhalla: ignore VH906 -- no brackets", ["VH905", "VH906"]),
        ("  # valhalla: ignore[VH999] -- nobody", ["VH902", "VH906"]),
        ("  # valhalla: ignore[VH905] -- other", ["VH901", "VH906"]),
    ],
)
def test_one_line(comment: str, expected: list[str]) -> None:
    assert sorted(codes(f"{BROKEN}{comment}\n")) == expected


def test_problems_of_suppressions_are_never_answered_by_suppressions() -> None:
    text = "# valhalla: ignore[VH905] -- spelt by an old tool\nx = (\n    1  #noqa: VH101\n)\n"
    assert codes(text) == ["VH901", "VH905"]


def test_block_covers_its_lines_only() -> None:
    inside = f"# valhalla: ignore-begin[VH906] -- sample\n{BROKEN}\n# valhalla: ignore-end[VH906]\n"
    assert codes(inside) == []
    assert codes(inside.replace("ignore-end[VH906]", "ignore-end[VH907]")).count("VH905") == 2


def test_hard_rules_cannot_be_answered() -> None:
    settings = replace(SETTINGS, unsuppressable=("VH906",))
    assert codes(f"{BROKEN}  # noqa: VH906\n", settings) == ["VH906"]


def test_unused_is_judged_only_for_rules_that_were_asked() -> None:
    text = "x = 1  # noqa: VH905\n"
    assert codes(text) == ["VH901"]
    assert codes(text, replace(SETTINGS, select=("VH901",))) == []


def test_suppressed_findings_are_kept_with_their_reason() -> None:
    text = f"{BROKEN}  # valhalla: ignore[VH906] until=2027-02-01 -- kept broken on purpose\n"
    [item] = Linter(SETTINGS).inspect(Source("src/app.py", text)).suppressed
    assert (item.kind, item.reason, item.until) == ("ignore", "kept broken on purpose", "2027-02-01")
