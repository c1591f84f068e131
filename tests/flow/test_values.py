"""Values of the interpreter change into others and stay what they were."""

import ast

import pytest

from valhalla_lint.core.frozen import replace
from valhalla_lint.flow.labels import Grade, Kind, Origin
from valhalla_lint.flow.units import ClassRef
from valhalla_lint.flow.values import Class, Facts, Instance, Label, Library, Place, Value

ORIGIN = Origin(Kind.REQUEST, Grade.CERTAIN, "request.args['name']", frozenset({"file"}))
LABEL = Label(ORIGIN, 1, 2, 3)


def test_a_changed_label_has_the_other_fields_of_the_first_which_stays() -> None:
    changed = replace(LABEL, risk=0, origin=replace(ORIGIN, near=True))
    assert changed == Label(Origin(ORIGIN.kind, ORIGIN.grade, ORIGIN.text, ORIGIN.words, near=True), 1, 2, 0)
    assert changed.origin.near
    assert (LABEL.risk, LABEL.origin.near) == (3, False)


def test_a_field_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError):
        replace(Value(), nothing=1)  # type: ignore[call-arg]


def test_equal_labels_are_one_and_values_are_each_their_own() -> None:
    assert {LABEL, replace(LABEL), Label(ORIGIN, 1, 2, 4)} == {LABEL, Label(ORIGIN, 1, 2, 4)}
    assert {Library("os"), Library("os")} == {Library("os")}
    assert Value() != Value()
    assert len({Library("os"), Instance("os"), Class(ClassRef(None, ast.Pass()))}) == 3  # type: ignore[arg-type]


def test_fields_that_do_not_count_make_no_label_another_one() -> None:
    assert replace(LABEL, sites=(Place(None, ast.Pass()),)) == LABEL  # type: ignore[arg-type]  # any unit
    assert repr(Library("os")) == "Library(name='os')"


def test_what_is_made_for_each_object_is_its_own() -> None:
    one, other = Facts(), Facts()
    assert one.proven == {}
    assert one.proven is not other.proven
    with pytest.raises(AttributeError):
        one.else_ = 1  # type: ignore[attr-defined]
