"""Findings as GitLab code quality."""

import json
from collections import Counter

from valhalla_lint.core.finding import Severity
from valhalla_lint.reports.run import Run

SEVERITIES = {Severity.HIGH: "critical", Severity.MEDIUM: "major", Severity.LOW: "minor"}


def report(run: Run) -> str:
    """The JSON array that GitLab's code quality reads; fingerprints are the baseline's, counted where they repeat."""
    seen: Counter[str] = Counter()
    rows = []
    for finding in run.findings:
        seen[finding.fingerprint] += 1
        number = seen[finding.fingerprint]
        rows.append(
            {
                "description": f"{finding.code} {finding.text}{finding.in_cell}",
                "check_name": finding.name,
                "fingerprint": finding.fingerprint if number == 1 else f"{finding.fingerprint}-{number}",
                "severity": SEVERITIES[finding.severity],
                "location": {
                    "path": finding.path,
                    "positions": {
                        "begin": {"line": finding.file_span.line, "column": finding.file_span.column + 1},
                        "end": {"line": finding.file_span.end_line, "column": finding.file_span.end_column + 1},
                    },
                },
            }
        )
    return json.dumps(rows, ensure_ascii=True, indent=1) + "\n"
