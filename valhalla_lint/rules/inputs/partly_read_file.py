"""VH906 partly-read-file."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.span import Span
from valhalla_lint.facts.module import Module


def check(module: Module, options: None) -> Iterator[Hit]:
    """One finding for a file: what could not be decoded is often what cannot be parsed."""
    parsed = module.parsed
    problems = [*module.source.notes, *([parsed.problem] if parsed.problem else [])]
    if not problems:
        return
    line, column = 1, 0
    if parsed.problem:
        line = min(parsed.line, len(module.lines))
        column = min(parsed.column, len(module.lines[line - 1]))
    yield Hit(Span(line, column, line, column), values={"problem": "; ".join(problems)})


RULE = Rule(
    code="VH906",
    name="partly-read-file",
    message="file read only in part: {problem}",
    why="What cannot be read cannot be judged: rules saw only the statements that can be read without the broken ones.",
    remedy="mend the file, exclude it, or run on the Python version that it is written for",
    severity=Severity.MEDIUM,
    confidence=Confidence.HIGH,
    flagged=True,
    check=check,
    bad=(Bad("def broken(:  # VH906\n    return 1\n"),),
    good=(Good("def whole():\n    return 1\n"),),
)
