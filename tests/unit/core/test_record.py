"""Records: what tells them apart, and what each has of its own."""

import pytest

from valhalla_lint.core.record import held, record, replace


@record(eq=True)
class Spot:
    """Equal where line and column are."""

    line: int
    column: int = 0
    seen: str = held(default="", compare=False)


@record(eq=True)
class Size:
    """Holds the same values as a spot."""

    line: int
    column: int = 0


@record(frozen=False)
class Heap:
    """Only equal to itself."""

    name: str
    items: list[int] = held(factory=list)

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.items)


def test_equal_are_records_of_one_class_with_the_same_values() -> None:
    assert Spot(1, 2) == Spot(1, 2)
    assert Spot(1, 2, "here") == Spot(1, 2, "there")
    assert len({Spot(1), Spot(1, seen="again"), Spot(2)}) == 2
    one_each: set[object] = {Spot(1), Size(1)}
    assert len(one_each) == 2  # which a set would take for one if they were tuples
    assert Heap("a") != Heap("a")


def test_each_record_has_what_is_made_for_it() -> None:
    first, second = Heap("a"), Heap("b", [1])
    first.items.append(3)
    assert (first.size, Heap("c").size, second.size) == (1, 0, 1)


def test_a_record_with_another_value() -> None:
    spot = Spot(1, 2, "here")
    moved = replace(spot, line=5)
    assert (moved.line, moved.column, moved.seen) == (5, 2, "here")
    assert spot.line == 1
    with pytest.raises(TypeError, match="lines"):
        replace(spot, lines=5)


def test_a_record_holds_nothing_else() -> None:
    heap = Heap("a")
    with pytest.raises(AttributeError):
        heap.other = 1  # type: ignore[attr-defined]  # what is asserted
    assert repr(Spot(1)) == "Spot(line=1, column=0, seen='')"
    match Spot(3, 4):
        case Spot(line, column):
            assert (line, column) == (3, 4)
