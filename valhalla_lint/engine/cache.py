"""What earlier runs found, so that only what changed is judged again.

One file for each working folder holds reports by path and settings, each with the looks that its verdict rests on
(`valhalla_lint.facts.looks`). A report counts as long as every look would see the same again. The format is lines of
JSON, each with a checksum: nothing in it can run, a torn or foreign line counts for nothing, and lines can be added by
several processes at a time. It holds findings as reports tell them, digests and paths: no line of any source, and no
secret.

Importing this module must stay cheap: a run over files that have not changed needs little else.
"""

import os
import sys
import zlib
from functools import lru_cache

from valhalla_lint.facts.looks import HOLDING, KIND, TEXT, Tree, again, again_in, endings_in, kinds_in

TYPE_CHECKING = False  # asking `typing` for it costs more than all the rest
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from valhalla_lint.core.finding import FileReport
    from valhalla_lint.engine.stored import Plain
    from valhalla_lint.facts.looks import Look

NAME = "valhalla-lint"
FORMAT = "2"
"""Changes whenever lines of the old form must not be read any more."""
VARIABLE = "VALHALLA_LINT_CACHE_DIR"
"""Names the folder where no option does."""
ENDING = ".jsonl"
REPLAY, REPLAY_ENDING = "run-", ".txt"
"""Begin and end the rest of the name of what a command has printed."""
DIGITS = "0123456789abcdef"
TAG = "CACHEDIR.TAG"
TAG_TEXT = """Signature: 8a477f597d28d172789f06886806bc55
# This folder holds what valhalla-lint found in earlier runs. It can be removed at any time.
"""
MAX_SIZE = 256 * 1024 * 1024
"""Bytes of all stores together; the least recently used are removed first."""
VARIANTS = 4
"""Settings for which a file's report is kept: hosts and working folders differ in them."""
WASTE = 2
"""A store is written anew once it holds so many times the reports that are still of use."""
SLACK = 100
"""Reports of no use that are never worth it."""
SEEN = 2
"""Where in a look it stands what was seen."""
GUESTS = ("detect_secrets-", "pathspec-")
"""Distributions whose releases can change a verdict."""


def default_folder() -> str:
    """The folder in which this user's programs keep what can be made anew."""
    if chosen := os.environ.get(VARIABLE):
        return os.path.abspath(chosen)
    if sys.platform == "win32":
        above = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    elif sys.platform == "darwin":
        above = os.path.expanduser("~/Library/Caches")
    else:
        above = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(above, NAME)


def prepared(folder: str) -> bool:
    """Whether a folder is there, or could be made, and can be written to. Effect: makes it, marked as a cache.

    One that holds anything else is not marked: backups would pass over it, and git over all that lies in it.
    """
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not os.listdir(folder):
            for name, text in ((TAG, TAG_TEXT), (".gitignore", "*\n")):
                with open(f"{folder}/{name}", "x", encoding="utf-8") as file:
                    file.write(text)
        return os.access(folder, os.W_OK)
    except (OSError, ValueError):
        return False


@lru_cache(maxsize=1)
def tool() -> str:
    """What decides verdicts besides the input: this program with its tables, the interpreter, the guests' releases.

    An installed program is known by the list of its files, one that is worked on by the state of each, as it was when
    it was first asked for: what is loaded stays loaded.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    above, name = os.path.split(package)
    own = sorted(_named(above, (f"{name}-",), ".dist-info"))
    guests = sorted(found for folder in sys.path for found in _named(folder, GUESTS, "-info"))
    try:
        with open(f"{above}/{own[0]}/RECORD", "rb") as file:
            program = str(zlib.crc32(file.read()))
    except (OSError, IndexError):
        program = str(zlib.crc32(repr(sorted(_states(package))).encode()))
    return "\0".join((FORMAT, sys.version, package, program, *guests))


def _named(folder: str, starts: tuple[str, ...], end: str) -> "Iterator[str]":
    try:
        yield from (name for name in os.listdir(folder or ".") if name.startswith(starts) and name.endswith(end))
    except OSError:
        return


def _states(folder: str) -> "Iterator[tuple[str, int, int]]":
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _states(entry.path)
            else:
                state = entry.stat()
                yield entry.path, state.st_size, state.st_mtime_ns


Key = tuple[str, str, bool]


class _Looks:
    """Looks that reports share, each told by its number: reports have hundreds, nearly all of them the same ones.

    numbers: where looks were added. wide: the numbers of those at all files of a folder. open: of those that were not
    made anew yet. changed: of those that see another thing now. now: what is there in place of those that do not, but
    whose sign is another. given: the numbers behind reports that were given out.
    """

    __slots__ = ("changed", "given", "made", "now", "numbers", "open", "wide")

    def __init__(self, made: "list[Look]", same: "Container[Look]" = ()) -> None:
        self.made = made
        self.numbers: dict[Look, int] = {}
        self.wide = {number for number, look in enumerate(made) if look[0].startswith(HOLDING)}
        self.open = {number for number, look in enumerate(made) if look not in same}
        self.changed: set[int] = set()
        self.now: dict[int, Look] = {}
        self.given: set[int] = set()

    def add(self, looks: "Iterable[Look]") -> "frozenset[int]":
        """The numbers of looks, which get one if they have none."""
        for look in (found := list(looks)):
            if look not in self.numbers:
                self.numbers[look] = len(self.made)
                self.open.add(len(self.made))
                self.made.append(look)
        return frozenset(map(self.numbers.__getitem__, found))

    def of(self, numbers: "Iterable[int]") -> "Iterator[Look]":
        """Looks as they are now, as far as that is known."""
        now, made = self.now, self.made
        return (now.get(number) or made[number] for number in sorted(numbers))


class _Entry:
    """One report, with what it rests on: numbers of looks."""

    __slots__ = ("content", "looks", "numbers", "path", "report", "settings")

    def __init__(
        self, path: str, settings: str, content: str, looks: _Looks, numbers: "frozenset[int]", report: "Plain"
    ) -> None:
        self.path = path
        self.settings = settings
        self.content = content
        self.looks = looks
        self.numbers = numbers
        self.report = report

    @property
    def key(self) -> "Key":
        """What is asked for: a file, or a text that a host has read, under a path and with settings."""
        return (self.path, self.settings, bool(self.content))


class Store:
    """The reports of one working folder, as they were and with what this run adds."""

    def __init__(self, folder: str, base: str, same: "Container[Look]" = ()) -> None:
        """folder: of the cache; it is made with the first addition. base: what shown paths are relative to.

        same: looks that were made a moment ago and saw the same.
        """
        self._folder = folder
        self._base = base
        self._same = same
        self._head = f"{NAME} {zlib.crc32(os.fsencode(tool())):08x} {zlib.crc32(os.fsencode(base)):08x}"
        self._file = f"{folder}/{self._head.replace(' ', '-')}{ENDING}"
        self._entries: dict[Key, _Entry] | None = None
        self._written = 0
        self._looks = _Looks([])
        self._seen: dict[Look, Look] = {}
        self._inside: dict[str, dict[str, str] | None] = {}
        self._trees: dict[tuple[str, tuple[str, ...]], Tree] = {}
        self._new: list[_Entry] = []

    def get(self, path: str, settings: str) -> "FileReport | None":
        """The report of a file, None where it must be judged. settings: digest of all that was asked."""
        entry = self._known().get((path, settings, False))
        return None if entry is None else self._holding(entry)

    def behind(self, path: str, settings: str) -> "Iterator[Look]":
        """The looks that the report of a file rests on."""
        entry = self._known().get((path, settings, False))
        return iter(()) if entry is None else entry.looks.of(entry.numbers)

    def given(self) -> "Iterator[Look]":
        """The looks that all reports rest on that were given out so far."""
        for looks in {id(entry.looks): entry.looks for entry in self._known().values()}.values():
            yield from looks.of(looks.given)

    def get_text(self, location: str, path: str, settings: str, content: str) -> "FileReport | None":
        """The report of a text that a host has read, None where it must be judged.

        location: of its file, which may hold another text by now. content: digest of the text.
        """
        entry = self._known().get((path, settings, True))
        if entry is not None and entry.content == content:
            return self._holding(entry)
        entry = self._known().get((path, settings, False))
        if entry is None:
            return None
        own, made = (TEXT, location, content), entry.looks.made
        number = next((number for number in entry.numbers if made[number][: SEEN + 1] == own), None)
        return None if number is None else self._holding(entry, number)

    def _holding(self, entry: _Entry, own: int | None = None) -> "FileReport | None":
        """An entry's report, if its looks would see the same now. own: the number of one of no need."""
        looks = entry.looks
        numbers = entry.numbers if own is None else entry.numbers - {own}
        whole = looks.wide & looks.open & numbers
        for number in (numbers & looks.open) - whole:  # the smaller of both is gone through: soon nearly all are known
            self._again(looks, number)
        for number in whole if numbers.isdisjoint(looks.changed) else ():  # they cost most
            self._again(looks, number)
        if not numbers.isdisjoint(looks.changed):
            return None
        from valhalla_lint.engine.stored import report_from

        report = report_from(entry.report)
        if report is None:
            return None
        looks.given |= entry.numbers
        if not numbers.isdisjoint(looks.now):  # the same in newer files: the next run need not read them
            renewed = self._looks.add(looks.of(entry.numbers))
            self._new.append(_Entry(entry.path, entry.settings, entry.content, self._looks, renewed, entry.report))
        return report

    def put(self, report: "FileReport", settings: str, looks: "Iterable[Look]", content: str = "") -> int:
        """Keep a report; it is written with the next `save`. Returns how many wait for that.

        content: digest of the text, where a host has read it.
        """
        from valhalla_lint.engine.stored import plain

        numbers = self._looks.add(sorted(looks))
        self._new.append(_Entry(report.path, settings, content, self._looks, numbers, plain(report)))
        return len(self._new)

    def save(self) -> None:
        """Add what is new. Effect: writes to the cache, or leaves it where that cannot be done; never raises."""
        new, self._new = self._new, []
        try:
            if not new:
                os.utime(self._file)  # the least recently used go first
            elif prepared(self._folder):
                self._add(new)
                evict(self._folder, MAX_SIZE)
        except (OSError, ValueError):  # ValueError: a name with a NUL character
            return

    def _add(self, new: "list[_Entry]") -> None:
        known = self._known()
        for entry in new:
            known.pop(entry.key, None)  # so that the latest stand last
            known[entry.key] = entry
        self._written += len(new)
        if self._written > WASTE * len(known) + SLACK or not _begins(self._file, self._head):
            kept = _kept(known.values(), self._base)
            replace(self._file, f"{self._head}\n".encode() + _line(kept))
            self._written = len(kept)
        else:
            _append(self._file, _line(new))

    def _again(self, looks: _Looks, number: int) -> None:
        """Make a look anew, unless the same one stands in another line and was."""
        look = looks.made[number]
        now = self._seen.get(look)
        if now is None:
            now = self._seen[look] = self._anew(look)
        looks.open.discard(number)
        if now[SEEN] != look[SEEN]:
            looks.changed.add(number)
        elif now != look:
            looks.now[number] = now

    def _anew(self, look: "Look") -> "Look":
        asked, path, seen, _ = look
        if asked == KIND and self._lies(*os.path.split(path)) == seen:
            return look
        if not asked.startswith(HOLDING):
            return again(look)
        tree = self._trees.get((path, endings := endings_in(asked)))  # walked once for all that it is asked for
        if tree is None:
            tree = self._trees[path, endings] = Tree(path, endings)
        return again_in(tree, look)

    def _lies(self, folder: str, name: str) -> str | None:
        """What lies in a folder under a name, None where the folder cannot be listed.

        One listing costs less than to ask about each name, and most looks are for what is not there.
        """
        if folder not in self._inside:
            try:
                self._inside[folder] = kinds_in(folder)
            except (OSError, ValueError):
                self._inside[folder] = None
        there = self._inside[folder]
        return None if there is None else there.get(name, "")

    def load(self) -> None:
        """Read what is there now, so that processes that are forked from this one need not."""
        self._known()

    def _known(self) -> "dict[Key, _Entry]":
        if self._entries is None:
            self._entries = {}
            for entry in _entries(self._file, self._head, self._same):
                self._entries[entry.key] = entry
                self._written += 1
        return self._entries


def _entries(file: str, head: str, same: "Container[Look]") -> "Iterator[_Entry]":
    """What stands in a store; lines that are torn, foreign or not of our making are passed over."""
    import json
    from array import array

    try:
        with open(file, "rb") as handle:
            first, *lines = handle.read().split(b"\n")
    except (OSError, ValueError):  # ValueError: a name with a NUL character
        return
    if first != head.encode():
        return
    for line in lines:
        check, _, body = line.partition(b" ")
        if check != _check(body):
            continue
        try:
            made, entries = json.loads(body)
            looks = _Looks([(str(asked), str(path), str(seen), str(sign)) for asked, path, seen, sign in made], same)
            for path, settings, content, numbers, report in entries:
                array("L", numbers)  # whatever else may stand there, it takes whole numbers only
                if numbers and sorted(numbers)[-1] >= len(made):  # noqa: FURB192 -- quicker: ours are sorted already
                    continue
                yield _Entry(str(path), str(settings), str(content), looks, frozenset(numbers), report)
        except (ValueError, TypeError, OverflowError, RecursionError):
            continue


def _line(entries: "Iterable[_Entry]") -> bytes:
    """Entries as one line, their looks written once."""
    import json

    looks = _Looks([])
    rows = [
        [entry.path, entry.settings, entry.content, sorted(looks.add(entry.looks.of(entry.numbers))), entry.report]
        for entry in entries
    ]
    body = json.dumps([looks.made, rows], separators=(",", ":")).encode()
    return b"\n" + _check(body) + b" " + body + b"\n"  # the first end closes a line that somebody has left torn


def _check(body: bytes) -> bytes:
    return b"%08x" % zlib.crc32(body)


def _kept(entries: "Iterable[_Entry]", base: str) -> "list[_Entry]":
    """The latest entries of each path that is still there."""
    by_path: dict[str, list[_Entry]] = {}
    for entry in entries:
        by_path.setdefault(entry.path, []).append(entry)
    there = (found for path, found in by_path.items() if os.path.lexists(f"{base}/{path}") or os.path.lexists(path))
    return [entry for found in there for entry in found[-VARIANTS:]]


def _begins(file: str, head: str) -> bool:
    """Whether a store is there; another process may have begun it since this one looked."""
    try:
        with open(file, "rb") as handle:
            return handle.readline().rstrip(b"\n") == head.encode()
    except OSError:
        return False


def _append(file: str, data: bytes) -> None:
    """Add to a file in one go, so that what others add at the same time stays apart."""
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    try:
        os.write(handle, data)
    finally:
        os.close(handle)


def replace(file: str, data: bytes) -> None:
    """Write a file as a whole or not at all."""
    part = f"{file}.{os.getpid()}.part"
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
        with open(handle, "wb") as out:
            out.write(data)
        os.replace(part, file)
    except BaseException:
        try:
            os.unlink(part)
        except OSError:
            pass
        raise


def files(folder: str) -> "list[tuple[float, int, str]]":
    """The stores and replays of a cache, the least recently used first: when that was, how large, where."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if _is_ours(entry.name) and entry.is_file(follow_symlinks=False):
                    state = entry.stat(follow_symlinks=False)
                    found.append((state.st_mtime, state.st_size, entry.path))
    except (OSError, ValueError):  # ValueError: a name with a NUL character
        return found
    return sorted(found)


def _is_ours(name: str) -> bool:
    """Whether a file is a store or a replay, or a part of one: users may keep reports of ours in the same folder."""
    stem, _, rest = name.partition(".")
    numbers = stem.removeprefix(f"{NAME}-").removeprefix(REPLAY).split("-")
    ends = rest.startswith((ENDING[1:], REPLAY_ENDING[1:]))
    return ends and all(len(number) == len(_check(b"")) and not number.strip(DIGITS) for number in numbers)


def evict(folder: str, limit: int) -> int:
    """Remove what was least recently used until no more than so many bytes are left; returns how many files went.

    Effect: deletes files of ours in the folder. Raises OSError where one cannot be deleted.
    """
    found = files(folder)
    size = sum(length for _, length, _ in found)
    gone = 0
    for _, length, path in found:
        if size <= limit:
            break
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass  # another run was quicker
        size -= length
        gone += 1
    return gone
