"""Which files a run reads: folders are walked in a fixed order, and nothing is left out in silence.

Excluded and ignored files are left out because somebody said so; a folder that cannot be listed is an unread input.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from valhalla_lint.core.source import Unread
from valhalla_lint.facts import disk
from valhalla_lint.facts.patterns import matcher
from valhalla_lint.facts.reading import text_of

SUFFIXES = (".py", ".pyi", ".pyw", ".ipynb")
"""Files that are read when a folder is named; a file that is named itself is read whatever it is called."""
IGNORES = ".gitignore"
ENVIRONMENT = "pyvenv.cfg"
"""A folder that holds this is a virtual environment, whatever it is called."""


class Found(NamedTuple):
    """A file to read: its absolute place, and how findings show it."""

    location: Path
    path: str


class Excludes(Protocol):
    """What the configuration leaves out."""

    def excludes(self, location: Path, *, is_folder: bool = False) -> bool:
        """Whether a place is left out."""
        ...

    def may_exclude(self, folder: Path) -> bool:
        """Whether anything in a folder may be left out; where nothing can, its entries need not be asked about."""
        ...


class _Nothing:
    """Leaves out no place."""

    def excludes(self, location: Path, *, is_folder: bool = False) -> bool:
        del location, is_folder
        return False

    def may_exclude(self, folder: Path) -> bool:
        del folder
        return False


def place(path: str, base: Path) -> Path:
    """The absolute place of a path, without `..` and `.` in it (links stay as they are)."""
    return Path(os.path.normpath(base / path))


def shown(location: Path, base: Path) -> str:
    """How findings show a place: relative to the working folder, POSIX form; absolute where it lies outside."""
    try:
        return location.relative_to(base).as_posix()
    except ValueError:
        return location.as_posix()


Wanted = Callable[[str], bool]
"""Whether a file of a name is read when its folder is named."""


def is_python(name: str) -> bool:
    """Whether a file is Python by its name."""
    return name.endswith(SUFFIXES)


def discover(
    paths: Iterable[str], base: Path, excludes: Excludes, *, ignores: bool = True, wanted: Wanted = is_python
) -> Iterator[Found | Unread]:
    """The files below paths, each once, sorted; unreadable folders and missing paths as unread.

    excludes: holds for files that are named, too (pre-commit and editors name every file).
    ignores: whether .gitignore files (nested ones and the repository's own exclude file) count below named folders.
    wanted: which files of a folder are read.
    """
    seen: set[str] = set()
    for path in paths:
        start = place(path, base)
        if disk.is_folder(start):
            # Who names a folder wants it entered, even where a pattern leaves it out of a run over more.
            kept = _Nothing() if excludes.excludes(start, is_folder=True) else excludes
            found = _walk(start, base, kept, Ignores.around(start) if ignores else None, wanted)
        elif excludes.excludes(start):
            continue
        else:
            found = iter((Found(start, shown(start, base)),))
        for item in found:
            if isinstance(item, Found):
                if item.path in seen:  # as good as its place, which costs more to compare
                    continue
                seen.add(item.path)
            yield item


def _walk(
    start: Path, base: Path, excludes: Excludes, ignored: "Ignores | None", wanted: Wanted
) -> Iterator[Found | Unread]:
    """Files below a folder in the order of their names, without following links to folders (they may go in circles)."""
    endings = (*SUFFIXES, IGNORES, ENVIRONMENT) if wanted is is_python else ("",)
    stack: list[tuple[Path, Ignores | None]] = [(start, ignored)]
    while stack:
        folder, ignored = stack.pop()
        try:
            entries = disk.names(folder, endings)
        except OSError as error:
            yield Unread(shown(folder, base), f"the folder cannot be listed ({(error.strerror or str(error)).lower()})")
            continue
        names = {entry.name for entry in entries}
        if ENVIRONMENT in names and folder != start:
            continue
        if ignored is not None and IGNORES in names:
            ignored = ignored.below(folder)
        asks = excludes.may_exclude(folder)
        prefix = "" if folder == base else f"{shown(folder, base)}/"
        folders = []
        for entry in entries:
            is_folder = entry.is_folder
            if not (is_folder or wanted(entry.name)):
                continue
            location = folder / entry.name
            if asks and excludes.excludes(location, is_folder=is_folder):
                continue
            if ignored is not None and ignored.ignores(location, is_folder=is_folder):
                continue
            if is_folder:
                folders.append((location, ignored))
            else:
                yield Found(location, prefix + entry.name)
        stack.extend(reversed(folders))


class Ignores(NamedTuple):
    """The .gitignore files in force in a folder, the nearest last: each with the folder that it speaks of."""

    files: tuple[tuple[Path, tuple[str, ...]], ...] = ()

    @classmethod
    def around(cls, folder: Path) -> "Ignores":
        """Those of the repository that a folder lies in, down to the folder above it.

        Where they leave out the folder itself, the user who named it knows better: they count for nothing then.
        """
        chain = [folder, *folder.parents]
        top = next((number for number, above in enumerate(chain) if disk.exists(above / ".git")), None)
        if top is None:
            return cls()
        root = chain[top]
        named = [(root, _lines(_exclude_file(root / ".git")))]
        named += [(above, _lines(above / IGNORES)) for above in reversed(chain[1 : top + 1])]
        ignores = cls(tuple((above, lines) for above, lines in named if lines))
        return cls() if any(ignores.ignores(above, is_folder=True) for above in chain[:top]) else ignores

    def below(self, folder: Path) -> "Ignores":
        """These and the .gitignore of a folder."""
        lines = _lines(folder / IGNORES)
        return Ignores((*self.files, (folder, lines))) if lines else self

    def ignores(self, location: Path, *, is_folder: bool) -> bool:
        """Whether git would leave a place out; the nearest file that speaks of it decides."""
        for folder, lines in reversed(self.files):
            path = location.relative_to(folder).as_posix()
            number = matcher(lines)(f"{path}/" if is_folder else path)
            if number is not None:
                return number >= 0
        return False


def _lines(path: Path | None) -> tuple[str, ...]:
    return () if path is None else tuple(_listed(text_of(path)))


def _listed(text: str) -> Iterator[str]:
    yield from (line for line in text.splitlines() if line.strip() and not line.startswith("#"))


def _exclude_file(git: Path) -> Path | None:
    """The repository's own `info/exclude`; a work tree's `.git` is a file that names the real folder."""
    if disk.is_folder(git):
        return git / "info" / "exclude"
    target = text_of(git).removeprefix("gitdir:").strip()
    if not target or "\0" in target:
        return None
    folder = Path(os.path.normpath(git.parent / target))
    if common := text_of(folder / "commondir").strip():
        folder = Path(os.path.normpath(folder / common))
    return folder / "info" / "exclude"
