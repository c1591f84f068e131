"""Looks at the file system: what a verdict rests on besides the text that it is about, and how to see it again.

A look is four words: what was asked (`KIND`, `TEXT`, `NAMES` and `TREE` with endings, `DATE`), of which path, what was
seen, and a *sign*: a number from the file's state that changes when the file does, "" where it cannot be relied on.
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

Look = tuple[str, str, str, str]

KIND = "k"
"""Is there anything, and what: "file", "folder", "other", or "" for nothing."""
TEXT = "t"
"""What stands in a file: a digest, or "" where it cannot be read."""
NAMES = "n"
"""Which folders, and which files with one of the endings that follow, a folder holds: a digest, or "" for none."""
TREE = "r"
"""What stands in all files below a folder with one of the endings that follow: a digest of all."""
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


def files_below(folder: str, endings: tuple[str, ...]) -> list[str]:
    """The files below a folder whose names end in one of some ways, in order; what cannot be listed counts as empty."""
    found: list[str] = []
    waiting = [folder]
    while waiting and len(found) < MOST_FILES:
        place = waiting.pop()
        try:
            entries = listing(place, endings)
        except OSError:
            continue
        found += (f"{place}{os.sep}{item.name}" for item in entries if not item.is_folder)
        waiting += (f"{place}{os.sep}{item.name}" for item in reversed(entries) if item.is_folder)
    return found[:MOST_FILES]


def signs_of(paths: list[str]) -> list[str]:
    """The sign of each of many files, "" for one that has none."""
    return [sign_of(path) for path in paths]


def sign_of_tree(paths: list[str], signs: list[str]) -> str:
    """The sign of many files together, "" where one has none. Renaming a folder changes none of a file."""
    return "" if "" in signs else digest("\0".join((*paths, *signs)).encode("utf-8", "surrogateescape"))


def tree_as_seen(paths: list[str], signs: list[str]) -> str:
    """What stands in many files, as a look tells of it. signs: theirs, from before; those that have one are read once.

    A run that judges a file of the tree looks at the tree three times: before, meanwhile, and when it keeps the report.
    """
    words = "\0".join(
        f"{path}\0{_settled(path, known) if known else _content(TEXT, path)}"
        for path, known in zip(paths, signs, strict=True)
    )
    return digest(words.encode("utf-8", "surrogateescape"))


@lru_cache(maxsize=MOST_FILES)
def _settled(path: str, _sign: str) -> str:
    """What stands in a file as long as it has this sign."""
    return _content(TEXT, path)


def parts_of_tree(look: Look, texts: dict[str, Look]) -> set[Look]:
    """What a look at a whole tree comes to: looks at each folder and each file, most of which are made anyway.

    texts: looks at files that were made, by path. Raises ValueError where the tree is not as it was seen.
    """
    asked, top, seen, _ = look
    endings = asked[len(TREE) :]
    parts: set[Look] = set()
    files = 0
    waiting = [top]
    while waiting:
        place = waiting.pop()
        before = sign_of(place)
        try:
            entries = listing(place, tuple(endings.split("|")))
        except OSError:
            return {look}
        parts.add((NAMES + endings, place, listed(entries), before))
        for item in entries:
            path = f"{place}{os.sep}{item.name}"
            if item.is_folder:
                waiting.append(path)
            else:
                parts.add(texts.get(path) or again((TEXT, path, NOTHING, "")))
                files += 1
    if files > MOST_FILES:
        return {look}
    if again(look)[2] != seen:
        raise ValueError(top)
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
    if asked.startswith(TREE):
        paths = files_below(path, tuple(asked[len(TREE) :].split("|")))
        signs = signs_of(paths)
        now = sign_of_tree(paths, signs)
        return look if now == known != "" else (asked, path, tree_as_seen(paths, signs), now)
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
