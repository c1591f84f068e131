"""Odd, long, deep and broken inputs: each is read, or ends in one clear finding; none ends in a traceback."""

from itertools import chain

import pytest
from hostile import Hostile, big, small
from marks import marks

from valhalla_lint.core.finding import FileReport
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source, Status
from valhalla_lint.linter import Linter

ALL = list(chain(small(), big()))


def decoded(item: Hostile) -> str:
    """The text as a careless host would hand it over: bytes that are no UTF-8 became replacement characters."""
    return item.data.decode("utf-8", "replace").removeprefix("\ufeff")


def inspected(item: Hostile) -> FileReport:
    return Linter(Settings()).inspect(Source(path=f"src/{item.name}", text=decoded(item)))


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_read_or_said_why_not(item: Hostile) -> None:
    report = inspected(item)
    codes = [finding.code for finding in report.findings]
    assert "VH908" not in codes, report.notes
    if report.status is Status.READ:
        assert "VH906" not in codes
        found = {(finding.span.line, finding.code) for finding in report.findings}
        assert set(marks(decoded(item))) <= found
        if item.planted:
            assert (item.planted, "VH101") in found
    else:
        assert codes.count("VH906") == 1
        assert report.notes


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_places_lie_inside_the_file(item: Hostile) -> None:
    lines = decoded(item).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for finding in inspected(item).findings:
        span = finding.span
        assert 1 <= span.line <= span.end_line <= len(lines)
        assert 0 <= span.column <= len(lines[span.line - 1])
        assert 0 <= span.end_column <= len(lines[span.end_line - 1])
