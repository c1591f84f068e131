"""A tree that comes without git: a folder as it lies, an sdist, a wheel, a zip."""

import os
import stat
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from valhalla_lint.core.evidence import Unreadable
from valhalla_lint.review.tree import (
    FILE,
    LINK,
    MAX_BLOB,
    MAX_DEPTH,
    MAX_ENTRIES,
    Entry,
    History,
    ReviewError,
    Tree,
    blob_id,
    shown,
)

SKIPPED = frozenset({".git", ".hg", ".svn", "__pycache__"})
"""Folders that are no part of a source tree."""
MAX_TOTAL = 1024 * 1024 * 1024
"""Bytes that an archive may unpack to; more is a row, not a full memory."""
LINK_MODE, PLAIN_MODE, RUN_MODE = "120000", "100644", "100755"
ZIPS = (".zip", ".whl", ".egg")
TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")


def open_source(place: Path) -> Tree:
    """The tree of a folder or archive; raises ReviewError."""
    if place.is_dir():
        return FolderTree(place)
    name = place.name.lower()
    try:
        if place.is_file() and name.endswith(ZIPS):
            return ArchiveTree(_zip_members(place))
        if place.is_file() and name.endswith(TARS):
            return ArchiveTree(_tar_members(place))
    except (
        OSError,
        EOFError,
        zipfile.BadZipFile,
        tarfile.TarError,
        ValueError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise ReviewError(f"the archive cannot be read: {error}") from error
    raise ReviewError("--source takes a folder, a zip, a wheel or a tar archive")


class FolderTree(Tree):
    """A folder as it lies; links are listed, never followed."""

    source = "folder"
    object_format = "sha1"

    def __init__(self, root: Path) -> None:
        """List the folder and hash its files."""
        super().__init__()
        self._root = os.fsencode(root)
        self.entries = tuple(sorted(self._walk(), key=lambda entry: entry.raw))

    def _walk(self) -> Iterator[Entry]:
        pending: list[tuple[bytes, int]] = [(b"", 0)]
        count = 0
        while pending:
            prefix, depth = pending.pop()
            try:
                found = sorted(os.scandir(self._at(prefix)), key=lambda item: item.name)
            except OSError as error:
                self.unread.append(Unreadable(shown(prefix) or "/", f"folder cannot be read: {error.strerror}"))
                continue
            for item in found:
                path = prefix + item.name
                count += 1
                if count > MAX_ENTRIES:
                    self.unread.append(Unreadable("/", f"more than {MAX_ENTRIES:,} entries: only that many are listed"))
                    return
                if item.is_dir(follow_symlinks=False):
                    if os.fsdecode(item.name) in SKIPPED:
                        continue
                    if depth < MAX_DEPTH:
                        pending.append((path + b"/", depth + 1))
                    else:
                        self.unread.append(Unreadable(shown(path), f"lies below {MAX_DEPTH} folders: not entered"))
                elif entry := self._entry(path, item):
                    yield entry

    def _entry(self, path: bytes, item: "os.DirEntry[bytes]") -> Entry | None:
        status = item.stat(follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            target = os.readlink(item.path)  # noqa: PTH115 -- the name is bytes
            return Entry(shown(path), path, LINK_MODE, LINK, blob_id(target), len(target))
        if not stat.S_ISREG(status.st_mode):
            self.unread.append(Unreadable(shown(path), "is no file, folder or link: not opened"))
            return None
        mode = RUN_MODE if status.st_mode & stat.S_IXUSR else PLAIN_MODE
        if status.st_size > MAX_BLOB:
            self.unread.append(Unreadable(shown(path), f"is larger than {MAX_BLOB:,} bytes: listed, not read"))
            return Entry(shown(path), path, mode, FILE, "", status.st_size)
        data = self._bytes(path)
        return Entry(shown(path), path, mode, FILE, blob_id(data) if data is not None else "", status.st_size)

    def _bytes(self, path: bytes) -> bytes | None:
        try:
            with open(self._at(path), "rb") as file:  # noqa: PTH123 -- the name is bytes
                return file.read(MAX_BLOB + 1)
        except OSError as error:
            self.unread.append(Unreadable(shown(path), f"cannot be read: {error.strerror}"))
            return None

    def read(self, entry: Entry) -> bytes | None:
        """The content, or the target of a link."""
        if entry.size > MAX_BLOB:
            return None
        if entry.kind == LINK:
            try:
                return os.readlink(self._at(entry.raw))  # noqa: PTH115 -- the name is bytes
            except OSError:
                return None
        data = self._bytes(entry.raw)
        if data is not None and blob_id(data) != entry.id:
            self.unread.append(Unreadable(entry.path, "changed while it was being reviewed"))
            return None
        return data

    def _at(self, path: bytes) -> bytes:
        """Where a path of the tree lies."""
        return self._root + b"/" + path

    def history(self) -> History | None:
        """A folder has none."""
        return None


Member = tuple[bytes, str, str, bytes | None, int]
"""Path, mode, kind, content (None: too large), size."""


class ArchiveTree(Tree):
    """An archive, read into memory once; a single folder around everything (as in an sdist) is taken off."""

    source = "archive"
    object_format = "sha1"

    def __init__(self, members: Iterable[Member]) -> None:
        """Read all members up to the limits."""
        super().__init__()
        self._content: dict[str, bytes] = {}
        listed: dict[bytes, Member] = {}
        total = 0
        for member in members:
            path, _, _, content, size = member
            if path in listed:
                self.unread.append(Unreadable(shown(path), "stands in the archive more than once: the last one counts"))
            if content is None:
                self.unread.append(Unreadable(shown(path), f"is larger than {MAX_BLOB:,} bytes: listed, not read"))
            total += size
            if total > MAX_TOTAL or len(listed) >= MAX_ENTRIES:
                self.unread.append(
                    Unreadable("/", "the archive is larger than the limits: only its first part is read")
                )
                break
            listed[path] = member
        strip = _wrapper(listed)
        self.entries = tuple(sorted(self._entries(listed.values(), strip), key=lambda entry: entry.raw))

    def _entries(self, members: Iterable[Member], strip: int) -> Iterator[Entry]:
        for path, mode, kind, content, size in members:
            name = blob_id(content) if content is not None else ""
            if content is not None:
                self._content[name] = content
            yield Entry(shown(path[strip:]), path[strip:], mode, kind, name, size)

    def read(self, entry: Entry) -> bytes | None:
        """The content, or the target of a link."""
        return self._content.get(entry.id)

    def history(self) -> History | None:
        """An archive has none."""
        return None


def _wrapper(paths: Iterable[bytes]) -> int:
    """How many leading bytes are a single folder around all paths."""
    tops = {path.partition(b"/")[0] if b"/" in path else b"" for path in paths}
    top = tops.pop() if len(tops) == 1 else b""
    return len(top) + 1 if top not in (b"", b".", b"..") else 0


def _zip_members(place: Path) -> Iterator[Member]:
    with zipfile.ZipFile(place) as archive:
        for item in archive.infolist():
            if item.is_dir():
                continue
            bits = item.external_attr >> 16
            link = stat.S_ISLNK(bits)
            mode = LINK_MODE if link else RUN_MODE if bits & stat.S_IXUSR else PLAIN_MODE
            content = None
            if item.file_size <= MAX_BLOB:
                with archive.open(item) as file:
                    content = file.read(MAX_BLOB + 1)
            raw = item.filename.encode("utf-8", "surrogateescape")
            yield raw, mode, LINK if link else FILE, content, item.file_size


def _tar_members(place: Path) -> Iterator[Member]:
    with tarfile.open(place) as archive:
        for item in archive:
            raw = item.name.encode("utf-8", "surrogateescape").removeprefix(b"./")
            if item.issym() or item.islnk():
                target = item.linkname.encode("utf-8", "surrogateescape")
                yield raw, LINK_MODE, LINK, target, len(target)
            elif item.isfile():
                mode = RUN_MODE if item.mode & stat.S_IXUSR else PLAIN_MODE
                file = archive.extractfile(item) if item.size <= MAX_BLOB else None
                yield raw, mode, FILE, file.read(MAX_BLOB + 1) if file else None, item.size
