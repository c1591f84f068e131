"""From bytes to text: a file is read, read with a note, or unread with a reason; nothing here raises on any input."""

import codecs
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.core.source import Source, Unread
from valhalla_lint.facts import disk
from valhalla_lint.facts.looks import MAX_MODULE, NOTEBOOK, most_bytes

PROBE = 8_192
"""Bytes at the start of a file that show whether it is text at all."""
ModuleReader = Callable[[Path], str | None]
"""Gives the text of another module of the project; None where it cannot be read, or is not worth it."""
CHUNK = 1 << 20
"""Bytes that are read at a time where a file holds more than it says."""
BINARY_SHARE = 0.1
"""More control bytes than this among those are no text."""
CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\x0b\x1a\x1b") | {127})

CODING = b"coding"
"""What stands in every such declaration."""
COOKIE = regex(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
BLANK = regex(rb"^[ \t\f]*(?:#|$)")
"""What the first line must look like for a cookie on the second to count (PEP 263)."""
SLOW_CODECS = frozenset({"idna", "punycode"})
"""Codecs written in Python whose cost grows with the square of the input; nobody writes source text in them."""
WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WIDE_STARTS = frozenset(mark[:1] for mark, _ in WIDE_MARKS)


class Decoded(NamedTuple):
    """A text and what had to be bent to get it."""

    text: str
    notes: tuple[str, ...] = ()


def read(location: Path, path: str) -> Source | Unread:
    """Read a file of the disk; `path` is how findings show it. Never waits for pipes and devices."""
    data = read_bytes(location)
    if isinstance(data, str):
        return Unread(path, data)
    return source_of(data, path, location)


def module_text(location: Path) -> str | None:
    """The text of another module as it lies on the disk: what a `ModuleReader` does unless a host knows better."""
    data = read_bytes(location)
    return None if isinstance(data, str) or len(data) > MAX_MODULE else data.decode("utf-8-sig", "replace")


def source_of(data: bytes, path: str, location: Path | None) -> Source | Unread:
    """A file's bytes as a source; unread where they are no text or too many."""
    if len(data) > most_bytes(path):
        return Unread(path, _too_large(len(data), most_bytes(path)))
    if is_binary(data):
        return Unread(path, "binary data, not text")
    if path.lower().endswith(NOTEBOOK):
        from valhalla_lint.facts.notebooks import source_of_notebook  # seldom met, and much to load

        return source_of_notebook(data, path, location)
    decoded = decode(data)
    return Source(path=path, text=decoded.text, location=location, notes=decoded.notes)


def read_bytes(location: Path) -> bytes | str:
    """A regular file's bytes, or why they cannot be read."""
    found, state = _read_bytes(location)
    disk.read(location, found if isinstance(found, bytes) else None, state)
    return found


def text_of(location: Path) -> str:
    """What stands in a file that is not itself judged, "" where it cannot be read; faults of encoding are replaced."""
    data = read_bytes(location)
    return "" if isinstance(data, str) else data.decode("utf-8", "replace")


def _read_bytes(location: Path) -> tuple[bytes | str, os.stat_result | None]:
    """The same, with the file's state from before it was read."""
    try:
        handle = os.open(location, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except FileNotFoundError:
        return ("a link that leads nowhere" if location.is_symlink() else "no such file"), None
    except IsADirectoryError:
        return "a folder, not a file", None
    except PermissionError:
        return ("a folder, not a file" if location.is_dir() else "no permission to read it"), None
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL character
        return _words(error), None
    try:
        state = os.fstat(handle)
        if stat.S_ISDIR(state.st_mode):
            return "a folder, not a file", state
        if not stat.S_ISREG(state.st_mode):
            return "no regular file (a pipe, a socket or a device)", state
        most = most_bytes(location.name)
        if state.st_size > most:
            return _too_large(state.st_size, most), state
        return _all_of(handle, state.st_size, most + 1), state
    except OSError as error:
        return _words(error), None
    finally:
        os.close(handle)


def _all_of(handle: int, size: int, most: int) -> bytes:
    """What is left in an open file, at most so many bytes. size: how many there should be; some files say none."""
    data = os.read(handle, min(size + 1, most))
    if len(data) == size:
        return data
    found = [data]
    left = most - len(data)
    while data and left > 0:
        data = os.read(handle, min(left, CHUNK))
        found.append(data)
        left -= len(data)
    return b"".join(found)


def _words(error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return f"cannot be read ({(reason or str(error)).lower()})"


def _too_large(size: int, most: int) -> str:
    mebibyte = 1024 * 1024
    return f"larger than {most // mebibyte} MiB ({size / mebibyte:.1f} MiB)"


def is_binary(data: bytes) -> bool:
    """Whether data is no text in any encoding that a source file may have."""
    if data.find(0, 0, PROBE) < 0 or data.startswith(tuple(mark for mark, _ in WIDE_MARKS)):
        return False
    head = data[:PROBE]
    return len(head) - len(head.translate(None, CONTROL)) > BINARY_SHARE * len(head)


def decode(data: bytes) -> Decoded:
    """The text of a source file, without byte order mark, line ends as they are.

    What Python itself would refuse is read as flake8 reads it (Latin-1), with a note.
    """
    for mark, name in WIDE_MARKS if data[:1] in WIDE_STARTS else ():
        if data.startswith(mark):
            note = f"encoded as {name.upper()}, which Python does not read"
            return Decoded(data.decode(name, "replace").removeprefix("\ufeff"), (note,))
    body = data.removeprefix(codecs.BOM_UTF8)
    declared = _cookie(body)
    if declared is None:
        return _by(body, "utf-8", "no encoding is declared, and it is not valid UTF-8")
    known = _codec(declared)
    if known is None:
        shown = declared.decode("ascii", "replace")
        guess = _by(body, "utf-8", "")
        return Decoded(guess.text, (f"declares an unknown encoding ({shown})",))
    if len(body) < len(data) and known != "utf-8":
        return Decoded(_by(body, "utf-8", "").text, (f"starts with a UTF-8 mark but declares {known}",))
    return _by(body, known, f"not valid in its declared encoding ({known})")


def _by(body: bytes, codec: str, fault: str) -> Decoded:
    try:
        return Decoded(body.decode(codec))
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        return Decoded(body.decode("latin-1"), (f"{fault} (first on line {line}); read as Latin-1",) if fault else ())
    except (LookupError, UnicodeError, ValueError):
        return Decoded(body.decode("latin-1"), (f"{fault}; read as Latin-1",) if fault else ())


def _cookie(body: bytes) -> bytes | None:
    """The encoding that one of the first two lines declares (PEP 263)."""
    if body.find(CODING, 0, PROBE) < 0:
        return None
    first, _, rest = body[:PROBE].replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n")
    if found := COOKIE.match(first):
        return found[1]
    if BLANK.match(first) and (found := COOKIE.match(rest.partition(b"\n")[0])):
        return found[1]
    return None


def _codec(name: bytes) -> str | None:
    """The canonical name of a text encoding, None where there is none (or none that can be used safely)."""
    try:
        info = codecs.lookup(name.decode("ascii"))
    except (LookupError, ValueError):
        return None
    if not getattr(info, "_is_text_encoding", True) or info.name in SLOW_CODECS:
        return None
    return info.name
