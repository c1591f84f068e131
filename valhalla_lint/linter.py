"""Rules, catalogue and engine put together: the one function that every host calls."""

import ast
import gc
import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.config import Configuration
from valhalla_lint.core.finding import FileReport, Finding
from valhalla_lint.core.flow import Flow
from valhalla_lint.core.parsed import Parsed, Pieces
from valhalla_lint.core.rule import Rule
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source, Status, Unread
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import TierDecision
from valhalla_lint.engine.analyse import INTERNAL_ERROR, Asked, FlowError, analyse, failed, failed_to_follow
from valhalla_lint.engine.cache import Store, default_folder
from valhalla_lint.engine.files import Found, discover, place, shown
from valhalla_lint.engine.files import is_python as is_python_name
from valhalla_lint.engine.fingerprint import fingerprint
from valhalla_lint.engine.run import Work, run
from valhalla_lint.facts import disk
from valhalla_lint.facts.disk import flat, note, watching
from valhalla_lint.facts.held import HeldTexts
from valhalla_lint.facts.looks import Look, again, digest
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.parse import split_lines
from valhalla_lint.facts.patterns import matches
from valhalla_lint.facts.project import project_of
from valhalla_lint.facts.reading import ModuleReader, module_text, read, source_of
from valhalla_lint.rules import all_rules, heads, rule_of

UNREAD_FILE = "VH907"
UNITS = "valhalla_lint.flow.units"
"""Knows what other files of the run have asked about modules, once one has."""
PATIENCE = 200_000
"""Objects that may have come to stay before a run looks for cyclic garbage; hardly any of them ever is."""
OF_TEXT = ("VH1", "VH9")
"""Rules that are asked about text files that are no Python."""
OF_DOCUMENT = ("VH1",)
"""Rules that are asked about the texts for people in a notebook, where no comment can be told from a heading."""


class Linter:
    """Checks sources with one set of settings."""

    def __init__(self, settings: Settings, read_module: ModuleReader = module_text) -> None:
        """Choose the rules; every selected rule is asked with its own options.

        read_module: gives the texts of other modules, for a host that knows them better than the disk does.
        """
        self.settings = settings
        self.read_module = read_module
        rules = tuple(head for head in heads() if settings.selects(head.code))
        self._known = frozenset(head.code for head in heads())
        self._follows = any(head.topics for head in rules)
        self._asked = tuple(Asked(head, rule_of, settings.rules.get(head.code)) for head in rules)

    def check(self, source: Source) -> list[Finding]:
        """The findings in one source, in order; never raises on any text."""
        return list(self.inspect(source).findings)

    def inspect(self, source: Source) -> FileReport:
        """Findings, suppressions, tier and reading status of one source; never raises on any text."""
        report = self._inspect(source)
        if source.notebook is None:
            return report
        from valhalla_lint.engine.notebooks import merged

        return merged(report, [(beside, self._inspect(beside)) for beside in source.beside], source.notebook)

    def _inspect(self, source: Source) -> FileReport:
        with collector_paused():  # around the life of the module, so that its tree is gone when the collector looks
            return self._judged(Module(source, self.settings, self.read_module))

    def _judged(self, module: Module) -> FileReport:
        try:
            if self._follows and module.source.notebook is None and (units := sys.modules.get(UNITS)) is not None:
                units.recall(module)
            return self._analysed(module)
        except Exception as error:  # noqa: BLE001 -- a fault of ours in one file must not end the run or hide the others
            return failed(module, rule_of(INTERNAL_ERROR), error)

    def _analysed(self, module: Module) -> FileReport:
        asked = self._asked_of(module.source)
        try:
            return analyse(module, asked, self.settings, self._flows, self._known)
        except FlowError as fault:  # the other rules ask nothing of it
            rest = tuple(item for item in asked if not item.head.topics)
            report = analyse(module, rest, self.settings, self._flows, self._known)
            rule = rule_of(INTERNAL_ERROR)
            return failed_to_follow(report, module, rule, fault.__cause__ or fault)

    def tier(self, source: Source) -> TierDecision:
        """Production, test or script, with the flags and the reasons."""
        return Module(source, self.settings).tier

    def unread(self, unread: Unread, location: Path | None = None) -> FileReport:
        """The report of an input that could not be read: it is in every report, whatever is selected.

        location: where it lies; its tier is told by its place alone.
        """
        tier = self.tier(Source(unread.path, "", location=location)).tier
        rule = rule_of(UNREAD_FILE)
        finding = Finding(
            path=unread.path,
            span=Span(1, 0, 1, 0),
            code=rule.code,
            name=rule.name,
            message=rule.message.format(reason=unread.reason),
            tier=tier,
            severity=rule.severity,
            confidence=rule.confidence,
            remedy=rule.remedy,
            fingerprint=fingerprint(unread.path, rule.code, "", unread.reason),
        )
        wanted = rule.code not in self.settings.ignore
        return FileReport(
            path=unread.path,
            status=Status.UNREAD,
            tier=tier,
            findings=(finding,) if wanted else (),
            notes=(unread.reason,),
        )

    def _asked_of(self, source: Source) -> tuple[Asked, ...]:
        """The rules for one file: those that no per-file pattern ignores."""
        patterns = self.settings.per_file_ignores
        asked = self._asked
        if source.plain:
            codes = OF_DOCUMENT if source.document else OF_TEXT
            asked = tuple(item for item in asked if item.head.code.startswith(codes))
        if not patterns:
            return asked
        path = source.path
        if source.location is not None and source.location.is_relative_to(self.settings.root or source.location.root):
            path = source.location.relative_to(self.settings.root or source.location.root).as_posix()
        ignored = tuple(code for pattern, listed in patterns.items() if matches((pattern,), path) for code in listed)
        return tuple(item for item in asked if not item.head.code.startswith(ignored)) if ignored else asked

    def _flows(self, module: Module, topics: frozenset[str]) -> Iterable[Flow]:
        """Ask the flow engine; loaded only where a selected rule asks it of a file in which something can flow."""
        from valhalla_lint.flow.quiet import is_quiet

        if is_quiet(module):
            return ()
        from valhalla_lint.flow.analysis import find_flows

        return find_flows(module, topics, self.settings, self.read_module)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Let no cyclic garbage be looked for while one file is judged.

    A tree is many objects that die together, by their counts; looking for cycles among them while they grow more than
    doubles the cost of a file. What little is cyclic is collected as soon as the collector runs again.
    """
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()


@contextmanager
def collector_patient() -> Iterator[None]:
    """Let cyclic garbage be looked for seldom while many files are judged one after the other.

    Trees of other modules that are kept for a while would be gone through again after each file.
    """
    before = gc.get_threshold()
    gc.set_threshold(PATIENCE, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Checked(NamedTuple):
    """What one file of a run gave; failing: how many of its findings reach the severity that its settings fail on."""

    report: FileReport
    failing: int = 0


class Compared(NamedTuple):
    """A run with only what is new, and what was known.

    stale: how many findings baselines answer that are no longer there.
    """

    checked: tuple[Checked, ...]
    known: tuple[Finding, ...] = ()
    stale: int = 0


def weighed(report: FileReport, settings: Settings) -> Checked:
    """A report, and how many of its findings fail a run."""
    return Checked(report, sum(finding.severity >= settings.fail_on for finding in report.findings))


class Linters:
    """A linter for each settings that a configuration gives, made when first asked for."""

    def __init__(self, configuration: Configuration, read_module: ModuleReader = module_text) -> None:
        """Nothing is made here. read_module: as for a linter."""
        self.configuration = configuration
        self._read_module = read_module
        self._made: dict[int, Linter] = {}

    def of(self, location: Path | None) -> Linter:
        """The linter for a file. Raises ConfigurationError where its configuration is wrong."""
        settings = self.configuration.settings_for(location)
        made = self._made.get(id(settings))  # settings are kept by the configuration, so ids stay theirs
        if made is None:
            made = self._made[id(settings)] = Linter(settings, self._read_module)
        return made

    def check(self, item: "Found | Source | Unread") -> Checked:
        """What one input gives; a file that is found is read first. Never raises on any content."""
        location = item.location if isinstance(item, Found | Source) else None
        linter = self.of(location)
        source = read(item.location, item.path) if isinstance(item, Found) else item
        if isinstance(source, Source):
            source = as_named(source, linter.settings)
        report = linter.unread(source, location) if isinstance(source, Unread) else linter.inspect(source)
        return weighed(report, linter.settings)


class KeepingLinters(Linters):
    """Linters for a host that reads files itself: what is found is kept for later runs, and for other processes."""

    MANY = 64
    """Answers that are written at a time."""

    def __init__(self, configuration: Configuration, cache: str) -> None:
        """Read what is known. cache: folder in which answers are kept."""
        super().__init__(configuration)
        self._kept = _Kept(Store(cache, configuration.base.as_posix()), configuration)
        self._kept.store.load()
        self._process = 0

    def check(self, item: "Found | Source | Unread") -> Checked:
        """What one input gives, from an earlier run where nothing has changed since."""
        if not isinstance(item, Source) or item.location is None or item.notebook is not None:
            return super().check(item)
        content = digest(item.text.encode("utf-8", "surrogatepass"))
        known = self._kept.of_text(item.location, item.path, content)
        if known is not None:
            return known
        with watching() as looks:
            checked = super().check(item)
            project_of(item.location).module_name(item.location)
        if checked.report.status is not Status.UNREAD:
            self._at_the_end()
            if self._kept.keep_text(item.location, checked.report, flat(looks), content) >= self.MANY:
                self._kept.store.save()
        return checked

    def _at_the_end(self) -> None:
        """Have what is left written when this process ends, whether it is the first one or one that it started."""
        if self._process != os.getpid():
            self._process = os.getpid()
            from multiprocessing.util import Finalize

            Finalize(None, self._kept.store.save, exitpriority=0)


Rests = dict[str, tuple[Look, ...]]
"""The looks at the file system that answers about files rest on, by path."""


class _Judged(NamedTuple):
    """What one file of a run gave, and the looks at the file system that it rests on."""

    checked: Checked
    looks: tuple[Look, ...] = ()


def _judging(configuration: Configuration, *, watched: bool) -> Callable[[Found | Unread], _Judged]:
    """What checks files in one process. watched: whether the looks behind each answer are wanted."""
    linters = Linters(configuration)

    def judge(item: Found | Unread) -> _Judged:
        if not watched:
            return _Judged(linters.check(item))
        with watching() as looks:
            checked = linters.check(item)
            if isinstance(item, Found):  # facts that files share within a process lean on it
                project_of(item.location).module_name(item.location)
        return _Judged(checked, tuple(flat(looks)))

    return judge


def _lost(configuration: Configuration, item: Found | Unread) -> _Judged:
    """The answer for a file on which the process itself died."""
    location = item.location if isinstance(item, Found) else None
    report = Linters(configuration).of(location).unread(Unread(item.path, "the process that read it died"), location)
    return _Judged(Checked(report, failing=len(report.findings)))


def as_named(source: Source, settings: Settings) -> Source:
    """A source as what its name says that it is: Python, or a text file where such files are wanted."""
    if source.plain or not settings.text_files or source.parsed is not None:
        return source
    from valhalla_lint.facts.text_files import is_python, long_lines

    if is_python(source.path, source.text):
        return source
    note = long_lines(source.text)
    return source._replace(plain=True, notes=(*source.notes, note) if note else source.notes)


def inputs(paths: Sequence[str], configuration: Configuration) -> list[Found | Unread]:
    """The files below paths in the order of their names, each once, excluded and ignored ones left out.

    A path that does not exist is among them; reading it will say so.

    Raises ConfigurationError with the mistakes of any configuration file that holds for one of them.
    """
    base = configuration.base
    found: list[Found | Unread] = []
    for path in paths:
        settings = configuration.settings_for(place(path, base) / "any file in it")
        wanted = _is_read if settings.text_files else is_python_name
        found += discover((path,), base, configuration, ignores=settings.respect_gitignore, wanted=wanted)
    places = {item.path.rpartition("/")[0]: item.location for item in found if isinstance(item, Found)}
    for location in places.values():  # one of each folder
        configuration.settings_for(location)
    return sorted({item.path: item for item in found}.values(), key=lambda item: item.path)


def _is_read(name: str) -> bool:
    """Whether a file is read when its folder is named and text files are wanted."""
    from valhalla_lint.facts.text_files import is_looked_for

    return is_python_name(name) or is_looked_for(name)


def check_paths(
    paths: Sequence[str],
    configuration: Configuration,
    *,
    jobs: int = 0,
    progress: Callable[[int, int], None] | None = None,
    cache: str | None = None,
    rests: Rests | None = None,
    but: Container[str] = (),
    same: Container[Look] = (),
) -> list[Checked]:
    """Check files and folders; the answers are sorted by path.

    jobs: processes; 0 lets the number of files decide. progress: called with how many of how many are done.
    cache: folder in which earlier answers are kept, None for none. rests: is told what each answer rests on.
    but: paths, as findings show them, that are left out. same: looks that were made a moment ago and saw the same.
    Raises ConfigurationError; KeyboardInterrupt after all processes have been ended. Never raises on any content.
    """
    items = [item for item in inputs(paths, configuration) if item.path not in but]
    kept = _Kept(Store(cache, configuration.base.as_posix(), same), configuration) if cache is not None else None
    done = dict(kept.known(items, watched=rests is not None)) if kept is not None else {}
    left = [item for item in items if item.path not in done]
    watched = kept is not None or rests is not None
    work = Work(partial(_judging, configuration, watched=watched), partial(_lost, configuration))
    try:
        with collector_patient():
            for item, judged in zip(left, run(left, work, jobs), strict=True):
                done[item.path] = judged
                if kept is not None:
                    kept.keep(item, judged)
                if progress is not None:
                    progress(len(done), len(items))
    finally:
        if kept is not None:
            kept.store.save()  # what is done is done, even where the user interrupts
    if rests is not None:
        rests.update((path, judged.looks) for path, judged in done.items())
    return [done[item.path].checked for item in items]


def the_same_elsewhere(rests: Rests, moved: Callable[[str], str]) -> frozenset[str]:
    """The files about which the answer would be the same in another place, by all that it rests on.

    moved: where a path of the one place lies in the other.
    """
    same: dict[Look, bool] = {}
    for look in {look for looks in rests.values() for look in looks}:
        kind, path, seen, _ = look
        _, _, now, _ = again((kind, moved(path), "", ""))
        same[look] = now == seen
    return frozenset(path for path, looks in rests.items() if looks and all(same[look] for look in looks))


class _Kept:
    """The answers of earlier runs as one run sees them."""

    def __init__(self, store: Store, configuration: Configuration) -> None:
        """Nothing is read here."""
        self.store = store
        self._configuration = configuration
        self._asked: dict[int, str] = {}
        self._looks: dict[Look, Look] = {}

    def known(self, items: Iterable[Found | Unread], *, watched: bool) -> Iterator[tuple[str, _Judged]]:
        """What is known of files, by path. watched: whether the looks behind each answer are wanted."""
        by_folder: dict[str, tuple[Settings, str]] = {}
        for item in items:
            if not isinstance(item, Found):
                continue
            folder = item.path.rpartition("/")[0]
            if folder not in by_folder:
                settings = self._configuration.settings_for(item.location)
                by_folder[folder] = settings, self._digest(settings)
            settings, stated = by_folder[folder]
            report = self.store.get(item.path, stated)
            if report is not None:
                looks = tuple(self.store.behind(item.path, stated)) if watched else ()
                yield item.path, _Judged(weighed(report, settings), looks)
        note(*self.store.given())

    def keep(self, item: Found | Unread, judged: _Judged) -> None:
        """Keep an answer; of what could not be read, or on which we failed, nothing is known."""
        looks = [self._looks.setdefault(look, look) for look in judged.looks]  # processes send each its own copies
        note(*looks)
        report = judged.checked.report
        if isinstance(item, Found) and report.status is not Status.UNREAD:
            self.store.put(report, self._settings(item.location), looks)

    def of_text(self, location: Path, path: str, content: str) -> Checked | None:
        """What is known of a text that a host has read. content: its digest."""
        report = self.store.get_text(str(location), path, self._settings(location), content)
        return None if report is None else weighed(report, self._configuration.settings_for(location))

    def keep_text(self, location: Path, report: FileReport, looks: Iterable[Look], content: str) -> int:
        """Keep an answer about such a text; returns how many are not written yet."""
        return self.store.put(report, self._settings(location), looks, content)

    def _settings(self, location: Path) -> str:
        return self._digest(self._configuration.settings_for(location))

    def _digest(self, settings: Settings) -> str:
        if id(settings) not in self._asked:  # settings are kept by the configuration, so ids stay theirs
            from valhalla_lint.engine.stored import asked  # only where answers are kept

            self._asked[id(settings)] = asked(settings)
        return self._asked[id(settings)]


def cache_folder(configuration: Configuration, chosen: str | None = None) -> str | None:
    """Where answers are kept, None where they are not: as a host's user chose, as configured, or the user's own folder.

    Raises ConfigurationError.
    """
    settings = configuration.settings_for(None)
    if chosen:
        return str(Path(chosen).absolute())
    if not settings.cache:
        return None
    return str(Path(settings.root) / settings.cache_dir) if settings.cache_dir else default_folder()


def check_bytes(data: bytes, name: str, configuration: Configuration) -> Checked | None:
    """Check a text that stands under a name (standard input); None where the configuration excludes the name."""
    location = place(name, configuration.base) if name else None
    if location is not None and configuration.excludes(location):
        return None
    path = shown(location, configuration.base) if location is not None else "stdin"
    return Linters(configuration).check(source_of(data, path, location))


def tier_of(path: str, configuration: Configuration) -> TierDecision | Unread:
    """The tier of a file with the reasons; a file that does not exist (yet) is judged by its path alone."""
    location = place(path, configuration.base)
    name = shown(location, configuration.base)
    source = read(location, name) if location.exists() else Source(name, "", location=location)
    return source if isinstance(source, Unread) else Linters(configuration).of(location).tier(source)


def source_of_host(data: bytes, name: str, configuration: Configuration, tree: ast.Module | None) -> Source | Unread:
    """A source from what a host has read and parsed itself; an empty name is a text without a file."""
    location = place(name, configuration.base) if name else None
    source = source_of(data, shown(location, configuration.base) if location is not None else "stdin", location)
    if isinstance(source, Unread) or source.notebook is not None:  # whose tree is not that of its JSON
        return source
    return source._replace(parsed=Parsed(tree) if tree is not None else None)


def source_of_cells(cells: Iterable[tuple[str, bool, bool]], path: str, location: Path | None) -> Source:
    """A source from the cells of a notebook that a host holds: of each its text, whether it is code, and Python."""
    from valhalla_lint.facts.notebooks import Cell, CellText, Notebook, source_of_cells

    held = tuple(Cell(CellText(text), code=code, python=python) for text, code, python in cells)
    return source_of_cells(Notebook(held), path, location)


def forget() -> None:
    """Look anew for everything that was remembered of the file system: for hosts that live longer than a run."""
    disk.forget()


def every_rule() -> tuple[Rule, ...]:
    """All rules, sorted by code."""
    return all_rules()


def rows_about(name: str, configuration: Configuration) -> tuple[str, tuple[str, ...]]:
    """What the catalogue says of a dotted name, or of the longest part of it that it knows: that part, and sentences.

    A global of a known class (`flask.request`) is followed to the class. Both are empty where nothing is known.
    """
    from valhalla_lint.flow.catalogue import about, load

    catalogue = load(configuration.settings_for(None).catalogue)
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        known = ".".join(parts[:size])
        kinds = ((inner, catalogue.instance(".".join(parts[:inner]))) for inner in range(size - 1, 0, -1))
        ways = [known, *(".".join((kind, *parts[inner:size])) for inner, kind in kinds if kind)]
        for way in ways:
            if sentences := about(way, catalogue):
                return known, sentences
    return "", ()


def lines_in(data: bytes, name: str) -> list[str]:
    """The lines of a text from standard input, for the excerpts of a report; none where it is no text."""
    source = source_of(data, name, None)
    return [] if isinstance(source, Unread) else _shown_lines(source)


def _shown_lines(source: Source) -> list[str]:
    if source.notebook is None:
        return split_lines(source.text)
    from valhalla_lint.facts.notebooks import shown_lines

    return shown_lines(source)


def read_again(text: str, known: Pieces | None = None) -> Pieces:
    """What a text is as Python, for a host that judges one text after the other; never raises.

    known: what the text before it was, from which what has not changed is taken over. Effect: that is used up.
    """
    from valhalla_lint.facts.pieces import read_in_pieces

    return read_in_pieces(text, known)


def held_texts(buffers: Mapping[Path, str]) -> HeldTexts:
    """The texts of modules for linters of a host that lives longer than a run. buffers: those of open documents."""
    return HeldTexts(buffers)


def lines_of(path: str, base: Path) -> tuple[str, ...]:
    """The lines of a file for the excerpts of a report; none where it cannot be read (any more)."""
    location = place(path, base)
    source = read(location, path)
    return () if isinstance(source, Unread) else tuple(_shown_lines(source))
