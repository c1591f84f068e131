"""The figures as Markdown tables, and how cost grows as a plot in SVG."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.subjects import RATIOS, SUBJECTS

BEGIN, END = "<!-- figures -->", "<!-- end -->"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 420, 64, 48, 24, 150
"""The plot in pixels: its size, and the room beside the axes."""
COLOURS = ("#6b7280", "#2563eb", "#7c3aed", "#059669", "#d97706")
SECOND_DIGIT = 10
THOUSAND = 1_000
Figures = Mapping[str, Any]


def tables(figures: Figures) -> str:
    """All tables: ratios with goals, then subjects, corpus by corpus, then growth."""
    where = f"Python {figures['python']} on {figures['machine']}, {figures['processors']} processors"
    parts = [f"{where}; medians of {figures['rounds']} rounds, least and greatest in brackets."]
    corpora = figures["corpora"]
    if corpora:
        parts.append(_ratios(corpora))
        parts.extend(_subjects(corpus) for corpus in corpora)
    if figures["growth"]:
        parts.append(_growth(figures["growth"]))
    return "\n\n".join(parts)


def _ratios(corpora: Sequence[Figures]) -> str:
    rows = ["| ratio of CPU times | goal | " + " | ".join(item["corpus"] for item in corpora) + " |"]
    rows.append("| --- | --- |" + " --- |" * len(corpora))
    for row in RATIOS:
        cells = [_spread(item["ratios"].get(row.says)) for item in corpora]
        if any(cells):
            goal = f"≤ {row.goal}" if row.goal is not None else ""
            rows.append(f"| {row.says} | {goal} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _subjects(corpus: Figures) -> str:
    rows = [
        f"**{corpus['corpus']}**: {corpus['files']:,} files, {corpus['lines']:,} lines.",
        "",
        "| what runs | CPU, s | wall, s | peak memory, MiB |",
        "| --- | --- | --- | --- |",
    ]
    for subject in SUBJECTS:
        if (found := corpus["subjects"].get(subject.name)) is not None:
            cells = (_spread(found["cpu"]), _spread(found["wall"]), f"{found['memory']:.0f}")
            rows.append(f"| {subject.says} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _growth(corpora: Sequence[Figures]) -> str:
    names = [item.name for item in SUBJECTS if item.name in corpora[0]["subjects"]]
    rows = [
        "CPU time in milliseconds for 1,000 lines (and peak memory in MiB) as a program grows:",
        "",
        "| lines | " + " | ".join(names) + " |",
        "| --- |" + " --- |" * len(names),
    ]
    for corpus in corpora:
        cells = []
        for name in names:
            found = corpus["subjects"].get(name)
            each = found["cpu"]["median"] * THOUSAND / (corpus["lines"] / THOUSAND) if found else math.nan
            cells.append(f"{each:.2f} ({found['memory']:.0f})" if found else "")
        rows.append(f"| {corpus['lines']:,} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _spread(found: Mapping[str, float] | None) -> str:
    """A median with its range, `2.31 (2.28 to 2.40)`."""
    if found is None:
        return ""
    return f"{_short(found['median'])} ({_short(found['least'])} to {_short(found['greatest'])})"


def _short(figure: float) -> str:
    return f"{figure:.1f}" if figure >= SECOND_DIGIT else f"{figure:.2f}" if figure >= 1 else f"{figure:.3f}"


def plot(corpora: Sequence[Figures]) -> str:
    """CPU seconds over lines, both axes logarithmic, a line for each subject."""
    names = [item.name for item in SUBJECTS if item.name in corpora[0]["subjects"]]
    lines = [corpus["lines"] for corpus in corpora]
    seconds = [corpus["subjects"][name]["cpu"]["median"] for corpus in corpora for name in names]
    low, high = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))
    first, last = math.floor(math.log10(min(lines))), math.ceil(math.log10(max(lines)))

    def across(count: float) -> float:
        return LEFT + (math.log10(count) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def up(second: float) -> float:
        return HEIGHT - BOTTOM - (math.log10(second) - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    label = "CPU seconds over lines of code"
    font = 'font-family="sans-serif" font-size="12"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {font} role="img"',
        f'aria-label="{label}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for power in range(first, last + 1):
        x = across(10**power)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e5e7eb"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10**power:,}</text>')
    for power in range(low, high + 1):
        y = up(10**power)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e5e7eb"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    for name, colour in zip(names, COLOURS, strict=False):
        points = [(across(c["lines"]), up(c["subjects"][name]["cpu"]["median"])) for c in corpora]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points)
        x, y = points[-1]
        parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">lines of code</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def renew(file: Path, figures: Figures) -> None:
    """Write the tables between the marks of a page, and the plot beside it."""
    text = file.read_text(encoding="utf-8")
    made = f"{BEGIN}\n\n{tables(figures)}\n\n{END}"
    file.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: made, text, flags=re.DOTALL), encoding="utf-8")
    if figures["growth"]:
        file.with_suffix(".svg").write_text(plot(figures["growth"]), encoding="utf-8")
