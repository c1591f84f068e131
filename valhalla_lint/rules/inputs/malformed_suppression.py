"""VH905 malformed-suppression."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Rule

RULE = Rule(
    code="VH905",
    name="malformed-suppression",
    message="'{comment}' does not suppress as written: {problem}",
    why="A near miss of the grammar either does nothing or silences far more than its author meant.",
    remedy="use the exact form: '# noqa: CODE' or '# valhalla: ignore[CODE] -- reason'",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    flagged=True,
    by_engine=True,
    bad=(Bad("x = 1  #noqa: VH101  # VH905\ny = 2  # noqa: VH  # VH905\n"),),
    good=(Good("x = 1  # noqa: E501\n"),),
)
