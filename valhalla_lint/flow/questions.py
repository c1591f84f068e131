"""Questions about what stands behind a name of another file, each answered once a process.

The cheap analysis asks the same of the same modules for every file that imports them. In a large project their trees do
not all stay in memory, and parsing them again for each asking file took most of the time of a run.
"""

import sys
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from valhalla_lint.facts.disk import Memory
from valhalla_lint.flow.units import Unit

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Machine

KEPT = 65536
"""Answers that are remembered."""
_answers: Memory[tuple[Hashable, ...], bool] = Memory(KEPT)


class Questions:
    """The questions that one file's analysis asks about others."""

    def __init__(self, machine: "Machine") -> None:
        """Nothing is asked here."""
        self._machine = machine
        self._open: list[tuple[Hashable, ...]] = []
        self._leans_on = sys.maxsize

    def ask(self, unit: Unit, dotted: str, more: tuple[Hashable, ...], find: Callable[[], bool]) -> bool:
        """The answer to a question about what a dotted name means in a file that `Loader.remembers`.

        more: what else the question is. find: answers it, and must depend on nothing but the question and the files of
        the project. A question that needs its own answer has none there: False. What was found out meanwhile for
        others that leaned on it is not remembered, as it may differ once it is answered.
        """
        start = self._machine.loader.names_of(unit, dotted)
        if start is None:
            return False
        key = (start, *more, *self._machine.view)
        if key in self._open:
            self._leans_on = min(self._leans_on, self._open.index(key))
            return False
        place = len(self._open)
        self._open.append(key)
        found: list[bool] = []

        def asked() -> bool:
            found.append(find())
            if self._leans_on < place:
                raise LookupError
            return found[0]

        try:
            known = _answers(key, asked)
        finally:
            self._open.pop()
        if self._leans_on >= place:
            self._leans_on = sys.maxsize
        return found[0] if found else bool(known)
