"""The page: everything is in it, nothing of it can run or call out, and no credential is shown."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from valhalla_lint.core.finding import Confidence, FileReport, Finding, Severity, Step, Suppressed
from valhalla_lint.core.source import Status
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.minting import mint_secret
from valhalla_lint.reports import html as html_module
from valhalla_lint.reports.html import report
from valhalla_lint.reports.run import Run
from valhalla_lint.rules import all_rules

EVIL = "</script><script>alert(1)</script>\x00\u202e\udc80'\"<img src=x onerror=alert(1)>&amp;"
SECRET = mint_secret(40, "page")
LINES = [f'API_KEY = "{SECRET}"', "def load(name):", "    return open(name)  # <b>&"]
FINDING = Finding(
    path="src/a.py",
    span=Span(3, 11, 3, 21),
    code="VH201",
    name="path-traversal",
    message="name reaches open()",
    tier=Tier.PRODUCTION,
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    steps=(Step(Span(2, 9, 2, 13), "name is a parameter"), Step(Span(1, 0, 1, 5), "elsewhere", path="src/b.py")),
    reasons=("for: nothing checks it",),
    remedy="check it",
    definition="load",
    fingerprint="0-0",
)


def page(*findings: Finding, **changes: object) -> str:
    file = FileReport("src/a.py", Status.READ, Tier.PRODUCTION, findings=findings)
    run = Run((file,), lines=lambda _path: LINES, rules=all_rules)
    return report(run._replace(**changes))  # type: ignore[arg-type]  # fields by name


class Tags(HTMLParser):
    """What a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.unbalanced: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)


def tags(text: str) -> Tags:
    parser = Tags()
    parser.feed(text)
    return parser


def test_everything_is_told() -> None:
    text = page(FINDING)
    for part in ("VH201 path-traversal", "name reaches open()", "name is a parameter", "nothing checks it", "check it"):
        assert part in text
    assert "return <mark>open(name)</mark>  # &lt;b&gt;&amp;" in text
    assert "<code>src/b.py</code> line 1" in text
    assert 'id="rule-VH201"' in text
    assert page(FINDING) == text


def test_hostile_text_stays_text() -> None:
    hostile = FINDING._replace(path=f"src/{EVIL}.py", message=EVIL, reasons=(EVIL,), remedy=EVIL, definition=EVIL,
        steps=(Step(Span(1, 0, 1, 1), EVIL, path=EVIL),),
    )  # fmt: skip
    unread = FileReport(EVIL, Status.UNREAD, Tier.PRODUCTION, notes=(EVIL,))
    file = FileReport(
        hostile.path,
        Status.READ,
        Tier.PRODUCTION,
        findings=(hostile,),
        suppressed=(Suppressed(hostile, "ignore", EVIL),),
    )
    text = report(Run((file, unread), lines=lambda _path: [EVIL] * 3, notes=(EVIL,), rules=all_rules))
    text.encode("utf-8")
    found = tags(text)
    assert not found.unbalanced
    assert sorted(found.open) == []
    assert [tag for tag, _ in found.seen].count("script") == 1
    assert "img" not in [tag for tag, _ in found.seen]
    assert not [name for _, attributes in found.seen for name in attributes if name.startswith("on")]


def test_only_our_own_script_and_style_may_run_and_nothing_is_fetched() -> None:
    text = page(FINDING)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        body = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert body is not None
        digest = base64.b64encode(hashlib.sha256(body[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]
    for tag, attributes in tags(text).seen:
        assert "src" not in attributes, tag
        assert tag != "link"
        assert "style" not in attributes, tag


def test_no_credential_is_shown() -> None:
    literal = FINDING._replace(
        code="VH101", name="hardcoded-token", span=Span(1, 10, 1, 10 + len(SECRET) + 2), steps=()
    )
    assert SECRET not in page(literal, FINDING)
    assert SECRET not in page(FINDING._replace(span=Span(1, 0, 1, 7)))


def test_what_is_left_out_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_module, "MAX_SHOWN", 1)
    text = page(FINDING._replace(severity=Severity.LOW, span=Span(1, 0, 1, 1)), FINDING)
    assert "1 of the least severe findings are left out" in text
    assert text.count("<article") == 1
    assert "line 3" in text


def test_a_clean_run_and_known_findings() -> None:
    text = page(known=(FINDING, FINDING))
    assert "No findings." in text
    assert "2 findings known before" in text
