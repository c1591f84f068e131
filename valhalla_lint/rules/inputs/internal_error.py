"""VH908 internal-error."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Rule

RULE = Rule(
    code="VH908",
    name="internal-error",
    message="valhalla-lint itself failed on this file ({error}); {lost}",
    why="A fault of the linter must be seen, and must not hide the findings in other files.",
    remedy="report it with the file, and exclude the file until it is mended",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    flagged=True,
    by_engine=True,
    bad=(Bad("", note="No program is known that does this; one that is becomes a test."),),
    good=(Good("x = 1\n"),),
)
