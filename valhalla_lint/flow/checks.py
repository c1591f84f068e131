"""What a check proves, and where it does not prove enough: the meaning of guards about places and texts."""

import string
from collections.abc import Iterable
from typing import NamedTuple

from valhalla_lint.flow.labels import PLACE, Mark, Risk
from valhalla_lint.flow.values import Attempt, Facts, Label, Place, Truth

SEPARATORS = ("/", "\\")
CONTENT = PLACE | Risk.NUL | Risk.NEWLINE | Risk.FREE
"""What a proof about a place or a text takes away."""


class Base(NamedTuple):
    """What a value is compared with: its constant text (or None), whether it ends with a separator and is resolved.

    contents: the tokens of its own text. fresh: it was made just now, with a name that nobody can know.
    """

    text: str | None
    ends: bool
    shown: str
    resolved: bool = False
    contents: tuple[int, ...] = ()
    fresh: bool = False


def escapes(left: int) -> bool:
    """Whether a value with these risks can leave the folder that it is put in (or is any place at all)."""
    if not left & (Risk.SEPARATOR | Risk.BACKSLASH):
        return False
    if left & Risk.PARENT:
        return True
    return bool(left & Risk.ABSOLUTE and left & Risk.SEPARATOR)


def only_elsewhere(left: int) -> bool:
    """Whether the escape needs the other system's separator."""
    return not left & Risk.SEPARATOR and bool(left & Risk.BACKSLASH)


def example_of(left: int, base: str = "") -> str:
    """A text that uses what is left."""
    del base
    if left & Risk.PARENT and left & Risk.SEPARATOR:
        return "../../etc/passwd"
    if left & Risk.ABSOLUTE and left & Risk.SEPARATOR:
        return "/etc/passwd"
    if left & Risk.PARENT and left & Risk.BACKSLASH:
        return "..\\..\\x"
    return ""


def charset(characters: Iterable[str]) -> int:
    """The risks that a text made only of these characters cannot have."""
    allowed = set(characters)
    gone = Risk.NUL | Risk.NEWLINE | Risk.FREE
    if "/" not in allowed:
        gone |= Risk.SEPARATOR | Risk.ABSOLUTE
    if "\\" not in allowed:
        gone |= Risk.BACKSLASH
    if "." not in allowed:
        gone |= Risk.PARENT
    if ":" not in allowed:
        gone |= Risk.DRIVE
    if allowed & {"\0"}:
        gone &= ~Risk.NUL
    if allowed & {"\n"}:
        gone &= ~Risk.NEWLINE
    return gone


ALPHANUMERIC = charset(string.ascii_letters + string.digits)
"""What `isalnum`, `isalpha`, `isdigit`, `isidentifier` prove: no separator, no dot."""


def contained(labels: tuple[Label, ...], place: Place, check: str, base: Base, *, needs: int = Mark.NORMAL) -> Truth:
    """A question about places (`is_relative_to`, `commonpath`, …): proof of the spot, once `..` is resolved."""
    proven: dict[int, int] = {}
    tried: dict[int, tuple[Attempt, ...]] = {}
    for label in labels:
        if label.marks & needs:
            proven[label.spot] = CONTENT
        else:
            shown = base.text or "base"
            tried[label.spot] = (
                Attempt(
                    place,
                    check,
                    "it is asked of a path in which '..' is still there",
                    f"{shown.rstrip('/')}/../../etc/passwd",
                    telling=base.resolved,
                    early=not base.resolved,
                    bases=base.contents,
                ),
            )
    return Truth(holds=Facts(proven, tried), fails=Facts())


FILLED_IN = ("$(", "${")
"""What begins a name that another program fills in: a text with one names no folder as it stands."""


def prefix(labels: tuple[Label, ...], place: Place, base: Base) -> Truth | None:
    """`startswith`: containment where the text is normal and the prefix ends with a separator; None: no check."""
    proven: dict[int, int] = {}
    refuted: dict[int, int] = {}
    tried: dict[int, tuple[Attempt, ...]] = {}
    refusing: dict[int, tuple[Attempt, ...]] = {}
    text = base.text
    if text is not None and any(mark in text for mark in FILLED_IN):
        return None
    for label in labels:
        normal = bool(label.marks & Mark.NORMAL)
        joined = bool(label.marks & Mark.JOINED)
        word = text is not None and not any(mark in text for mark in SEPARATORS) and text not in ("..", ".", "~")
        if word and ((not normal and not joined) or (text or "")[-1:] in "._-"):
            continue  # how a name begins, not where it lies
        if text in ("/", "\\", "~", "..", "../", "..\\", "."):
            refuted |= _begins(label, text, normal=normal)
            if text == "/" and normal:
                tried[label.spot] = (
                    Attempt(place, "startswith('/')", "every absolute path begins so", "/etc/passwd", void=True),
                )
            elif text in ("..", "../") and not normal:
                refusing[label.content] = (
                    Attempt(place, f"startswith({text!r})", "'..' may come later", "a/../../etc/passwd", early=True),
                )
            continue
        if text == "":
            tried[label.spot] = (
                Attempt(place, "startswith('')", "every text begins with the empty one", "/etc/passwd", void=True),
            )
        elif normal and (base.ends or base.fresh):
            proven[label.spot] = CONTENT
            if text and not text.startswith(("/", "\\")):  # a place below the working folder is one below any
                proven[label.content] = CONTENT
        elif normal:
            shown = (text or base.shown).rstrip("/")
            tried[label.spot] = (
                Attempt(
                    place,
                    "startswith",
                    "the prefix does not end with a separator",
                    f"{shown}_evil/x",
                    telling=True,
                    bases=base.contents,
                ),
            )
        elif joined or text is None:
            if text is None and not joined and not _about_places(base.shown):
                continue
            shown = (text or base.shown).rstrip("/")
            tried[label.spot] = (
                Attempt(
                    place,
                    "startswith",
                    "it is asked of a path in which '..' is still there",
                    f"{shown}/../../etc/passwd",
                    early=True,
                    bases=base.contents,
                ),
            )
        elif "://" in text:
            continue
        else:
            if not text.startswith("/"):
                proven[label.content] = Risk.ABSOLUTE | Risk.DRIVE
            tried[label.spot] = (
                Attempt(
                    place,
                    f"startswith({text!r})",
                    "'..' may follow the prefix",
                    f"{text.rstrip('/')}/../../etc/passwd",
                    void=True,
                ),
            )
    if not proven and not refuted and not tried and not refusing:
        return None
    return Truth(holds=Facts(proven, tried), fails=Facts(refuted, refusing))


def _about_places(shown: str) -> bool:
    from valhalla_lint.flow.words import names_base

    return names_base(shown)


def _begins(label: Label, text: str, *, normal: bool) -> dict[int, int]:
    """What is known where a text does not begin so."""
    match text:
        case "/":
            return {label.content: Risk.ABSOLUTE | Risk.DRIVE}
        case ".." | "../":
            return {label.content: Risk.PARENT} if normal else {}
        case _:
            return {}


def common_prefix(labels: tuple[Label, ...], place: Place, base: Base) -> Truth:
    """`commonprefix`, which compares characters: containment only where the base ends with a separator."""
    proven: dict[int, int] = {}
    tried: dict[int, tuple[Attempt, ...]] = {}
    shown = (base.text or base.shown).rstrip("/")
    for label in labels:
        if base.ends and label.marks & Mark.NORMAL:
            proven[label.spot] = CONTENT
        else:
            tried[label.spot] = (
                Attempt(
                    place,
                    "os.path.commonprefix",
                    "it compares characters, not folders",
                    f"{shown}_evil/x",
                    telling=True,
                    bases=base.contents,
                ),
            )
    return Truth(holds=Facts(proven, tried), fails=Facts())


def holds_text(labels: tuple[Label, ...], text: str, place: Place, *, segments: bool) -> Truth | None:
    """`text in value`: what is known where it is not there; None where it says nothing about places."""
    gone = lacking(text, segments=segments)
    if not gone:
        return None
    proven: dict[int, int] = {}
    tried: dict[int, tuple[Attempt, ...]] = {}
    for label in labels:
        proven[label.content] = gone
        if gone in (Risk.NUL, Risk.DRIVE):
            continue  # that is no word about folders
        left = label.risk & ~gone
        if label.marks & Mark.JOINED and text == "/":
            continue
        tried[label.content] = (Attempt(place, f"the test for {text!r}", _what_remains(left), example_of(left)),)
    return Truth(holds=Facts(), fails=Facts(proven, tried))


def lacking(text: str, *, segments: bool = False) -> int:
    """The risks that a text without this piece cannot have."""
    match text:
        case "..":
            return Risk.PARENT
        case "../" | "/.." | "..\\" | "\\..":
            return Risk.PARENT if not segments else Risk.NONE
        case "." if not segments:
            return Risk.PARENT
        case "/":
            return Risk.ABSOLUTE if segments else Risk.SEPARATOR | Risk.ABSOLUTE
        case "\\":
            return Risk.NONE if segments else Risk.BACKSLASH
        case ":":
            return Risk.DRIVE
        case "\0":
            return Risk.NUL
        case _:
            return Risk.NONE


def _what_remains(left: int) -> str:
    if left & Risk.PARENT and left & Risk.SEPARATOR:
        return "'..' still passes"
    if left & Risk.ABSOLUTE and left & Risk.SEPARATOR:
        return "an absolute path still passes"
    if left & Risk.PARENT and left & Risk.BACKSLASH:
        return "the other separator still passes"
    return "it proves only a part"
