"""The files of a project that stay in memory: as many as their texts allow, those seldom asked for go first."""

from collections.abc import Hashable
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class _Place(Generic[Kept]):
    """What is kept, the length of its text, and how much it is wanted."""

    __slots__ = ("kept", "length", "uses", "wanted")

    def __init__(self, kept: Kept, length: int, age: int) -> None:
        self.kept = kept
        self.length = length
        self.uses = 1
        self.wanted = age + 1


class Shelf(Generic[Kept]):
    """What is made of texts, each found again by its key.

    A tree with its facts takes some forty times the characters of its text, so these are what is counted: a number of
    files would bound nothing, as some are a hundred times longer than others.

    What was asked for least often goes first. Whatever went tells how much a newcomer is wanted, so that what was asked
    for often, but long ago, goes as well. A module that half of a project imports outlives the hundreds that are asked
    for once each, between two files that ask for it.
    """

    def __init__(self, room: int) -> None:
        """room: characters of all texts together. The last one put there stays, however long it is."""
        self._room = room
        self._taken = 0
        self._age = 0
        self._places: dict[Hashable, _Place[Kept]] = {}

    def get(self, key: Hashable) -> Kept | None:
        """What is kept under a key, None where nothing is (any more)."""
        place = self._places.get(key)
        if place is None:
            return None
        place.uses += 1
        place.wanted = self._age + place.uses
        return place.kept

    def put(self, key: Hashable, kept: Kept, length: int) -> None:
        """Keep something under a key, in place of what was kept there. length: of its text, in characters."""
        places = self._places
        before = places.pop(key, None)
        self._taken += length - (before.length if before is not None else 0)
        while self._taken > self._room and places:
            first = min(places, key=lambda known: places[known].wanted)
            gone = places.pop(first)
            self._age = gone.wanted
            self._taken -= gone.length
        place = places[key] = _Place(kept, length, self._age)
        if before is not None:
            place.uses, place.wanted = before.uses, before.wanted

    def clear(self) -> None:
        """Forget all."""
        self._places.clear()
        self._taken = 0
        self._age = 0
