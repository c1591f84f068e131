"""Several reviews side by side; for two commits of one repository also what came, what went, and with which commit."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from valhalla_lint.core.evidence import Change, Comparison, Node, Review, RiskHit, Row
from valhalla_lint.core.source import Unread
from valhalla_lint.facts.reading import source_of
from valhalla_lint.linter import Linter
from valhalla_lint.review.review import review, settings_for
from valhalla_lint.review.risk import BANDIT, OURS, Bandit
from valhalla_lint.review.shares import HUNDRED, rate
from valhalla_lint.review.snapshot import GitTree
from valhalla_lint.review.workshop import PLAIN, Workshop

PAIR = 2
Key = tuple[str, ...]


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
        modules=tuple(_rates(reviews, lambda node: node.package)),
        by_module=tuple(_rates(reviews, lambda node: node.path)) if same and len(trees) == PAIR else (),
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


def _rates(reviews: Sequence[Review], home: Callable[[Node], str]) -> Iterator[Row]:
    """Hits per package or module, tier and linter, with the rate in 1,000 lines; for a pair with the growth of both.

    Where nothing was hit on either side, nothing is told.
    """
    counts = [_counted(found, home) for found in reviews]
    lines = [_lines(found, home) for found in reviews]
    for key in sorted({key for table in counts for key in table}):
        values = [table.get(key, 0) for table in counts]
        sizes = [size.get(key[:-1], 0) for size in lines]
        shown = [f"{value} ({rate(value, size)})" for value, size in zip(values, sizes, strict=True)]
        if len(values) == PAIR:
            shown.append(f"{values[1] - values[0]:+d} ({_growth(values, sizes)})")
        yield Row(" ".join(key), ", ".join(key), tuple(shown))


def _growth(values: Sequence[int], sizes: Sequence[int]) -> str:
    """The growth of the rate, or which side has no lines there."""
    if not all(sizes):
        return "new" if sizes[1] else "gone"
    old, new = (int(rate(value, size).replace(".", "")) for value, size in zip(values, sizes, strict=True))
    sign = "-" if new < old else "+"
    units, decimals = divmod(abs(new - old), HUNDRED)
    return f"{sign}{units}.{decimals:02d}"


def _counted(found: Review, home: Callable[[Node], str]) -> Mapping[Key, int]:
    homes = {node.path: home(node) for node in found.topology.nodes}
    return Counter((homes.get(hit.path, "(top)"), hit.tier, hit.tool) for hit in found.risk.hits)


def _lines(found: Review, home: Callable[[Node], str]) -> Mapping[Key, int]:
    total: defaultdict[Key, int] = defaultdict(int)
    for node in found.topology.nodes:
        total[home(node), node.tier] += node.lines
    return total


def _changes(trees: Sequence[GitTree], reviews: Sequence[Review]) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    old, new = (found.risk.hits for found in reviews)
    came, went = _minus(new, old), _minus(old, new)
    seen: dict[tuple[str, str], Mapping[str, str]] = {}
    with Workshop() as workshop:
        readers = {OURS: _ours(Linter(settings_for(trees[1]))), BANDIT: _bandit(Bandit(), workshop.root / "version.py")}
        for hit in came:
            if (hit.tool, hit.path) not in seen:
                seen[hit.tool, hit.path] = _first_seen(readers[hit.tool], trees[1], trees[0].revision, hit.path)
    added = tuple(Change(hit, seen[hit.tool, hit.path].get(hit.fingerprint, "")) for hit in came)
    return added, tuple(Change(hit) for hit in went)


def _minus(these: Sequence[RiskHit], those: Sequence[RiskHit]) -> list[RiskHit]:
    """The hits that the other side does not have, counted by fingerprint."""
    left = Counter((hit.tool, hit.fingerprint) for hit in those)
    found = []
    for hit in these:
        if left[hit.tool, hit.fingerprint]:
            left[hit.tool, hit.fingerprint] -= 1
        else:
            found.append(hit)
    return found


Reader = Callable[[bytes, str], Iterator[str]]
"""From the content of a file and its path to the fingerprints of the hits in it."""


def _ours(linter: Linter) -> Reader:
    def read(data: bytes, path: str) -> Iterator[str]:
        source = source_of(data, path, None)
        if not isinstance(source, Unread):
            report = linter.inspect(source)
            for finding in (*report.findings, *(item.finding for item in report.suppressed)):
                yield finding.fingerprint

    return read


def _bandit(bandit: Bandit, place: Path) -> Reader:
    def read(data: bytes, path: str) -> Iterator[str]:
        place.write_bytes(data)
        place.chmod(PLAIN)
        hits, _ = bandit.hits(path, place, "")
        yield from (hit.fingerprint for hit in hits)

    return read


def _first_seen(reader: Reader, tree: GitTree, before: str, path: str) -> Mapping[str, str]:
    """For each fingerprint in a file, the first commit after `before` in which it stands."""
    seen: dict[str, str] = {}
    for commit, data in tree.changes(before, path):
        for fingerprint in reader(data, path):
            seen.setdefault(fingerprint, commit)
    return seen
