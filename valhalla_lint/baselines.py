"""Findings that were there before: a run set against a baseline file, or against another state of the same tree.

A baseline file speaks of paths below its own folder, so it answers the same findings from wherever a run is started.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.config import Configuration, ConfigurationError, Problem
from valhalla_lint.core.finding import FileReport, Finding
from valhalla_lint.core.source import Status
from valhalla_lint.engine.baseline import Baseline, BaselineError, Entry, Match, dumps, loads, match, prune, update
from valhalla_lint.engine.fingerprint import placed
from valhalla_lint.facts import disk
from valhalla_lint.linter import Checked, Compared

DEFAULT_FILE = "valhalla-baseline.json"
"""The baseline of a project that names none, in the working folder."""
NOTHING = Baseline()
"""Answers no finding."""


class Ledger(NamedTuple):
    """One baseline file and the part of a run that it speaks of."""

    file: Path
    before: Baseline
    found: Match

    @property
    def pruned(self) -> Baseline:
        """Without what is gone, moved files at their new place."""
        return prune(self.before, self.found)

    @property
    def updated(self) -> Baseline:
        """The pruned baseline, and everything that is new."""
        return update(self.before, self.found)


def read(file: Path) -> Baseline:
    """The baseline in a file. Raises ConfigurationError where there is none or it cannot be read."""
    try:
        return loads(disk.bytes_of(file).decode())
    except FileNotFoundError:
        problem = "there is no such file; `valhalla-lint baseline create` writes it"
    except OSError as error:
        problem = f"cannot be read ({(error.strerror or str(error)).lower()})"
    except UnicodeDecodeError:
        problem = "is not UTF-8"
    except BaselineError as error:
        problem = str(error)
    raise ConfigurationError((Problem(file.as_posix(), "baseline", problem),))


def written(baseline: Baseline) -> str:
    """A baseline as text."""
    return dumps(baseline)


def file_for(configuration: Configuration, location: Path | None) -> Path | None:
    """The baseline file that holds for a file, None where there is none."""
    settings = configuration.settings_for(location)
    return Path(os.path.normpath(Path(settings.root) / settings.baseline)) if settings.baseline else None


def ledgers(
    checked: Sequence[Checked], configuration: Configuration, baseline_of: Callable[[Path], Baseline] = read
) -> list[Ledger]:
    """Every baseline file of a run, set against the findings that it speaks of.

    baseline_of: what stands in a file. Raises ConfigurationError as `read` does.
    """
    parts: dict[Path, list[Checked]] = {}
    for item in checked:
        file = file_for(configuration, configuration.locate(item.report.path))
        if file is not None:
            parts.setdefault(file, []).append(item)
    return [_ledger(file, baseline_of(file), part, configuration) for file, part in sorted(parts.items())]


def _ledger(file: Path, before: Baseline, checked: Sequence[Checked], configuration: Configuration) -> Ledger:
    folder = file.parent
    findings = [_framed(finding, folder, configuration) for finding in _answerable(checked)]
    asked = {_relative(item.report.path, folder, configuration): item for item in checked}

    def could_see(entry: Entry) -> bool:
        item = asked.get(entry.path)
        if item is None or item.report.status is Status.UNREAD:
            return False
        settings = configuration.settings_for(configuration.locate(item.report.path))
        return settings.selects(entry.code) and item.report.tier in settings.tiers

    return Ledger(file, before, match(findings, before, could_see, lambda path: disk.exists(folder / path)))


def set_against_files(checked: Sequence[Checked], configuration: Configuration) -> Compared:
    """A run without the findings that its baseline files answer. Raises ConfigurationError."""
    found = ledgers(checked, configuration)
    if not found:
        return Compared(tuple(checked))
    known = [_shown(each, ledger.file.parent, configuration) for ledger in found for each in ledger.found.known]
    new = [_shown(each, ledger.file.parent, configuration) for ledger in found for each in ledger.found.new]
    paths = [item.report.path for item in checked]
    untouched = {path for path in paths if file_for(configuration, configuration.locate(path)) is None}
    stale = sum(sum(ledger.found.stale.values()) for ledger in found)
    return Compared(tuple(_left(checked, new, untouched, configuration)), _ordered(known), stale)


class Shelf(NamedTuple):
    """A baseline for hosts that ask about one file after another: its entries by path, and by rule and body."""

    by_path: Mapping[str, Mapping[Entry, int]]
    by_body: Mapping[tuple[str, str], Mapping[Entry, int]]

    @classmethod
    def read(cls, file: Path) -> "Shelf":
        """The baseline in a file. Raises ConfigurationError as `read` does."""
        by_path: dict[str, dict[Entry, int]] = {}
        by_body: dict[tuple[str, str], dict[Entry, int]] = {}
        for entry, count in read(file).counts.items():
            by_path.setdefault(entry.path, {})[entry] = count
            by_body.setdefault((entry.code, entry.body), {})[entry] = count
        return cls(by_path, by_body)

    def about(self, path: str, findings: Iterable[Finding]) -> Baseline:
        """The entries that may answer findings of one file."""
        counts = dict(self.by_path.get(path, {}))
        for finding in findings:
            counts |= self.by_body.get((finding.code, finding.fingerprint.partition("-")[0]), {})
        return Baseline(counts)


def known_in_file(
    report: FileReport, configuration: Configuration, shelf_of: Callable[[Path], Shelf] = Shelf.read
) -> frozenset[Finding]:
    """The findings of one file that its baseline answers; the same ones as in a run over the file alone.

    shelf_of: what stands in a baseline file; a host that asks often remembers it. Raises ConfigurationError.
    """
    file = file_for(configuration, configuration.locate(report.path))
    if file is None or report.status is Status.UNREAD:
        return frozenset()
    folder = file.parent
    framed = {_framed(finding, folder, configuration): finding for finding in report.findings}
    entries = shelf_of(file).about(_relative(report.path, folder, configuration), framed)
    found = match(framed, entries, lambda _: False, lambda path: (folder / path).exists())
    return frozenset(framed[finding] for finding in found.known)


def set_against_tree(
    checked: Sequence[Checked],
    configuration: Configuration,
    before: Sequence[Checked],
    same: Sequence[Checked],
    mirror: Configuration,
    roots: tuple[Path, Path],
) -> Compared:
    """A run without the findings of another state of the same tree.

    before, mirror: that state's run and configuration. same: the part of this run that was the same in that state.
    roots: the tree's folder, and the folder of the other state.
    """
    here, there = roots
    known = [_framed(finding, there, mirror) for finding in _answerable(before)]
    known += [_framed(finding, here, configuration) for finding in _answerable(same)]
    baseline = Baseline.of(known)
    findings = [_framed(finding, here, configuration) for finding in _answerable(checked)]
    found = match(findings, baseline, lambda _: False, lambda path: disk.exists(here / path))
    new = [_shown(each, here, configuration) for each in found.new]
    shown = [_shown(each, here, configuration) for each in found.known]
    return Compared(tuple(_left(checked, new, frozenset(), configuration)), _ordered(shown))


def _answerable(checked: Iterable[Checked]) -> Iterable[Finding]:
    """Findings that can have been known; that a file was not read is news at every run."""
    return (finding for item in checked if item.report.status is not Status.UNREAD for finding in item.report.findings)


def _left(
    checked: Sequence[Checked], new: Iterable[Finding], untouched: Iterable[str], configuration: Configuration
) -> Iterable[Checked]:
    """Each file with its new findings only; unread ones and untouched ones as they were."""
    by_path: dict[str, list[Finding]] = {}
    for finding in new:
        by_path.setdefault(finding.path, []).append(finding)
    kept = frozenset(untouched)
    for item in checked:
        path = item.report.path
        if item.report.status is Status.UNREAD or path in kept:
            yield item
            continue
        findings = tuple(sorted(by_path.get(path, ()), key=lambda finding: finding.order))
        bar = configuration.settings_for(configuration.locate(path)).fail_on
        failing = sum(finding.severity >= bar for finding in findings)
        yield item._replace(report=item.report._replace(findings=findings), failing=failing)


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.order))


def _relative(path: str, folder: Path, configuration: Configuration) -> str:
    """A path as a baseline in a folder writes it: POSIX form, relative to that folder."""
    return Path(os.path.relpath(configuration.locate(path), folder)).as_posix()


def _framed(finding: Finding, folder: Path, configuration: Configuration) -> Finding:
    """A finding as a baseline in a folder knows it."""
    path = _relative(finding.path, folder, configuration)
    if path == finding.path:
        return finding
    return finding._replace(path=path, fingerprint=placed(finding.fingerprint, path))


def _shown(finding: Finding, folder: Path, configuration: Configuration) -> Finding:
    """The opposite of `_framed`: a finding as the run shows it."""
    path = configuration.shown(Path(os.path.normpath(folder / finding.path)))
    if path == finding.path:
        return finding
    return finding._replace(path=path, fingerprint=placed(finding.fingerprint, path))
