"""Reports that other programs read: valid by their own rules, complete, and equal for equal findings."""

import hashlib
import json
import zlib
from xml.etree import ElementTree as ET

import pytest

from valhalla_lint.core.finding import Confidence, FileReport, Finding, Severity, Step, Suppressed
from valhalla_lint.core.source import Status
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import Tier
from valhalla_lint.reports import sarif as sarif_module
from valhalla_lint.reports.github import report as github
from valhalla_lint.reports.gitlab import report as gitlab
from valhalla_lint.reports.junit import report as junit
from valhalla_lint.reports.run import Run
from valhalla_lint.reports.sarif import report as sarif
from valhalla_lint.rules import all_rules

FINDING = Finding(
    path="src/a b/ünï.py",
    span=Span(3, 4, 3, 9),
    code="VH906",
    name="partly-read-file",
    message="file, read: 100% <in> part\nand \x00 more",
    tier=Tier.TEST,
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    steps=(Step(Span(1, 0, 1, 3), "source"), Step(Span(2, 0, 2, 3), "sink", path="src/other.py")),
    reasons=("because",),
    remedy="mend it",
    definition="Service.read",
    fingerprint="0123456789abcdef0123-01234567",
)
REPORT = FileReport(
    path=FINDING.path,
    status=Status.READ,
    tier=Tier.TEST,
    findings=(FINDING, FINDING._replace(span=Span(9, 4, 10, 2))),
    suppressed=(Suppressed(FINDING._replace(span=Span(12, 0, 12, 1)), "ignore", "known", "2027-01-01"),),
)
UNREAD = FileReport("src/lost.py", Status.UNREAD, Tier.PRODUCTION, notes=("vanished",))
CLEAN = FileReport("src/clean.py", Status.READ, Tier.PRODUCTION)
RUN = Run((CLEAN, UNREAD, REPORT), rules=all_rules)


def results(text: str) -> list[dict[str, object]]:
    found = json.loads(text)["runs"][0]["results"]
    assert isinstance(found, list)
    return found


def test_sarif_is_valid_by_the_schema() -> None:
    validate = pytest.importorskip("sarif_kit.validate")
    document = json.loads(sarif(RUN._replace(known=(FINDING._replace(path="../up.py", span=Span(20, 0, 20, 4)),))))
    assert validate.validation_errors(document) == []


def test_sarif_says_everything_once() -> None:
    text = sarif(RUN)
    found = results(text)
    assert len(found) == 3
    assert [bool(result.get("suppressions")) for result in found] == [False, False, True]
    assert found[2]["suppressions"] == [
        {"kind": "inSource", "status": "accepted", "justification": "known (until 2027-01-01)"}
    ]
    prints = [result["partialFingerprints"] for result in found]
    assert {entry["valhallaLint/v1"] for entry in prints if isinstance(entry, dict)} == {FINDING.fingerprint}
    hashes = [entry["primaryLocationLineHash"] for entry in prints if isinstance(entry, dict)]
    assert hashes == ["0123456789abcdef0123:1", "0123456789abcdef0123:2", "0123456789abcdef0123:3"]
    assert "src/a%20b/%C3%BCn%C3%AF.py" in text
    assert "vanished" in text
    assert sarif(RUN._replace(files=RUN.files[::-1])) == text


def test_sarif_counts_what_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif_module, "MAX_RESULTS", 2)
    low = FINDING._replace(severity=Severity.LOW, span=Span(1, 0, 1, 1))
    report = REPORT._replace(findings=(low, *REPORT.findings), suppressed=())
    text = sarif(RUN._replace(files=(report,)))
    assert [result["level"] for result in results(text)] == ["warning", "warning"]
    assert "1 findings of the lowest severities are left out of 3" in text


def test_github_escapes_what_would_end_a_command() -> None:
    lines = github(RUN).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(
        "::warning title=VH906 partly-read-file,file=src/a b/ünï.py,line=3,endLine=3,col=5,endColumn=10::"
    )
    assert lines[0].endswith("VH906 [test] file, read: 100%25 <in> part%0Aand \x00 more")
    assert ",col=" not in lines[1]


def test_gitlab_fingerprints_are_unique() -> None:
    rows = json.loads(gitlab(RUN))
    assert [row["fingerprint"] for row in rows] == [FINDING.fingerprint, f"{FINDING.fingerprint}-2"]
    assert rows[0]["location"]["positions"]["begin"] == {"line": 3, "column": 5}


def test_junit_is_xml_whatever_a_message_holds() -> None:
    root = ET.fromstring(junit(Run((UNREAD._replace(findings=(FINDING,)), CLEAN, REPORT))))  # noqa: S314 -- our own text
    assert root.attrib == {"name": "valhalla-lint", "tests": "4", "failures": "2", "errors": "1"}
    assert len(root.findall(".//failure")) == 2
    assert len(root.findall(".//error")) == 1
    assert root.find(".//testcase[@name='clean']") is not None


SOURCE = ["import os", "password = 'hunter2'", "", "def read(name):", "    return open(name)", "x = 1"]


def shown(finding: Finding, **changes: object) -> dict[str, object]:
    """The place of the first result in a report with lines of source."""
    run = Run((REPORT._replace(findings=(finding,), suppressed=()),), lambda _path: SOURCE)._replace(**changes)  # type: ignore[arg-type]  # any field
    place = json.loads(sarif(run))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert isinstance(place, dict)
    return place


def test_sarif_shows_the_place_and_what_stands_around_it() -> None:
    place = shown(FINDING._replace(span=Span(5, 11, 5, 21)))
    assert place["region"]["snippet"] == {"text": "open(name)"}  # type: ignore[index]
    around = place["contextRegion"]
    assert (around["startLine"], around["endLine"]) == (3, 6)  # type: ignore[index]
    assert around["snippet"]["text"] == "\n".join(SOURCE[2:])  # type: ignore[index]


def test_sarif_shows_no_secret_of_any_finding() -> None:
    secret = FINDING._replace(code="VH101", span=Span(2, 11, 2, 20))
    plain = FINDING._replace(span=Span(1, 0, 1, 9))
    for place in (shown(secret), shown(plain), shown(plain, known=(secret,))):
        assert "hunter" not in json.dumps(place)
        assert "\u2026" in json.dumps(place, ensure_ascii=False)


def test_sarif_keeps_to_what_services_accept_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    many = tuple(
        FINDING._replace(span=Span(number, 0, number, 1), fingerprint=f"{hash_of(number)}-x")
        for number in range(1, 400)
    )
    run = Run((REPORT._replace(findings=(FINDING._replace(severity=Severity.HIGH), *many)),), lambda _path: SOURCE)
    whole = sarif(run)
    monkeypatch.setattr(sarif_module, "MAX_PACKED", len(zlib.compress(whole.encode())) // 2)
    text = sarif(run)
    found = results(text)
    assert len(zlib.compress(text.encode())) <= sarif_module.MAX_PACKED
    assert 100 < len(found) < 400
    assert "error" in {result["level"] for result in found}
    left = 401 - len(found)
    assert f"{left} findings of the lowest severities are left out of 401: services accept 25,000 a run, and" in text


def hash_of(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()[:20]
