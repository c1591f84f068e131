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

TYPE_CHECKING = False  # asking `typing` for it costs more than all the rest
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from valhalla_lint.core.finding import FileReport
    from valhalla_lint.engine.stored import Plain
    from valhalla_lint.facts.looks import Look

NAME = "valhalla-lint"
FORMAT = "1"
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


def tool() -> str:
    """What decides verdicts besides the input: this program with its tables, the interpreter, the guests' releases.

    An installed program is known by the list of its files, one that is worked on by the state of each.
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


class _Entry:
    """One report, with what it rests on."""

    __slots__ = ("content", "looks", "path", "report", "settings")

    def __init__(self, path: str, settings: str, content: str, looks: "list[Look]", report: "Plain") -> None:
        self.path = path
        self.settings = settings
        self.content = content
        self.looks = looks
        self.report = report

    @property
    def key(self) -> "Key":
        """What is asked for: a file, or a text that a host has read, under a path and with settings."""
        return (self.path, self.settings, bool(self.content))


class Store:
    """The reports of one working folder, as they were and with what this run adds."""

    def __init__(self, folder: str, base: str) -> None:
        """folder: of the cache; it is made with the first addition. base: what shown paths are relative to."""
        self._folder = folder
        self._base = base
        self._head = f"{NAME} {zlib.crc32(os.fsencode(tool())):08x} {zlib.crc32(os.fsencode(base)):08x}"
        self._file = f"{folder}/{self._head.replace(' ', '-')}{ENDING}"
        self._entries: dict[Key, _Entry] | None = None
        self._written = 0
        self._seen: dict[Look, Look] = {}
        self._new: list[_Entry] = []

    def get(self, path: str, settings: str) -> "tuple[FileReport, list[Look]] | None":
        """The report of a file and the looks that it rests on, None where it must be judged.

        settings: digest of all that was asked.
        """
        entry = self._known().get((path, settings, False))
        return None if entry is None else self._holding(entry)

    def get_text(self, location: str, path: str, settings: str, content: str) -> "FileReport | None":
        """The report of a text that a host has read, None where it must be judged.

        location: of its file, which may hold another text by now. content: digest of the text.
        """
        entry = self._known().get((path, settings, True))
        own: Look | None = None
        from valhalla_lint.facts.looks import TEXT

        if entry is None or entry.content != content:
            entry = self._known().get((path, settings, False))
            looks = entry.looks if entry is not None else ()
            own = next((look for look in looks if look[:SEEN] == (TEXT, location) and look[SEEN] == content), None)
            if own is None:
                return None
        found = None if entry is None else self._holding(entry, own)
        return None if found is None else found[0]

    def _holding(self, entry: _Entry, given: "Look | None" = None) -> "tuple[FileReport, list[Look]] | None":
        """An entry's report and its looks as they are now, if they see the same. given: one of no need."""
        looked = self._seen.get  # nearly all looks are shared with other entries
        looks = [look if look is given else looked(look) or self._again(look) for look in entry.looks]
        same = looks == entry.looks
        if not same and any(now[SEEN] != look[SEEN] for now, look in zip(looks, entry.looks, strict=True)):
            return None
        from valhalla_lint.engine.stored import report_from

        report = report_from(entry.report)
        if report is not None and not same:  # the same in newer files: the next run need not read them
            self._new.append(_Entry(entry.path, entry.settings, entry.content, looks, entry.report))
        return None if report is None else (report, looks)

    def put(self, report: "FileReport", settings: str, looks: "Iterable[Look]", content: str = "") -> int:
        """Keep a report; it is written with the next `save`. Returns how many wait for that.

        content: digest of the text, where a host has read it.
        """
        from valhalla_lint.engine.stored import plain

        self._new.append(_Entry(report.path, settings, content, sorted(looks), plain(report)))
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

    def _again(self, look: "Look") -> "Look":
        """A look made anew, the same object where it sees the same: that is compared at once."""
        from valhalla_lint.facts.looks import again

        now = again(look)
        self._seen[look] = look if now == look else now
        return self._seen[look]

    def load(self) -> None:
        """Read what is there now, so that processes that are forked from this one need not."""
        self._known()

    def _known(self) -> "dict[Key, _Entry]":
        if self._entries is None:
            self._entries = {}
            for entry in _entries(self._file, self._head):
                self._entries[entry.key] = entry
                self._written += 1
        return self._entries


def _entries(file: str, head: str) -> "Iterator[_Entry]":
    """What stands in a store; lines that are torn, foreign or not of our making are passed over."""
    import json

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
            looks, entries = json.loads(body)
            looks = [(str(asked), str(path), str(seen), str(sign)) for asked, path, seen, sign in looks]
            for path, settings, content, numbers, report in entries:
                yield _Entry(str(path), str(settings), str(content), [looks[number] for number in numbers], report)
        except (ValueError, TypeError, IndexError, RecursionError):
            continue


def _line(entries: "Iterable[_Entry]") -> bytes:
    """Entries as one line, their looks written once."""
    import json

    numbers: dict[Look, int] = {}
    rows = [
        [entry.path, entry.settings, entry.content, [numbers.setdefault(look, len(numbers)) for look in entry.looks],
         entry.report]
        for entry in entries
    ]  # fmt: skip
    body = json.dumps([list(numbers), rows], separators=(",", ":")).encode()
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
