"""The tree under review: its entries and their bytes, wherever they come from."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from valhalla_lint.core.evidence import Unreadable

MAX_ENTRIES = 200_000
"""Entries of a tree that are listed; more (a tree of the same tree over and over can stand for billions) is a row."""
MAX_DEPTH = 256
"""Folders inside folders that are entered."""
MAX_BLOB = 8 * 1024 * 1024
"""Bytes up to which a file's content is read; a larger one is listed with its size only."""
MAX_NAME = 255
"""Bytes that a name may have on the file systems in use."""

FILE, LINK, SUBMODULE = "file", "link", "submodule"


class ReviewError(Exception):
    """What was asked for cannot be reviewed; the text says why and what to do instead."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the tree.

    path: as reports show it (odd bytes escaped); raw: as it is. mode: in git's octal form. kind: file, link, submodule.
    id: of the blob (or of the submodule's commit). size: bytes, -1 where unknown (a missing object).
    """

    path: str
    raw: bytes
    mode: str
    kind: str
    id: str
    size: int

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """The path without its last part, "" at the top."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class History:
    """What the commits up to the reviewed one say; counts only, no names.

    shallow: the copy holds only the newest commits. problem: why counting stopped early, "" if it did not.
    first, last: author times in seconds since 1970.
    """

    commits: int
    authors: int
    first: int
    last: int
    shallow: bool = False
    problem: str = ""


class Tree(ABC):
    """A tree that can be listed and read; use it as a context so that temporary things go away."""

    source: str = ""
    revision: str = ""
    tree: str = ""
    object_format: str = ""
    moment: int | None = None
    entries: tuple[Entry, ...] = ()

    def __init__(self) -> None:
        self.unread: list[Unreadable] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @abstractmethod
    def read(self, entry: Entry) -> bytes | None:
        """The content of a file or the target of a link; None where it cannot be had (then `unread` says why)."""

    @abstractmethod
    def history(self) -> History | None:
        """What the history says, or None where there is none."""

    def since(self, path: str, lines: Sequence[int]) -> Mapping[int, str]:  # noqa: ARG002 -- a tree without history
        """For lines of a file, the commits that brought them, as far as that can be told."""
        return {}

    def close(self) -> None:  # noqa: B027 -- a tree that holds nothing open has nothing to do
        """Leave nothing behind."""

    @property
    def digest(self) -> str:
        """SHA-256 over modes, blob ids and paths in order: the same for a commit and for an unpacked copy of it."""
        total = hashlib.sha256()
        for entry in self.entries:
            total.update(f"{entry.mode} {entry.id} ".encode() + entry.raw + b"\0")
        return total.hexdigest()


def shown(raw: bytes) -> str:
    """A path as text: bytes that are not UTF-8 and characters that do not print stand as escapes."""
    text = raw.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text)


def odd(raw: bytes) -> str:
    """What is odd about a path, "" for an ordinary one; an odd path is never written to disk."""
    if raw.startswith(b"/") or b"\0" in raw or b"\\" in raw:
        return "path is absolute or holds a backslash or NUL"
    parts = raw.split(b"/")
    if any(part in (b"", b".", b"..") for part in parts):
        return "path has an empty part, `.` or `..`"
    if any(part.lower().rstrip(b". ") == b".git" for part in parts):
        return "path has a part `.git`"
    if any(len(part) > MAX_NAME for part in parts):
        return f"path has a part of more than {MAX_NAME} bytes"
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return "path is not UTF-8"
    return "" if text.isprintable() else "path holds characters that do not print"


def clashes(entries: Iterable[Entry]) -> list[tuple[str, ...]]:
    """Groups of paths that differ in case only: one file on some file systems."""
    groups: dict[str, list[str]] = {}
    for entry in entries:
        groups.setdefault(entry.path.casefold(), []).append(entry.path)
    return sorted(tuple(sorted(paths)) for paths in groups.values() if len(paths) > 1)


def blob_id(data: bytes, algorithm: str = "sha1") -> str:
    """The id that git gives to a blob of this content."""
    return object_id("blob", data, algorithm)


def object_id(kind: str, data: bytes, algorithm: str) -> str:
    """The id that git gives to an object."""
    total = hashlib.new(algorithm, usedforsecurity=False)
    total.update(f"{kind} {len(data)}\0".encode())
    total.update(data)
    return total.hexdigest()
