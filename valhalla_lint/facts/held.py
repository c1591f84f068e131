"""The texts of modules for a host that lives longer than a run: those of open documents, else those of the disk."""

import os
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from valhalla_lint.facts.disk import PASSING, flat, note, watching
from valhalla_lint.facts.looks import TEXT, sign_of
from valhalla_lint.facts.reading import ModuleReader, module_text

ROOM = 16_000_000
"""Characters of texts that are remembered; with more, all are forgotten."""


class HeldTexts:
    """Gives the texts, and tells under what the answers that rest on them are remembered.

    An answer about other files is remembered as long as every text stands that was given since. One that leads back to
    the file that is being judged is not: that changes with every keystroke.

    world: stands for all texts that were given; another object once one of them is another.
    """

    def __init__(self, buffers: Mapping[Path, str]) -> None:
        """buffers: the texts of open documents, as they are at any time."""
        self.world = object()
        self._buffers = buffers
        self._judged: Path | None = None
        self._given: dict[Path, str | None] = {}
        self._disk: dict[Path, tuple[str, str | None]] = {}

    def __call__(self, location: Path) -> str | None:
        """The text of a module, None where none can be read. Notes a look."""
        text = self.of(location)
        if location == self._judged:
            note(PASSING)
        else:
            self._given[location] = text  # before anything can be remembered that rests on it
            note((TEXT, os.fspath(location), "", ""))
        return text

    def of(self, location: Path) -> str | None:
        """The same for who only compares."""
        if location in self._buffers:
            return self._buffers[location]
        sign = sign_of(os.fspath(location))
        known = self._disk.get(location)
        if known is not None and known[0] == sign != "":
            return known[1]
        text = module_text(location)
        self._disk[location] = (sign, text)
        return text

    @contextmanager
    def judging(self, location: Path | None) -> Iterator[dict[Path, str | None]]:
        """While a file is judged; then what is yielded holds the other texts that the verdict rests on."""
        self.renew()
        self._judged = location
        reads: dict[Path, str | None] = {}
        with watching() as looks:
            yield reads
        places = (Path(path) for kind, path, _, _ in flat(looks) if kind == TEXT)
        reads |= {place: self._given[place] for place in places if place in self._given}

    def renew(self) -> None:
        """Have no answer used that rests on a text which is another one now."""
        if sum(len(text or "") for text in self._given.values()) > ROOM:
            self.forget()
        elif any(self.of(place) != text for place, text in self._given.items()):
            self._given.clear()
            self.world = object()

    def forget(self) -> None:
        """Read all anew."""
        self._given.clear()
        self._disk.clear()
        self.world = object()


def world_of(read: ModuleReader) -> Hashable | None:
    """What the answers that rest on the texts of a reader are remembered under; None where they are not."""
    if read is module_text:
        return ""
    return read.world if isinstance(read, HeldTexts) else None
