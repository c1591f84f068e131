"""What a message quotes of the source: the keys that may stand in it are masked before it is cut."""

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.strings import shape_of

RUN = regex(r"[^\s/?#&=;,@'\"()\[\]{}<>]{16,4000}")
"""A part of a text that may be a key: a segment of a path, the value of a parameter, a word."""
KEYS = frozenset({"random", "digest"})
MASK = "…"


def quoted(text: str, most: int) -> str:
    """The beginning of a text, at most so many characters, without the parts that look drawn by chance."""
    return RUN.sub(lambda run: MASK if shape_of(run[0]) in KEYS else run[0], text)[:most]
