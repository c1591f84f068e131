"""Python sources and project files of the tree, laid in a throw-away folder: what linters need is a place.

Written are regular files with ordinary names only, never links, never anything executable; nothing there is imported
or run. The folder holds an empty `.git`, so that no project file above it counts as the tree's own.
"""

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from valhalla_lint.core.evidence import Unreadable
from valhalla_lint.review.tree import Entry, Tree, odd

PROJECT_FILES = frozenset({"pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", "tox.ini"})
PLAIN = 0o600


class Workshop:
    """A folder with the files that were asked for; removed when the context ends."""

    def __init__(self) -> None:
        """Make the folder."""
        self.root = Path(os.path.realpath(tempfile.mkdtemp(prefix="valhalla-review-")))
        (self.root / ".git").mkdir()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the folder."""
        shutil.rmtree(self.root, ignore_errors=True)

    def lay(self, tree: Tree, entries: Iterable[Entry]) -> dict[str, Path]:
        """Write entries; returns where each lies, by path. What is odd or clashes becomes a row of the tree."""
        placed: dict[str, Path] = {}
        for entry in entries:
            if reason := odd(entry.raw):
                tree.unread.append(Unreadable(entry.path, f"{reason}: not analysed"))
                continue
            data = tree.read(entry)
            if data is None:
                continue
            place = self.root / entry.path
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PLAIN)
            except OSError as error:  # a clash of case, a file where a folder should be, a path too long
                tree.unread.append(Unreadable(entry.path, f"cannot be laid out for analysis: {error.strerror}"))
                continue
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            placed[entry.path] = place
        return placed
