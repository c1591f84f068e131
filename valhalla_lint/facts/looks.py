"""Looks at the file system: what a verdict rests on besides the text that it is about, and how to see it again.

A look is four words: what was asked (`KIND`, `TEXT`, `NAMES` with endings, `HOLDING` with endings and texts, `DATE`),
of which path, what was seen, and a *sign*: a number from the file's state that changes when the file does, "" where it
cannot be relied on.
Nothing that was read is kept in it but a digest. `valhalla_lint.facts.disk` is where looks are made; a later run may
keep an answer as long as every look behind it would see the same again.

Importing this module must stay cheap: a run over files that have not changed needs little else.
"""

import os
import stat
import time
from functools import lru_cache

try:
    from _blake2 import blake2b  # the one that `hashlib` has, which loads OpenSSL first
except ImportError:  # another Python than CPython
    from hashlib import blake2b

TYPE_CHECKING = False  # asking `typing` for it costs more than all the rest
if TYPE_CHECKING:
    from collections.abc import Iterable

Look = tuple[str, str, str, str]

KIND = "k"
"""Is there anything, and what: "file", "folder", "other", or "" for nothing."""
TEXT = "t"
"""What stands in a file: a digest, or "" where it cannot be read."""
NAMES = "n"
"""Which folders, and which files with one of the endings that follow, a folder holds: a digest, or "" for none."""
HOLDING = "h"
"""Which files below a folder with one of the endings that follow hold some texts, and what stands in them: a digest."""
DATE = "d"
"""Which day it is, as `suppress` asks where an answer ends with one."""

FILE, FOLDER, OTHER, NOTHING = "file", "folder", "other", ""
NEVER = frozenset({
    ".bzr", ".direnv", ".eggs", ".git", ".hg", ".hypothesis", ".ipynb_checkpoints", ".mypy_cache", ".nox",
    ".pytest_cache", ".ruff_cache", ".svn", ".tox", ".venv", "CVS", "__pycache__", "__pypackages__", "node_modules",
    "site-packages",
})  # fmt: skip
"""Folders of tools and of installed packages, entered only where they are named themselves."""
MAX_BYTES = 20 * 1024 * 1024
"""Files above this are not read: a tree takes about fifty times the bytes of its text."""
MAX_NOTEBOOK_BYTES = 256 * 1024 * 1024
"""The same for notebooks: most of their bytes are pictures, which cost nothing beside themselves."""
NOTEBOOK = ".ipynb"
"""What a notebook's name ends with."""
MOST_FILES = 8_000
"""Files of one tree that are looked at, in the order of their names."""
MAX_MODULE = 400_000
"""Bytes of another module up to which it is read for what it does to values."""
KEPT_BYTES = 16_000_000
"""Bytes of the files of a tree that stay in memory; those beyond are read again for all that they are asked for."""
SETTLED = 2.0
"""Seconds after which a change is old enough for its time to tell it from the next; the coarsest clock of a file system
(FAT) counts by two."""
DIGEST = 16
"""Bytes of a digest: too many for two texts to share one by chance."""


def most_bytes(path: str) -> int:
    """How large a file may be to be read, by its name."""
    return MAX_NOTEBOOK_BYTES if path.lower().endswith(NOTEBOOK) else MAX_BYTES


def digest(data: bytes) -> str:
    """The digest by which a content is known again."""
    return blake2b(data, digest_size=DIGEST).hexdigest()


def sign(state: os.stat_result) -> str:
    """The sign of a file: whatever is done to it changes its times, its size or its number.

    "" for a file that has just been changed: its clock may be too coarse to tell of the next change.
    """
    if max(state.st_mtime, state.st_ctime) > time.time() - SETTLED:
        return ""
    return str(hash((state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)))


def sign_of(path: str) -> str:
    """The sign of what lies at a path now, "" where nothing does."""
    try:
        return sign(os.stat(path))
    except (OSError, ValueError):
        return ""


def kind_of(path: str) -> str:
    """What lies at a path, links followed."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return NOTHING
    return FOLDER if stat.S_ISDIR(mode) else FILE if stat.S_ISREG(mode) else OTHER


def kinds_in(folder: str) -> dict[str, str]:
    """What lies in a folder, by name, links followed. Raises OSError where it cannot be listed."""
    return {name: kind for name, (kind, _) in entries_in(folder).items()}


def entries_in(folder: str) -> dict[str, tuple[str, bool]]:
    """The same, and whether it is a link. Raises OSError where the folder cannot be listed."""
    found = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            is_link = entry.is_symlink()
            kind = kind_of(entry.path) if is_link else FOLDER if entry.is_dir() else FILE if entry.is_file() else OTHER
            found[entry.name] = kind, is_link
    return found


class Named:
    """An entry of a folder."""

    __slots__ = ("is_folder", "name")

    def __init__(self, name: str, *, is_folder: bool) -> None:
        self.name = name
        self.is_folder = is_folder


def listing(folder: str, endings: tuple[str, ...]) -> list[Named]:
    """The entries of a folder by name: folders (no links to any), and files whose names end in one of some ways.

    No tool's own folders are among them. Raises OSError where it cannot be listed.
    """
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                if name not in NEVER:
                    found.append(Named(name, is_folder=True))
            elif name.endswith(endings) and not (entry.is_symlink() and kind_of(entry.path) == FOLDER):
                found.append(Named(name, is_folder=False))
    found.sort(key=lambda item: item.name)
    return found


def listed(entries: list[Named]) -> str:
    """A listing as a look tells of it."""
    words = "\0".join(f"{item.name}/" if item.is_folder else item.name for item in entries)
    return digest(words.encode("utf-8", "surrogateescape"))


class Tree:
    """The files below a folder whose names end in one of some ways, as they lie there now.

    folders: those that were listed, each with its sign from before, and its entries. paths: of the files, in order.
    signs: theirs. sign: of all together, "" where one has none; renaming a folder changes none of a file.
    whole: whether all files are among them.
    """

    __slots__ = ("_open", "_settled", "folders", "paths", "sign", "signs", "top", "whole")

    def __init__(self, top: str, endings: tuple[str, ...]) -> None:
        """What cannot be listed counts as empty."""
        self.top = top
        self.folders: list[tuple[str, str, list[Named]]] = []
        found: list[str] = []
        waiting = [top]
        while waiting and len(found) < MOST_FILES:
            place = waiting.pop()
            before = sign_of(place)
            try:
                entries = listing(place, endings)
            except OSError:
                continue
            self.folders.append((place, before, entries))
            found += [f"{place}{os.sep}{item.name}" for item in entries if not item.is_folder]
            waiting += [f"{place}{os.sep}{item.name}" for item in reversed(entries) if item.is_folder]
        self.whole = not waiting and len(found) <= MOST_FILES
        self.paths = tuple(found[:MOST_FILES])
        self.signs = tuple(sign_of(path) for path in self.paths)
        words = "\0".join((*self.paths, *self.signs))
        self.sign = "" if "" in self.signs else digest(words.encode("utf-8", "surrogateescape"))
        self._settled: _Contents | None = None
        self._open: _Contents | None = None

    def holding(self, wanted: tuple[str, ...]) -> list[int]:
        """The numbers of the files that hold the first of some texts, and one of the others if there are any."""
        return sorted(number for contents in self._read() for number in contents.holding(wanted))

    def look(self, asked: str, found: list[int]) -> Look:
        """The look that shows which files hold something. asked: as `asked_of` says it. found: what `holding` gave."""
        start = len(self.top)
        settled, open_ = self._read()
        words = "\0".join(
            f"{self.paths[number][start:]}\0{(settled if self.signs[number] else open_).digest(number)}"
            for number in found
        )
        return (asked, self.top, digest(words.encode("utf-8", "surrogateescape")), self.sign)

    def holders(self, asked: str) -> list[str]:
        """The files that hold what a look asks for."""
        return [self.paths[number] for number in self.holding(_wanted_in(asked))]

    def _read(self) -> "tuple[_Contents, _Contents]":
        """What stands in the files: in those that cannot change unseen, and in the others."""
        if self._settled is None or self._open is None:
            self._settled = _contents(self.paths, self.signs)
            self._open = _Contents(self.paths, [number for number, known in enumerate(self.signs) if not known])
        return self._settled, self._open


class _Contents:
    """What stands in some files of a tree, read at once, and kept as long as there is room."""

    __slots__ = ("_digests", "_holding", "_kept", "_paths")

    def __init__(self, paths: tuple[str, ...], numbers: "Iterable[int]") -> None:
        self._paths = paths
        self._digests: dict[int, str] = {}
        self._holding: dict[tuple[str, ...], list[int]] = {}
        self._kept: dict[int, bytes | None] = {}
        room = KEPT_BYTES
        for number in numbers:
            data = beginning_of(paths[number])
            room -= len(data)
            self._kept[number] = data if room >= 0 else None

    def holding(self, wanted: tuple[str, ...]) -> list[int]:
        """As that of a tree."""
        if wanted not in self._holding:
            needed, *ways = _encoded(wanted)
            self._holding[wanted] = found = []
            for number, kept in self._kept.items():
                data = beginning_of(self._paths[number]) if kept is None else kept
                if needed in data and (not ways or any(way in data for way in ways)):
                    found.append(number)
        return self._holding[wanted]

    def digest(self, number: int) -> str:
        """The digest of what stands in a file."""
        if number not in self._digests:
            kept = self._kept[number]
            self._digests[number] = digest(beginning_of(self._paths[number]) if kept is None else kept)
        return self._digests[number]


@lru_cache(maxsize=1)
def _contents(paths: tuple[str, ...], signs: tuple[str, ...]) -> _Contents:
    """What stands in the files of a tree that cannot change unseen.

    A run that judges a file of the tree asks the tree three times: before, meanwhile, and when it keeps the report.
    """
    return _Contents(paths, [number for number, known in enumerate(signs) if known])


def beginning_of(path: str) -> bytes:
    """A file's bytes as they lie on the disk, up to what is read of a module; none where it cannot be read."""
    try:
        # Not of `Path`: a third of the cost over thousands of files.
        with open(path, "rb", buffering=0, opener=without_waiting) as file:
            return file.read(MAX_MODULE) or b""  # None of a pipe in which nothing stands
    except (OSError, ValueError):
        return b""


def asked_of(endings: tuple[str, ...], wanted: tuple[str, ...]) -> str:
    """What a look asks that shows which files hold some texts; neither may hold a colon or a bar."""
    return f"{HOLDING}{'|'.join(endings)}:{'|'.join(wanted)}"


def _encoded(wanted: tuple[str, ...]) -> list[bytes]:
    return [text.encode("utf-8", "surrogatepass") for text in wanted]


def may_hold(look: Look, asked: str) -> bool:
    """Whether a file may hold what a look at its tree asks for (asked). look: at the text of the file."""
    data = beginning_of(look[1])
    needed, *ways = _encoded(_wanted_in(asked))
    same = digest(data) == look[2]  # it may have changed since, and what is long is not read as a whole
    return not same or (needed in data and (not ways or any(way in data for way in ways)))


def endings_in(asked: str) -> tuple[str, ...]:
    """The endings of files that such a look asks about."""
    return tuple(asked[len(HOLDING) :].partition(":")[0].split("|"))


def _wanted_in(asked: str) -> tuple[str, ...]:
    return tuple(asked.partition(":")[2].split("|"))


def again_in(tree: Tree, look: Look) -> Look:
    """Such a look now, where its tree has been walked; never raises. Where all signs are the same, nothing is read."""
    asked = look[0]
    return look if tree.sign == look[3] != "" else tree.look(asked, tree.holding(_wanted_in(asked)))


def parts_of_tree(tree: Tree, made: list[Look], texts: dict[str, Look]) -> set[Look]:
    """What looks at a whole tree come to: looks at each folder and each file, most of which are made anyway.

    made: those looks, all of the same endings. texts: looks at files that were made, by path.
    Raises ValueError where the tree is not as they saw it.
    """
    if not tree.whole:
        return set(made)
    if any(again_in(tree, look)[2] != look[2] for look in made):
        raise ValueError(tree.top)
    asked = NAMES + "|".join(endings_in(made[0][0]))
    parts = {(asked, place, listed(entries), before) for place, before, entries in tree.folders}
    parts.update(texts.get(path) or again((TEXT, path, NOTHING, "")) for path in tree.paths)
    return parts


def day() -> str:
    """The day (in Greenwich), as ISO writes it."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def again(look: Look) -> Look:
    """The same look now; never raises. A file whose sign is still the same is not read."""
    asked, path, _, known = look
    if asked == KIND:
        return (asked, path, kind_of(path), "")
    if asked == DATE:
        return (asked, path, day(), "")
    if asked.startswith(HOLDING):
        return again_in(Tree(path, endings_in(asked)), look)
    now = sign_of(path)
    return look if now == known != "" else (asked, path, _content(asked, path), now)


def _content(asked: str, path: str) -> str:
    """What is read from a file or a folder, as a look tells of it."""
    try:
        if asked == TEXT:
            with open(path, "rb", opener=without_waiting) as handle:
                state = os.fstat(handle.fileno())
                readable = stat.S_ISREG(state.st_mode) and state.st_size <= most_bytes(path)
                return digest(handle.read()) if readable else NOTHING
        return listed(listing(path, tuple(asked[len(NAMES) :].split("|"))))
    except (OSError, ValueError):
        return NOTHING


def without_waiting(path: str, flags: int) -> int:
    """Open without waiting for whoever may write into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
