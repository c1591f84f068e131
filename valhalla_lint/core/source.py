"""One file's text as a host hands it over."""

import ast
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class Status(Enum):
    """How far a file could be read."""

    READ = "read"
    PARTLY = "partly"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Source:
    """A file to check.

    path: as findings show it, POSIX form, relative to the working folder where the host knows it.
    text: decoded, without byte order mark; line ends as they are.
    tree: the host's own tree of exactly this text, if it has one.
    location: absolute place on disk (it need not exist: an unsaved buffer has one too), or None.
    notes: what had to be bent to read the file (undecodable bytes and the like); empty for a clean read.
    plain: no Python but another text file, which is read for credentials only.
    """

    path: str
    text: str
    tree: ast.Module | None = None
    location: Path | None = None
    notes: tuple[str, ...] = ()
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read at all, and why."""

    path: str
    reason: str
