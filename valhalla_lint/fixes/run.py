"""Many files: mended in memory first, written together at the end."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from valhalla_lint.config import Configuration
from valhalla_lint.core.notebook import Layout
from valhalla_lint.core.source import Source, Unread
from valhalla_lint.engine.files import Found, place, shown
from valhalla_lint.engine.run import Work, run
from valhalla_lint.facts.notebooks import cell_place
from valhalla_lint.facts.reading import read_bytes, source_of
from valhalla_lint.fixes.diff import difference
from valhalla_lint.fixes.fix import Fix, Refusal
from valhalla_lint.fixes.mend import Mended, Surgeon
from valhalla_lint.fixes.notebooks import changed_cells, differences, layout_of, written
from valhalla_lint.fixes.write import CannotWriteError, Staged, commit, drop, encoded, kept, stage
from valhalla_lint.linter import Linters, inputs

Known = Mapping[str, Mapping[str, int]]
"""How often each finding is known already, by path and fingerprint: nobody asked for these to be mended."""
NOTHING_KNOWN: Known = {}


@dataclass(frozen=True, slots=True)
class Line:
    """One fix or refusal, in words.

    place: of its first finding, a line, or cell and line: of a fix in the text before, of a refusal in the text after.
    """

    code: str
    place: str
    text: str
    safe: bool = True
    count: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file; nothing is written yet.

    before, after: its bytes. problem: why it was left, "" where all is well; unread: it could not even be read.
    difference: a unified diff that shows no secret.
    """

    path: str
    location: Path | None
    before: bytes = field(default=b"", repr=False)
    after: bytes = field(default=b"", repr=False)
    applied: tuple[Line, ...] = ()
    refused: tuple[Line, ...] = ()
    withheld: tuple[Line, ...] = ()
    difference: str = ""
    problem: str = ""
    unread: bool = False

    @property
    def changes(self) -> bool:
        """Whether there is something to write."""
        return self.before != self.after and not self.problem


class Menders:
    """Mends files, each with the settings that hold for it."""

    def __init__(self, configuration: Configuration, *, unsafe: bool, known: Known) -> None:
        """unsafe: fixes that change what the program does are made, too. known: what is left as it is."""
        self._linters = Linters(configuration)
        self._unsafe = unsafe
        self._known = known
        self._surgeons: dict[int, Surgeon] = {}

    def mend(self, item: Found | Unread) -> Outcome:
        """What becomes of a file. Never raises on any content. Raises ConfigurationError for wrong settings."""
        if isinstance(item, Unread):
            return Outcome(item.path, None, problem=item.reason, unread=True)
        data = read_bytes(item.location)
        if isinstance(data, str):
            return Outcome(item.path, item.location, problem=data, unread=True)
        return self.mend_bytes(data, item.path, item.location)

    def mend_bytes(self, data: bytes, path: str, location: Path | None) -> Outcome:
        """What becomes of a text that stands under a name."""
        source = source_of(data, path, location)
        if isinstance(source, Unread):
            return Outcome(path, location, data, data, problem=source.reason, unread=True)
        try:
            return self._mended(data, source)
        except Exception as error:  # noqa: BLE001 -- a fault of ours in one file must not end the run, nor change the file
            return Outcome(path, location, data, data, problem=f"an error of this tool ({type(error).__name__})")

    def _mended(self, data: bytes, source: Source) -> Outcome:
        linter = self._linters.of(source.location)
        surgeon = self._surgeons.get(id(linter))
        if surgeon is None:
            surgeon = self._surgeons[id(linter)] = Surgeon(linter)
        if source.notebook is not None:
            return self._mended_notebook(data, source, surgeon)
        mended = surgeon.mend(source, unsafe=self._unsafe, known=self._known.get(source.path, {}))
        after, problem = data, ""
        if mended.text != source.text:
            try:
                after = encoded(kept(data, source.text), mended.text)
            except CannotWriteError as error:
                problem = str(error)
        told = difference(source.path, source.text, mended.text, mended.secrets)
        return _outcome(data, source, mended, after, told, problem)

    def _mended_notebook(self, data: bytes, source: Source, surgeon: Surgeon) -> Outcome:
        """The same for a notebook, whose cells are mended as one program."""
        program = source._replace(notebook=None)
        mended = surgeon.mend(program, unsafe=self._unsafe, known=self._known.get(source.path, {}))
        after, problem, told = data, "", ""
        try:
            cells = changed_cells(source, mended.text)
            gone = [secret for secret in mended.secrets if secret in source.text and secret not in mended.text]
            after = written(data, cells, gone) if cells else data
            told = differences(source, cells, mended.secrets)
        except CannotWriteError as error:
            problem = str(error)
        return _outcome(data, source, mended, after, told, problem)


def _outcome(data: bytes, source: Source, mended: Mended, after: bytes, told: str, problem: str) -> Outcome:
    """What came of one file: a notebook's changes are told by cell."""
    layout = layout_of(source, mended.text) if source.notebook is not None else None
    return Outcome(
        path=source.path,
        location=source.location,
        before=data,
        after=after,
        applied=_lines(mended.applied, source.notebook),
        refused=_lines(mended.refused, layout),
        withheld=_lines(mended.withheld, layout),
        difference=told,
        problem=problem,
    )


def _lines(items: Iterable[Fix | Refusal], layout: Layout | None) -> tuple[Line, ...]:
    return tuple(_line(item, layout) for item in items)


def _line(item: Fix | Refusal, layout: Layout | None) -> Line:
    finding = item.finding if isinstance(item, Refusal) else item.findings[0]
    cell = cell_place(layout, finding.span) if layout is not None else None
    place = str(finding.span.line) if cell is None else f"{cell.name}:{cell.span.line}"
    if isinstance(item, Refusal):
        return Line(finding.code, place, item.reason)
    return Line(item.code, place, item.summary, item.safe, len(item.findings))


@dataclass(frozen=True, slots=True)
class _Prepare:
    """Makes a process ready to mend files."""

    configuration: Configuration
    unsafe: bool
    known: Known

    def __call__(self) -> Callable[[Found | Unread], Outcome]:
        return Menders(self.configuration, unsafe=self.unsafe, known=self.known).mend


def _lost(item: Found | Unread) -> Outcome:
    return Outcome(item.path, None, problem="the process that read it died", unread=True)


def mend_paths(
    paths: Sequence[str],
    configuration: Configuration,
    *,
    unsafe: bool = False,
    known: Known = NOTHING_KNOWN,
    jobs: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[Outcome]:
    """Mend files and folders in memory; sorted by path. Nothing is written, and what is known is left as it is.

    Raises ConfigurationError; KeyboardInterrupt. Never raises on any content.
    """
    items = inputs(paths, configuration)
    done: list[Outcome] = []
    for outcome in run(items, Work(_Prepare(configuration, unsafe, known), _lost), jobs):
        done.append(outcome)
        if progress is not None:
            progress(len(done), len(items))
    return done


def mend_bytes(
    data: bytes, name: str, configuration: Configuration, *, unsafe: bool = False, known: Known = NOTHING_KNOWN
) -> Outcome | None:
    """Mend a text that stands under a name (standard input); None where the configuration excludes the name."""
    location = place(name, configuration.base) if name else None
    if location is not None and configuration.excludes(location):
        return None
    path = shown(location, configuration.base) if location is not None else "stdin"
    return Menders(configuration, unsafe=unsafe, known=known).mend_bytes(data, path, location)


def write(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """Write all files that change; returns why some were left, by path.

    Effect: everything lies ready beside the files before the first of them is exchanged.
    """
    left: dict[str, str] = {}
    staged: list[tuple[str, Staged]] = []
    try:
        for outcome in outcomes:
            if outcome.changes and outcome.location is not None:
                try:
                    staged.append((outcome.path, stage(outcome.location, outcome.before, outcome.after)))
                except CannotWriteError as error:
                    left[outcome.path] = str(error)
        while staged:
            path, ready = staged.pop(0)
            try:
                commit(ready)
            except CannotWriteError as error:
                left[path] = str(error)
    finally:
        for _, ready in staged:
            drop(ready)
    return left
