"""Findings as an editor shows them."""

from pathlib import Path

from lsprotocol import types

from valhalla_lint.core.finding import Finding, Severity
from valhalla_lint.hosts.lsp.positions import Encoding, Places
from valhalla_lint.hosts.lsp.session import Judged
from valhalla_lint.linter import lines_of

SOURCE = "valhalla-lint"
UNJUDGED = "VH908"
UNUSED = "VH901"
"""Code that does nothing: editors show it faded."""
SEVERITIES = {
    Severity.HIGH: types.DiagnosticSeverity.Error,
    Severity.MEDIUM: types.DiagnosticSeverity.Warning,
    Severity.LOW: types.DiagnosticSeverity.Information,
}


def diagnostics(judged: Judged, encoding: Encoding, *, related: bool) -> list[types.Diagnostic]:
    """The findings of a document. related: whether the editor can show the steps of a flow."""
    places = Places(judged.source.text, encoding)
    if judged.problem:
        start = types.Position(0, 0)
        message = f"[production] {judged.problem}"
        return [types.Diagnostic(types.Range(start, start), message, SEVERITIES[Severity.HIGH], UNJUDGED, None, SOURCE)]
    return [_diagnostic(finding, judged, places, encoding, related=related) for finding in judged.findings]


def _diagnostic(
    finding: Finding, judged: Judged, places: Places, encoding: Encoding, *, related: bool
) -> types.Diagnostic:
    return types.Diagnostic(
        range=places.range(finding.span),
        message=finding.text,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code == UNUSED else None,
        related_information=_steps(finding, judged, places, encoding) if related and finding.steps else None,
    )


def _steps(
    finding: Finding, judged: Judged, places: Places, encoding: Encoding
) -> list[types.DiagnosticRelatedInformation]:
    """The way of a value. Steps in other files are placed by these files as they are saved."""
    configuration = judged.configuration
    told = []
    for step in finding.steps:
        here = step.path is None or step.path == judged.source.path
        uri = judged.document.uri if step.path is None or here else configuration.locate(step.path).as_uri()
        there = places if step.path is None or here else _saved(step.path, encoding, configuration.base)
        told.append(types.DiagnosticRelatedInformation(types.Location(uri, there.range(step.span)), step.text))
    return told


def _saved(path: str, encoding: Encoding, base: Path) -> Places:
    return Places("\n".join(lines_of(path, base)), encoding)
