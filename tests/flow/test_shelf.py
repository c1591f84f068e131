"""Which files stay in memory."""

from valhalla_lint.flow.shelf import Shelf


def test_what_is_often_asked_for_outlives_what_is_asked_for_once() -> None:
    shelf: Shelf[str] = Shelf(30)
    shelf.put("often", "hub", 10)
    for number in range(20):
        assert shelf.get("often") == "hub"
        shelf.put(number, "seldom", 10)
    assert [number for number in range(20) if shelf.get(number) is not None] == [18, 19]


def test_what_was_asked_for_long_ago_goes_as_well() -> None:
    shelf: Shelf[str] = Shelf(30)
    shelf.put("once", "hub", 10)
    for _ in range(5):
        shelf.get("once")
    for number in range(100):
        shelf.put(number, "later", 10)
        shelf.get(number)
    assert shelf.get("once") is None


def test_one_that_is_longer_than_all_room_stays_until_the_next() -> None:
    shelf: Shelf[str] = Shelf(30)
    shelf.put("long", "kept", 100)
    assert shelf.get("long") == "kept"
    shelf.put("next", "kept", 10)
    assert (shelf.get("long"), shelf.get("next")) == (None, "kept")
