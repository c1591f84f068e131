"""What each file of the tree is: language, kinds, lines; told from its name, and its bytes where that is needed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from valhalla_lint.facts.reading import is_binary
from valhalla_lint.review.tables import Fits, fits, table
from valhalla_lint.review.tree import FILE, Entry, Tree

LFS_HEAD = b"version https://git-lfs.github.com/spec/"
LFS_LIMIT = 1024
"""Bytes that a pointer to a large file may have."""


@dataclass(frozen=True, slots=True)
class File:
    """One file: its kinds may be several (a `setup.py` is source and build file). lines: 0 for what is no text."""

    entry: Entry
    language: str
    kinds: frozenset[str]
    lines: int = 0
    binary: bool = False
    pointer: bool = False

    @property
    def path(self) -> str:
        """As reports show it."""
        return self.entry.path

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders above the file, in lower case."""
        return tuple(part.lower() for part in self.entry.path.split("/")[:-1])


@cache
def _kinds() -> tuple[tuple[str, Fits], ...]:
    return tuple((kind, fits(patterns)) for kind, patterns in table("kinds")["kinds"].items())


@cache
def _languages() -> tuple[tuple[str, Fits], ...]:
    return tuple((language, fits(patterns)) for language, patterns in table("kinds")["languages"].items())


@cache
def _unsafe() -> Fits:
    return fits(table("kinds")["unsafe"]["weights"])


def files(tree: Tree) -> Iterator[File]:
    """All files of a tree, each read once; links and submodules are no files."""
    for entry in tree.entries:
        if entry.kind == FILE:
            yield _file(entry, tree.read(entry))


def _file(entry: Entry, data: bytes | None) -> File:
    language = next((name for name, fit in _languages() if fit(entry.path)), "")
    kinds = frozenset(kind for kind, fit in _kinds() if fit(entry.path))
    if data is None:
        return File(entry, language, kinds)
    pointer = len(data) < LFS_LIMIT and data.startswith(LFS_HEAD)
    binary = is_binary(data)
    if not language and not binary and data.startswith(b"#!") and b"python" in data.partition(b"\n")[0]:
        language = "python"
    return File(entry, language, kinds, 0 if binary else lines(data), binary, pointer)


def lines(data: bytes) -> int:
    """The number of lines; a last line without an end counts."""
    return data.count(b"\n") + (not data.endswith(b"\n") if data else 0)


def runs_when_loaded(path: str) -> bool:
    """Whether a model file is of a kind whose usual loaders run code from it (pickle)."""
    return _unsafe()(path)


def of_class(language: str, name: str) -> bool:
    """Whether a language is of a class (`native`, `other_source`)."""
    return language in table("kinds")["classes"][name]


def in_folder(file: File, kind: str) -> bool:
    """Whether one of the folders above a file is of a kind (`tests`, `benchmarks`, `examples`, …)."""
    return not frozenset(table("kinds")["folders"][kind]).isdisjoint(file.folders)
