"""A commit of a git repository, read object by object; every object is hashed, and one without its id is reported."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from valhalla_lint.core.evidence import Unreadable
from valhalla_lint.review.objects import Batch, View, pipe_of
from valhalla_lint.review.store import FULL_ID, REVISION, Store
from valhalla_lint.review.tree import (
    FILE,
    LINK,
    MAX_BLOB,
    MAX_DEPTH,
    MAX_ENTRIES,
    SUBMODULE,
    Entry,
    History,
    ReviewError,
    Tree,
    object_id,
    shown,
)

HEAD = "HEAD"
SHA256_LENGTH = 64
MAX_VERSION = 1024 * 1024
"""Bytes up to which old versions of files are searched."""
MAX_LINES = 200
"""Lines of one file whose commits are asked for."""
BLAMED = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64}) \d+ (\d+)")
MAX_CHANGES = 200
"""Commits of one file that are looked through for the one that brought a hit."""
MODES = {"100644": FILE, "100755": FILE, "100664": FILE, "120000": LINK, "160000": SUBMODULE}
FOLDER_MODE = "40000"


class GitTree(Tree):
    """The tree of one commit."""

    source = "git"

    def __init__(self, repository: Path, revision: str = HEAD) -> None:
        """Open a repository (work tree, linked work tree, bare) at a revision; raises ReviewError."""
        super().__init__()
        git = shutil.which("git")
        if git is None:
            raise ReviewError("git is not installed; an unpacked copy can be reviewed with --source")
        store = Store.at(repository)
        if revision == HEAD and store.reference(HEAD) is None and not store.reftable:
            raise ReviewError(
                "there is no commit at HEAD; name a branch, tag or commit that is there, or review the folder as it is "
                "with --source"
            )
        start, walk = store.resolve(revision)
        if start is None and store.reftable:
            raise ReviewError("this repository keeps its references in a reftable; name the commit by its full id")
        self.object_format = "sha256" if store.hash_length(start) == SHA256_LENGTH else "sha1"
        self._view = View(git, store.objects, self.object_format, store.shallow)
        try:
            self._open(start, walk, revision)
        except BaseException:
            self.close()
            raise

    def _open(self, start: str | None, walk: str, revision: str) -> None:
        base = start or REVISION.fullmatch(revision)["base"]  # type: ignore[index]  # `resolve` has matched it
        found = self._view.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}{walk}^{{commit}}")
        commit = found.stdout.decode("ascii", "replace").strip()
        if found.returncode or not FULL_ID.fullmatch(commit):
            raise ReviewError(f"no commit {revision!r} in this repository")
        self._batch = Batch(self._view)
        self.revision = commit
        data = self._object(commit, "commit", "")
        if data is None:
            raise ReviewError(f"commit {commit} cannot be read: {self.unread[-1].reason}")
        self.tree, self.moment = _commit(data)
        self.entries = tuple(self._sized(sorted(self._walk(), key=lambda entry: entry.raw)))

    def read(self, entry: Entry) -> bytes | None:
        """The content of a blob that is not too large, checked against its id."""
        if entry.kind == SUBMODULE or entry.size < 0 or entry.size > MAX_BLOB:
            return None
        return self._object(entry.id, "blob", entry.path)

    def history(self) -> History:
        """Counts over all commits that can be reached."""
        authors: set[bytes] = set()
        commits, first, last = 0, 0, 0
        arguments = ("rev-list", "--format=%ae%x00%at", self.revision)
        with self._view.start(*arguments, asked=False) as process:
            for line in pipe_of(process.stdout):
                author, found, time = line.strip().partition(b"\0")
                if not found:
                    continue
                commits += 1
                authors.add(author.lower())
                moment = int(time) if time.lstrip(b"-").isdigit() else 0
                first = moment if commits == 1 else min(first, moment)
                last = max(last, moment)
        problem = "" if process.returncode == 0 else "some commits of the history are missing or broken"
        return History(commits, len(authors), first, last, self._view.shallow, problem)

    def versions(self) -> Iterator[tuple[str, str, bytes]]:
        """Every version of every file of the history up to `MAX_VERSION` bytes: path, blob id, content."""
        arguments = ("rev-list", "--objects", "--missing=allow-any", self.revision)
        listed: dict[str, str] = {}
        for line in self._view.run(*arguments).stdout.split(b"\n"):
            name, _, path = line.partition(b" ")
            if path:
                listed.setdefault(name.decode("ascii", "replace"), shown(path))
        sizes = self._view.sizes(sorted(listed))
        for blob in sorted(sizes, key=lambda each: (listed[each], each)):
            if sizes[blob] <= MAX_VERSION and (data := self._object(blob, "blob", listed[blob])) is not None:
                yield listed[blob], blob, data

    def introduced(self, blob: str) -> str:
        """The oldest commit of the history that brings a blob, "" where that cannot be told."""
        arguments = (
            "log",
            "--format=%H",
            "--reverse",
            "--no-patch",
            "--no-renames",
            f"--find-object={blob}",
            self.revision,
        )
        found = self._view.run(*arguments).stdout.decode("ascii", "replace").split()
        return found[0] if found else ""

    def since(self, path: str, lines: Sequence[int]) -> Mapping[int, str]:
        """For lines of a file, the commits that brought them; authors are not asked for."""
        if not path.isprintable() or not lines:
            return {}
        ranges = [f"-L{line},{line}" for line in sorted({line for line in lines if line > 0})[:MAX_LINES]]
        told = self._view.run("blame", "--porcelain", *ranges, self.revision, "--", path).stdout
        found = {}
        for line in told.split(b"\n"):
            if match := BLAMED.match(line):
                found[int(match[2])] = match[1].decode("ascii")
        return found

    def changes(self, before: str, path: str) -> Iterator[tuple[str, bytes]]:
        """The commits after `before` that change a file, oldest first, each with the content that it leaves."""
        arguments = (
            "log",
            "--format=%H",
            "--reverse",
            "--no-patch",
            "--no-renames",
            f"{before}..{self.revision}",
            "--",
            path,
        )
        for commit in self._view.run(*arguments).stdout.decode("ascii", "replace").split()[:MAX_CHANGES]:
            found = self._batch.get(f"{commit}:{path}") if path.isprintable() else ""
            if not isinstance(found, str) and found[0] == "blob":
                yield commit, found[1]

    def holds(self, commit: str) -> bool:
        """Whether the history of this tree holds a commit."""
        return self._view.run("merge-base", "--is-ancestor", commit, self.revision).returncode == 0

    def close(self) -> None:
        """End git's process and remove the throw-away repository."""
        if batch := getattr(self, "_batch", None):
            batch.close()
        self._view.close()

    def _object(self, name: str, kind: str, path: str) -> bytes | None:
        """An object's bytes, or None and a row that says why."""
        found = self._batch.get(name)
        if isinstance(found, str):
            self.unread.append(Unreadable(path or name, found))
            return None
        got, data = found
        if got != kind:
            self.unread.append(Unreadable(path or name, f"is a {got}, not a {kind}"))
            return None
        if object_id(kind, data, self.object_format) != name:
            self.unread.append(Unreadable(path or name, "content does not have the id under which it is stored"))
            return None
        return data

    def _walk(self) -> Iterator[Entry]:
        """All entries below the commit's tree; folders that cannot be read become rows."""
        width = SHA256_LENGTH // 2 if self.object_format == "sha256" else 20
        pending: list[tuple[bytes, str, int]] = [(b"", self.tree, 0)]
        read: dict[str, tuple[tuple[str, bytes, str], ...] | None] = {}
        count = 0
        while pending:
            prefix, name, depth = pending.pop()
            if name not in read:
                data = self._object(name, "tree", shown(prefix) or "/")
                read[name] = None if data is None else tuple(_tree(data, width))
            elif read[name] is None:
                self.unread.append(
                    Unreadable(shown(prefix) or "/", "folder cannot be read (as another of its content)")
                )
            for mode, part, item in read[name] or ():
                path = prefix + part
                count += 1
                if count > MAX_ENTRIES:
                    self.unread.append(Unreadable("/", f"more than {MAX_ENTRIES:,} entries: only that many are listed"))
                    return
                if mode == FOLDER_MODE:
                    if depth < MAX_DEPTH:
                        pending.append((path + b"/", item, depth + 1))
                    else:
                        self.unread.append(Unreadable(shown(path), f"lies below {MAX_DEPTH} folders: not entered"))
                elif kind := MODES.get(mode):
                    yield Entry(shown(path), path, mode, kind, item, -1)
                else:
                    self.unread.append(Unreadable(shown(path), f"has the unknown mode {mode}"))

    def _sized(self, entries: Sequence[Entry]) -> Iterator[Entry]:
        sizes = self._view.sizes(sorted({entry.id for entry in entries if entry.kind != SUBMODULE}))
        for entry in entries:
            size = sizes.get(entry.id, -1) if entry.kind != SUBMODULE else 0
            if size < 0:
                self.unread.append(Unreadable(entry.path, "object is missing or broken in this copy"))
            elif size > MAX_BLOB:
                self.unread.append(Unreadable(entry.path, f"is larger than {MAX_BLOB:,} bytes: listed, not read"))
            yield Entry(entry.path, entry.raw, entry.mode, entry.kind, entry.id, size)


def common_ancestor(repository: Path, revision: str) -> tuple[str, bool]:
    """The commit at which HEAD and a revision part, and True; the revision's own and False where none is at hand.

    Raises ReviewError where the repository or the revision cannot be read.
    """
    git = shutil.which("git")
    if git is None:
        raise ReviewError("git is not installed")
    store = Store.at(repository)
    view = View(git, store.objects, "sha256" if store.hash_length(None) == SHA256_LENGTH else "sha1", store.shallow)
    try:
        found = []
        for name in (revision, HEAD):
            start, walk = store.resolve(name)
            base = start or REVISION.fullmatch(name)["base"]  # type: ignore[index]  # `resolve` has matched it
            told = view.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}{walk}^{{commit}}")
            commit = told.stdout.decode("ascii", "replace").strip()
            if told.returncode or not FULL_ID.fullmatch(commit):
                raise ReviewError(f"no commit {name!r} in this repository")
            found.append(commit)
        told = view.run("merge-base", *found)
        ancestor = told.stdout.decode("ascii", "replace").strip()
        return (ancestor, True) if FULL_ID.fullmatch(ancestor) else (found[0], False)
    finally:
        view.close()


def _commit(data: bytes) -> tuple[str, int]:
    """The tree and the committer's time of a commit object."""
    tree, moment = "", 0
    for line in data.partition(b"\n\n")[0].split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"tree" and not tree:
            tree = value.decode("ascii", "replace")
        elif key == b"committer":
            time = value.rpartition(b"> ")[2].partition(b" ")[0]
            moment = int(time) if time.isdigit() else 0
    if not FULL_ID.fullmatch(tree):
        raise ReviewError("the commit names no tree")
    return tree, moment


def _tree(data: bytes, width: int) -> Iterator[tuple[str, bytes, str]]:
    """The entries of a tree object: mode, name, id; stops at what cannot be an entry."""
    place = 0
    while place < len(data):
        space = data.find(b" ", place)
        zero = data.find(b"\0", space)
        if space < 0 or zero < 0 or zero + 1 + width > len(data):
            return
        mode = data[place:space].decode("ascii", "replace").lstrip("0")
        yield mode, data[space + 1 : zero], data[zero + 1 : zero + 1 + width].hex()
        place = zero + 1 + width
