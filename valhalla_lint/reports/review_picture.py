"""The packages of a review as a layered picture: plain SVG, the same for the same graph, readable without a script."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from valhalla_lint.core.evidence import Edge, Group, Topology

DRAWN = 60
"""Packages that are drawn; the largest ones, as more cannot be read."""
ROW = 7
"""Nodes side by side; a fuller layer takes several rows."""
SWEEPS = 4
WRONG = frozenset({("production", "test"), ("production", "script"), ("script", "test")})

LETTER, MARGIN, HEIGHT, GAP_X, GAP_Y, NAME = 6.9, 22.0, 40.0, 22.0, 56.0, 30
"""Measures in pixels; NAME in letters."""
NARROWEST, PADDING = 96.0, 12.0
FIRST_LINE, SECOND_LINE = 17.0, 31.0
"""Base lines of the two texts below the upper edge of a box."""
LEAST_BEND, BEND, ASIDE, ARCH = 0.6, 0.4, 0.7, 34.0
"""How far curves swing out: down (shares of gap and way), around boxes (of the width), over a row."""
THINNEST, THICKEST, IMPORTS_A_PIXEL = 1.0, 4.0, 12
"""Widths of lines: thicker by one pixel for so many imports."""


@dataclass(frozen=True, slots=True)
class Box:
    """Where a package is drawn."""

    group: Group
    x: float
    y: float
    width: float

    @property
    def middle(self) -> float:
        """The middle of the box from left to right."""
        return self.x + self.width / 2


def drawn(topology: Topology) -> tuple[Group, ...]:
    """The packages that the picture shows."""
    ranked = sorted(topology.groups, key=lambda group: (-group.lines, group.name))[:DRAWN]
    return tuple(sorted(ranked, key=lambda group: group.name))


def picture(topology: Topology) -> str:
    """An SVG element; "" where there is nothing to draw."""
    groups = drawn(topology)
    if not groups:
        return ""
    names = {group.name for group in groups}
    edges = [edge for edge in topology.group_edges if edge.source in names and edge.target in names]
    boxes = {box.group.name: box for box in _place(groups, edges)}
    width = max(box.x + box.width for box in boxes.values()) + MARGIN
    height = max(box.y for box in boxes.values()) + HEIGHT + MARGIN
    lines = "".join(_edge(boxes[edge.source], boxes[edge.target], edge) for edge in edges)
    nodes = "".join(_node(boxes[name]) for name in sorted(boxes, key=lambda name: (boxes[name].y, boxes[name].x)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="group" aria-label="Packages and their imports">'
        f'<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
        f'markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0 0 8 4 0 8z" fill="context-stroke"/></marker></defs>{lines}{nodes}</svg>'
    )


def _place(groups: Sequence[Group], edges: Sequence[Edge]) -> Iterator[Box]:
    """Boxes in rows: importers above what they import; the order in a row follows the neighbours."""
    rows = _rows(groups)
    order = _ordered(rows, edges)
    widths = {group.name: max(NARROWEST, (min(len(group.name), NAME) * LETTER) + 2 * PADDING) for group in groups}
    totals = [sum(widths[group.name] for group in row) + GAP_X * (len(row) - 1) for row in order]
    widest = max(totals)
    for number, (row, total) in enumerate(zip(order, totals, strict=True)):
        x = MARGIN + (widest - total) / 2
        for group in row:
            yield Box(group, x, MARGIN + number * (HEIGHT + GAP_Y), widths[group.name])
            x += widths[group.name] + GAP_X


def _rows(groups: Sequence[Group]) -> list[list[Group]]:
    levels: defaultdict[int, list[Group]] = defaultdict(list)
    for group in groups:
        levels[group.level].append(group)
    rows: list[list[Group]] = []
    for level in sorted(levels, reverse=True):
        layer = levels[level]
        parts = -(-len(layer) // ROW)
        size = -(-len(layer) // parts)
        rows.extend(layer[start : start + size] for start in range(0, len(layer), size))
    return rows


def _ordered(rows: list[list[Group]], edges: Sequence[Edge]) -> list[list[Group]]:
    """Rows sorted by the mean place of their neighbours, downwards and upwards a few times."""
    near: defaultdict[str, list[str]] = defaultdict(list)
    for edge in edges:
        near[edge.source].append(edge.target)
        near[edge.target].append(edge.source)
    place: dict[str, float] = {}
    for row in rows:
        for number, group in enumerate(row):
            place[group.name] = (number + 1) / (len(row) + 1)

    def mean(group: Group) -> tuple[float, str]:
        found = [place[name] for name in near[group.name] if name in place]
        return (round(sum(found) / len(found), 6) if found else place[group.name], group.name)

    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            row.sort(key=mean)
            for number, group in enumerate(row):
                place[group.name] = (number + 1) / (len(row) + 1)
    return rows


def _edge(source: Box, target: Box, edge: Edge) -> str:
    if source.y < target.y:
        x1, y1, x2, y2 = source.middle, source.y + HEIGHT, target.middle, target.y
        bend = max(GAP_Y * LEAST_BEND, (y2 - y1) * BEND)
        path = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}"
    elif source.y > target.y:  # against the layers: part of a cycle, or a late import
        x1, y1, x2, y2 = source.middle, source.y, target.middle, target.y + HEIGHT
        side = max(source.width, target.width) * ASIDE
        path = f"M{x1:.1f} {y1:.1f}C{x1 + side:.1f} {y1 - GAP_Y:.1f} {x2 + side:.1f} {y2 + GAP_Y:.1f} {x2:.1f} {y2:.1f}"
    else:
        path = (
            f"M{source.middle:.1f} {source.y:.1f}C{source.middle:.1f} {source.y - ARCH:.1f} {target.middle:.1f} "
            f"{target.y - ARCH:.1f} {target.middle:.1f} {target.y:.1f}"
        )
    wrong = (source.group.tier, target.group.tier) in WRONG
    kinds = " ".join(filter(None, ("edge", "late" if edge.late else "", "wrong" if wrong else "")))
    width = min(THICKEST, THINNEST + edge.count / IMPORTS_A_PIXEL)
    return (
        f'<path class="{kinds}" d="{path}" stroke-width="{width:.1f}" marker-end="url(#tip)" '
        f'data-source="{escape(edge.source)}" data-target="{escape(edge.target)}"/>'
    )


def _node(box: Box) -> str:
    group = box.group
    name = group.name if len(group.name) <= NAME else f"…{group.name[-NAME + 1 :]}"
    about = f"{group.tier}, {group.modules} modules, {group.lines:,} lines, instability {group.instability}"
    return (
        f'<g class="node {group.tier}" tabindex="0" role="button" aria-pressed="false" '
        f'aria-label="{escape(f"{group.name}: {about}")}" data-name="{escape(group.name)}" '
        f'data-about="{escape(about)}">'
        f"<title>{escape(f'{group.name}: {about}')}</title>"
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{HEIGHT:.0f}" rx="6"/>'
        f'<text x="{box.middle:.1f}" y="{box.y + FIRST_LINE:.1f}" text-anchor="middle">{escape(name)}</text>'
        f'<text class="sub" x="{box.middle:.1f}" y="{box.y + SECOND_LINE:.1f}" text-anchor="middle">'
        f"{group.modules} · {group.lines:,} lines</text></g>"
    )


def bar(parts: Sequence[tuple[str, int]], labels: Mapping[str, str]) -> str:
    """A bar of shares as SVG, each part of a class with a title; without a style attribute, which the page forbids."""
    total = sum(value for _, value in parts)
    if not total:
        return '<svg class="bar" role="img" aria-label="nothing" viewBox="0 0 100 4" preserveAspectRatio="none"></svg>'
    pieces, x = [], 0.0
    for name, value in parts:
        width = 100.0 * value / total
        if value:
            pieces.append(
                f'<rect class="fill {name}" x="{x:.3f}" y="0" width="{width:.3f}" height="4">'
                f"<title>{escape(labels[name])}</title></rect>"
            )
        x += width
    words = escape("; ".join(labels[name] for name, _ in parts))
    head = f'<svg class="bar" role="img" aria-label="{words}" viewBox="0 0 100 4" preserveAspectRatio="none">'
    return f"{head}{''.join(pieces)}</svg>"
