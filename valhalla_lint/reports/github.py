"""Findings as GitHub workflow commands: one annotation a finding."""

from valhalla_lint.core.finding import Finding, Severity
from valhalla_lint.reports.run import Run

COMMANDS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "notice"}


def report(run: Run) -> str:
    """A line for each finding. GitHub shows ten of each kind a step; the rest stays in the log."""
    return "".join(f"{_line(finding)}\n" for finding in run.findings)


def _line(finding: Finding) -> str:
    span = finding.file_span
    place = {
        "title": f"{finding.code} {finding.name}",
        "file": finding.path,
        "line": span.line,
        "endLine": span.end_line,
    }
    if span.line == span.end_line:  # columns of a range over several lines are refused
        place |= {"col": span.column + 1, "endColumn": span.end_column + 1}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in place.items())
    return f"::{COMMANDS[finding.severity]} {properties}::{_data(f'{finding.code} {finding.text}{finding.in_cell}')}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
