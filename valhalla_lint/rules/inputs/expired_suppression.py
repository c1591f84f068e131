"""VH903 expired-suppression."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Rule

RULE = Rule(
    code="VH903",
    name="expired-suppression",
    message="suppression of {code} ran out on {until}",
    why="The author promised to look again by that date; the finding is reported again until somebody does.",
    remedy="mend the finding, or give a new date with a new reason",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    flagged=True,
    by_engine=True,
    bad=(Bad("# valhalla: ignore[VH905] until=2001-01-01 -- until the move  # VH903\nx = 1\n"),),
    good=(Good("x = 1\n"),),
)
