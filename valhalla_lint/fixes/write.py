"""Bytes on disk: exactly the intended characters change, and a file is exchanged as a whole or not at all."""

import io
import os
import stat
import tempfile
import tokenize
from codecs import BOM_UTF8
from dataclasses import dataclass
from pathlib import Path

ANYONE_WRITES = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
LONGEST_PREFIX = 100
"""Characters of a file's name in that of the file beside it: names have a limit."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The bytes of a file as they were read, with the encoding in which they are text."""

    data: bytes
    encoding: str

    @property
    def mark(self) -> bytes:
        """The byte order mark, if any."""
        return BOM_UTF8 if self.data.startswith(BOM_UTF8) else b""


class CannotWriteError(Exception):
    """A file that is left as it is; the message says why."""


def kept(data: bytes, text: str) -> Kept:
    """The encoding of a file's bytes. Raises CannotWriteError where text and bytes do not give each other exactly."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        raise CannotWriteError("its encoding cannot be told") from error
    found = Kept(data, "utf-8" if encoding == "utf-8-sig" else encoding)
    if encoded(found, text) != data:
        raise CannotWriteError("its bytes cannot be written again exactly as they are")
    return found


def encoded(before: Kept, text: str) -> bytes:
    """A text as bytes in the encoding of a file. Raises CannotWriteError where it has no such form."""
    try:
        return before.mark + text.encode(before.encoding)
    except (UnicodeError, LookupError) as error:
        raise CannotWriteError(f"it cannot be written in {before.encoding}") from error


@dataclass(frozen=True, slots=True)
class Staged:
    """A file whose new bytes lie ready. made: the file beside it that will take its place, None to write in place."""

    target: Path
    made: Path | None
    before: bytes
    after: bytes


def stage(location: Path, before: bytes, after: bytes) -> Staged:
    """Make new bytes ready for a file, with its mode; a link stays a link, its target is exchanged.

    Raises CannotWriteError for a file that is read-only, no plain file, or has changed since it was read.
    Effect: a temporary file beside it, until `commit` or `drop`.
    """
    target = Path(os.path.realpath(location))
    try:
        state = target.stat()
        if not stat.S_ISREG(state.st_mode):
            raise CannotWriteError("it is no plain file")
        if not os.access(target, os.W_OK) or not state.st_mode & ANYONE_WRITES:
            raise CannotWriteError("it is read-only")
        _unchanged(target, before)
        if state.st_nlink > 1:
            return Staged(target, None, before, after)  # all its names keep meaning it
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:LONGEST_PREFIX]}.", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise CannotWriteError(_words(error)) from error
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(after)
            stream.flush()
            os.fsync(stream.fileno())
        _take_over(made, state)
    except OSError as error:
        made.unlink(missing_ok=True)
        raise CannotWriteError(_words(error)) from error
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    return Staged(target, made, before, after)


def commit(staged: Staged) -> None:
    """Put staged bytes in the place of the file. Raises CannotWriteError where it has changed since it was read.

    Effect: the file has the old bytes or the new ones at every moment, never a part (a file with several names is
    written in place and has no such promise).
    """
    try:
        _unchanged(staged.target, staged.before)
        if staged.made is None:
            with staged.target.open("r+b") as stream:
                stream.write(staged.after)
                stream.truncate()
                stream.flush()
                os.fsync(stream.fileno())
        else:
            staged.made.replace(staged.target)
    except OSError as error:
        raise CannotWriteError(_words(error)) from error
    finally:
        drop(staged)


def drop(staged: Staged) -> None:
    """Take a temporary file away that was not used."""
    if staged.made is not None:
        staged.made.unlink(missing_ok=True)


def _take_over(made: Path, state: os.stat_result) -> None:
    """Give a new file the mode, and where possible the owner, of the old one."""
    if hasattr(os, "chown") and (state.st_uid, state.st_gid) != (made.stat().st_uid, made.stat().st_gid):
        try:
            os.chown(made, state.st_uid, state.st_gid)
        except PermissionError as error:
            raise CannotWriteError("it belongs to somebody else") from error
    made.chmod(stat.S_IMODE(state.st_mode))


def _unchanged(target: Path, before: bytes) -> None:
    if target.read_bytes() != before:
        raise CannotWriteError("it has changed since it was read")


def _words(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
