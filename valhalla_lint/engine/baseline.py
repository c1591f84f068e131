"""Which findings were there before: a file of fingerprints with counts.

An entry answers as many findings as it counts, and no more: a second copy of a known finding is new. Moved lines
change no fingerprint; a finding in a moved file is matched by the body of its fingerprint, where the old file is gone.
The file holds one entry a line, sorted, so that two branches merge without a conflict; it never holds a secret.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from valhalla_lint.core.finding import Finding

VERSION = 1


class BaselineError(ValueError):
    """A baseline that cannot be read; the message says what is wrong, in one sentence."""


class Entry(NamedTuple):
    """A known finding: where it was seen, its rule, its enclosing definition and its fingerprint."""

    path: str
    code: str
    definition: str
    fingerprint: str

    @property
    def body(self) -> str:
        """The fingerprint without the part that depends on the path."""
        return self.fingerprint.partition("-")[0]


class Baseline(NamedTuple):
    """Known findings, each with how many of it there were."""

    counts: Mapping[Entry, int] = {}

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> "Baseline":
        """The baseline that answers exactly these findings."""
        return cls(Counter(_entry(finding) for finding in findings))

    @property
    def total(self) -> int:
        """How many findings it answers."""
        return sum(self.counts.values())


class Match(NamedTuple):
    """Findings set against a baseline.

    new: findings that it does not answer. known: those that it does.
    stale: entries (with how many) that no finding used, among those that the run could have seen.
    moved: for each old entry that a finding in another file used, that file's entry, with how many.
    """

    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    stale: Mapping[Entry, int]
    moved: Mapping[tuple[Entry, Entry], int]


def match(
    findings: Iterable[Finding], baseline: Baseline, checked: Callable[[Entry], bool], exists: Callable[[str], bool]
) -> Match:
    """Set findings against a baseline.

    checked: whether this run could have seen an entry's finding; what it did not look at is never stale.
    exists: whether a path is still there; entries of a path that is gone can answer findings of a moved file.
    """
    left = Counter(baseline.counts)
    pending: list[Finding] = []
    known: list[Finding] = []
    for finding in findings:
        entry = _entry(finding)
        if left[entry] > 0:
            left[entry] -= 1
            known.append(finding)
        else:
            pending.append(finding)
    gone: dict[tuple[str, str], list[Entry]] = {}
    for entry in sorted(entry for entry, count in left.items() if count > 0):
        if not exists(entry.path):
            gone.setdefault((entry.code, entry.body), []).append(entry)
    new: list[Finding] = []
    moved: Counter[tuple[Entry, Entry]] = Counter()
    for finding in pending:
        entry = _entry(finding)
        candidates = [old for old in gone.get((entry.code, entry.body), ()) if left[old] > 0]
        if candidates:
            left[candidates[0]] -= 1
            moved[candidates[0], entry] += 1
            known.append(finding)
        else:
            new.append(finding)
    stale = {
        entry: count
        for entry, count in sorted(left.items())
        if count > 0 and (checked(entry) or not exists(entry.path))
    }
    known.sort(key=lambda finding: finding.order)
    return Match(tuple(new), tuple(known), stale, moved)


def prune(baseline: Baseline, found: Match) -> Baseline:
    """The baseline without what is stale, and with moved entries at their new place."""
    counts = Counter(baseline.counts)
    for entry, count in found.stale.items():
        counts[entry] -= count
    for (old, new), count in found.moved.items():
        counts[old] -= count
        counts[new] += count
    return Baseline({entry: count for entry, count in counts.items() if count > 0})


def update(baseline: Baseline, found: Match) -> Baseline:
    """The pruned baseline with all new findings added."""
    counts = Counter(prune(baseline, found).counts)
    counts.update(_entry(finding) for finding in found.new)
    return Baseline(counts)


def dumps(baseline: Baseline) -> str:
    """A baseline as text, in a fixed order."""
    rows = [
        json.dumps(
            {
                "path": entry.path,
                "code": entry.code,
                "definition": entry.definition,
                "fingerprint": entry.fingerprint,
                "count": count,
            },
            ensure_ascii=True,
        )
        for entry, count in sorted(baseline.counts.items())
    ]
    body = ",\n    ".join(rows)
    return (
        f'{{\n  "version": {VERSION},\n  "entries": [\n    {body}\n  ]\n}}\n'
        if rows
        else f'{{\n  "version": {VERSION},\n  "entries": []\n}}\n'
    )


def loads(text: str) -> Baseline:
    """Read a baseline. Raises BaselineError with one sentence where the text is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"the baseline is not JSON ({error})") from error
    if not isinstance(data, dict) or "version" not in data or not isinstance(data.get("entries"), list):
        raise BaselineError("is JSON, but no baseline: it wants a version and a list of entries")
    if data["version"] != VERSION:
        raise BaselineError(f"the baseline is not of version {VERSION}")
    counts: Counter[Entry] = Counter()
    for number, row in enumerate(data["entries"], 1):
        fields = (
            [row.get(name) for name in ("path", "code", "definition", "fingerprint")] if isinstance(row, dict) else []
        )
        count = row.get("count") if isinstance(row, dict) else None
        if not fields or not all(isinstance(item, str) for item in fields) or not isinstance(count, int) or count < 1:
            raise BaselineError(f"entry {number} of the baseline is not whole")
        counts[Entry(*map(str, fields))] += count
    return Baseline(counts)


def _entry(finding: Finding) -> Entry:
    return Entry(finding.path, finding.code, finding.definition, finding.fingerprint)
