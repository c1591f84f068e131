"""What a fix changes, as a unified diff that shows no secret."""

import difflib
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

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
    """A text in which no piece of a secret is shown that is longer than a few characters.

    Every run of the text whose neighbouring characters stand next to each other in a secret, too, is masked as a whole:
    so are the pieces of a secret that the source writes in several parts.
    """
    known = tuple(dict.fromkeys(secrets))
    for secret in known:
        if secret and len(secret) <= SHOWN:
            text = text.replace(secret, MASK)
    grams = {secret[at : at + SHOWN + 1] for secret in known for at in range(len(secret) - SHOWN)}
    return "".join(_masked_line(line, grams) for line in _lines(text)) if grams else text


def _masked_line(line: str, grams: set[str]) -> str:
    hidden = [False] * len(line)
    for at in range(len(line) - SHOWN):
        if line[at : at + SHOWN + 1] in grams:
            hidden[at : at + SHOWN + 1] = [True] * (SHOWN + 1)
    return "".join(
        MASK if is_hidden else "".join(line[at] for at, _ in run)
        for is_hidden, run in groupby(enumerate(hidden), key=itemgetter(1))
    )
