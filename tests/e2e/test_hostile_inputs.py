"""Odd, long, deep and broken inputs: each is read, or ends in one clear finding or reason; none in a traceback."""

from itertools import chain

import pytest
from hostile import Hostile, big, small
from marks import marks

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Status, Unread
from valhalla_lint.facts.parse import split_lines
from valhalla_lint.facts.reading import source_of
from valhalla_lint.linter import Linter

ALL = list(chain(small(), big()))


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_read_or_said_why_not(item: Hostile) -> None:
    source = source_of(item.data, f"src/{item.name}", None)
    if isinstance(source, Unread):
        assert source.reason
        return
    report = Linter(Settings()).inspect(source)
    codes = [finding.code for finding in report.findings]
    assert "VH908" not in codes, report.notes
    if report.status is Status.READ:
        assert "VH906" not in codes
        found = {(finding.span.line, finding.code) for finding in report.findings}
        assert set(marks(source.text)) <= found
        if item.planted:
            assert (item.planted, "VH101") in found
    else:
        assert "VH906" in codes
        assert report.notes


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_places_lie_inside_the_file(item: Hostile) -> None:
    source = source_of(item.data, f"src/{item.name}", None)
    if isinstance(source, Unread):
        return
    lines = split_lines(source.text)
    for finding in Linter(Settings()).check(source):
        span = finding.span
        assert 1 <= span.line <= span.end_line <= len(lines)
        assert 0 <= span.column <= len(lines[span.line - 1])
        assert 0 <= span.end_column <= len(lines[span.end_line - 1])


UNREADABLE = {"binary.py"}
PARTLY = {
    "notebook_magics.py",
    "nul_byte.py",
    "python2.py",
    "syntax_error.py",
    "tabs_and_spaces.py",
    "template.py",
    "undecodable.py",
    "unknown_cookie.py",
    "unterminated_string.py",
    "utf16.py",
    "wrong_cookie.py",
    "signs.py",
    "nested_lists.py",
    "nested_blocks.py",
}
"""What this interpreter cannot parse either; all else is whole, however odd or big it is."""


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_only_what_is_broken_is_called_so(item: Hostile) -> None:
    source = source_of(item.data, f"src/{item.name}", None)
    if isinstance(source, Unread):
        assert item.name in UNREADABLE
    elif Linter(Settings()).inspect(source).status is not Status.READ:
        assert item.name in PARTLY | {"python314.py"}  # whole on the versions that have the syntax
    else:
        assert item.name not in PARTLY
