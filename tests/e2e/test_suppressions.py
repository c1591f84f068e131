"""Answers in the source, through the command."""

import json
from pathlib import Path

import pytest
from command import Command, lines, write

LIMIT = "    return len(prompt) > {}"


def program(*comments: str) -> str:
    """A function with one limit for each comment, which stands behind it."""
    return "".join(
        f"def check{number}(prompt):\n{LIMIT.format(8190 + number)}{comment}\n"
        for number, comment in enumerate(comments)
    )


PAST, FUTURE = "2020-01-31", "2999-12-31"
ANSWERS = (
    program(
        "  # noqa: VH301",
        f"  # valhalla: ignore[VH301] until={FUTURE} -- the gateway allows no more",
        f"  # valhalla: ignore[VH301] until={PAST} -- this winter only",
        "  # valhalla: ignore[VH301]",
        "",
    )
    + "x = 1  # noqa: VH101\ny = 1  # valhalla: ignore[VH999] -- nobody\n"
)


def test_check_answers_and_speaks_of_answers(vh: Command) -> None:
    write({"a.py": ANSWERS})
    ended, out, _ = vh("check", "--output-format", "concise")
    assert ended == 1
    assert [line.removeprefix("a.py:") for line in lines(out)] == [
        "6:26: VH301 [production]",
        "6:32: VH903 [production]",
        "8:32: VH904 [production]",
        "10:26: VH301 [production]",
        "11:8: VH901 [production]",
        "12:8: VH902 [production]",
    ]
    document = json.loads(vh("check", "--output-format", "json")[1])
    assert [(item["kind"], item["reason"], item["until"]) for item in document["suppressed"]] == [
        ("noqa", "", ""),
        ("ignore", "the gateway allows no more", FUTURE),
        ("ignore", "", ""),
    ]


def test_blocks_and_statements_over_several_lines(vh: Command) -> None:
    block = f"# valhalla: ignore-begin[VH3] -- by the paper\n{program('', '')}# valhalla: ignore-end[VH3]\n"
    statement = (
        "def over(prompt):\n    # valhalla: ignore[VH301] -- as agreed\n    return bool(\n        len(prompt)\n"
        "        > 8192\n    )\n"
    )
    write({"a.py": block, "b.py": statement, "c.py": block + program("")})
    assert lines(vh("check", "--output-format", "concise")[1]) == ["c.py:8:26: VH301 [production]"]


def test_hard_rules_and_reasons_by_configuration(vh: Command) -> None:
    table = '[tool.valhalla-lint]\nunsuppressable = ["magic-number"]\nrequire-reason = false\n'
    write({"a.py": program("  # valhalla: ignore[VH301]", "  # noqa"), "pyproject.toml": table})
    assert [line.split()[1] for line in lines(vh("check", "--output-format", "concise")[1])] == ["VH301", "VH301"]
    assert "refused" in vh("suppressions")[1]


def test_all_answers_of_a_project(vh: Command) -> None:
    write({"a.py": ANSWERS, "tests/b.py": program("  # noqa: VH301"), "c.py": 'HELP = "# noqa: VH101"\n'})
    ended, out, _ = vh("suppressions")
    assert (ended, out.splitlines()[-1]) == (
        0,
        "7 suppressions: 3 used, 1 unused, 1 expired, 1 unknown, 1 not judged.",
    )
    assert f"until {FUTURE} -- the gateway allows no more" in out
    rows = json.loads(vh("suppressions", "--output-format", "json", "--state", "expired", "--state", "unused")[1])
    assert [(row["path"], row["line"], row["code"], row["state"], row["until"]) for row in rows] == [
        ("a.py", 6, "VH301", "expired", PAST),
        ("a.py", 11, "VH101", "unused", ""),
    ]
    assert [row["tier"] for row in json.loads(vh("suppressions", "tests", "--output-format", "json")[1])] == ["test"]
    assert vh("suppressions", "c.py")[1] == "0 suppressions.\n"
    assert vh("suppressions", "nowhere.py")[0] == 3


@pytest.mark.parametrize("form", ["sarif", "junit", "gitlab", "github", "html", "json", "concise", "full"])
def test_reports_side_by_side(vh: Command, tmp_path: Path, form: str) -> None:
    write({"a.py": ANSWERS})
    alone = vh("check", "--output-format", form)[1]
    ended, out, _ = vh(
        "check", "--output-format", "concise", "--output", f"{form}:out/../report", "--output", "json:other"
    )
    assert ended == 2, "there is no folder `out`"
    ended, out, _ = vh("check", "--output-format", "concise", "--output", f"{form}:report", "--output", "json:other")
    assert ended == 1
    assert Path("report").read_text(encoding="utf-8") == alone
    assert json.loads(Path("other").read_text(encoding="utf-8"))["version"] == 1
    assert "VH301" in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.py", "other", "report"]


def test_reports_that_cannot_be_written_are_said_before_the_check(vh: Command) -> None:
    write({"a.py": ANSWERS})
    for wrong in ("sarif", "nonsense:x", "json:", "html:no/folder"):
        ended, out, err = vh("check", "--output", wrong)
        assert (ended, out) == (2, "")
        assert "--output" in err
    Path("folder").mkdir()
    ended, _, err = vh("check", "--output", "json:folder")
    assert (ended, "cannot be written" in err) == (2, True)


def test_answers_that_cannot_be_read_are_shown_with_what_is_wrong(vh: Command) -> None:
    spaced = "  # noqa : VH301"
    write(
        {
            "a.py": program(
                "  # valhalla: ignore[VH301] until=2027-13-01 -- winter",
                "  # valhalla: ignore VH301",
                "  # valhalla: ignore-end[VH301]",
                spaced,
                "  #noqa: VH301",
            )
            + "x = 1  # valhalla: ignore-begin[VH301] -- never ended\n"
        }
    )
    told = [line for line in lines(vh("check", "--output-format", "concise")[1]) if "VH905" in line]
    ended, out, _ = vh("suppressions")
    *shown, summary = out.splitlines()
    assert (ended, summary) == (0, "6 suppressions: 1 used, 5 malformed.")
    assert [line.split(": ")[0] for line in shown] == [line.split(": ")[0] for line in told], "what `check` tells"
    assert shown[0].startswith("a.py:2:32: no code [production] ignore, malformed: until= wants a day of the calendar")
    assert "all codes [production] noqa, used (1 finding): spacing makes it a bare noqa" in shown[3]
    rows = json.loads(vh("suppressions", "--output-format", "json", "--state", "malformed")[1])
    assert len(rows) == 5
    assert all(row["problem"] and not row["code"] for row in rows)
