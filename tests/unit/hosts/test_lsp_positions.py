"""Columns in code units, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position

from valhalla_lint.core.span import Span
from valhalla_lint.hosts.lsp.positions import Places

ENCODINGS = ("utf-8", "utf-16", "utf-32")


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 7), ("utf-16", 4), ("utf-32", 3)])
def test_a_column_counts_the_units_before_it(encoding: str, column: int) -> None:
    assert Places("aé🙂b\n", encoding).position(0, 3) == Position(0, column)


@given(st.text(st.sampled_from("a é🙂\t\f\u2028\r\n")), st.sampled_from(ENCODINGS), st.data())
def test_there_and_back(text: str, encoding: str, data: st.DataObject) -> None:
    places = Places(text, encoding)
    line = data.draw(st.integers(0, len(places.starts) - 1))
    column = data.draw(st.integers(0, places.ends[line] - places.starts[line]))
    position = places.position(line, column)
    assert (position.line, places.column(position)) == (line, column)
    assert places.at(places.offset(line, column)) == position


def test_only_line_ends_of_the_protocol_end_a_line() -> None:
    assert Places("a\r\nb\rc\nd\f\u2028e", "utf-16").starts == [0, 3, 5, 7]


def test_what_lies_beyond_the_text_is_moved_into_it() -> None:
    places = Places("ab\ncd", "utf-16")
    found = places.range(Span(9, 4, 9, 9))
    assert found.start == found.end == Position(1, 2)
    assert places.column(Position(9, 9)) == 0
    assert places.column(Position(0, 9)) == 2
