"""What a rule found, as every host and report tells it."""

from enum import Enum, IntEnum
from typing import NamedTuple

from valhalla_lint.core.notebook import CellPlace
from valhalla_lint.core.source import Status
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import Flag, Tier


class Severity(IntEnum):
    """How bad it is if the finding is right."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Confidence(IntEnum):
    """How sure the rule is that the finding is right."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


def file_span(span: Span, cell: CellPlace | None) -> Span:
    """Where a place stands in the file itself."""
    return span if cell is None or cell.file is None else cell.file


def spot(span: Span, cell: CellPlace | None) -> str:
    """Line and column from 1, of a notebook behind the cell."""
    if cell is None:
        return f"{span.line}:{span.column + 1}"
    return f"{cell.name}:{cell.span.line}:{cell.span.column + 1}"


def line_in_words(span: Span, cell: CellPlace | None) -> str:
    """A line in words, of a notebook behind the cell."""
    return f"line {span.line}" if cell is None else f"{cell.name}, line {cell.span.line}"


class Step(NamedTuple):
    """One place on the way of a value, with a few words; path is None for the finding's own file.

    cell: the place in a notebook, whose `span` counts lines of all its cells.
    """

    span: Span
    text: str
    path: str | None = None
    cell: CellPlace | None = None

    @property
    def file_span(self) -> Span:
        """The place in the file itself."""
        return file_span(self.span, self.cell)

    @property
    def line_in_words(self) -> str:
        """The line, as a report for people names it."""
        return line_in_words(self.span, self.cell)


class Finding(NamedTuple):
    """One finding. It never holds a secret: only its kind, a masked hint and reasons.

    message: without tier and without line numbers, so that baselines which compare texts survive moved lines.
    steps: source first, sink last; empty where the place itself is the evidence.
    reasons: what speaks for the finding and, marked so, against it.
    remedy: what would clear it.
    definition: the enclosing definition, dotted ("Service.generate"), or "" at module level.
    fingerprint: see `valhalla_lint.engine.fingerprint`.
    cell: the place in a notebook, whose `span` counts lines of all its cells.
    """

    path: str
    span: Span
    code: str
    name: str
    message: str
    tier: Tier
    severity: Severity
    confidence: Confidence
    steps: tuple[Step, ...] = ()
    reasons: tuple[str, ...] = ()
    remedy: str = ""
    definition: str = ""
    flags: frozenset[Flag] = frozenset()
    fingerprint: str = ""
    fixable: bool = False
    cell: CellPlace | None = None

    @property
    def text(self) -> str:
        """The message with its tier in front, as one-line outputs show it."""
        return f"[{self.tier.value}] {self.message}"

    @property
    def order(self) -> tuple[str, Span, str, str]:
        """The sort key that every report uses: by the place in the file."""
        return (self.path, self.file_span, self.code, self.message)

    @property
    def file_span(self) -> Span:
        """The place in the file itself, for programs: of a notebook, the place in its JSON."""
        return file_span(self.span, self.cell)

    @property
    def spot(self) -> str:
        """Line and column from 1 as one-line outputs show them, of a notebook behind the cell: `cell 3:2:5`."""
        return spot(self.span, self.cell)

    @property
    def line_in_words(self) -> str:
        """The line, as a report for people names it."""
        return line_in_words(self.span, self.cell)

    @property
    def in_cell(self) -> str:
        """What a report of places in files adds to the message, so that readers find the cell; "" for other files."""
        return "" if self.cell is None else f" ({self.line_in_words})"


class Suppressed(NamedTuple):
    """A finding that the author has answered in the source: how (`noqa`, `ignore`, …) and with what reason."""

    finding: Finding
    kind: str
    reason: str = ""
    until: str = ""


class State(Enum):
    """What became of a suppression in the source."""

    USED = "used"
    UNUSED = "unused"
    EXPIRED = "expired"
    UNKNOWN = "unknown"
    REFUSED = "refused"
    """All that it covers is unsuppressable."""
    UNASKED = "not judged"
    """Its rule was not asked about this file."""
    MALFORMED = "malformed"
    """It cannot be read as an answer, so it answers nothing."""


class Answer(NamedTuple):
    """One code of a suppression in the source: where, of which kind, and what it did.

    code: "" for a bare one, and for one that cannot be read. problem: why it does not mean what it looks like.
    """

    kind: str
    code: str
    span: Span
    state: State
    findings: int = 0
    reason: str = ""
    until: str = ""
    cell: CellPlace | None = None
    problem: str = ""


class FileReport(NamedTuple):
    """Everything that one file gave: findings in order, what was suppressed, and how far it was read.

    answers: every suppression in the source that is about us, used or not.
    """

    path: str
    status: Status
    tier: Tier
    flags: frozenset[Flag] = frozenset()
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    notes: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
