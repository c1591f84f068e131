"""VH901 unused-suppression."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Rule

RULE = Rule(
    code="VH901",
    name="unused-suppression",
    message="suppression of {code} answers no finding",
    why="A suppression that silences nothing hides the next finding on its line and tells of a risk that is not there.",
    remedy="remove it",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    flagged=True,
    by_engine=True,
    mends=True,
    bad=(Bad("x = 1  # noqa: VH905 nothing here is malformed  # VH901\n"),),
    good=(Good("x = 1  # noqa: E501\n"),),
)
