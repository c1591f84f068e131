"""Patterns are compiled when they are used, and every one of ours can be."""

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

import valhalla_lint
from valhalla_lint.core.regex import regex

HOSTS = "valhalla_lint.hosts"
"""Needs guests that may be missing, and holds no patterns of this kind."""
PATTERN = type(regex("")).__mro__[1]
"""What all of them are, used or not: other tests of this process have used some."""
LEAST = 150
"""Fewer than there are; none would prove nothing."""


def patterns(value: object) -> Iterator[object]:
    match value:
        case tuple() | list() | frozenset() | set():
            for item in value:
                yield from patterns(item)
        case dict():
            yield from patterns(tuple(value.values()))
        case _ if isinstance(value, PATTERN):
            yield value


def test_every_pattern_can_be_compiled() -> None:
    found: list[object] = []
    for module in pkgutil.walk_packages(valhalla_lint.__path__, "valhalla_lint."):
        if not module.name.startswith((HOSTS, "valhalla_lint.__main__")):
            found += patterns(vars(importlib.import_module(module.name)))
    for pattern in found:
        pattern.match  # type: ignore[attr-defined]  # noqa: B018 -- asking for it compiles it
    assert len(found) > LEAST


def test_a_pattern_is_that_of_re_once_it_is_used() -> None:
    pattern = regex(r"(?P<word>\w+)", re.ASCII)
    assert pattern.pattern == r"(?P<word>\w+)"
    assert [found["word"] for found in pattern.finditer("one two")] == ["one", "two"]
    assert pattern.groupindex == {"word": 1}
    assert pattern.flags & re.ASCII
    assert regex(rb"\d").sub(b"x", b"a1") == b"ax"
    assert regex("a", re.IGNORECASE).search("bA") is not None
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.search("")
