"""Regular expressions that are compiled when they are first used.

A check of one file uses a third of those that its modules hold, and compiling the rest takes longer than to parse it.
"""

import re
from typing import AnyStr, cast

METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")
"""What a pattern is asked for most."""


class _Lazy:
    """A pattern that is compiled with the first question; from then on its own methods answer, at no further cost."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._stated = flags

    def __getattr__(self, name: str) -> object:
        made = re.compile(self.pattern, self._stated)
        for method in METHODS:
            setattr(self, method, getattr(made, method))
        return getattr(made, name)


def regex(text: AnyStr, flags: "int | re.RegexFlag" = 0) -> "re.Pattern[AnyStr]":
    """What `re.compile` gives, but compiled only when it is used; to be used by its methods, not by functions of `re`.

    Nothing is raised here: a pattern that is wrong raises `re.error` where it is first used.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(text, flags))
