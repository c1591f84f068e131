"""What was noted while one entry was interpreted, kept by itself: an entry that is followed once more begins anew."""

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from valhalla_lint.flow.labels import Origin
from valhalla_lint.flow.values import Attempt

if TYPE_CHECKING:
    from valhalla_lint.flow.entries import Entry
    from valhalla_lint.flow.machine import Machine, Reached


class Noted:
    """What one entry reached and checked; `Machine` says what each part is.

    entry: None where the statements of a module, or secrets, were followed. abroad: see `May`.
    """

    __slots__ = (
        "abroad",
        "anywhere",
        "asked",
        "bounds_hit",
        "checked",
        "checks",
        "entry",
        "open_calls",
        "reached",
        "safe_calls",
        "switches",
        "used",
    )

    def __init__(self, entry: "Entry | None" = None, *, abroad: bool = False) -> None:
        """Nothing is noted yet."""
        self.entry = entry
        self.abroad = abroad
        self.reached: list[Reached] = []
        self.checks: list[Attempt] = []
        self.bounds_hit: set[tuple[ast.AST | None, str]] = set()
        self.checked: set[tuple[ast.AST | None, int]] = set()
        self.asked: set[tuple[ast.AST | None, Origin, int]] = set()
        self.anywhere: set[tuple[ast.AST | None, Origin, object]] = set()
        self.switches: dict[ast.AST | None, str] = {}
        self.used: set[ast.AST] = set()
        self.safe_calls: set[ast.AST] = set()
        self.open_calls: set[ast.AST] = set()

    def note_in(self, machine: "Machine") -> None:
        """Let a machine note what follows here."""
        machine.reached, machine.checks, machine.bounds_hit = self.reached, self.checks, self.bounds_hit
        machine.checked, machine.asked, machine.anywhere = self.checked, self.asked, self.anywhere
        machine.switches, machine.used = self.switches, self.used
        machine.safe_calls, machine.open_calls = self.safe_calls, self.open_calls


def together(parts: Iterable[Noted]) -> Noted:
    """What was noted of all entries of a file, in their order."""
    whole = Noted()
    for part in parts:
        whole.reached.extend(part.reached)
        whole.checks.extend(part.checks)
        whole.bounds_hit.update(part.bounds_hit)
        whole.checked.update(part.checked)
        whole.asked.update(part.asked)
        whole.anywhere.update(part.anywhere)
        whole.switches.update(part.switches)
        whole.used.update(part.used)
        whole.safe_calls.update(part.safe_calls)
        whole.open_calls.update(part.open_calls)
    return whole
