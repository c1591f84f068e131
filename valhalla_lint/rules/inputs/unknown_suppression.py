"""VH902 unknown-suppression."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Rule

RULE = Rule(
    code="VH902",
    name="unknown-suppression",
    message="suppression of {code}, which is no rule",
    why="A code that does not exist silences nothing; it is most likely a slip of the pen.",
    remedy="use the code of a rule ('valhalla-lint rules' lists them), or remove it",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    flagged=True,
    by_engine=True,
    bad=(Bad("x = 1  # noqa: VH999 is nobody  # VH902\n"),),
    good=(Good("x = 1  # noqa: E501\n"),),
)
