"""A report comes back from a cache as it went in, whatever stands in it."""

import json

from hypothesis import given
from hypothesis import strategies as st

from valhalla_lint.core.finding import Answer, FileReport
from valhalla_lint.core.notebook import CellPlace
from valhalla_lint.core.span import Span
from valhalla_lint.engine.stored import plain, report_from

NUMBERS = st.integers(1, 10**8)
"""Lines, columns and counts of files that can be read; none is larger than the largest file."""
st.register_type_strategy(
    Span, st.builds(lambda line, column, length: Span(line, column, line, column + length), *[NUMBERS] * 3)
)
st.register_type_strategy(CellPlace, st.builds(CellPlace, number=NUMBERS, output=NUMBERS))
st.register_type_strategy(Answer, st.builds(Answer, findings=NUMBERS))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
)


@given(st.from_type(FileReport))
def test_a_report_survives_being_kept(report: FileReport) -> None:
    assert report_from(json.loads(json.dumps(plain(report)))) == report


@given(st.from_type(FileReport), st.data())
def test_anything_else_is_no_report(report: FileReport, data: st.DataObject) -> None:
    kept = plain(report)
    place = data.draw(st.integers(0, len(kept) - 1))
    kept[place] = data.draw(VALUES)
    found = report_from(kept)
    assert found is None or plain(found) == kept
    assert report_from(data.draw(VALUES)) is None
