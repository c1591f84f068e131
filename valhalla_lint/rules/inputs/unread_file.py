"""VH907 unread-file."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Rule

RULE = Rule(
    code="VH907",
    name="unread-file",
    message="file not read: {reason}",
    why="A file that was not read was not judged; a run that keeps silent about it looks cleaner than it is.",
    remedy="make the file readable, name another one, or exclude it",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    flagged=True,
    by_engine=True,
    bad=(Bad("", note="A link that leads nowhere, a file without read permission, binary data, more than 20 MiB."),),
    good=(Good("x = 1\n"),),
)
