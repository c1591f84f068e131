"""The words of mending: an edit, a fix, a refusal."""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.module import Module


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """The characters from `start` to `end` (exclusive, counted in the whole text) become `text`."""

    start: int
    end: int
    text: str

    def overlaps(self, other: "Edit") -> bool:
        """Whether two edits touch the same characters, or insert at the same place."""
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Constant:
    """A module constant that a fix defines: its name, its value as the source spells it, and the node of the value."""

    name: str
    spelling: str
    value: ast.expr
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class Replaced:
    """What the fix makes of a node, as a tree: `new` stands where `old` stood, `after` follows it (statements only)."""

    old: ast.AST
    new: ast.AST
    after: tuple[ast.stmt, ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """How one or several findings of a rule are mended.

    findings: those that will be gone. edits: changes of the text. replaced: the same changes said as a tree, without
    looking at the text of the edits, so that each can be checked against the other.
    safe: the program does the same for every input. summary: what is done, a few words, never a secret.
    constants, imports: what the head of the module must define and import (each import one plain statement).
    """

    code: str
    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    replaced: tuple[Replaced, ...]
    safe: bool
    summary: str
    constants: tuple[Constant, ...] = ()
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A finding that is not mended, and why."""

    finding: Finding
    reason: str


Plan = Callable[[Module, Sequence[Finding]], Iterator[Fix | Refusal]]
"""Plans the fixes for all findings of one rule in a file; each finding is in exactly one fix or refusal."""


@dataclass(frozen=True, slots=True)
class Mender:
    """The mender of one rule. edits_comments: whether its edits may change comments."""

    code: str
    plan: Plan
    edits_comments: bool = False
