"""What is shown where the pointer rests: what is said of the place, and the page of the rule."""

import re

from lsprotocol import types

from valhalla_lint.core.finding import Finding
from valhalla_lint.core.span import Span
from valhalla_lint.hosts.lsp.positions import Encoding, Places
from valhalla_lint.hosts.lsp.session import Judged
from valhalla_lint.linter import every_rule
from valhalla_lint.reports.page import page

CODE = re.compile(r"\bVH[1-9][0-9]{2}\b")


def hover(judged: Judged, position: types.Position, encoding: Encoding) -> types.Hover | None:
    """The findings at a place with the pages of their rules, or the page of a code that is written there."""
    places = Places(judged.source.text, encoding)
    column = places.column(position)
    here = Span(position.line + 1, column, position.line + 1, column)
    findings = [finding for finding in judged.findings if finding.span.contains(here)]
    parts = [_told(finding) for finding in findings]
    codes = dict.fromkeys(finding.code for finding in findings)
    line = places.text[places.offset(position.line, 0) :].split("\n", 1)[0]
    codes |= dict.fromkeys(found[0] for found in CODE.finditer(line) if found.start() <= column <= found.end())
    parts += [page(rule) for rule in every_rule() if rule.code in codes]
    if not parts:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(parts)))


def _told(finding: Finding) -> str:
    """A finding with its reasons and its remedy."""
    lines = [f"**{finding.code}** {finding.text}", *(f"- {reason}" for reason in finding.reasons)]
    if finding.remedy:
        lines.append(f"\nWhat clears it: {finding.remedy}")
    return "\n".join(lines)
