"""The project around a file: its root, what it declares, and which file is which module.

Files are read, never imported; a file that cannot be read or parsed counts as absent.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from valhalla_lint.facts.disk import exists, is_file, kind, remembered
from valhalla_lint.facts.looks import FILE, FOLDER
from valhalla_lint.facts.reading import read_bytes

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")
"""A folder that holds one of these is a project's root; the nearest one upward counts."""
SOURCE_FOLDERS = ("src", "lib", "python")
"""Folders below the root from which packages are imported without the folder's own name."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project's root folder and its pyproject.toml (empty where there is none)."""

    root: Path | None = None
    pyproject: Mapping[str, object] = field(default_factory=dict)

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
        parts = [] if stem == "__init__" else [stem]
        folder = location.parent
        while folder not in (self.root, folder.parent) and is_package(folder):
            parts.insert(0, folder.name)
            folder = folder.parent
        if folder != self.root and self.root is not None:
            try:
                between = list(folder.relative_to(self.root).parts)
            except ValueError:
                between = []
            if between and between[0] in SOURCE_FOLDERS:
                between = between[1:]
            parts = [*between, *parts]
        return ".".join(parts)

    def find(self, dotted: str) -> Path | None:
        """The file of the project that a dotted module name means, or None."""
        if self.root is None or not dotted or dotted.startswith("."):
            return None
        return _find(self.root, dotted)


@remembered(4096)
def is_package(folder: Path) -> bool:
    """Whether a folder is an import package by its `__init__.py`."""
    return is_file(folder / "__init__.py")


@remembered(16384)
def _find(root: Path, dotted: str) -> Path | None:
    *folders, last = dotted.split(".")
    for base in (root, *(root / name for name in SOURCE_FOLDERS)):
        folder = _below(base, tuple(folders))
        found = module_file(folder, last) if folder is not None else None
        if found is not None:
            return found
    return None


@remembered(4096)
def _below(base: Path, folders: tuple[str, ...]) -> Path | None:
    """A folder some levels down; None where one of them is missing, and nothing below it is looked for."""
    if not folders:
        return base if kind(base) == FOLDER else None
    above = _below(base, folders[:-1])
    return above / folders[-1] if above is not None and kind(above / folders[-1]) == FOLDER else None


@remembered(16384)
def module_file(folder: Path, name: str) -> Path | None:
    """The file of a module right in a folder: `name.py`, or else the `__init__.py` of the package `name`."""
    module = folder / f"{name}.py"
    if kind(module) == FILE:
        return module
    package = folder / name
    return package / "__init__.py" if kind(package) == FOLDER and is_package(package) else None


def project_of(location: Path | None) -> Project:
    """The project that a file (absolute path, existing or not) belongs to."""
    if location is None:
        return Project()
    return _project(location.parent)


@remembered(4096)
def _project(folder: Path) -> Project:
    """A folder's own project or that of the folder above, so that each folder is looked into once."""
    names = os.fspath(folder)
    found = [marker for marker in MARKERS if exists(f"{names}{os.sep}{marker}")]
    if found == ["setup.py"] and is_package(folder):
        found = []  # a module of a package that happens to be called setup
    if found:
        return Project(folder, _pyproject(folder / "pyproject.toml"))
    return Project() if folder.parent == folder else _project(folder.parent)


def _pyproject(path: Path) -> Mapping[str, object]:
    data = read_bytes(path)
    try:
        return {} if isinstance(data, str) else tomllib.loads(data.decode())
    except (ValueError, RecursionError):  # not UTF-8, or not TOML
        return {}
