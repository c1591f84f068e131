"""What a rule found, as every host and report tells it."""

from dataclasses import dataclass
from enum import Enum, IntEnum

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


@dataclass(frozen=True, slots=True)
class Step:
    """One place on the way of a value, with a few words; path is None for the finding's own file."""

    span: Span
    text: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. It never holds a secret: only its kind, a masked hint and reasons.

    message: without tier and without line numbers, so that baselines which compare texts survive moved lines.
    steps: source first, sink last; empty where the place itself is the evidence.
    reasons: what speaks for the finding and, marked so, against it.
    remedy: what would clear it.
    definition: the enclosing definition, dotted ("Service.generate"), or "" at module level.
    fingerprint: see `valhalla_lint.engine.fingerprint`.
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

    @property
    def text(self) -> str:
        """The message with its tier in front, as one-line outputs show it."""
        return f"[{self.tier.value}] {self.message}"

    @property
    def order(self) -> tuple[str, Span, str, str]:
        """The sort key that every report uses."""
        return (self.path, self.span, self.code, self.message)


@dataclass(frozen=True, slots=True)
class Suppressed:
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


@dataclass(frozen=True, slots=True)
class Answer:
    """One code of a suppression in the source: where, of which kind, and what it did; "" is the code of a bare one."""

    kind: str
    code: str
    span: Span
    state: State
    findings: int = 0
    reason: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class FileReport:
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
