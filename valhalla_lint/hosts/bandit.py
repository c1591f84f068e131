"""The bandit plugins: one test a rule, each with the rule's own id; translates, decides nothing.

bandit asks every test at every node and takes one issue an answer. So one analysis is made of a file, when its first
node comes, and its findings are handed out one at each node that follows. Only the first enabled test is asked at nodes
(each further one would cost as much as the analysis itself); the others are there to be selected, and to hand out what
is left at the end of the file. A finding keeps its own line, whatever node it is handed out at, so that `# nosec`
counts where it stands.
"""

import ast
from collections import deque
from collections.abc import Iterator
from functools import cache
from typing import Any

from bandit.core.issue import Issue

from valhalla_lint.baselines import Shelf, known_in_file
from valhalla_lint.config import Configuration, ConfigurationError, Overrides
from valhalla_lint.core.finding import Confidence, Finding, Severity
from valhalla_lint.core.rule import Rule
from valhalla_lint.core.source import Source
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import Tier
from valhalla_lint.linter import KeepingLinters, Linters, cache_folder, every_rule, source_of_host

NODES = (
    *("AnnAssign", "Assert", "Assign", "AsyncFunctionDef", "AugAssign", "BinOp", "Bytes", "Call", "Compare", "Delete"),
    *(
        "Dict",
        "Expr",
        "For",
        "FunctionDef",
        "If",
        "Import",
        "ImportFrom",
        "JoinedStr",
        "Raise",
        "Return",
        "Str",
        "Subscript",
    ),
    *("Try", "While", "With"),
)
"""The nodes at which findings are handed out: more of them than a file has findings, fewer than there are nodes."""
AT_END = "File"
UNJUDGED = "VH908"
SEVERITIES = {Severity.LOW: "LOW", Severity.MEDIUM: "MEDIUM", Severity.HIGH: "HIGH"}
CONFIDENCES = {Confidence.LOW: "LOW", Confidence.MEDIUM: "MEDIUM", Confidence.HIGH: "HIGH"}

NO_WEAKNESS = {"id": 0, "link": ""}
"""What stands for the weakness of a rule about suppressions or unread files, which has none in the CWE."""


class FindingIssue(Issue):  # type: ignore[misc]  # bandit ships no types
    """An issue that keeps the finding's own end and rule, which bandit overwrites with those of the visited node."""

    def __init__(self, finding: Finding, rule: Rule) -> None:
        """Translate a finding; the tier stands in the text."""
        self._finding = finding
        super().__init__(
            severity=SEVERITIES[finding.severity],
            cwe=rule.cwe[0] if rule.cwe else 0,
            confidence=CONFIDENCES[finding.confidence],
            text=finding.text + finding.in_cell,
            lineno=finding.file_span.line,
            col_offset=finding.file_span.column,
            test_id=finding.code,
        )
        self.linerange = list(range(finding.file_span.line, finding.file_span.end_line + 1))

    def as_dict(self, with_code: bool = True, max_lines: int = 3) -> dict[str, Any]:  # noqa: FBT001, FBT002 -- bandit's own signature
        """What reports show; bandit's CSV report ends in a KeyError at an issue whose weakness has no keys."""
        shown: dict[str, Any] = super().as_dict(with_code, max_lines)
        return shown if shown["issue_cwe"] else {**shown, "issue_cwe": dict(NO_WEAKNESS)}

    @property
    def test(self) -> str:
        """The rule's name: part of what bandit's baseline compares."""
        return self._finding.name

    @test.setter
    def test(self, value: str) -> None:
        """Ignore the name of whichever test handed the finding out."""

    @property
    def end_col_offset(self) -> int:
        """The finding's own end."""
        return self._finding.file_span.end_column

    @end_col_offset.setter
    def end_col_offset(self, value: int) -> None:
        """Ignore the end of the visited node."""


class Desk:
    """What the tests of one bandit process share: which are enabled, and the findings of the file at hand."""

    def __init__(self) -> None:
        """Nothing is enabled, nothing is pending."""
        self.rules = {rule.code: rule for rule in every_rule()}
        self.enabled: list[str] = []
        self._swept: set[str] = set()
        self._configuration = Configuration(Overrides())
        self._made: Linters | None = None
        self._shelf_of = cache(Shelf.read)
        self._file: object = None
        self._pending: deque[Finding] = deque()

    def look(self, code: str) -> None:
        """Note that bandit has asked for a test's id.

        When it makes a new set of tests it asks all of them in one go; only then is a new run known to begin.
        """
        self._swept.add(code)
        if len(self._swept) == len(self.rules):
            self._swept.clear()
            self.enabled.clear()
            self._file = None

    def enable(self, code: str) -> tuple[str, ...]:
        """Note that a test is enabled; returns the nodes at which it wants to be asked."""
        self._swept.clear()
        if code not in self.enabled:
            self.enabled.append(code)
        return (*NODES, AT_END) if self.enabled[0] == code else (AT_END,)

    def next(self, context: Any) -> Issue | None:  # noqa: ANN401 -- bandit ships no types
        """The next finding of the file at hand as an issue, or None."""
        facts: dict[str, Any] = context._context  # noqa: SLF001 -- the only way to the file's text and to the lines of nosec
        if self._file is not facts["file_data"]:
            self._file = facts["file_data"]
            self._pending = deque(self._findings(facts))
        if not self._pending:
            facts["linerange"] = []  # or bandit warns of every nosec around the node that it answered nothing
            return None
        finding = self._pending.popleft()
        facts["linerange"] = list(range(finding.file_span.line, finding.file_span.end_line + 1))
        return FindingIssue(finding, self.rules[finding.code])

    def _linters(self) -> Linters:
        """Made for the first file. Raises ConfigurationError where the working folder's configuration is wrong."""
        if self._made is None:
            folder = cache_folder(self._configuration)
            made = Linters(self._configuration) if folder is None else KeepingLinters(self._configuration, folder)
            self._made = made
        return self._made

    def _findings(self, facts: dict[str, Any]) -> Iterator[Finding]:
        handle = facts["file_data"]
        place = handle.tell()
        handle.seek(0)
        data: bytes = handle.read()
        handle.seek(place)
        name = facts["filename"]
        name = name.decode() if isinstance(name, bytes) else name
        configuration = self._configuration
        source = source_of_host(data, "" if name == "<stdin>" else name, configuration, _tree(facts.get("node")))
        location = source.location if isinstance(source, Source) else None
        try:
            if location is not None and configuration.excludes(location):
                return
            report = self._linters().check(source).report
            known = known_in_file(report, configuration, self._shelf_of) if location is not None else ()
        except ConfigurationError as error:
            yield _unjudged(source.path, self.rules[UNJUDGED], error)  # a mere exception bandit logs, and ends with 0
            return
        yield from (finding for finding in report.findings if finding.code in self.enabled and finding not in known)


def _unjudged(path: str, rule: Rule, error: ConfigurationError) -> Finding:
    """What stands in place of a file's findings where its configuration is wrong, whichever tests were chosen."""
    return Finding(
        path=path,
        span=Span(1, 0, 1, 0),
        code=rule.code,
        name=rule.name,
        message=f"wrong configuration: {'; '.join(map(str, error.problems))}",
        tier=Tier.PRODUCTION,
        severity=rule.severity,
        confidence=rule.confidence,
        remedy=rule.remedy,
        fingerprint="",
    )


def _tree(node: ast.AST | None) -> ast.Module | None:
    """The module above a node, which bandit has parsed already."""
    while node is not None and not isinstance(node, ast.Module):
        node = getattr(node, "_bandit_parent", None)
    return node


class Test:
    """One rule as a bandit test: a callable with the attributes that bandit's decorators would set."""

    def __init__(self, code: str, name: str, desk: Desk) -> None:
        """Nothing is analysed here."""
        self.__name__ = name.replace("-", "_")
        self.__doc__ = f"{code} {name}"
        self._code = code
        self._desk = desk

    @property
    def _test_id(self) -> str:
        self._desk.look(self._code)
        return self._code

    @property
    def _checks(self) -> tuple[str, ...]:
        return self._desk.enable(self._code)

    def __call__(self, context: Any) -> Issue | None:  # noqa: ANN401 -- bandit ships no types
        """Hand out one finding."""
        return self._desk.next(context)


_DESK = Desk()
TESTS = {rule.code: Test(rule.code, rule.name, _DESK) for rule in every_rule()}


def __getattr__(name: str) -> Test:
    """The test of a rule by its code: what the entry points name. Raises AttributeError for anything else."""
    try:
        return TESTS[name]
    except KeyError:
        raise AttributeError(name) from None
