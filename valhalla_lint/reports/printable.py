"""Text of strangers made safe to print: no control characters, no tricks with the direction of writing."""

from valhalla_lint.core.regex import regex

UNSAFE = regex("[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters (a tab may stay), marks that turn writing round, and lone surrogates, which no encoding takes."""


def printable(text: str) -> str:
    """A text on one line, unsafe characters as escapes."""
    return UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
