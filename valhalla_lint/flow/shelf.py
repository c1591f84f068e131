"""The files of a project that stay in memory: as many as their texts allow, the least recently used go first."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Shelf(Generic[Kept]):
    """Places for what is made of texts, each found again by its key.

    A tree with its facts takes some sixty times the characters of its text, so these are what is counted: a number of
    files would bound nothing, as some are a hundred times longer than others.
    """

    def __init__(self, room: int) -> None:
        """room: characters of all texts together. The last one asked for stays, however long it is."""
        self._room = room
        self._taken = 0
        self._places: OrderedDict[Hashable, tuple[int, list[Kept]]] = OrderedDict()

    def place(self, key: Hashable, length: int) -> list[Kept]:
        """The place for a key, empty until something is put there. length: of the text, in characters."""
        known = self._places.get(key)
        if known is not None:
            self._places.move_to_end(key)
            return known[1]
        made: list[Kept] = []
        self._places[key] = (length, made)
        self._taken += length
        while self._taken > self._room and len(self._places) > 1:
            _, (gone, _) = self._places.popitem(last=False)
            self._taken -= gone
        return made

    def known(self, key: Hashable) -> Sequence[Kept]:
        """What stands in the place for a key, if there is one; none is made."""
        known = self._places.get(key)
        return known[1] if known is not None else ()

    def clear(self) -> None:
        """Forget all."""
        self._places.clear()
        self._taken = 0
