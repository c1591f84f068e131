"""A review as Markdown, for a wiki or a pull request; the JSON holds every list in full."""

from collections.abc import Iterable, Iterator, Sequence

from valhalla_lint.core.evidence import Answer, Comparison, Evidence, Figure, Layer, Outcome, Review, Topology
from valhalla_lint.reports.review_places import SHORT, command, link, where

LISTED = 12
"""Items of a list that are shown; the rest is counted."""
DRAWN = 40
"""Packages that the picture shows; more cannot be read."""
LINES_DRAWN = 120
"""Edges that the picture shows."""
STYLES = {
    "production": "fill:#dbeafe,stroke:#1d4ed8,color:#111",
    "test": "fill:#dcfce7,stroke:#15803d,color:#111",
    "script": "fill:#fef3c7,stroke:#b45309,color:#111",
}


def review_markdown(review: Review, link_base: str = "") -> str:
    """The review as one page."""
    return "\n".join(_Page(review, link_base).lines()) + "\n"


def text(value: str) -> str:
    """Words of the tree as plain text: nothing in them counts as Markdown or HTML."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>|#!&~" else sign for sign in value)


def code(value: str) -> str:
    """Words of the tree as code; a bar is escaped for tables."""
    fence = "`"
    while fence in value:
        fence += "`"
    pad = " " if value.startswith("`") or value.endswith("`") else ""
    return f"{fence}{pad}{value}{pad}{fence}".replace("|", "\\|") if value else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table, or nothing without rows."""
    found = list(rows)
    if not found:
        return
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in found:
        yield f"| {' | '.join(row)} |"


class _Page:
    def __init__(self, review: Review, link_base: str) -> None:
        self._review = review
        self._base = link_base

    def lines(self) -> Iterator[str]:
        review = self._review
        yield f"# Review of {text(review.target.name)}"
        yield from table(("", ""), [(text(row.title), self._value(row)) for row in review.basics])
        yield ""
        yield "## Assets"
        yield from self._figures(review.panel)
        yield from self._topology(review.topology)
        for layer in review.layers:
            yield from self._layer(layer)
        yield from self._entries()
        yield from self._risk()
        yield from self._claims()
        yield from self._checklist()
        yield from self._lists()
        yield from self._unread()
        yield from self._made()
        yield ""
        yield "## Limits"
        yield ""
        yield from (f"- {text(limit)}" for limit in review.limits)

    @staticmethod
    def _value(row: Figure) -> str:
        return (
            f"unknown, because {text(row.because)}"
            if row.because
            else text(row.value) + (f" ({text(row.reading)})" if row.reading else "")
        )

    def _figures(self, figures: Sequence[Figure]) -> Iterator[str]:
        yield from table(
            ("indicator", "value", "reading"),
            [
                (text(row.title), "unknown" if row.because else text(row.value), text(row.because or row.reading))
                for row in figures
            ],
        )

    def _topology(self, topology: Topology) -> Iterator[str]:
        yield ""
        yield "## Module topology"
        yield from self._figures(topology.figures)
        yield ""
        yield "```mermaid"
        yield from mermaid(topology)
        yield "```"
        if len(topology.groups) > DRAWN:
            yield ""
            yield f"The picture shows the {DRAWN} largest of {len(topology.groups)} packages."
        if topology.cycles:
            yield ""
            yield "Cycles:"
            yield ""
            yield from (f"- {' ↔ '.join(code(name) for name in cycle[:LISTED])}" for cycle in topology.cycles[:LISTED])

    def _layer(self, layer: Layer) -> Iterator[str]:
        yield ""
        yield f"## {text(layer.title)}"
        yield from table(
            ("question", "answer", "reading", "rests on"),
            [
                (
                    text(answer.question),
                    f"**{answer.outcome.value}**",
                    text(answer.because or answer.reading),
                    answer.basis.value,
                )
                for answer in layer.answers
            ],
        )
        for answer in layer.answers:
            yield from self._answer(answer)

    def _answer(self, answer: Answer) -> Iterator[str]:
        if not answer.positive.total and not answer.negative.total and not answer.remedy:
            return
        yield ""
        yield f"### {text(answer.question)}"
        yield ""
        yield f"{answer.outcome.value.capitalize()}. {text(answer.because or answer.reading)}"
        yield ""
        yield f"How it was answered: {text(answer.how)}"
        for word, evidence in (("For", answer.positive), ("Against", answer.negative)):
            yield from self._evidence(word, evidence)
        if answer.remedy and answer.good is not None and answer.outcome not in (answer.good, Outcome.NOT_APPLICABLE):
            yield ""
            yield f"What would change it: {text(answer.remedy)}"

    def _evidence(self, word: str, evidence: Evidence) -> Iterator[str]:
        if not evidence.total:
            return
        yield ""
        yield f"{word} ({evidence.total}):"
        yield ""
        for place in evidence.places[:LISTED]:
            target = link(place, self._review.target, self._base)
            shown = code(where(place)) or "the tree"
            show = command(place, self._review.target)
            yield (
                "- "
                + ": ".join(filter(None, (f"[{shown}]({target})" if target else shown, text(place.note))))
                + (f" — `{show}`" if show else "")
            )
        if evidence.total > LISTED:
            yield f"- … and {evidence.total - LISTED} more"

    def _entries(self) -> Iterator[str]:
        ways = self._review.entries
        yield ""
        yield "## Ways in"
        if not ways:
            yield ""
            yield "No route, service, command or interface was found in production code."
            return
        yield from table(
            ("kind", "name", "where", "path to an engine"),
            [
                (
                    way.kind,
                    code(way.name),
                    code(where(way.place)),
                    f"by {way.by}: " + " → ".join(f"{code(where(step))} {text(step.note)}" for step in way.path)
                    if way.path
                    else "none was found",
                )
                for way in ways[: LISTED * 8]
            ],
        )
        if len(ways) > LISTED * 8:
            yield ""
            yield f"… and {len(ways) - LISTED * 8} more"

    def _risk(self) -> Iterator[str]:
        risk = self._review.risk
        yield ""
        yield "## Hits of linters, by tier"
        yield from table(
            ("tool", "code", "name", "production", "test", "script"),
            [
                (text(row.tool), code(row.code), text(row.name), str(row.production), str(row.test), str(row.script))
                for row in risk.counts
            ],
        )
        hits = [hit for hit in risk.hits if hit.tier == "production" and hit.severity != "low"]
        if hits:
            yield ""
            yield f"Hits in production code above low severity ({len(hits)}; all are in the JSON):"
            yield ""
            for hit in hits[: LISTED * 4]:
                note = f" (silenced there: {text(hit.silenced)})" if hit.silenced else ""
                yield f"- {code(f'{hit.path}:{hit.line}')} {code(hit.code)} {text(hit.message)}{note}"

    def _claims(self) -> Iterator[str]:
        if not self._review.claims:
            return
        yield ""
        yield "## Claims of the README"
        yield from table(
            ("claim", "where", "seen in the source", "reading"),
            [
                (text(claim.subject), code(where(claim.place)), claim.outcome.value, text(claim.reading))
                for claim in self._review.claims
            ],
        )

    def _checklist(self) -> Iterator[str]:
        if not self._review.checklist:
            return
        yield ""
        yield "## Before deployment"
        yield from table(
            ("step", "from source", "reading", "remains", "command"),
            [
                (text(step.title), step.outcome.value, text(step.reading), text(step.remains), code(step.command))
                for step in self._review.checklist
            ],
        )

    def _lists(self) -> Iterator[str]:
        yield ""
        yield "## How each figure is counted"
        for row in (*self._review.panel, *self._review.topology.figures):
            yield ""
            yield f"**{text(row.title)}** ({text(row.value) or 'unknown'}; {row.basis.value}): {text(row.definition)}."
            if row.items:
                more = f" … and {len(row.items) - LISTED} more" if len(row.items) > LISTED else ""
                yield ""
                yield ", ".join(code(item) for item in row.items[:LISTED]) + more

    def _unread(self) -> Iterator[str]:
        yield ""
        yield "## Not read, not entered"
        rows = self._review.unread
        if not rows:
            yield ""
            yield "Everything that was listed was read."
        yield from table(("path", "why"), [(code(row.path), text(row.reason)) for row in rows[: LISTED * 8]])
        if len(rows) > LISTED * 8:
            yield ""
            yield f"… and {len(rows) - LISTED * 8} more"

    def _made(self) -> Iterator[str]:
        made, target = self._review.made, self._review.target
        yield ""
        yield "## Reproduce"
        yield from table(
            ("", ""),
            [
                ("commit", code(target.revision) or "-"),
                ("tree", code(target.tree) or "-"),
                ("content digest (SHA-256)", code(target.digest)),
                *((text(name), text(version)) for name, version in made.versions),
                *((text(name), text(value)) for name, value in made.settings),
            ],
        )


def comparison_markdown(comparison: Comparison) -> str:
    """Several reviews side by side, as one page."""
    return "\n".join(_comparison(comparison)) + "\n"


def _comparison(found: Comparison) -> Iterator[str]:
    names = [
        text(target.name) + (f" {code(target.revision[:SHORT])}" if target.revision else "") for target in found.targets
    ]
    yield "# Comparison"
    yield ""
    yield from (f"- {name} ({target.date or target.source})" for name, target in zip(names, found.targets, strict=True))
    for title, rows in (
        ("Assets", found.figures),
        ("Answers", found.answers),
        ("Hits per package, tier and 1,000 lines", found.modules),
        ("Hits per module and 1,000 lines", found.by_module),
    ):
        if not rows:
            continue
        yield ""
        yield f"## {title}"
        yield from table(
            ("", *names, *(("growth",) if rows and len(rows[0].values) > len(names) else ())),
            [(text(row.title), *(text(value) for value in row.values)) for row in rows],
        )
    for title, changes in (("New hits", found.added), ("Hits that are gone", found.gone)):
        if changes:
            yield ""
            yield f"## {title} ({len(changes)})"
            yield from table(
                ("where", "code", "tier", "message", "first in commit"),
                [
                    (
                        code(f"{item.hit.path}:{item.hit.line}"),
                        code(item.hit.code),
                        item.hit.tier,
                        text(item.hit.message),
                        code(item.commit[:SHORT]) or "not told",
                    )
                    for item in changes[: LISTED * 8]
                ],
            )


def mermaid(topology: Topology) -> Iterator[str]:
    """The packages and their imports as a Mermaid graph, classes by tier; names are quoted and numbered."""
    chosen = sorted(topology.groups, key=lambda group: (-group.lines, group.name))[:DRAWN]
    numbers = {
        group.name: number for number, group in enumerate(sorted(chosen, key=lambda group: (group.level, group.name)))
    }
    yield "graph TD"
    for group in sorted(chosen, key=lambda group: numbers[group.name]):
        label = (
            group.name.replace('"', "'")
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("`", "'")
        )
        yield f'  n{numbers[group.name]}["{label}<br/>{group.modules} modules, {group.lines:,} lines"]:::{group.tier}'
    edges = [edge for edge in topology.group_edges if edge.source in numbers and edge.target in numbers]
    for edge in sorted(edges, key=lambda edge: (-edge.count, edge.source, edge.target))[:LINES_DRAWN]:
        arrow = "-.->" if edge.late else "-->"
        yield f"  n{numbers[edge.source]} {arrow}|{edge.count}| n{numbers[edge.target]}"
    for tier, style in STYLES.items():
        yield f"  classDef {tier} {style}"
