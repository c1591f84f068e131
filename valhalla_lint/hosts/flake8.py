"""The flake8 plugin: translates, decides nothing."""

import ast
from collections.abc import Iterator
from pathlib import Path

from valhalla_lint import __version__
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter


class Plugin:
    """What flake8 calls once a file."""

    name = "valhalla-lint"
    version = __version__

    def __init__(self, tree: ast.Module, filename: str, lines: list[str]) -> None:
        """Take what flake8 has read: its tree, the file's name as shown, and its decoded lines."""
        self._tree = tree
        self._filename = filename
        self._lines = lines

    def run(self) -> Iterator[tuple[int, int, str, type]]:
        """The findings as flake8 wants them: line, column from 0, text with the code first, type."""
        path = Path(self._filename)
        source = Source(
            path=path.as_posix().removeprefix("./"),
            text="".join(self._lines),
            tree=self._tree,
            location=path if path.is_absolute() else Path.cwd() / path,
        )
        for finding in Linter(Settings(noqa=False)).check(source):
            yield finding.span.line, finding.span.column, f"{finding.code} {finding.text}", type(self)
