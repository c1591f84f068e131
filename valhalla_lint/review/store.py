"""Where a repository keeps its references and objects: plain files that are read without git.

Nothing of the repository is trusted: no link is followed, and object folders that lead elsewhere on the disk
(alternates, links, a `.git` file that nothing points back to) are refused: a review must not read what the repository
merely points at.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from valhalla_lint.review.tree import ReviewError

FULL_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
SHORT_ID = re.compile(r"[0-9a-f]{4,64}")
REFERENCE = re.compile(r"(?!/)(?!.*(?:\.\.|//|@\{|\\))[^\x00-\x20\x7f~^:?*\[]+")
REVISION = re.compile(r"(?P<base>[^~^]*)(?P<walk>(?:[~^][0-9]{0,6})*)")
SMALL = 4096
"""Bytes that a reference or pointer file may have."""
PACKED_REFS = 64 * 1024 * 1024
"""Bytes that packed-refs may have."""
SYMBOLIC_HOPS = 5
PLACES = ("refs/tags/", "refs/heads/", "refs/remotes/", "refs/")


class Store:
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
    def at(cls, place: Path) -> "Store":
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
    def _whole(cls, folder: Path) -> "Store":
        if (folder / "commondir").exists():
            raise ReviewError(
                "the git folder shares another one (commondir): give the work tree or the main repository"
            )
        return cls(folder, folder)

    @classmethod
    def _linked(cls, place: Path, pointer: Path) -> "Store":
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
