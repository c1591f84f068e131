"""What the server knows: the folders of the workspace, their configurations, and how a document is judged."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from pygls.uris import to_fs_path

from valhalla_lint.baselines import set_against_files
from valhalla_lint.config import OWN_FILE, SHARED_FILE, Configuration, ConfigurationError
from valhalla_lint.core.finding import Finding
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter, Linters, as_named, forget

PYTHON = (".py", ".pyi", ".pyw")
Stamp = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """An open document: its address, what the editor takes it for, and its text as it stands there, saved or not."""

    uri: str
    language: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a document gave. problem: why it could not be judged, "" where it could."""

    document: Document
    configuration: Configuration
    source: Source
    linter: Linter | None = None
    findings: tuple[Finding, ...] = ()
    problem: str = ""


class Session:
    """Judges documents with the configuration that holds for each; notices by itself when that has changed."""

    def __init__(self, given: Configuration) -> None:
        """given: what the options of the server say; their file and overrides hold for every folder."""
        self._given = given
        self._folders: tuple[Path, ...] = ()
        self._linters: dict[Path, Linters] = {}
        self._stamps: dict[Path, Stamp] = {}

    def use(self, folders: list[str]) -> None:
        """Take the folders of the workspace, as addresses."""
        found = [place for uri in folders if (place := located(uri)) is not None]
        self._folders = tuple(sorted(found, key=lambda folder: len(folder.parts), reverse=True))

    def reload(self) -> None:
        """Read every configuration anew, and look anew for the files of projects."""
        self._linters.clear()
        self._stamps.clear()
        forget()

    def judge(self, document: Document) -> Judged:
        """The findings in a document; never raises, whatever its address and its text."""
        try:
            return self._judge(document)
        except Exception as error:  # noqa: BLE001 -- a fault of ours in one document must not end the service of others
            problem = f"an error of this tool ({type(error).__name__})"
            return Judged(document, self._given, Source("untitled", document.text), problem=problem)

    def _judge(self, document: Document) -> Judged:
        location = located(document.uri)
        linters = self._of(location)
        configuration = linters.configuration
        path = configuration.shown(location) if location is not None else "untitled"
        source = Source(path, document.text.removeprefix("\ufeff"), location=location)
        judged = Judged(document, configuration, source)
        try:
            if location is not None and configuration.excludes(location):
                return judged
            linter = linters.of(location)
            is_python = document.language == "python" or path.endswith(PYTHON)
            if not (is_python or linter.settings.text_files):
                return judged
            checked = linters.check(source)
            compared = set_against_files([checked], configuration) if location is not None else None
        except ConfigurationError as error:
            told = "; ".join(map(str, error.problems))
            return Judged(document, configuration, source, problem=f"wrong configuration: {told}")
        reports = [item.report for item in compared.checked] if compared is not None else [checked.report]
        findings = tuple(finding for report in reports for finding in report.findings)
        return Judged(document, configuration, as_named(source, linter.settings), linter, findings)

    def _of(self, location: Path | None) -> Linters:
        base = next(
            (folder for folder in self._folders if location is not None and location.is_relative_to(folder)), None
        )
        if base is None:
            base = location.parent if location is not None else self._given.base
        stamp = _stamp(base if location is None else location.parent)
        folder = location.parent if location is not None else base
        if self._stamps.setdefault(folder, stamp) != stamp:
            self.reload()
            self._stamps[folder] = stamp
        if base not in self._linters:
            given = self._given
            self._linters[base] = Linters(
                Configuration(given.overrides, file=given.file, isolated=given.isolated, base=base)
            )
        return self._linters[base]


def located(uri: str) -> Path | None:
    """The absolute place of a document or folder; None where it is not in the file system."""
    path = to_fs_path(uri)
    return Path(os.path.normpath(path)) if path and "\0" not in path else None


def _stamp(folder: Path) -> Stamp:
    """When the configuration files of a folder and those above it were written: not every editor tells of changes."""
    found = []
    for place in (folder, *folder.parents):
        for name in (OWN_FILE, SHARED_FILE):
            try:
                found.append((f"{place}/{name}", (place / name).stat().st_mtime_ns))
            except OSError:
                continue
    return tuple(found)
