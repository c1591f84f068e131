"""What can be done about findings: mend them, or answer them. Nothing is offered that was not tried first."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from valhalla_lint.core.finding import Finding
from valhalla_lint.core.source import Source
from valhalla_lint.fixes.mend import Surgeon
from valhalla_lint.fixes.notebooks import changed_cells
from valhalla_lint.fixes.write import CannotWriteError
from valhalla_lint.hosts.lsp.lines import Lines
from valhalla_lint.hosts.lsp.orders import Offer, Remedy
from valhalla_lint.linter import Linter

REASON = "say why this may stay"
NOQA = re.compile(r"# noqa: ?(?:[A-Z]+[0-9]+[, ]*)*[A-Z]+[0-9]+", re.IGNORECASE)


def remedies(linter: Linter, source: Source, offer: Offer) -> Iterator[Remedy]:
    """What an offer asks for, as whole texts. As with `fix`, what changes the program is never done to many at once."""
    if source.notebook is not None:
        yield from _in_cells(linter, source, offer)
        return
    if offer.everything:
        yield from _mended(linter, source, "")
    for code in offer.rules:
        yield from _mended(linter, source, code)
    for finding in offer.quick:
        yield from _at(linter, source, finding)


def _in_cells(linter: Linter, source: Source, offer: Offer) -> Iterator[Remedy]:
    """The same for a notebook, whose cells are one program: what lies in them only, with their new texts."""
    lines = source.text.count("\n") + 1
    shown = {_of_program(finding): finding for finding in offer.quick if finding.span.line <= lines}
    program = source._replace(notebook=None, beside=())
    for remedy in remedies(linter, program, replace(offer, quick=tuple(shown))):
        try:
            cells = changed_cells(source, remedy.text)
        except CannotWriteError:
            continue
        yield replace(remedy, finding=shown.get(remedy.finding) if remedy.finding else None, cells=cells)


def _of_program(finding: Finding) -> Finding:
    """A finding as it is told where nothing is known of cells."""
    return finding._replace(cell=None, steps=tuple(step._replace(cell=None) for step in finding.steps))


def _mended(linter: Linter, source: Source, code: str) -> Iterator[Remedy]:
    """All that is safe to mend, of one rule or of all."""
    only = Linter(linter.settings._replace(select=(code,)), linter.read_module) if code else linter
    mended = Surgeon(only).mend(source)
    if mended.text != source.text:
        yield Remedy("", mended.text, code=code)


def _at(linter: Linter, source: Source, finding: Finding) -> Iterator[Remedy]:
    if finding.fixable:
        mended = Surgeon(linter).mend_one(source, finding)
        if mended is not None:
            fix = mended.applied[0]
            title = f"{finding.code}: {fix.summary}" + ("" if fix.safe else " (changes what the program does)")
            yield Remedy(title, mended.text, finding, finding.code, preferred=fix.safe)
    code = finding.code
    lines = Lines(source.text)
    for title, candidates in (
        (f"Answer with # noqa: {code}", _noqa(finding, lines)),
        (f"Answer with # valhalla: ignore[{code}] and a reason", _ours(finding, lines)),
    ):
        answered = next((text for text in candidates if _answers(linter, source, finding, text)), None)
        if answered is not None:
            yield Remedy(title, answered, finding, code)


def _noqa(finding: Finding, lines: Lines) -> Iterator[str]:
    """The text with a `noqa` at the end of the finding's line, or of the last line of a string that begins there."""
    for number in dict.fromkeys((finding.span.line, finding.span.end_line)):
        start, end = lines.offset(number - 1, 0), lines.ends[min(number, len(lines.ends)) - 1]
        known = NOQA.search(lines.text, start, end)
        if known is not None:
            yield f"{lines.text[: known.end()]},{finding.code}{lines.text[known.end() :]}"
        else:
            yield f"{lines.text[:end].rstrip(' ')}  # noqa: {finding.code}{lines.text[end:]}"


def _ours(finding: Finding, lines: Lines) -> Iterator[str]:
    """The text with our own comment above the finding's line, or at its end."""
    text, line = lines.text, finding.span.line - 1
    start, end = lines.starts[line], lines.ends[line]
    comment = f"# valhalla: ignore[{finding.code}] -- {REASON}"
    indent = text[start:end][: len(text[start:end]) - len(text[start:end].lstrip())]
    line_end = "\r\n" if "\r\n" in text else "\n"
    yield f"{text[:start]}{indent}{comment}{line_end}{text[start:]}"
    yield f"{text[:end].rstrip(' ')}  {comment}{text[end:]}"


def _answers(linter: Linter, source: Source, finding: Finding, text: str) -> bool:
    """Whether a text is the same program, with one finding answered and nothing new to say."""
    try:
        if ast.dump(ast.parse(text)) != ast.dump(ast.parse(source.text)):
            return False
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    before = linter.check(source)
    after = linter.check(source._replace(text=text, parsed=None))
    return _count(after, finding) < _count(before, finding) and len(after) < len(before)


def _count(findings: list[Finding], like: Finding) -> int:
    return sum(finding.code == like.code for finding in findings)
