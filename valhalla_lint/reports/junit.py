"""Findings as JUnit XML: a suite a file, a case a finding; a clean file is one passing case."""

from xml.sax.saxutils import escape, quoteattr

from valhalla_lint.core.finding import FileReport
from valhalla_lint.core.regex import regex
from valhalla_lint.core.source import Status
from valhalla_lint.reports.run import Run

FORBIDDEN = regex("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold in any spelling."""


def report(run: Run) -> str:
    """The XML text; an unread file is an error, a finding a failure."""
    errors = sum(max(1, len(file.findings)) for file in run.having(Status.UNREAD))
    failures = sum(len(file.findings) for file in run.files if file.status is not Status.UNREAD)
    cases = sum(max(1, len(file.findings)) for file in run.files)
    head = f'<testsuites name="valhalla-lint" tests="{cases}" failures="{failures}" errors="{errors}">'
    body = "".join(_suite(file) for file in run.files)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}\n{body}</testsuites>\n'


def _suite(report: FileReport) -> str:
    unread = report.status is Status.UNREAD
    count = len(report.findings)
    numbers = f'tests="{max(1, count)}" failures="{0 if unread else count}" errors="{max(1, count) if unread else 0}"'
    rows = [f"  <testsuite name={_attribute(report.path)} {numbers}>\n"]
    for finding in report.findings:
        kind = "error" if unread else "failure"
        place = f"{finding.path}:{finding.spot}"
        text = _text(f"{place}: {finding.code} {finding.text}")
        name = _attribute(f"{finding.code} {finding.name}, {finding.line_in_words}")
        line = f'line="{finding.file_span.line}"'
        rows.append(f"    <testcase classname={_attribute(report.path)} name={name} {line}>\n")
        rows.append(
            f"      <{kind} message={_attribute(finding.text)} type={_attribute(finding.code)}>{text}</{kind}>\n"
        )
        rows.append("    </testcase>\n")
    if unread and not report.findings:  # VH907 is ignored; that the file was not judged is no secret
        message = _attribute("; ".join(report.notes))
        rows.append(
            f'    <testcase classname={_attribute(report.path)} name="read"><error message={message}/></testcase>\n'
        )
    elif not report.findings:
        rows.append(f'    <testcase classname={_attribute(report.path)} name="clean"/>\n')
    return "".join([*rows, "  </testsuite>\n"])


def _text(text: str) -> str:
    return escape(FORBIDDEN.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(FORBIDDEN.sub("\ufffd", text))
