"""The project around a file: its root, what it declares, and which file is which module.

Files are read, never imported; a file that cannot be read or parsed counts as absent.
"""

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.facts.disk import exists, kind_in, remembered
from valhalla_lint.facts.looks import FILE, FOLDER
from valhalla_lint.facts.reading import read_bytes
from valhalla_lint.facts.tables import parsed

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")
"""A folder that holds one of these is a project's root; the nearest one upward counts."""
SOURCE_FOLDERS = ("src", "lib", "python")
"""Folders below the root from which packages are imported without the folder's own name."""


class Project(NamedTuple):
    """A project's root folder and its pyproject.toml (empty where there is none)."""

    root: Path | None = None
    pyproject: Mapping[str, object] = {}

    def table(self, *keys: str) -> Mapping[str, object]:
        """A table of pyproject.toml by its keys, empty where it is missing or no table."""
        found: object = self.pyproject
        for key in keys:
            if not isinstance(found, Mapping):
                return {}
            found = found.get(key, {})
        return found if isinstance(found, Mapping) else {}

    def relative(self, location: Path | None) -> str:
        """A file's path below the root in POSIX form; "" where it lies elsewhere."""
        if self.root is None or location is None:
            return ""
        try:
            return location.relative_to(self.root).as_posix()
        except ValueError:
            return ""

    def module_name(self, location: Path | None) -> str:
        """The dotted name under which a file of the project is imported, "" where that cannot be told.

        From the topmost folder of the chain of folders with an `__init__.py`; otherwise from the source folder
        (`src`, `lib`, `python`) or the root.
        """
        if location is None:
            return ""
        stem = location.name.partition(".")[0]
        package = _package(self.root, folder_of(location))
        return ".".join(package if stem == "__init__" else (*package, stem))

    def find(self, dotted: str) -> Path | None:
        """The file of the project that a dotted module name means, or None."""
        if self.root is None or not dotted or dotted.startswith("."):
            return None
        return project_module(self.root, dotted)


@remembered(4096)
def _package(root: Path | None, folder: Path) -> tuple[str, ...]:
    """The packages of the modules in a folder, outermost first."""
    parts: list[str] = []
    while folder not in (root, folder.parent) and is_package(folder):
        parts.insert(0, folder.name)
        folder = folder.parent
    if folder != root and root is not None:
        try:
            between = list(folder.relative_to(root).parts)
        except ValueError:
            between = []
        if between and between[0] in SOURCE_FOLDERS:
            between = between[1:]
        parts = [*between, *parts]
    return tuple(parts)


def is_package(folder: Path) -> bool:
    """Whether a folder is an import package by its `__init__.py`."""
    return kind_in(os.fspath(folder), "__init__.py") == FILE


@remembered(16384)
def module_file(folder: str, parts: tuple[str, ...]) -> Path | None:
    """The file of a module or package by its name's parts below a folder, or None; no parts mean the folder itself."""
    for number, part in enumerate(parts, 1):
        if not part.isidentifier():
            return None
        if number == len(parts) and kind_in(folder, f"{part}.py") == FILE:
            return Path(folder, f"{part}.py")
        if kind_in(folder, part) != FOLDER:
            return None
        folder = f"{folder}{os.sep}{part}"
    return Path(folder, "__init__.py") if kind_in(folder, "__init__.py") == FILE else None


@remembered(16384)
def project_module(root: Path, dotted: str) -> Path | None:
    """The file that a dotted module name means in the project below a root, or None."""
    parts = tuple(dotted.split("."))
    for base in (os.fspath(root), *(f"{root}{os.sep}{name}" for name in SOURCE_FOLDERS)):
        found = module_file(base, parts)
        if found is not None:
            return found
    return None


def project_of(location: Path | None) -> Project:
    """The project that a file (absolute path, existing or not) belongs to."""
    if location is None:
        return Project()
    return project_in(folder_of(location))


def folder_of(location: Path) -> Path:
    """The folder of a file: the same object for all files in it, which makes it a cheap key."""
    return _folder(os.path.dirname(location))  # noqa: PTH120 -- a path's parent costs ten times as much


@lru_cache(maxsize=4096)
def _folder(path: str) -> Path:
    return Path(path)


@remembered(4096)
def project_in(folder: Path) -> Project:
    """A folder's own project or that of the folder above, so that each folder is looked into once."""
    names = os.fspath(folder)
    found = [marker for marker in MARKERS if exists(f"{names}{os.sep}{marker}")]
    if found == ["setup.py"] and is_package(folder):
        found = []  # a module of a package that happens to be called setup
    if found:
        return Project(folder, _pyproject(folder / "pyproject.toml"))
    return Project() if folder.parent == folder else project_in(folder.parent)


def _pyproject(path: Path) -> Mapping[str, object]:
    data = read_bytes(path)
    if isinstance(data, str):
        return {}
    try:
        return parsed(data.decode())
    except (ValueError, RecursionError):  # not UTF-8, or not TOML
        return {}
