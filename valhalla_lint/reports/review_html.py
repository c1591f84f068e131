"""A review as one self-contained page."""

from collections.abc import Iterator, Sequence
from html import escape

from valhalla_lint.core.evidence import Answer, Basis, Citation, Evidence, Figure, Outcome, Review, RiskHit
from valhalla_lint.reports.review_frame import closing, opening, table
from valhalla_lint.reports.review_picture import bar, drawn, picture
from valhalla_lint.reports.review_places import command, link, where

LISTED = 200
"""Items of a list that the page shows; the JSON holds all."""
LONG = 16
"""Letters from which a value is set smaller."""
TIERS = ("production", "test", "script")
SECTIONS = (
    ("assets", "Assets"),
    ("topology", "Topology"),
    ("answers", "Answers"),
    ("entries", "Ways in"),
    ("hits", "Hits"),
    ("claims", "Claims"),
    ("checklist", "Before deployment"),
    ("unread", "Not read"),
    ("reproduce", "Reproduce"),
    ("limits", "Limits"),
)


def review_html(review: Review, link_base: str = "") -> str:
    """The page; the same text for the same review and link base."""
    return "\n".join(_Page(review, link_base).lines()) + "\n"


def _tag(name: str, content: str, kind: str = "") -> str:
    return f'<{name} class="{kind}">{content}</{name}>' if kind else f"<{name}>{content}</{name}>"


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


class _Page:
    def __init__(self, review: Review, link_base: str) -> None:
        self._review = review
        self._base = link_base

    def lines(self) -> Iterator[str]:
        shown = [(key, title) for key, title in SECTIONS if key != "claims" or self._review.claims]
        yield from opening(f"Review of {self._review.target.name}", self._basics(), shown)
        yield from self._assets()
        yield from self._topology()
        yield from self._answers()
        yield from self._entries()
        yield from self._hits()
        yield from self._claims()
        yield from self._checklist()
        yield from self._unread()
        yield from self._reproduce()
        yield (
            '<h2 id="limits">Limits</h2><ul>'
            + "".join(_tag("li", escape(limit)) for limit in self._review.limits)
            + "</ul>"
        )
        yield from closing()

    def _basics(self) -> Iterator[str]:
        yield '<dl class="basics">'
        for row in self._review.basics:
            value = f"unknown, because {row.because}" if row.because else row.value
            more = f' <span class="soft">{escape(row.reading)}</span>' if row.reading else ""
            shown = f"<code>{escape(value)}</code>" if row.id in ("basics.commit", "basics.content") else escape(value)
            yield f"<dt>{escape(row.title)}</dt><dd>{shown}{more}</dd>"
        yield "</dl>"

    def _assets(self) -> Iterator[str]:
        yield '<h2 id="assets">Assets</h2>'
        yield '<p class="soft">Each figure opens: how it is counted, and the list behind it.</p>'
        yield from self._tiers()
        yield from self._cards(self._review.panel)

    def _tiers(self) -> Iterator[str]:
        review = self._review
        lines = {tier: sum(node.lines for node in review.topology.nodes if node.tier == tier) for tier in TIERS}
        files = {tier: sum(node.tier == tier for node in review.topology.nodes) for tier in TIERS}
        hits = {tier: sum(hit.tier == tier for hit in review.risk.hits) for tier in TIERS}
        yield '<div class="tiers">'
        for title, values, word in (
            ("Python lines", lines, "line"),
            ("Python files", files, "file"),
            ("Hits", hits, "hit"),
        ):
            labels = {tier: f"{tier}: {_plural(values[tier], word)}" for tier in TIERS}
            drawing = bar([(tier, values[tier]) for tier in TIERS], labels)
            words = " · ".join(f"{tier} {values[tier]:,}" for tier in TIERS)
            yield f'<div class="row"><span>{title}<br><span class="soft">{words}</span></span>{drawing}</div>'
        yield "</div>"
        yield (
            '<p class="legend">'
            + "".join(f'<span><span class="key {tier}"></span>{tier}</span>' for tier in TIERS)
            + "</p>"
        )

    def _cards(self, figures: Sequence[Figure]) -> Iterator[str]:
        yield '<div class="cards">'
        for figure in figures:
            value = "unknown" if figure.because else figure.value
            size = "value long" if len(value) > LONG else "value"
            reading = figure.because or figure.reading
            more = f'<span class="reading">{escape(reading)}</span>' if reading else ""
            yield (
                f'<details class="card" id="{escape(figure.id)}"><summary>'
                f'<span class="title">{escape(figure.title)}</span>'
                f'<span class="{size}">{escape(value)}</span>{more}</summary><div class="inside">'
                f'<p>{escape(figure.definition)}. <span class="soft">Rests on: {figure.basis.value}.</span></p>'
                f"{self._items(figure.items)}</div></details>"
            )
        yield "</div>"

    @staticmethod
    def _items(items: Sequence[str]) -> str:
        if not items:
            return ""
        rest = f"<li>… and {len(items) - LISTED:,} more (in the JSON)</li>" if len(items) > LISTED else ""
        return "<ul>" + "".join(f"<li><code>{escape(item)}</code></li>" for item in items[:LISTED]) + rest + "</ul>"

    def _topology(self) -> Iterator[str]:
        topology = self._review.topology
        yield '<h2 id="topology">Module topology</h2>'
        drawing = picture(topology)
        if drawing:
            shown = len(drawn(topology))
            some = (
                ""
                if shown == len(topology.groups)
                else f" The {shown} largest of {len(topology.groups)} packages are drawn."
            )
            yield (
                '<p class="soft">Packages, importers above what they import; colours are tiers, dashed lines are '
                "imports inside functions, red ones should not be. "
                "Choose a package (click, or Tab and Enter; Escape lets go) "
                "to see its "
                f"neighbours.{some}</p>"
            )
            yield f'<figure><div class="picture">{drawing}</div>'
            yield '<figcaption id="about" aria-live="polite">No package is chosen.</figcaption></figure>'
        yield from self._cards(topology.figures)
        rows = [
            (
                escape(group.name),
                group.tier,
                f"{group.modules:,}",
                f"{group.lines:,}",
                str(group.level),
                group.instability,
            )
            for group in sorted(topology.groups, key=lambda group: (-group.lines, group.name))[:LISTED]
        ]
        yield "<details><summary>The same as a table</summary>"
        yield from table(("package", "tier", "modules", "lines", "layer", "instability"), rows, numbers=(2, 3, 4, 5))
        yield "</details>"

    def _answers(self) -> Iterator[str]:
        yield '<h2 id="answers">Answers</h2>'
        yield (
            '<p class="soft">Yes or no is no grade: green is the answer that a maintainer would want, '
            "red the other one, "
            "grey where neither is better or nothing can be told. Each answer opens to its evidence.</p>"
        )
        kinds = (
            ("all", "all"),
            ("bad", "wanted otherwise"),
            ("good", "as wanted"),
            ("open", "neither"),
            ("unknown", "unknown"),
        )
        yield (
            '<div class="filters" role="group" aria-label="Show answers">'
            + "".join(
                f'<button type="button" data-show="{key}" aria-pressed="{str(key == "all").lower()}">{title}</button>'
                for key, title in kinds
            )
            + "</div>"
        )
        for layer in self._review.layers:
            yield f'<h3 id="layer-{escape(layer.id)}">{escape(layer.title)}</h3><div class="answers">'
            for answer in layer.answers:
                yield from self._answer(answer)
            yield '</div><p class="soft hide">None of this kind.</p>'

    def _answer(self, answer: Answer) -> Iterator[str]:
        kind = _kind(answer)
        extra = f"{kind} unknown" if answer.outcome is Outcome.UNKNOWN else kind
        words = (
            f'<span class="words">{escape(answer.because or answer.reading)}</span>'
            if answer.because or answer.reading
            else ""
        )
        yield (
            f'<details id="{escape(answer.id)}" data-kind="{extra}"><summary>'
            f'<span class="mark {kind}">{escape(answer.outcome.value)}</span>'
            f'<span>{escape(answer.question)}</span>{words}</summary><div class="inside">'
        )
        rests = {
            Basis.SOURCE: "the source",
            Basis.README: "the README",
            Basis.INFERENCE: "inference from names and shapes",
        }[answer.basis]
        yield f'<p>How it was answered: {escape(answer.how)}. <span class="soft">Rests on {rests}.</span></p>'
        yield self._evidence("For a yes", answer.positive)
        yield self._evidence("For a no", answer.negative)
        if answer.remedy:
            yield f"<p>What would change it: {escape(answer.remedy)}.</p>"
        yield "</div></details>"

    def _evidence(self, word: str, evidence: Evidence) -> str:
        if not evidence.total:
            return ""
        items = "".join(f"<li>{self._place(place)}</li>" for place in evidence.places)
        rest = (
            f"<li>… and {evidence.total - len(evidence.places):,} more</li>"
            if evidence.total > len(evidence.places)
            else ""
        )
        return f'<p>{word} ({evidence.total:,}):</p><ul class="places">{items}{rest}</ul>'

    def _linked(self, place: Citation) -> str:
        """Path and line, as a link where there is a base for links."""
        target = link(place, self._review.target, self._base)
        words = f"<code>{escape(where(place)) or 'the tree'}</code>"
        return f'<a href="{escape(target)}" rel="noreferrer noopener">{words}</a>' if target else words

    def _place(self, place: Citation) -> str:
        shown = self._linked(place)
        note = f" {escape(place.note)}" if place.note else ""
        show = command(place, self._review.target)
        return shown + note + (f'<code class="command">{escape(show)}</code>' if show else "")

    def _entries(self) -> Iterator[str]:
        ways = self._review.entries
        yield '<h2 id="entries">Ways in</h2>'
        if not ways:
            yield "<p>No route, service, command or interface was found in production code.</p>"
            return
        yield (
            '<p class="soft">Where the outside comes in, and the shortest path from there to the code that runs '
            "models: by calls where they can be followed, else by imports. What is looked up in tables or sent to "
            "other processes is not followed.</p>"
        )
        rows = []
        for way in ways[:LISTED]:
            steps = "".join(f"<li>{self._place(step)}</li>" for step in way.path)
            path = (
                f"<details><summary>{len(way.path)} steps, by {escape(way.by)}</summary>"
                f'<ol class="places">{steps}</ol></details>'
                if way.path
                else "none was found"
            )
            rows.append((escape(way.kind), f"<code>{escape(way.name)}</code>", self._linked(way.place), path))
        yield from table(("kind", "name", "where", "path to an engine"), rows)
        if len(ways) > LISTED:
            yield f'<p class="soft">… and {len(ways) - LISTED:,} more (in the JSON)</p>'

    def _hits(self) -> Iterator[str]:
        risk = self._review.risk
        yield '<h2 id="hits">Hits of linters, by tier</h2>'
        if not risk.counts:
            yield "<p>None.</p>"
            return
        rows = [
            (
                escape(row.tool),
                f"<code>{escape(row.code)}</code>",
                escape(row.name),
                f"{row.production:,}",
                f"{row.test:,}",
                f"{row.script:,}",
            )
            for row in risk.counts
        ]
        yield from table(("tool", "code", "name", "production", "test", "script"), rows, numbers=(3, 4, 5))
        chosen = [hit for hit in risk.hits if hit.tier == "production"]
        ranked = sorted(
            chosen, key=lambda hit: ({"high": 0, "medium": 1}.get(hit.severity, 2), hit.path, hit.line, hit.code)
        )
        yield f"<details><summary>The {len(chosen):,} hits in production code, the gravest first</summary>"
        yield from table(("where", "code", "severity", "message"), [self._hit(hit) for hit in ranked[:LISTED]])
        if len(ranked) > LISTED:
            yield f'<p class="soft">… and {len(ranked) - LISTED:,} more (in the JSON)</p>'
        yield "</details>"

    def _hit(self, hit: RiskHit) -> tuple[str, ...]:
        shown = self._linked(Citation(hit.path, hit.line))
        silenced = f' <span class="soft">(silence asked for: {escape(hit.silenced)})</span>' if hit.silenced else ""
        return shown, f"<code>{escape(hit.code)}</code>", escape(hit.severity), escape(hit.message) + silenced

    def _claims(self) -> Iterator[str]:
        claims = self._review.claims
        if not claims:
            return
        yield '<h2 id="claims">Claims of the README</h2>'
        yield '<p class="soft">What the README speaks of, and what the source shows of it.</p>'
        rows = []
        for claim in claims:
            count, inside = _plural(claim.evidence.total, "place"), self._evidence("Places", claim.evidence)
            places = f"<details><summary>{count}</summary>{inside}</details>" if inside else "-"
            rows.append(
                (
                    escape(claim.subject),
                    self._place(Citation(claim.place.path, claim.place.line, claim.place.line, claim.place.note)),
                    escape(claim.outcome.value),
                    escape(claim.reading),
                    places,
                    escape(claim.basis.value),
                )
            )
        yield from table(("claim", "where", "seen", "reading", "evidence", "rests on"), rows)

    def _checklist(self) -> Iterator[str]:
        yield '<h2 id="checklist">Before deployment</h2>'
        yield '<p class="soft">What the source says to each step, and what only a run can show.</p>'
        rows = [
            (
                escape(step.title),
                escape(step.outcome.value),
                escape(step.reading),
                escape(step.remains) + (f"<br><code>{escape(step.command)}</code>" if step.command else ""),
            )
            for step in self._review.checklist
        ]
        yield from table(("step", "from source", "reading", "remains to be done"), rows)

    def _unread(self) -> Iterator[str]:
        rows = self._review.unread
        yield '<h2 id="unread">Not read, not entered</h2>'
        if not rows:
            yield "<p>Everything that was listed was read.</p>"
            return
        yield from table(
            ("path", "why"), [(f"<code>{escape(row.path)}</code>", escape(row.reason)) for row in rows[:LISTED]]
        )
        if len(rows) > LISTED:
            yield f'<p class="soft">… and {len(rows) - LISTED:,} more (in the JSON)</p>'

    def _reproduce(self) -> Iterator[str]:
        made, target = self._review.made, self._review.target
        yield '<h2 id="reproduce">Reproduce</h2><dl class="basics">'
        rows = [
            ("commit", target.revision),
            ("tree", target.tree),
            ("content digest (SHA-256)", target.digest),
            *made.versions,
            *made.settings,
        ]
        for name, value in rows:
            yield f"<dt>{escape(name)}</dt><dd><code>{escape(value) or '-'}</code></dd>"
        yield "</dl><details><summary>Digests of the tables that it was made with</summary>"
        yield from table(
            ("table", "SHA-256"), [(escape(name), f"<code>{escape(value)}</code>") for name, value in made.tables]
        )
        yield "</details>"
        if target.revision:
            again = f"valhalla-lint review REPO@{target.revision} --verify REVIEW.json"
            yield f"<p>Again, and compared: <code>{escape(again)}</code></p>"


def _kind(answer: Answer) -> str:
    if answer.good is None or answer.outcome in (Outcome.UNKNOWN, Outcome.NOT_APPLICABLE):
        return "open"
    return "good" if answer.outcome is answer.good else "bad"
