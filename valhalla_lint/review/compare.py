"""Several reviews side by side; for two commits of one repository also what came, what went, and with which commit."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from valhalla_lint.core.evidence import Change, Comparison, Review, RiskHit, Row
from valhalla_lint.core.source import Unread
from valhalla_lint.facts.reading import source_of
from valhalla_lint.linter import Linter
from valhalla_lint.review.review import review, settings_for
from valhalla_lint.review.risk import OURS
from valhalla_lint.review.shares import rate
from valhalla_lint.review.snapshot import GitTree

PAIR = 2


def compare(trees: Sequence[GitTree]) -> Comparison:
    """The reviews of all trees, row by row."""
    reviews = [review(tree) for tree in trees]
    same = all(trees[-1].holds(tree.revision) for tree in trees[:-1])
    added: tuple[Change, ...] = ()
    gone: tuple[Change, ...] = ()
    if same and len(trees) == PAIR:
        added, gone = _changes(trees, reviews)
    return Comparison(
        targets=tuple(found.target for found in reviews),
        figures=tuple(_figures(reviews)),
        answers=tuple(_answers(reviews)),
        modules=tuple(_modules(reviews)),
        same=same,
        added=added,
        gone=gone,
    )


def _figures(reviews: Sequence[Review]) -> Iterator[Row]:
    tables = [{row.id: row for row in (*found.panel, *found.topology.figures)} for found in reviews]
    for key, row in tables[0].items():
        yield Row(key, row.title, tuple("unknown" if table[key].because else table[key].value for table in tables))


def _answers(reviews: Sequence[Review]) -> Iterator[Row]:
    tables = [{answer.id: answer for layer in found.layers for answer in layer.answers} for found in reviews]
    for key, answer in tables[0].items():
        yield Row(key, answer.question, tuple(table[key].outcome.value for table in tables))


def _modules(reviews: Sequence[Review]) -> Iterator[Row]:
    """Hits of our rules per package and tier, with the rate; for a pair also the growth of the count."""
    counts = [_per_package(found) for found in reviews]
    lines = [_lines(found) for found in reviews]
    for key in sorted({key for table in counts for key in table}):
        values = [table.get(key, 0) for table in counts]
        shown = [f"{value} ({rate(value, size.get(key, 0))})" for value, size in zip(values, lines, strict=True)]
        if len(values) == PAIR:
            shown.append(f"{values[1] - values[0]:+d}")
        yield Row(" ".join(key), f"{key[0]}, {key[1]}", tuple(shown))


def _per_package(found: Review) -> Mapping[tuple[str, str], int]:
    homes = {node.path: node.package for node in found.topology.nodes}
    return Counter((homes.get(hit.path, "(top)"), hit.tier) for hit in found.risk.hits if hit.tool == OURS)


def _lines(found: Review) -> Mapping[tuple[str, str], int]:
    total: defaultdict[tuple[str, str], int] = defaultdict(int)
    for node in found.topology.nodes:
        total[node.package, node.tier] += node.lines
    return total


def _changes(trees: Sequence[GitTree], reviews: Sequence[Review]) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    old, new = ([hit for hit in found.risk.hits if hit.tool == OURS] for found in reviews)
    came, went = _minus(new, old), _minus(old, new)
    linter = Linter(settings_for(trees[1]))
    cache: dict[str, dict[str, str]] = {}
    for hit in came:
        if hit.path not in cache:
            cache[hit.path] = _first_seen(linter, trees[1], trees[0].revision, hit.path)
    added = tuple(Change(hit, cache[hit.path].get(hit.fingerprint, "")) for hit in came)
    return added, tuple(Change(hit) for hit in went)


def _minus(these: Sequence[RiskHit], those: Sequence[RiskHit]) -> list[RiskHit]:
    """The hits that the other side does not have, counted by fingerprint."""
    left = Counter(hit.fingerprint for hit in those)
    found = []
    for hit in these:
        if left[hit.fingerprint]:
            left[hit.fingerprint] -= 1
        else:
            found.append(hit)
    return found


def _first_seen(linter: Linter, tree: GitTree, before: str, path: str) -> dict[str, str]:
    """For each fingerprint in a file, the first commit after `before` in which it stands."""
    seen: dict[str, str] = {}
    for commit, data in tree.changes(before, path):
        source = source_of(data, path, None)
        if isinstance(source, Unread):
            continue
        report = linter.inspect(source)
        for finding in (*report.findings, *(item.finding for item in report.suppressed)):
            seen.setdefault(finding.fingerprint, commit)
    return seen
