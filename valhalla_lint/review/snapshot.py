"""A commit of a git repository, read object by object.

This is the only module that runs git for a review. Nothing of the repository is trusted:

* git never opens the repository. It opens a throw-away bare repository of ours, whose `objects/info/alternates` names
  the other's object folder. So no configuration, hook, filter, attribute, replacement, graft or commit graph of the
  reviewed repository is ever read, no lazy fetch can start, and nothing is written there.
* References are plain files; they are read here, without following links.
* Object folders that lead elsewhere on the disk (alternates, links, a `.git` file that nothing points back to) are
  refused: a review must not read what the repository merely points at.
* Every object that is read is hashed; content that does not have its id is reported, not believed.
"""

import os
import re
import shutil
import subprocess  # bandit judges the calls: fixed program, no shell, own environment
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from valhalla_lint.core.evidence import Unreadable
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

FULL_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
SHORT_ID = re.compile(r"[0-9a-f]{4,64}")
REFERENCE = re.compile(r"(?!/)(?!.*(?:\.\.|//|@\{|\\))[^\x00-\x20\x7f~^:?*\[]+")
REVISION = re.compile(r"(?P<base>[^~^]*)(?P<walk>(?:[~^][0-9]{0,6})*)")
SHA256_LENGTH = 64
SMALL = 4096
"""Bytes that a reference or pointer file may have."""
PACKED_REFS = 64 * 1024 * 1024
"""Bytes that packed-refs may have."""
MAX_VERSION = 1024 * 1024
"""Bytes up to which old versions of files are searched."""
MAX_LINES = 200
"""Lines of one file whose commits are asked for."""
BLAMED = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64}) \d+ (\d+)")
MAX_CHANGES = 200
"""Commits of one file that are looked through for the one that brought a hit."""
SYMBOLIC_HOPS = 5
MAX_RESTARTS = 2000
"""Broken objects (each ends git's process) after which reading stops."""
PLACES = ("refs/tags/", "refs/heads/", "refs/remotes/", "refs/")
MODES = {"100644": FILE, "100755": FILE, "100664": FILE, "120000": LINK, "160000": SUBMODULE}
FOLDER_MODE = "40000"
FORMAT_VERSIONS = {"sha1": "0", "sha256": "1"}


class GitTree(Tree):
    """The tree of one commit."""

    source = "git"

    def __init__(self, repository: Path, revision: str = "HEAD") -> None:
        """Open a repository (work tree, linked work tree, bare) at a revision; raises ReviewError."""
        super().__init__()
        git = shutil.which("git")
        if git is None:
            raise ReviewError("git is not installed; an unpacked copy can be reviewed with --source")
        store = _Store.at(repository)
        start, walk = store.resolve(revision)
        if start is None and store.reftable:
            raise ReviewError("this repository keeps its references in a reftable; name the commit by its full id")
        self.object_format = "sha256" if store.hash_length(start) == SHA256_LENGTH else "sha1"
        self._view = _View(git, store.objects, self.object_format, store.shallow)
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
        self._batch = _Batch(self._view)
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
        with self._view.start(*arguments, stdin=subprocess.DEVNULL) as process:
            for line in _pipe(process.stdout):
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
    store = _Store.at(repository)
    view = _View(git, store.objects, "sha256" if store.hash_length(None) == SHA256_LENGTH else "sha1", store.shallow)
    try:
        found = []
        for name in (revision, "HEAD"):
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


class _Store:
    """Where a repository keeps references and objects: read as plain files, no link followed."""

    def __init__(self, own: Path, common: Path) -> None:
        """Take the git folder itself and the one that it shares with other work trees."""
        self._own = own
        self._common = common
        self.objects = common / "objects"
        self.reftable = (common / "reftable").exists()
        self._refuse_elsewhere()
        shallow = _small(common / "shallow", PACKED_REFS)
        self.shallow = tuple(line for line in shallow.split() if FULL_ID.fullmatch(line))

    @classmethod
    def at(cls, place: Path) -> "_Store":
        """The store of a work tree, a linked work tree or a bare repository; raises ReviewError."""
        if not place.exists():
            raise ReviewError(f"{place}: no such folder")
        pointer = place / ".git"
        if pointer.is_symlink():
            raise ReviewError(".git is a link: links are not followed; give the folder that it leads to")
        if pointer.is_dir():
            return cls._whole(pointer)
        if pointer.is_file():
            return cls._linked(place, pointer)
        if (place / "HEAD").is_file() and (place / "objects").is_dir():
            return cls._whole(place)
        raise ReviewError("no git repository here; a plain folder or an archive can be reviewed with --source")

    @classmethod
    def _whole(cls, folder: Path) -> "_Store":
        if (folder / "commondir").exists():
            raise ReviewError(
                "the git folder shares another one (commondir): give the work tree or the main repository"
            )
        return cls(folder, folder)

    @classmethod
    def _linked(cls, place: Path, pointer: Path) -> "_Store":
        """A work tree whose `.git` is a file; it counts only if the other side points back."""
        text = _small(pointer).strip()
        if not text.startswith("gitdir: "):
            raise ReviewError(".git is a file that names no git folder")
        own = Path(os.path.realpath(place / text.removeprefix("gitdir: ")))
        if own.parent.name == "worktrees" and (own / "commondir").is_file():
            common = Path(os.path.realpath(own / _small(own / "commondir").strip()))
            back = _small(own / "gitdir").strip()
            if common == own.parent.parent and back and Path(os.path.realpath(back)) == Path(os.path.realpath(pointer)):
                return cls(own, common)
        elif any(own.is_relative_to(Path(os.path.realpath(above / ".git"))) for above in place.absolute().parents):
            return cls._whole(own)  # a submodule, kept by the repository around it
        raise ReviewError(".git points to a folder that does not point back: not followed")

    def _refuse_elsewhere(self) -> None:
        if not self.objects.is_dir():
            raise ReviewError("the repository has no object folder")
        for name in ("alternates", "http-alternates"):
            if (self.objects / "info" / name).exists():
                raise ReviewError(
                    f"the repository borrows objects from elsewhere (objects/info/{name}): not followed; review a copy "
                    "made with `git clone --no-local --dissociate`, or an unpacked copy with --source"
                )
        if self.objects.is_symlink() or any(_links(self.objects)):
            raise ReviewError("the object folder holds links to elsewhere: not followed")

    def hash_length(self, start: str | None) -> int:
        """The length of this repository's ids, told from a reference, 40 where nothing tells."""
        known = start if start and FULL_ID.fullmatch(start) else None
        known = known or self.reference("HEAD") or next(iter(self._packed().values()), None)
        return len(known) if known else 40

    def resolve(self, revision: str) -> tuple[str | None, str]:
        """The full id that a revision starts from (None: an abbreviated id) and the steps from there (`~2^1`)."""
        match = REVISION.fullmatch(revision)
        if match is None or not match["base"]:
            raise ReviewError(f"cannot read the revision {revision!r}: a branch, a tag or an id, then ~N or ^N")
        base, walk = match["base"], match["walk"]
        if FULL_ID.fullmatch(base):
            return base, walk
        found = self.reference(base) if base == "HEAD" or base.startswith("refs/") else None
        for place in PLACES:
            found = found or self.reference(place + base)
        found = found or self.reference(f"refs/remotes/{base}/HEAD")
        if found is None and not SHORT_ID.fullmatch(base) and not self.reftable:
            raise ReviewError(f"no branch, tag or commit {base!r} in this repository")
        return found, walk

    def reference(self, name: str) -> str | None:
        """The id that a reference means, through symbolic references; None where there is none."""
        for _ in range(SYMBOLIC_HOPS):
            if not REFERENCE.fullmatch(name):
                return None
            text = _small((self._own if name == "HEAD" else self._common) / name).strip()
            if text.startswith("ref: "):
                name = text.removeprefix("ref: ").strip()
                continue
            return text if FULL_ID.fullmatch(text) else self._packed().get(name)
        return None

    def _packed(self) -> dict[str, str]:
        found = {}
        for line in _small(self._common / "packed-refs", PACKED_REFS).splitlines():
            name, _, reference = line.partition(" ")
            if FULL_ID.fullmatch(name):
                found[reference.strip()] = name
        return found


def _links(objects: Path) -> Iterator[Path]:
    """Links in an object folder, at the depths where git looks."""
    for folder, names, files in os.walk(objects):
        yield from (Path(folder, name) for name in (*names, *files) if Path(folder, name).is_symlink())


def _small(path: Path, limit: int = SMALL) -> str:
    """The text of a small regular file; "" where there is none, or it is too large, or a link."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > limit:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):  # ValueError: a NUL byte in the name
        return ""


class _View:
    """The throw-away repository through which git sees the other's objects and nothing else."""

    def __init__(self, git: str, objects: Path, object_format: str, shallow: Sequence[str]) -> None:
        """Lay the folder; nothing runs yet."""
        self._git = git
        self.shallow = bool(shallow)
        self.folder = Path(tempfile.mkdtemp(prefix="valhalla-review-"))
        (self.folder / "objects" / "info").mkdir(parents=True)
        (self.folder / "refs").mkdir()
        (self.folder / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
        extension = f"[extensions]\n\tobjectformat = {object_format}\n" if object_format != "sha1" else ""
        (self.folder / "config").write_text(
            f"[core]\n\trepositoryformatversion = {FORMAT_VERSIONS[object_format]}\n\tbare = true\n{extension}",
            encoding="ascii",
        )
        place = os.fsencode(os.path.realpath(objects))
        if b"\n" in place:
            self.close()
            raise ReviewError("the path of the repository holds a line break")
        (self.folder / "objects" / "info" / "alternates").write_bytes(place + b"\n")
        if shallow:
            (self.folder / "shallow").write_text("\n".join(shallow) + "\n", encoding="ascii")

    def _command(self, *arguments: str) -> list[str]:
        switches = ("core.commitGraph=false", "core.multiPackIndex=false", "protocol.allow=never", "gc.auto=0")
        options = [part for switch in switches for part in ("-c", switch)]
        return [self._git, "--no-replace-objects", "--no-optional-locks", "--literal-pathspecs", *options, *arguments]

    @property
    def _environment(self) -> dict[str, str]:
        folder = str(self.folder)
        return {
            "PATH": os.defpath,
            "HOME": folder,
            "XDG_CONFIG_HOME": folder,
            "GIT_DIR": folder,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_PAGER": "cat",
            "LC_ALL": "C",
            "TZ": "UTC",
        }

    def run(self, *arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run a git command to its end; its exit status is the caller's to judge."""
        return subprocess.run(  # noqa: S603 -- git, found on our own path, with arguments that are ours or ids
            self._command(*arguments),
            input=text,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
            cwd=self.folder,
            check=False,
        )

    def start(self, *arguments: str, stdin: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        """Start a git command that is talked to through pipes."""
        return subprocess.Popen(  # noqa: S603 -- as above
            self._command(*arguments),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
            cwd=self.folder,
        )

    def sizes(self, names: Sequence[str]) -> dict[str, int]:
        """The sizes of blobs by id; what is missing or broken is left out. A broken one ends git: go on behind it."""
        found: dict[str, int] = {}
        left = list(names)
        for _ in range(MAX_RESTARTS):
            if not left:
                break
            told = self.run("cat-file", "--batch-check", text="".join(f"{name}\n" for name in left).encode())
            lines = told.stdout.decode("ascii", "replace").splitlines()
            for line in lines:
                match line.split(" "):
                    case [name, "blob", size] if size.isdigit():
                        found[name] = int(size)
            left = left[len(lines) + 1 :] if len(lines) < len(left) else []
        return found

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


class _Batch:
    """A running `git cat-file --batch`."""

    def __init__(self, view: _View) -> None:
        """Nothing runs before the first question."""
        self._view = view
        self._process: subprocess.Popen[bytes] | None = None
        self._restarts = 0

    def get(self, name: str) -> tuple[str, bytes] | str:
        """An object's kind and bytes, or why it cannot be had."""
        if self._restarts > MAX_RESTARTS:
            return "too many broken objects: reading was given up"
        if self._process is None:
            self._process = self._view.start("cat-file", "--batch")
            self._restarts += 1
        try:
            return self._ask(self._process, name)
        except (OSError, EOFError, ValueError):
            self.close()
            return "object is broken"

    @staticmethod
    def _ask(process: subprocess.Popen[bytes], name: str) -> tuple[str, bytes] | str:
        stdin, stdout = process.stdin, _pipe(process.stdout)
        if stdin is None:
            raise EOFError
        stdin.write(name.encode("utf-8") + b"\n")
        stdin.flush()
        match stdout.readline().split():
            case [_, b"missing"]:
                return "object is missing in this copy"
            case [_, kind, size]:
                data = stdout.read(int(size) + 1)
                if len(data) != int(size) + 1:
                    raise EOFError
                return kind.decode("ascii", "replace"), data[:-1]
            case _:
                raise EOFError

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # the process is gone already
                    continue
        process.kill()
        process.wait()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise EOFError
    return pipe
