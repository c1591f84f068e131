"""What the process that judges knows: open documents, folders, configurations; and how a question is answered."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from pygls.uris import to_fs_path

from valhalla_lint.baselines import Shelf, known_in_file
from valhalla_lint.config import OWN_FILE, SHARED_FILE, Configuration, ConfigurationError
from valhalla_lint.core.parsed import Parsed, Pieces
from valhalla_lint.core.source import Source
from valhalla_lint.hosts.lsp.orders import Answer, Document, Judge, Offer, Order, Pages, Question, Verdict
from valhalla_lint.hosts.lsp.remedies import remedies
from valhalla_lint.linter import Linter, Linters, as_named, every_rule, forget, held_texts, read_again, source_of_cells
from valhalla_lint.reports.page import page

PYTHON = (".py", ".pyi", ".pyw")
Stamp = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, with what it takes to go on from there; linter: None where the document was not looked at."""

    verdict: Verdict
    source: Source
    linter: Linter | None = None


class Session:
    """Judges documents with the configuration that holds for each; notices by itself when that has changed."""

    def __init__(self, given: Configuration) -> None:
        """given: what the options of the server say; their file and overrides hold for every folder."""
        self._given = given
        self._folders: tuple[Path, ...] = ()
        self._linters: dict[Path, Linters] = {}
        self._stamps: dict[Path, Stamp] = {}
        self._documents: dict[str, Document] = {}
        self._buffers: dict[Path, str] = {}
        self._judged: dict[str, Judged] = {}
        self._texts = held_texts(self._buffers)
        self._pieces: dict[str, Pieces] = {}
        self._shelves: dict[Path, tuple[tuple[int, int], Shelf]] = {}

    def take(self, order: Order) -> None:
        """Take over what has changed."""
        for uri, document in order.documents.items():
            location = located(uri)
            if document is not None:
                self._documents[uri] = document
            else:
                self._documents.pop(uri, None)
                self._judged.pop(uri, None)
                self._pieces.pop(uri, None)
            if location is not None and document is not None and not document.cells:
                self._buffers[location] = document.text.removeprefix("\ufeff")
            elif location is not None:
                self._buffers.pop(location, None)
        if order.folders is not None:
            self.use(order.folders)
        if order.reload:
            self.reload()

    def use(self, folders: tuple[str, ...]) -> None:
        """Take the folders of the workspace, as addresses."""
        found = [place for uri in folders if (place := located(uri)) is not None]
        self._folders = tuple(sorted(found, key=lambda folder: len(folder.parts), reverse=True))
        self._linters.clear()

    def reload(self) -> None:
        """Read every configuration anew, and look anew for the files of projects."""
        self._linters.clear()
        self._stamps.clear()
        self._judged.clear()
        self._texts.forget()
        forget()

    def answer(self, question: Question) -> Answer:
        """The answer to a question about documents as they are now; never raises, whatever they hold."""
        match question:
            case Judge(uri):
                return self.judge(self._documents.get(uri, Document(uri, "", ""))).verdict
            case Offer(uri):
                judged = self.judge(self._documents.get(uri, Document(uri, "", "")))
                if judged.linter is None:
                    return ()
                with self._texts.judging(located(uri)):
                    return tuple(remedies(judged.linter, judged.source, question))
            case Pages(codes):
                return tuple(page(rule) for rule in every_rule() if rule.code in codes)

    def judge(self, document: Document) -> Judged:
        """What a document gives; never raises, whatever its address and its text."""
        try:
            return self._judge(document)
        except Exception as error:  # noqa: BLE001 -- a fault of ours in one document must not end the service of others
            problem = f"an error of this tool ({type(error).__name__})"
            return Judged(Verdict(document, problem=problem), Source("untitled", document.text))

    def _judge(self, document: Document) -> Judged:
        location = located(document.uri)
        linters = self._of(location)
        known = self._judged.get(document.uri)
        if known is not None and known.verdict.document == document and self._stands(known.verdict):
            return known
        judged = self._judged[document.uri] = self._anew(document, location, linters)
        return judged

    def _parsed(self, uri: str, text: str) -> Parsed:
        """What a text is as Python; what has not changed is taken over from the last text of the document."""
        known = self._pieces.pop(uri, None)  # whoever interrupts this leaves nothing half-done behind
        self._judged.pop(uri, None)  # its tree is used up
        pieces = self._pieces[uri] = read_again(text, known)
        return pieces.parsed

    def _shelf(self, file: Path) -> Shelf:
        """What a baseline file answers, read when it has changed. Raises ConfigurationError."""
        try:
            state = file.stat()
            written = (state.st_mtime_ns, state.st_size)
        except OSError:
            written = (0, 0)
        if file not in self._shelves or self._shelves[file][0] != written:
            self._shelves[file] = (written, Shelf.read(file))
        return self._shelves[file][1]

    def _stands(self, verdict: Verdict) -> bool:
        """Whether a verdict rests on what is still so."""
        return not verdict.problem and all(self._texts.of(place) == text for place, text in verdict.reads.items())

    def _anew(self, document: Document, location: Path | None, linters: Linters) -> Judged:
        configuration = linters.configuration
        path = configuration.shown(location) if location is not None else "untitled"
        verdict = Verdict(document, path, configuration.base)
        if document.cells:
            cells = [(cell.text, cell.code, cell.language == "python") for cell in document.cells]
            source = source_of_cells(cells, path, location)
        else:
            source = Source(path, verdict.text, location=location)
        judged = Judged(verdict, source)
        try:
            if location is not None and configuration.excludes(location):
                return judged
            linter = linters.of(location)
            is_python = document.language == "python" or path.endswith(PYTHON) or bool(document.cells)
            if not (is_python or linter.settings.text_files):
                return judged
            if not document.cells and is_python:
                source = source._replace(parsed=self._parsed(document.uri, source.text))
            with self._texts.judging(location) as reads:
                report = linters.check(source).report
            known = known_in_file(report, configuration, self._shelf) if location is not None else frozenset()
        except ConfigurationError as error:
            told = "; ".join(map(str, error.problems))
            return Judged(replace(verdict, problem=f"wrong configuration: {told}"), source)
        findings = tuple(finding for finding in report.findings if finding not in known)
        verdict = replace(verdict, findings=findings, reads=reads)
        return Judged(verdict, as_named(source, linter.settings), linter)

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
            configuration = Configuration(given.overrides, file=given.file, isolated=given.isolated, base=base)
            self._linters[base] = Linters(configuration, self._texts)
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
            file = f"{place}/{name}"
            try:
                found.append((file, os.stat(file).st_mtime_ns))  # noqa: PTH116 -- a dozen for each keystroke: as text
            except OSError:
                continue
    return tuple(found)
