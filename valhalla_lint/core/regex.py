"""Regular expressions that are compiled when they are first used.

A check of one file uses a third of those that its modules hold, and compiling the rest takes longer than to parse it.
"""

import re
from typing import AnyStr, cast

MEMBERS = tuple("findall finditer flags fullmatch groupindex groups match search split sub subn".split())
"""What a pattern can be asked for besides its text."""


class _Used:
    """A pattern that was compiled: what it is asked for is its own, found as quickly as anything can be."""

    pattern: str | bytes


class _Lazy(_Used):
    """A pattern that is compiled with the first question, and then is one of the others."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._stated = flags

    def __getattr__(self, name: str) -> object:
        made = re.compile(self.pattern, self._stated)
        for member in MEMBERS:
            setattr(self, member, getattr(made, member))
        self.__class__ = _Used  # type: ignore[assignment]  # a class with `__getattr__` is slow to ask for anything
        return getattr(made, name)


def regex(text: AnyStr, flags: "int | re.RegexFlag" = 0) -> "re.Pattern[AnyStr]":
    """What `re.compile` gives, but compiled only when it is used; to be used by its methods, not by functions of `re`.

    Nothing is raised here: a pattern that is wrong raises `re.error` where it is first used.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(text, flags))
