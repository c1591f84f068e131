"""Findings as one self-contained page: nothing is fetched, and no script may run but the one that filters."""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

from valhalla_lint import __version__
from valhalla_lint.core.finding import FileReport, Finding, Severity, Step
from valhalla_lint.core.rule import Rule
from valhalla_lint.core.source import Status
from valhalla_lint.core.tier import Tier
from valhalla_lint.reports.excerpt import Excerpt, Excerpts
from valhalla_lint.reports.page import CWE_URL
from valhalla_lint.reports.printable import printable
from valhalla_lint.reports.run import Run

ASSETS = Path(__file__).parent / "assets"
MAX_SHOWN = 5_000
"""Findings that the page shows, the most severe first; browsers grow slow beyond. What is left out is counted."""
SEVERITIES = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)


def report(run: Run) -> str:
    """The page; equal runs give equal text."""
    return "\n".join(_Page(run).lines()) + "\n"


@cache
def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _safe(text: str) -> str:
    """Anybody's text, as text."""
    return escape(printable(text))


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word}" + ("" if count == 1 else "s")


class _Page:
    def __init__(self, run: Run) -> None:
        self._run = run
        self._rules = {rule.code: rule for rule in run.rules()}
        self._excerpts = Excerpts(run.files, run.lines, run.known)
        every = run.findings
        kept = sorted(every, key=lambda finding: (-finding.severity, finding.order))[:MAX_SHOWN]
        self._left_out = len(every) - len(kept)
        self._shown = sorted(kept, key=lambda finding: finding.order)

    def lines(self) -> Iterator[str]:
        style, script = _asset("findings.css"), _asset("findings.js")
        policy = (
            f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'; "
            "base-uri 'none'; form-action 'none'"
        )
        yield "<!doctype html>"
        yield '<html lang="en"><head><meta charset="utf-8">'
        yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
        yield f"<title>{_plural(len(self._run.findings), 'finding')} · valhalla-lint</title>"
        yield f"<style>{style}</style></head><body>"
        yield '<a class="skip" href="#findings">Skip to the findings</a>'
        yield from self._head()
        yield from self._filters()
        yield '<main id="findings">'
        yield from self._findings()
        yield '<p class="none" hidden>Nothing fits the filter.</p></main>'
        yield from self._suppressed()
        yield from self._rule_texts()
        yield f"<footer>Made by valhalla-lint {escape(__version__)} from source alone; nothing was run.</footer>"
        yield f"<script>{script}</script></body></html>"

    def _head(self) -> Iterator[str]:
        run = self._run
        counts = Counter((finding.tier, finding.severity) for finding in run.findings)
        yield "<header><h1>Findings</h1>"
        yield '<div class="scroll"><table class="counts"><thead><tr><th></th>'
        yield "".join(f'<th scope="col">{severity.name.lower()}</th>' for severity in SEVERITIES)
        yield '<th scope="col">all</th></tr></thead><tbody>'
        for tier in Tier:
            cells = "".join(
                f'<td class="{severity.name.lower()}">{counts[tier, severity]:,}</td>' for severity in SEVERITIES
            )
            yield f'<tr><th scope="row">{tier.value}</th>{cells}<td>{run.tiers[tier]:,}</td></tr>'
        yield "</tbody></table></div>"
        partly, unread = run.having(Status.PARTLY), run.having(Status.UNREAD)
        suppressed = sum(len(file.suppressed) for file in run.files)
        facts = [_plural(len(run.files), "file") + " checked"]
        facts += [f"{len(partly):,} read only in part"] if partly else []
        facts += [f"{len(unread):,} not read"] if unread else []
        facts += [f"{_plural(suppressed, 'finding')} suppressed in the source"] if suppressed else []
        facts += [f"{_plural(len(run.known), 'finding')} known before"] if run.known else []
        yield f"<p>{', '.join(facts)}.</p>"
        if self._left_out:
            yield f'<p class="warn">{self._left_out:,} of the least severe findings are left out of this page.</p>'
        yield from (f'<p class="warn">{_safe(note)}</p>' for note in run.notes)
        if partly or unread:
            yield from self._unread((*unread, *partly))
        yield "</header>"

    def _unread(self, files: Sequence[FileReport]) -> Iterator[str]:
        yield '<details class="unread"><summary>Not read, or only in part</summary><ul>'
        for file in files:
            words = "not read" if file.status is Status.UNREAD else "read in part"
            yield f"<li><code>{_safe(file.path)}</code> {words}: {_safe('; '.join(file.notes))}</li>"
        yield "</ul></details>"

    def _filters(self) -> Iterator[str]:
        """Controls that stay hidden until the script that serves them runs."""
        yield '<form class="filters" hidden autocomplete="off" aria-label="Filter">'
        yield "<fieldset><legend>Tier</legend>"
        for tier in Tier:
            yield f'<label><input type="checkbox" name="tier" value="{tier.value}" checked> {tier.value}</label>'
        yield "</fieldset>"
        yield '<label>Severity <select name="severity"><option value="1">all</option>'
        yield '<option value="2">medium and high</option><option value="3">high</option></select></label>'
        rules = Counter((finding.code, finding.name) for finding in self._shown)
        yield '<label>Rule <select name="rule"><option value="">all</option>'
        for (code, name), count in sorted(rules.items()):
            yield f'<option value="{escape(code)}">{escape(code)} {escape(name)} ({count:,})</option>'
        yield "</select></label>"
        yield '<label>File <input type="search" name="file" placeholder="part of a path" list="paths"></label>'
        yield '<datalist id="paths">'
        yield from (
            f'<option value="{_safe(path)}"></option>' for path in sorted({finding.path for finding in self._shown})
        )
        yield '</datalist><output name="count" aria-live="polite"></output></form>'

    def _findings(self) -> Iterator[str]:
        if not self._shown:
            yield '<p class="clean">No findings.</p>'
        for tier in Tier:
            in_tier = [finding for finding in self._shown if finding.tier is tier]
            if not in_tier:
                continue
            yield f'<section class="tier"><h2>{tier.value} <small>{_plural(len(in_tier), "finding")}</small></h2>'
            path = ""
            for finding in in_tier:
                if finding.path != path:
                    yield "</section>" if path else ""
                    path = finding.path
                    yield f'<section class="file"><h3><code>{_safe(path)}</code></h3>'
                yield from self._finding(finding)
            yield "</section></section>"

    def _finding(self, finding: Finding) -> Iterator[str]:
        severity = finding.severity.name.lower()
        span = finding.span if finding.cell is None else finding.cell.span
        data = (
            f'data-tier="{finding.tier.value}" data-severity="{finding.severity.value}" '
            f'data-rule="{escape(finding.code)}" data-file="{_safe(finding.path)}"'
        )
        yield f'<article class="finding {severity}" {data}>'
        name = f"{escape(finding.code)} {escape(finding.name)}"
        title = f'<a href="#rule-{escape(finding.code)}">{name}</a>' if finding.code in self._rules else name
        yield f'<h4><span class="badge">{severity}</span> {title}</h4>'
        place = f"{finding.line_in_words}, column {span.column + 1}"
        inside = f" in <code>{_safe(finding.definition)}</code>" if finding.definition else ""
        flags = "".join(f", {flag.value}" for flag in sorted(finding.flags, key=lambda flag: flag.value))
        yield f'<p class="place">{place}{inside}; {finding.confidence.name.lower()} confidence{flags}</p>'
        yield f'<p class="message">{_safe(finding.message)}</p>'
        yield _line(span.line, self._excerpts.of(finding.path, finding.span))
        if finding.steps:
            yield f"<details open><summary>{_plural(len(finding.steps), 'step')}</summary><ol>"
            yield from (self._step(finding, step) for step in finding.steps)
            yield "</ol></details>"
        if finding.reasons:
            yield '<ul class="reasons">' + "".join(f"<li>{_safe(reason)}</li>" for reason in finding.reasons) + "</ul>"
        if finding.remedy:
            yield f'<p class="remedy"><b>Clear by</b> {_safe(finding.remedy)}</p>'
        yield "</article>"

    def _step(self, finding: Finding, step: Step) -> str:
        path = step.path or finding.path
        place = step.line_in_words
        where = place if path == finding.path else f"<code>{_safe(path)}</code> {place}"
        line = _line((step.cell or step).span.line, self._excerpts.of(path, step.span))
        return f'<li><span class="place">{where}:</span> {_safe(step.text)}{line}</li>'

    def _suppressed(self) -> Iterator[str]:
        rows = [item for file in self._run.files for item in file.suppressed]
        if not rows:
            return
        yield f'<section class="answers"><h2>Suppressed in the source <small>{len(rows):,}</small></h2>'
        yield '<div class="scroll"><table><thead><tr><th scope="col">place</th><th scope="col">rule</th>'
        yield '<th scope="col">by</th><th scope="col">reason</th><th scope="col">until</th></tr></thead><tbody>'
        for item in rows:
            finding = item.finding
            yield (
                f"<tr><td><code>{_safe(finding.path)}:{finding.spot.rpartition(':')[0]}</code></td>"
                f"<td>{escape(finding.code)} {escape(finding.name)}</td><td>{escape(item.kind)}</td>"
                f"<td>{_safe(item.reason) or 'none'}</td><td>{escape(item.until) or 'no date'}</td></tr>"
            )
        yield "</tbody></table></div></section>"

    def _rule_texts(self) -> Iterator[str]:
        rules = [self._rules[code] for code in sorted({finding.code for finding in self._shown} & self._rules.keys())]
        if not rules:
            return
        yield '<section class="rules"><h2>Rules</h2>'
        yield from (_rule(rule) for rule in rules)
        yield "</section>"


def _line(number: int, shown: Excerpt | None) -> str:
    """A line of source with its place marked; "" where it cannot be shown."""
    if shown is None:
        return ""
    before, inside, after = shown.text[: shown.start], shown.text[shown.start : shown.stop], shown.text[shown.stop :]
    code = f"{escape(before)}<mark>{escape(inside)}</mark>{escape(after)}"
    return f'<pre><span class="number">{number}</span><code>{code}</code></pre>'


def _rule(rule: Rule) -> str:
    links = ", ".join(f'<a href="{CWE_URL.format(number)}" rel="noreferrer">CWE-{number}</a>' for number in rule.cwe)
    see = f"<p>See {links}.</p>" if links else ""
    head = f'<h3 id="rule-{escape(rule.code)}">{escape(rule.code)} {escape(rule.name)}</h3>'
    return f"{head}<p>{_safe(rule.why)}</p><p><b>What clears it:</b> {_safe(rule.remedy)}</p>{see}"
