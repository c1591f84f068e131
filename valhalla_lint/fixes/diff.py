"""What a fix changes, as a unified diff that shows no secret."""

import difflib
from collections.abc import Iterable

from valhalla_lint.facts.parse import LINE_END

MASK = "…"
SHOWN = 4
"""How many characters of a secret may ever be shown in a row."""


def difference(path: str, before: str, after: str, secrets: Iterable[str] = ()) -> str:
    """The unified diff of two texts; "" where they are the same. Lines keep their own ends."""
    old, new = _lines(before), _lines(after)
    parts: list[str] = []
    for line in difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"):
        ended = line.endswith(("\n", "\r"))
        parts.append(line if ended else f"{line}\n\\ No newline at end of file\n")
    return masked("".join(parts), secrets)


def _lines(text: str) -> list[str]:
    """The lines with their ends."""
    found: list[str] = []
    start = 0
    for end in LINE_END.finditer(text):
        found.append(text[start : end.end()])
        start = end.end()
    return [*found, text[start:]] if start < len(text) else found


def masked(text: str, secrets: Iterable[str]) -> str:
    """A text in which no secret, and no piece of one that is longer than a few characters, is shown."""
    pieces = {piece for secret in secrets for piece in _pieces(secret)}
    for piece in sorted(pieces, key=len, reverse=True):
        text = text.replace(piece, MASK)
    return text


def _pieces(secret: str) -> Iterable[str]:
    """A secret, its lines, and its halves, as they may stand in a source."""
    for part in {secret, *secret.splitlines(), *(secret.encode("unicode_escape").decode().split("\\"))}:
        if len(part) > SHOWN:
            yield part
