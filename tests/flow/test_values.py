"""Values of the interpreter change into others and stay what they were."""

import dataclasses

import pytest

from valhalla_lint.core.frozen import replace
from valhalla_lint.flow.labels import Grade, Kind, Origin
from valhalla_lint.flow.values import Label, Library, Value

ORIGIN = Origin(Kind.REQUEST, Grade.CERTAIN, "request.args['name']", frozenset({"file"}))
LABEL = Label(ORIGIN, 1, 2, 3)


def test_a_changed_label_is_the_one_that_dataclasses_would_make_and_the_first_stays() -> None:
    changed = replace(LABEL, risk=0, origin=replace(ORIGIN, near=True))
    assert changed == dataclasses.replace(LABEL, risk=0, origin=dataclasses.replace(ORIGIN, near=True))
    assert changed.origin.near
    assert (LABEL.risk, LABEL.origin.near) == (3, False)


def test_a_field_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError):
        replace(Value(), nothing=1)  # type: ignore[call-arg]


def test_equal_labels_are_one_and_values_are_each_their_own() -> None:
    assert {LABEL, replace(LABEL), Label(ORIGIN, 1, 2, 4)} == {LABEL, Label(ORIGIN, 1, 2, 4)}
    assert {Library("os"), Library("os")} == {Library("os")}
    assert Value() != Value()
