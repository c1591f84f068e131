"""What an editor offers at a finding: mend it, or answer it. Nothing is offered that was not tried first."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from lsprotocol import types

from valhalla_lint.core.finding import Finding
from valhalla_lint.fixes.mend import Surgeon
from valhalla_lint.hosts.lsp.diagnostics import diagnostics
from valhalla_lint.hosts.lsp.positions import Encoding, Places
from valhalla_lint.hosts.lsp.session import Judged

ALL = f"{types.CodeActionKind.SourceFixAll.value}.valhalla-lint"
KINDS: tuple[types.CodeActionKind | str, ...] = (types.CodeActionKind.QuickFix, ALL)
REASON = "say why this may stay"
NOQA = re.compile(r"# noqa: ?(?:[A-Z]+[0-9]+[, ]*)*[A-Z]+[0-9]+", re.IGNORECASE)


def actions(judged: Judged, params: types.CodeActionParams, encoding: Encoding) -> Iterator[types.CodeAction]:
    """What can be done in a range. Mending everything takes a while: it is worked out only when asked for by kind."""
    if judged.linter is None:
        return
    only = [str(kind.value if isinstance(kind, types.CodeActionKind) else kind) for kind in params.context.only or ()]
    places = Places(judged.source.text, encoding)
    if any(kind == ALL or ALL.startswith(f"{kind}.") for kind in only):
        mended = Surgeon(judged.linter).mend(judged.source)
        if mended.text != judged.source.text:
            yield types.CodeAction("Mend all that is safe to mend", ALL, edit=_edit(judged, places, mended.text))
    if only and not any(kind in {"", types.CodeActionKind.QuickFix.value} for kind in only):
        return
    shown = diagnostics(judged, encoding, related=False)
    for finding, diagnostic in zip(judged.findings, shown, strict=True):
        if _meets(diagnostic.range, params.range):
            yield from _at(judged, finding, diagnostic, places)


def _at(judged: Judged, finding: Finding, diagnostic: types.Diagnostic, places: Places) -> Iterator[types.CodeAction]:
    def quick(title: str, text: str, *, preferred: bool = False) -> types.CodeAction:
        return types.CodeAction(
            title,
            types.CodeActionKind.QuickFix,
            [diagnostic],
            is_preferred=preferred,
            edit=_edit(judged, places, text),
        )

    if finding.fixable and judged.linter is not None:
        mended = Surgeon(judged.linter).mend_one(judged.source, finding)
        if mended is not None:
            fix = mended.applied[0]
            title = f"{finding.code}: {fix.summary}" + ("" if fix.safe else " (changes what the program does)")
            yield quick(title, mended.text, preferred=fix.safe)
    code = finding.code
    for title, candidates in (
        (f"Answer with # noqa: {code}", _noqa(finding, places)),
        (f"Answer with # valhalla: ignore[{code}] and a reason", _ours(finding, places)),
    ):
        answered = next((text for text in candidates if _answers(judged, finding, text)), None)
        if answered is not None:
            yield quick(title, answered)


def _noqa(finding: Finding, places: Places) -> Iterator[str]:
    """The text with a `noqa` at the end of the finding's line, or of the last line of a string that begins there."""
    for number in dict.fromkeys((finding.span.line, finding.span.end_line)):
        start, end = places.offset(number - 1, 0), places.ends[min(number, len(places.ends)) - 1]
        known = NOQA.search(places.text, start, end)
        if known is not None:
            yield f"{places.text[: known.end()]},{finding.code}{places.text[known.end() :]}"
        else:
            yield f"{places.text[:end].rstrip(' ')}  # noqa: {finding.code}{places.text[end:]}"


def _ours(finding: Finding, places: Places) -> Iterator[str]:
    """The text with our own comment above the finding's line, or at its end."""
    text, line = places.text, finding.span.line - 1
    start, end = places.starts[line], places.ends[line]
    comment = f"# valhalla: ignore[{finding.code}] -- {REASON}"
    indent = text[start:end][: len(text[start:end]) - len(text[start:end].lstrip())]
    line_end = "\r\n" if "\r\n" in text else "\n"
    yield f"{text[:start]}{indent}{comment}{line_end}{text[start:]}"
    yield f"{text[:end].rstrip(' ')}  {comment}{text[end:]}"


def _answers(judged: Judged, finding: Finding, text: str) -> bool:
    """Whether a text is the same program, with one finding answered and nothing new to say."""
    if judged.linter is None:
        return False
    try:
        if ast.dump(ast.parse(text)) != ast.dump(ast.parse(judged.source.text)):
            return False
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    before = judged.linter.check(judged.source)
    after = judged.linter.check(replace(judged.source, text=text))
    return _count(after, finding) < _count(before, finding) and len(after) < len(before)


def _count(findings: list[Finding], like: Finding) -> int:
    return sum(finding.code == like.code for finding in findings)


def _edit(judged: Judged, places: Places, text: str) -> types.WorkspaceEdit:
    """The change from the text of a document to another, as small as one stretch can be."""
    old = places.text
    start = 0
    shortest = min(len(old), len(text))
    while start < shortest and old[start] == text[start]:
        start += 1
    kept = 0
    while kept < shortest - start and old[-1 - kept] == text[-1 - kept]:
        kept += 1
    # A carriage return and its line feed are one line end: an edit never begins or ends between them.
    if old[start - 1 : start] == "\r":
        start -= 1
    if kept and old[len(old) - kept - 1 : len(old) - kept] == "\r":
        kept -= 1
    change = types.TextEdit(types.Range(places.at(start), places.at(len(old) - kept)), text[start : len(text) - kept])
    return types.WorkspaceEdit(changes={judged.document.uri: [change]})


def _meets(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges touch."""
    return (one.start.line, one.start.character) <= (other.end.line, other.end.character) and (
        other.start.line,
        other.start.character,
    ) <= (one.end.line, one.end.character)
