"""What a change adds: the same check over the tree as it was, read from git's objects.

Nothing of the repository but objects is believed, and nothing of it is run: git never opens it (see
`valhalla_lint.review.snapshot`). The older tree is laid out in a temporary folder, so that flow across its files is
followed as it was; links are not made, and no name leads out of that folder.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.baselines import set_against_tree
from valhalla_lint.config import Configuration, ConfigurationError, Problem
from valhalla_lint.core.settings import Settings
from valhalla_lint.linter import Checked, Compared, Rests, check_paths, inputs, the_same_elsewhere
from valhalla_lint.review.snapshot import GitTree, common_ancestor
from valhalla_lint.review.tree import FILE, Entry, ReviewError, Tree

SMALL = 1024 * 1024
"""Bytes up to which files that are no Python are laid out: they say what kind of project it is."""
PYTHON = (b".py", b".pyi", b".pyw", b".ipynb")
GIT = ".git"
SHORT_ID = 12
"""Digits of a commit's id that tell it apart."""


class Mirror(Configuration):
    """The settings of a working tree, for a copy of another state of it: what changed is the code, not the rules."""

    def __init__(self, of: Configuration, root: Path, copy: Path) -> None:
        """root: the working tree. copy: where the other state lies."""
        super().__init__(of.overrides, file=of.file, isolated=of.isolated, base=copy / of.base.relative_to(root))
        self._of = of
        self._root = root
        self._copy = copy
        self._moved: dict[int, Settings] = {}

    def settings_for(self, location: Path | None) -> Settings:
        """The working tree's settings for the same file, with their patterns seen from the copy."""
        settings = self._of.settings_for(None if location is None else self.moved(location, self._copy, self._root))
        if id(settings) not in self._moved:
            root = self.moved(Path(settings.root), self._root, self._copy)
            self._moved[id(settings)] = settings._replace(root=root.as_posix())
        return self._moved[id(settings)]

    @staticmethod
    def moved(place: Path, here: Path, there: Path) -> Path:
        """Where a place below one folder lies below the other; places elsewhere stay."""
        return there / place.relative_to(here) if place.is_relative_to(here) else place


class Difference(NamedTuple):
    """A run with only what a change adds, and a note that says since when."""

    compared: Compared
    note: str


def added_since(
    revision: str,
    checked: Sequence[Checked],
    paths: Sequence[str],
    configuration: Configuration,
    rests: Rests,
    jobs: int,
) -> Difference:
    """What is new since the branch left a revision. Raises ConfigurationError where git cannot say.

    paths: what was checked. rests: what the answers rest on; a file of which all that looked the same then is not
    checked again. A finding that was anywhere in the same file then, in the same definition and with the same
    text, is not new; neither is one that moved with its file. A second copy of it is.
    """
    try:
        root = _root(configuration.base)
        ancestor, whole = common_ancestor(root, revision)
        with GitTree(root, ancestor) as tree, laid_out(tree, root) as copy:
            mirror = Mirror(configuration, root, copy)
            there = _there(paths, configuration, root, copy)
            listed = {item.path for item in inputs(there, mirror)}
            same = the_same_elsewhere(rests, lambda path: Mirror.moved(Path(path), root, copy).as_posix()) & listed
            before = check_paths(there, mirror, jobs=jobs, but=same)
            unchanged = [item for item in checked if item.report.path in same]
            compared = set_against_tree(checked, configuration, before, unchanged, mirror, (root, copy))
            missing = len(tree.unread)
    except ReviewError as error:
        raise ConfigurationError((Problem("--diff-base", "", str(error)),)) from error
    note = f"Compared with {ancestor[:SHORT_ID]}."
    if not whole:
        note += f" The history here does not reach back to where the branches part, so that is {revision} itself."
    if missing:
        note += f" {missing:,} of its entries could not be read; findings in them count as new."
    return Difference(compared, note)


def _root(folder: Path) -> Path:
    """The work tree that a folder lies in."""
    for above in (folder, *folder.parents):
        if (above / GIT).exists():
            return above
    raise ReviewError(f"{folder} lies in no git repository")


def _there(paths: Sequence[str], configuration: Configuration, root: Path, copy: Path) -> list[str]:
    """The same paths in the copy, those that were there."""
    places = [configuration.locate(path) for path in paths]
    moved = [copy / place.relative_to(root) for place in places if place.is_relative_to(root)]
    return [place.as_posix() for place in moved if place.exists()]


@contextmanager
def laid_out(tree: Tree, root: Path) -> Iterator[Path]:
    """A temporary folder with the files of a tree that matter to a check. Effect: writes there, and removes it.

    root: the work tree whose mark as a project's root is laid there, too, of its kind.
    """
    with tempfile.TemporaryDirectory(prefix="valhalla-diff-") as name:
        copy = Path(os.path.realpath(name))
        if (root / GIT).is_dir():
            (copy / GIT).mkdir()
        else:
            (copy / GIT).touch()
        for entry in tree.entries:
            place = _place(copy, entry)
            if place is None or (data := tree.read(entry)) is None:
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        yield copy


def _place(copy: Path, entry: Entry) -> Path | None:
    """Where a file of the tree is laid; None for links, large files, and names that lead elsewhere."""
    if entry.kind != FILE or (entry.size > SMALL and not entry.raw.lower().endswith(PYTHON)):
        return None
    parts = os.fsdecode(entry.raw).split("/")
    if any(part in ("", ".", "..") or part.lower() == GIT or "\\" in part or "\0" in part for part in parts):
        return None
    return copy.joinpath(*parts)
