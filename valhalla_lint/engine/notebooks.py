"""The report of a notebook: what its Python and the texts beside it gave, each place told by its cell."""

from collections.abc import Sequence

from valhalla_lint.core.finding import FileReport, Finding, Step
from valhalla_lint.core.notebook import Layout
from valhalla_lint.core.source import Source
from valhalla_lint.core.span import Span
from valhalla_lint.facts.notebooks import CellPlaces

SURE = frozenset({"VH102", "VH103"})
"""What is believed of an output, which nobody wrote: tokens of a known shape, and private keys."""


def merged(report: FileReport, beside: Sequence[tuple[Source, FileReport]], layout: Layout) -> FileReport:
    """One report of a notebook's Python and the texts beside it, sorted; every place has its cell."""
    places = CellPlaces(layout)
    parts = [(0, report), *((source.first, part) for source, part in beside if not source.document)]
    texts = [(source.first, part) for source, part in beside if source.document]
    findings = [
        _placed(finding, first, report.path, places) for first, part in (*parts, *texts) for finding in part.findings
    ]
    suppressed = [
        item._replace(finding=_placed(item.finding, first, report.path, places))
        for first, part in (*parts, *texts)
        for item in part.suppressed
    ]
    answers = [
        answer._replace(span=_moved(answer.span, first), cell=places.of(_moved(answer.span, first)))
        for first, part in parts
        for answer in part.answers
    ]
    return report._replace(
        findings=tuple(sorted(map(_told, filter(_is_believed, findings)), key=lambda finding: finding.order)),
        suppressed=tuple(item for item in suppressed if _is_believed(item.finding)),
        answers=tuple(answers),
    )


def _is_believed(finding: Finding) -> bool:
    return finding.cell is None or not finding.cell.output or finding.code in SURE


def _told(finding: Finding) -> Finding:
    """A finding with what clears it from an output."""
    if finding.cell is None or not finding.cell.output:
        return finding
    return finding._replace(remedy=f"{finding.remedy}; then clear the output")


def _moved(span: Span, lines: int) -> Span:
    return span._replace(line=span.line + lines, end_line=span.end_line + lines) if lines else span


def _placed(finding: Finding, first: int, path: str, places: CellPlaces) -> Finding:
    span = _moved(finding.span, first)
    return finding._replace(span=span, cell=places.of(span), steps=_steps(finding.steps, first, path, places))


def _steps(steps: Sequence[Step], first: int, path: str, places: CellPlaces) -> tuple[Step, ...]:
    """Steps with their cells; those in other files stay as they are."""
    return tuple(
        step._replace(span=_moved(step.span, first), cell=places.of(_moved(step.span, first)))
        if step.path in (None, path)
        else step
        for step in steps
    )
