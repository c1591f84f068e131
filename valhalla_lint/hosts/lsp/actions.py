"""What an editor offers at a finding, as changes of its document."""

from collections.abc import Iterable, Iterator

from lsprotocol import types

from valhalla_lint.core.finding import Finding
from valhalla_lint.hosts.lsp.diagnostics import diagnostics, located
from valhalla_lint.hosts.lsp.orders import Offer, Remedy, Verdict
from valhalla_lint.hosts.lsp.positions import Encoding, Places

ALL = f"{types.CodeActionKind.SourceFixAll.value}.valhalla-lint"
"""Mends all that is safe to mend; with a dot and a code behind it, all of one rule."""
EVERYTHING = "Mend all that is safe to mend"
KINDS: tuple[types.CodeActionKind | str, ...] = (types.CodeActionKind.QuickFix, ALL)
EXPLAIN = "valhalla-lint.explain"
"""The command that shows the page of a rule; takes its code, and answers with the page."""
SEVERAL = 2
"""Findings of one rule from which mending them all is more than mending the one that is pointed at."""


def all_of(code: str) -> str:
    """The title of the offer to mend all findings of a rule."""
    return f"{code}: mend all that is safe to mend in this file"


def kinds(params: types.CodeActionParams) -> list[str]:
    """The kinds that the editor asks for; none for any."""
    return [str(kind.value if isinstance(kind, types.CodeActionKind) else kind) for kind in params.context.only or ()]


def offer(verdict: Verdict, params: types.CodeActionParams, encoding: Encoding) -> Offer | None:
    """What is to be worked out for a range; None for nothing.

    Mending everything takes a while: it is worked out only when asked for by kind.
    """
    only = kinds(params)
    rules = tuple(kind.removeprefix(f"{ALL}.") for kind in only if kind.startswith(f"{ALL}."))
    everything = any(kind == ALL or ALL.startswith(f"{kind}.") for kind in only)
    pointed: tuple[Finding, ...] = ()
    if not only or any(kind in {"", types.CodeActionKind.QuickFix.value} for kind in only):
        shown = zip(verdict.findings, located(verdict, encoding, related=False), strict=False)
        cell = params.text_document.uri if verdict.document.cells else ""
        pointed = tuple(
            finding for finding, (uri, at) in shown if (not cell or uri == cell) and _meets(at.range, params.range)
        )
    return Offer(verdict.document.uri, pointed, rules, everything) if pointed or rules or everything else None


def several(verdict: Verdict, pointed: Iterable[Finding]) -> tuple[str, ...]:
    """The rules that findings at a place are of, and that have other findings in the document that can be mended."""
    codes = dict.fromkeys(finding.code for finding in pointed if finding.fixable)
    mendable = [finding.code for finding in verdict.findings if finding.fixable]
    return tuple(code for code in codes if mendable.count(code) >= SEVERAL)


def explanations(pointed: Iterable[Finding]) -> list[types.CodeAction]:
    """The offers to show the pages of the rules that findings at a place are of."""
    titles = {finding.code: f"{finding.code}: show the page of {finding.name}" for finding in pointed}
    return [
        types.CodeAction(title, types.CodeActionKind.QuickFix, command=types.Command(title, EXPLAIN, arguments=[code]))
        for code, title in titles.items()
    ]


def resolvable(uri: str, code: str) -> types.CodeAction:
    """The offer to mend all findings of a rule, to be worked out when it is taken."""
    return types.CodeAction(all_of(code), types.CodeActionKind.QuickFix, data={"uri": uri, "code": code})


def actions(
    verdict: Verdict, remedies: Iterable[Remedy], encoding: Encoding, version: int | None, named: Iterable[str] = ()
) -> Iterator[types.CodeAction]:
    """Remedies as an editor takes them.

    version: of the document, for editors that take versioned edits, else None. named: kinds that the editor asked for.
    """
    places = Places(verdict.text, encoding)
    cells = {number: (cell.uri, Places(cell.text, encoding)) for number, cell in enumerate(verdict.document.cells, 1)}
    shown = dict(zip(verdict.findings, diagnostics(verdict, encoding, related=False), strict=False))
    for remedy in remedies:
        kind: types.CodeActionKind | str = f"{ALL}.{remedy.code}" if remedy.code else ALL
        if remedy.code and kind not in named:
            kind = types.CodeActionKind.QuickFix
        yield types.CodeAction(
            remedy.title or (all_of(remedy.code) if remedy.code else EVERYTHING),
            kind,
            [shown[remedy.finding]] if remedy.finding in shown else None,
            is_preferred=remedy.preferred or None,
            edit=types.WorkspaceEdit(
                changes={cells[number][0]: [change(cells[number][1], text)] for number, text in remedy.cells.items()}
            )
            if cells
            else edit(verdict.document.uri, change(places, remedy.text), version),
        )


def change(places: Places, text: str) -> types.TextEdit:
    """The change from one text to another, as small as one stretch can be."""
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
    return types.TextEdit(types.Range(places.at(start), places.at(len(old) - kept)), text[start : len(text) - kept])


def edit(uri: str, told: types.TextEdit, version: int | None) -> types.WorkspaceEdit:
    """A change of one document. version: of the document, for editors that take versioned edits, else None."""
    if version is None:
        return types.WorkspaceEdit(changes={uri: [told]})
    document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, [told])])


def _meets(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges touch."""
    return (one.start.line, one.start.character) <= (other.end.line, other.end.character) and (
        other.start.line,
        other.start.character,
    ) <= (one.end.line, one.end.character)
