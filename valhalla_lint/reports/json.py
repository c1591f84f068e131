"""The report for programs; its schema is shipped as `data/report.schema.json`."""

import json
from collections.abc import Mapping

from valhalla_lint.core.finding import FileReport, Finding, Step, Suppressed
from valhalla_lint.core.notebook import CellPlace
from valhalla_lint.core.source import Status
from valhalla_lint.reports.run import Run

VERSION = 1
"""Raised when a reader of the old form would go wrong; new keys do not count."""


def report(run: Run) -> str:
    """The whole run; the same findings give the same bytes. Lone surrogates are written as escapes."""
    return json.dumps(document(run), indent=2, ensure_ascii=True) + "\n"


def document(run: Run) -> dict[str, object]:
    """The run as plain values."""
    return {
        "version": VERSION,
        "findings": [finding_of(finding) for finding in run.findings],
        "files": {
            "checked": len(run.files),
            "read": len(run.having(Status.READ)),
            "partly": [_file(file) for file in run.having(Status.PARTLY)],
            "unread": [_file(file) for file in run.having(Status.UNREAD)],
        },
        "suppressed": [_suppressed(item) for file in run.files for item in file.suppressed],
        "known": len(run.known),
        "notes": list(run.notes),
    }


def finding_of(finding: Finding) -> dict[str, object]:
    """One finding; lines and columns count from 1, the end column stands behind the last character."""
    span = finding.file_span
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "path": finding.path,
        "line": span.line,
        "column": span.column + 1,
        "end_line": span.end_line,
        "end_column": span.end_column + 1,
        "cell": _cell(finding.cell),
        "tier": finding.tier.value,
        "severity": finding.severity.name.lower(),
        "confidence": finding.confidence.name.lower(),
        "steps": [_step(step, finding.path) for step in finding.steps],
        "reasons": list(finding.reasons),
        "remedy": finding.remedy,
        "definition": finding.definition,
        "flags": sorted(flag.value for flag in finding.flags),
        "fingerprint": finding.fingerprint,
        "fixable": finding.fixable,
    }


def _step(step: Step, path: str) -> Mapping[str, object]:
    return {
        "path": step.path or path,
        "line": step.file_span.line,
        "column": step.file_span.column + 1,
        "cell": _cell(step.cell),
        "text": step.text,
    }


def _cell(cell: CellPlace | None) -> Mapping[str, object] | None:
    """The place in a notebook; None for all other files."""
    if cell is None:
        return None
    return {
        "number": cell.number,
        "id": cell.id,
        "output": cell.output,
        "line": cell.span.line,
        "column": cell.span.column + 1,
        "end_line": cell.span.end_line,
        "end_column": cell.span.end_column + 1,
    }


def _file(file: FileReport) -> Mapping[str, object]:
    return {"path": file.path, "reasons": list(file.notes)}


def _suppressed(item: Suppressed) -> Mapping[str, object]:
    return {
        "finding": finding_of(item.finding),
        "kind": item.kind,
        "reason": item.reason,
        "until": item.until,
    }
