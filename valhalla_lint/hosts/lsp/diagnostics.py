"""Findings as an editor shows them."""

import os
from pathlib import Path

from lsprotocol import types

from valhalla_lint.core.finding import Finding, Severity
from valhalla_lint.hosts.lsp.orders import Verdict
from valhalla_lint.hosts.lsp.positions import Encoding, Places

SOURCE = "valhalla-lint"
UNJUDGED = "VH908"
UNUSED = "VH901"
"""Code that does nothing: editors show it faded."""
SEVERITIES = {
    Severity.HIGH: types.DiagnosticSeverity.Error,
    Severity.MEDIUM: types.DiagnosticSeverity.Warning,
    Severity.LOW: types.DiagnosticSeverity.Information,
}


def diagnostics(verdict: Verdict, encoding: Encoding, *, related: bool) -> list[types.Diagnostic]:
    """The findings of a document. related: whether the editor can show the steps of a flow."""
    if verdict.problem:
        start = types.Position(0, 0)
        message = f"[production] {verdict.problem}"
        return [types.Diagnostic(types.Range(start, start), message, SEVERITIES[Severity.HIGH], UNJUDGED, None, SOURCE)]
    places = Places(verdict.text, encoding)
    return [_diagnostic(finding, verdict, places, encoding, related=related) for finding in verdict.findings]


def _diagnostic(
    finding: Finding, verdict: Verdict, places: Places, encoding: Encoding, *, related: bool
) -> types.Diagnostic:
    return types.Diagnostic(
        range=places.range(finding.span),
        message=finding.text,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code == UNUSED else None,
        related_information=_steps(finding, verdict, places, encoding) if related and finding.steps else None,
    )


def _steps(
    finding: Finding, verdict: Verdict, places: Places, encoding: Encoding
) -> list[types.DiagnosticRelatedInformation]:
    """The way of a value. Steps in other files are placed by the texts that the verdict rests on."""
    told = []
    for step in finding.steps:
        here = step.path is None or step.path == verdict.path
        location = Path(os.path.normpath(verdict.base / (step.path or "")))
        there = places if here else Places(verdict.reads.get(location) or "", encoding)
        uri = verdict.document.uri if here else location.as_uri()
        told.append(types.DiagnosticRelatedInformation(types.Location(uri, there.range(step.span)), step.text))
    return told
