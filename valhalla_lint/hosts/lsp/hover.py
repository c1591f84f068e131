"""What is shown where the pointer rests: what is said of the place, and the page of the rule."""

import re
from collections.abc import Iterable

from lsprotocol import types

from valhalla_lint.core.finding import Finding
from valhalla_lint.core.span import Span
from valhalla_lint.hosts.lsp.orders import Verdict
from valhalla_lint.hosts.lsp.positions import Places

CODE = re.compile(r"\bVH[1-9][0-9]{2}\b")


def pointed_at(
    verdict: Verdict, position: types.Position, places: Places, cell: int = 0
) -> tuple[list[Finding], tuple[str, ...]]:
    """The findings at a place, and the codes of the rules that are spoken of there.

    places: of the document, or of one of its cells. cell: the number of this cell; 0 for a document without cells.
    """
    column = places.column(position)
    here = Span(position.line + 1, column, position.line + 1, column)
    told = ((finding, finding.cell) for finding in verdict.findings)
    spans = ((finding, place.span if place else finding.span, place.number if place else 0) for finding, place in told)
    findings = [finding for finding, span, number in spans if number == cell and span.contains(here)]
    codes = dict.fromkeys(finding.code for finding in findings)
    line = places.text[places.offset(position.line, 0) :].split("\n", 1)[0]
    codes |= dict.fromkeys(found[0] for found in CODE.finditer(line) if found.start() <= column <= found.end())
    return findings, tuple(codes)


def hover(findings: Iterable[Finding], pages: Iterable[str]) -> types.Hover | None:
    """Findings with the pages of their rules; None where there is nothing to show."""
    parts = [*(_told(finding) for finding in findings), *pages]
    if not parts:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(parts)))


def _told(finding: Finding) -> str:
    """A finding with its reasons and its remedy."""
    lines = [f"**{finding.code}** {finding.text}", *(f"- {reason}" for reason in finding.reasons)]
    if finding.remedy:
        lines.append(f"\nWhat clears it: {finding.remedy}")
    return "\n".join(lines)
