"""Mending texts in tests: the whole way from findings to proven edits."""

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.fixes.mend import Mended, Surgeon
from valhalla_lint.linter import Linter


def mend(text: str, *select: str, unsafe: bool = False, path: str = "src/app.py") -> Mended:
    """Mend a text with the given rules (all of them, if none are named)."""
    return Surgeon(Linter(Settings(select=select))).mend(Source(path, text), unsafe=unsafe)


def mended(text: str, *select: str) -> str:
    """The text after safe fixes."""
    return mend(text, *select).text


def changed(text: str, *select: str) -> str:
    """The text after all fixes, those included that change behaviour."""
    return mend(text, *select, unsafe=True).text
