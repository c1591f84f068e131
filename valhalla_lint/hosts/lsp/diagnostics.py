"""Findings as an editor shows them."""

import os
from pathlib import Path

from lsprotocol import types

from valhalla_lint.core.finding import Finding, Severity, Step
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


class Shown:
    """The places of a verdict as the editor counts them: in the document, in cells of a notebook, in other files."""

    def __init__(self, verdict: Verdict, encoding: Encoding) -> None:
        """encoding: as negotiated."""
        self._verdict = verdict
        self._encoding = encoding
        self._document = Places(verdict.text, encoding)
        self._places: dict[str, Places] = {}

    def at(self, item: Finding | Step) -> types.Location:
        """Where a finding or a step stands. Other files are read as the verdict has read them."""
        verdict = self._verdict
        if isinstance(item, Step) and item.path not in (None, verdict.path):
            location = Path(os.path.normpath(verdict.base / (item.path or "")))
            places = self._of(location.as_uri(), verdict.reads.get(location) or "")
            return types.Location(location.as_uri(), places.range(item.span))
        if item.cell is None or not 0 < item.cell.number <= len(verdict.document.cells):
            return types.Location(verdict.document.uri, self._document.range(item.span))
        cell = verdict.document.cells[item.cell.number - 1]
        return types.Location(cell.uri, self._of(cell.uri, cell.text).range(item.cell.span))

    def _of(self, uri: str, text: str) -> Places:
        if uri not in self._places:
            self._places[uri] = Places(text, self._encoding)
        return self._places[uri]


def located(verdict: Verdict, encoding: Encoding, *, related: bool) -> list[tuple[str, types.Diagnostic]]:
    """The findings of a document, each with the address of the text that it stands in: the document's, or a cell's.

    related: whether the editor can show the steps of a flow.
    """
    if verdict.problem:
        start = types.Position(0, 0)
        message = f"[production] {verdict.problem}"
        problem = types.Diagnostic(
            types.Range(start, start), message, SEVERITIES[Severity.HIGH], UNJUDGED, None, SOURCE
        )
        return [(next((cell.uri for cell in verdict.document.cells), verdict.document.uri), problem)]
    shown = Shown(verdict, encoding)
    return [_diagnostic(finding, shown, related=related) for finding in verdict.findings]


def diagnostics(verdict: Verdict, encoding: Encoding, *, related: bool) -> list[types.Diagnostic]:
    """As `located`, of a document without cells."""
    return [diagnostic for _, diagnostic in located(verdict, encoding, related=related)]


def _diagnostic(finding: Finding, shown: Shown, *, related: bool) -> tuple[str, types.Diagnostic]:
    place = shown.at(finding)
    steps = [types.DiagnosticRelatedInformation(shown.at(step), step.text) for step in finding.steps if related]
    return place.uri, types.Diagnostic(
        range=place.range,
        message=finding.text,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code == UNUSED else None,
        related_information=steps or None,
    )
