"""VH904 reasonless-suppression."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Rule

RULE = Rule(
    code="VH904",
    name="reasonless-suppression",
    message="suppression of {code} gives no reason",
    why="Without a reason nobody can judge later whether the suppression is still right.",
    remedy="write it as '# valhalla: ignore[CODE] -- reason'",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    flagged=True,
    by_engine=True,
    bad=(Bad("x = 1  # valhalla: ignore[VH904]  # VH904\n"),),
    good=(Good("x = 1\n"),),
)
