"""One file's text as a host hands it over."""

from enum import Enum
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.core.notebook import Layout
from valhalla_lint.core.parsed import Parsed


class Status(Enum):
    """How far a file could be read."""

    READ = "read"
    PARTLY = "partly"
    UNREAD = "unread"


class Source(NamedTuple):
    """A file to check.

    path: as findings show it, POSIX form, relative to the working folder where the host knows it.
    text: decoded, without byte order mark; line ends as they are.
    parsed: what the host itself has read in exactly this text, if it has.
    location: absolute place on disk (it need not exist: an unsaved buffer has one too), or None.
    notes: what had to be bent to read the file (undecodable bytes and the like); empty for a clean read.
    plain: no Python but another text file, which is read for credentials only.
    document: whether such a text is written for people, whatever its name says.
    notebook: of a notebook, whose Python is the text, where its lines stand (see `valhalla_lint.facts.notebooks`).
    beside: of a notebook, the texts beside its Python. first: how many lines of the notebook's whole text stand before
    such a text.
    """

    path: str
    text: str
    parsed: Parsed | None = None
    location: Path | None = None
    notes: tuple[str, ...] = ()
    plain: bool = False
    document: bool = False
    notebook: Layout | None = None
    beside: tuple["Source", ...] = ()
    first: int = 0


class Unread(NamedTuple):
    """A file that could not be read at all, and why."""

    path: str
    reason: str
