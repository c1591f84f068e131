"""Several reviews side by side as one self-contained page; what differs comes first."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from valhalla_lint.core.evidence import Change, Citation, Comparison, Row, Target
from valhalla_lint.reports.review_frame import closing, opening, table
from valhalla_lint.reports.review_places import SHORT, link, where

LISTED = 500
"""Rows of a list that the page shows; the JSON holds all."""
COMMIT = "commit"


def comparison_html(comparison: Comparison, link_base: str = "") -> str:
    """The page; the same text for the same comparison and link base (used for commits of one repository)."""
    return "\n".join(_Page(comparison, link_base if comparison.same else "").lines()) + "\n"


class _Page:
    def __init__(self, comparison: Comparison, link_base: str) -> None:
        self._found = comparison
        self._base = link_base.rstrip("/")
        self._names = [_name(target) for target in comparison.targets]

    def lines(self) -> Iterator[str]:
        found = self._found
        sections = [("assets", "Assets"), ("answers", "Answers"), ("packages", "Packages")]
        if found.by_module:
            sections.append(("modules", "Modules"))
        if found.same and len(found.targets) == len(("old", "new")):
            sections = [("added", "New hits"), ("gone", "Gone hits"), *sections]
        yield from opening("Comparison of reviews", self._basics(), sections)
        if found.same and len(found.targets) == len(("old", "new")):
            yield from self._changes("added", "New hits", found.added, found.targets[-1])
            yield from self._changes("gone", "Hits that are gone", found.gone, found.targets[0])
        yield from self._rows("assets", "Assets", found.figures)
        yield from self._rows("answers", "Answers", found.answers)
        yield from self._rows("packages", "Hits per package, tier and 1,000 lines", found.modules)
        if found.by_module:
            yield from self._rows("modules", "Hits per module and 1,000 lines", found.by_module)
        yield from closing()

    def _basics(self) -> Iterator[str]:
        yield '<dl class="basics">'
        for name, target in zip(self._names, self._found.targets, strict=True):
            words = target.revision or target.digest
            yield f"<dt>{escape(name)}</dt><dd><code>{escape(words)}</code> "
            yield f'<span class="soft">{escape(target.date or target.source)}</span></dd>'
        yield "</dl>"

    def _rows(self, key: str, title: str, rows: Sequence[Row]) -> Iterator[str]:
        yield f'<h2 id="{key}">{title}</h2>'
        names = self._names
        more = ("growth",) if rows and len(rows[0].values) > len(names) else ()
        head = ("", *names, *more)
        numbers = tuple(range(1, len(head)))
        differing = [row for row in rows if len(set(row.values[: len(names)])) > 1]
        if differing:
            yield from table(head, _cells(differing[:LISTED]), numbers)
            yield from _rest(len(differing))
        else:
            yield "<p>No difference.</p>" if rows else "<p>Nothing to count.</p>"
        if equal := [row for row in rows if row not in differing]:
            yield f"<details><summary>{len(equal):,} rows without a difference</summary>"
            yield from table(head, _cells(equal[:LISTED]), numbers)
            yield from _rest(len(equal))
            yield "</details>"

    def _changes(self, key: str, title: str, changes: Sequence[Change], target: Target) -> Iterator[str]:
        yield f'<h2 id="{key}">{title} ({len(changes):,})</h2>'
        if not changes:
            yield "<p>None.</p>"
            return
        head = ["where", "code", "tier", "severity", "message"]
        if key == "added":
            yield '<p class="soft">Each with the commit between the two in which it first stands.</p>'
            head.append("first in commit")
        rows = []
        for change in changes[:LISTED]:
            hit = change.hit
            row = [
                self._place(Citation(hit.path, hit.line), target),
                f"<code>{escape(hit.code)}</code>",
                escape(hit.tier),
                escape(hit.severity),
                escape(hit.message),
            ]
            if key == "added":
                row.append(self._commit(change.commit))
            rows.append(row)
        yield from table(head, rows)
        yield from _rest(len(changes))

    def _place(self, place: Citation, target: Target) -> str:
        address = link(place, target, self._base)
        words = f"<code>{escape(where(place))}</code>"
        return f'<a href="{escape(address)}" rel="noreferrer noopener">{words}</a>' if address else words

    def _commit(self, commit: str) -> str:
        if not commit:
            return "not told"
        words = f'<code class="id">{escape(commit[:SHORT])}</code>'
        address = f"{self._base}/{COMMIT}/{commit}"
        return f'<a href="{escape(address)}" rel="noreferrer noopener">{words}</a>' if self._base else words


def _name(target: Target) -> str:
    return f"{target.name} {target.revision[:SHORT]}".strip()


def _cells(rows: Iterable[Row]) -> Iterator[tuple[str, ...]]:
    for row in rows:
        yield (escape(row.title), *(escape(value) for value in row.values))


def _rest(count: int) -> Iterator[str]:
    if count > LISTED:
        yield f'<p class="soft">… and {count - LISTED:,} more (in the JSON)</p>'
