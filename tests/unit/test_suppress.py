"""What an author's answers in the source do, and what is said of answers that are wrong."""

import datetime as dt

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.minting import mint_secret
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
        ("  # noqa VH906", ["VH905"]),
        ("  # noqa: VHX, VH906", ["VH905"]),
        ("  # noqa: E501, vh906", ["VH905", "VH906"]),
        ("  # noqa: E501 because VH906 is about something else", ["VH906"]),
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


def test_a_day_that_no_calendar_has_is_told_as_such() -> None:
    text = "x = 1  # valhalla: ignore[VH301] until=2027-13-01 -- one day\n"
    (finding,) = Linter(SETTINGS).check(Source("src/app.py", text))
    assert (finding.code, "until=2027-03-31" in finding.message) == ("VH905", True)
    assert "until= wants a day of the calendar" in finding.message


def test_problems_of_suppressions_are_never_answered_by_suppressions() -> None:
    text = "# valhalla: ignore[VH905] -- spelt by an old tool\nx = (\n    1  #noqa: VH101\n)\n"
    assert codes(text) == ["VH901", "VH905"]


@pytest.mark.parametrize(
    "text",
    [
        'HELP = "write # noqa: VH101 behind it"\n',
        'HELP = "never write #noqa:VH101 or # noqa : VH101"\n',
        'HELP = """Answers:\n\n    x = 1  # noqa: VH999\n    y = 2  #noqa: VH101\n"""\n',
        'def f():\n    """Say # noqa: VH101."""\n',
    ],
)
def test_texts_about_suppressions_are_none(text: str) -> None:
    assert codes(text) == []


def test_a_text_in_a_string_silences_as_in_flake8() -> None:
    assert codes(f"{BROKEN}\n") == ["VH906"]
    assert codes('x = "# noqa: VH906" +\n') == []


def test_a_whole_file_is_silenced_as_in_flake8() -> None:
    assert codes(f"{BROKEN}\n# flake8: noqa\n") == []
    assert codes(f"{BROKEN}\n# flake8: noqa: VH301\n") == ["VH905"], "flake8 silences every code, so it is said"
    assert codes(f"{BROKEN}  # flake8: noqa\n") == ["VH906"], "not behind code"


def test_block_covers_its_lines_only() -> None:
    inside = f"# valhalla: ignore-begin[VH906] -- sample\n{BROKEN}\n# valhalla: ignore-end[VH906]\n"
    assert codes(inside) == []
    assert codes(inside.replace("ignore-end[VH906]", "ignore-end[VH907]")).count("VH905") == 2


def test_hard_rules_cannot_be_answered() -> None:
    settings = SETTINGS._replace(unsuppressable=("VH906",))
    assert codes(f"{BROKEN}  # noqa: VH906\n", settings) == ["VH906"]


def test_unused_is_judged_only_for_rules_that_were_asked() -> None:
    text = "x = 1  # noqa: VH905\n"
    assert codes(text) == ["VH901"]
    assert codes(text, SETTINGS._replace(select=("VH901",))) == []


def test_every_answer_is_told_with_what_it_did() -> None:
    text = (
        f"{BROKEN}  # valhalla: ignore[VH906, VH301] until=2027-02-01 -- kept broken on purpose\n"
        "y = 1  # noqa: E501, VH999\n"
        "z = 1  # noqa\n"
        "# valhalla: ignore[VH301] until=2026-02-01 -- old\n"
        "w = 1\n"
    )
    answers = Linter(SETTINGS).inspect(Source("src/app.py", text)).answers
    assert [(item.kind, item.code, item.span.line, item.state.value, item.findings) for item in answers] == [
        ("noqa", "VH999", 2, "unknown", 0),
        ("ignore", "VH906", 1, "used", 1),
        ("ignore", "VH301", 1, "unused", 0),
        ("ignore", "VH301", 4, "expired", 0),
    ]
    [hard] = Linter(SETTINGS._replace(unsuppressable=("VH906",))).inspect(Source("a.py", f"{BROKEN}  # noqa\n")).answers
    assert (hard.code, hard.state.value) == ("", "refused")


def test_suppressed_findings_are_kept_with_their_reason() -> None:
    text = f"{BROKEN}  # valhalla: ignore[VH906] until=2027-02-01 -- kept broken on purpose\n"
    [item] = Linter(SETTINGS).inspect(Source("src/app.py", text)).suppressed
    assert (item.kind, item.reason, item.until) == ("ignore", "kept broken on purpose", "2027-02-01")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(prompt):\n    # valhalla: ignore[VH301] -- why\n    return len(prompt) > 8192\n", []),
        (
            "def f(\n    prompt,\n):\n    # valhalla: ignore[VH301] -- why\n\n    # 2\n    return len(prompt) > 8192\n",
            [],
        ),
        (
            "def f(\n    # valhalla: ignore[VH301] -- why\n    prompt,\n):\n    return len(prompt) > 8192\n",
            ["VH901", "VH301"],
        ),
    ],
    ids=["first in a body", "below a long head", "inside a head"],
)
def test_above_the_first_statement_of_a_body(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_a_key_in_a_comment_that_does_not_suppress_is_not_quoted() -> None:
    key = mint_secret(32, "comment")
    text = f"x = 1  # valhalla: ignore[VH101] {key}\n"
    (found,) = [one for one in Linter(Settings(isolated=True)).check(Source("a.py", text)) if one.code == "VH905"]
    assert "ignore[VH101] …" in found.message
    assert not any(key[at : at + 5] in found.message for at in range(len(key) - 4))
