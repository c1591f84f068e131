"""Reports for people."""

from valhalla_lint.core.finding import Confidence, FileReport, Finding, Severity, Step, Suppressed
from valhalla_lint.core.source import Status
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import Tier
from valhalla_lint.reports.run import Run
from valhalla_lint.reports.text import concise, full, statistics

LINES = ["def load(name):", '    path = f"./models/{name}"', "    return open(path)"]


def finding(code: str = "VH201", tier: Tier = Tier.PRODUCTION, line: int = 3, path: str = "src/a.py") -> Finding:
    return Finding(
        path=path,
        span=Span(line, 11, line, 15),
        code=code,
        name="path-traversal",
        message="a value from outside reaches open()",
        tier=tier,
        severity=Severity.HIGH,
        confidence=Confidence.MEDIUM,
        steps=(Step(Span(1, 9, 1, 13), "parameter name"), Step(Span(2, 11, 2, 29), "joined")),
        reasons=("nothing checks it",),
        remedy="check it",
    )


def run(*findings: Finding, colour: bool = False) -> Run:
    file = FileReport("src/a.py", Status.READ, Tier.PRODUCTION, findings=findings)
    return Run((file,), lines=lambda _path: LINES, colour=colour)


def test_full_shows_source_steps_reasons_and_remedy() -> None:
    assert full(run(finding())) == (
        "── production: 1 finding\n"
        "\n"
        "src/a.py:3:12  VH201 path-traversal  high severity, medium confidence\n"
        "  a value from outside reaches open()\n"
        "     3 │ return open(path)\n"
        "       │        ^^^^\n"
        "  1. line 1: parameter name\n"
        "     def load(name):\n"
        "  2. line 2: joined\n"
        '     path = f"./models/{name}"\n'
        "  because  nothing checks it\n"
        "  remedy   check it\n"
        "\n"
        "Found 1 finding (1 production, 0 test, 0 script) in 1 file.\n"
    )


def test_reasons_are_told_as_a_sentence_says_them() -> None:
    told = full(run(finding()._replace(reasons=("for: it looks drawn by chance", "against: its letters form words"))))
    assert "  because  it looks drawn by chance\n  although its letters form words\n" in told


def logged(*lines: str) -> str:
    last = Span(1, 4, len(lines), len(lines[-1]))
    found = finding(code="VH501")._replace(span=last, steps=())
    file = FileReport("src/a.py", Status.READ, Tier.PRODUCTION, findings=(found,))
    return full(Run((file,), lines=lambda _path: list(lines)))


def test_a_call_that_logs_is_shown_but_for_its_texts() -> None:
    assert "1 │ print(password)\n" in logged("    print(password)")
    assert "1 │ log.info(\n" in logged("    log.info(", "        password,", "    )")
    assert "opensesame" not in logged('    print(shown, "opensesame")')
    assert "opensesame" not in logged('    print(shown, """opensesame', '    """)')


def test_full_groups_by_tier() -> None:
    text = full(run(finding(tier=Tier.TEST), finding(tier=Tier.PRODUCTION), finding(code="VH401", tier=Tier.TEST)))
    assert text.index("── production: 1 finding") < text.index("── test: 2 findings")
    assert "── script" not in text
    assert text.endswith("Found 3 findings (1 production, 2 test, 0 script) in 1 file.\n")


def test_colours_only_where_wanted() -> None:
    assert "\x1b[" not in full(run(finding()))
    assert "\x1b[31m" in full(run(finding(), colour=True))


def test_concise_is_one_line_a_finding() -> None:
    assert concise(run(finding())).splitlines() == [
        "src/a.py:3:12: VH201 [production] a value from outside reaches open()",
        "Found 1 finding (1 production, 0 test, 0 script) in 1 file.",
    ]


def test_statistics_count_by_tier() -> None:
    told = statistics(run(finding(), finding(tier=Tier.TEST, line=2), finding(code="VH401", line=1)))
    assert told.splitlines()[:3] == [
        "count  code   name            production  test  script",
        "    2  VH201  path-traversal           1     1",
        "    1  VH401  path-traversal           1",
    ]


def test_the_closing_line_says_what_was_not_read() -> None:
    files = (
        FileReport("a.py", Status.UNREAD, Tier.PRODUCTION, notes=("no such file",)),
        FileReport("b.py", Status.PARTLY, Tier.PRODUCTION, notes=("not Python",)),
        FileReport("c.py", Status.READ, Tier.TEST, suppressed=(Suppressed(finding(), "noqa"),)),
    )
    assert concise(Run(files)).splitlines() == [
        "a.py: not read: no such file",
        "b.py: read only in part: not Python",
        "No findings in 3 files, 1 read only in part, 1 not read, 1 finding suppressed in the source.",
    ]


def test_names_cannot_steer_the_terminal() -> None:
    told = concise(run(finding(path="a\x1b[2J\n.py")))
    assert "\x1b" not in told
    assert len(told.splitlines()) == 2
