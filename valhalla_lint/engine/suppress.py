"""Which findings the author has answered in the source, and what is wrong with those answers.

Three forms count: `# noqa: VH101` on the finding's own physical line (a multi-line string counts as one line, as in
flake8); our own `# valhalla: ignore[VH201] until=2027-03-31 -- reason`, for the statement that it stands on or above;
and the same as a block, from `ignore-begin[...]` to `ignore-end[...]`.
"""

import ast
import datetime as dt
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from valhalla_lint.core.finding import Finding, Suppressed
from valhalla_lint.core.rule import Hit
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.span import Span
from valhalla_lint.facts.comments import Comment
from valhalla_lint.facts.module import Module

UNUSED, UNKNOWN, EXPIRED, REASONLESS, MALFORMED = "VH901", "VH902", "VH903", "VH904", "VH905"
PROBLEMS = frozenset({UNUSED, UNKNOWN, EXPIRED, REASONLESS, MALFORMED})

NOQA = re.compile(r"# noqa(?::\s?(?P<codes>(?:[A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
"""What flake8 takes for a suppression, so that both agree; anything else after `# noqa` makes it a bare one."""
NOQA_LIKE = re.compile(r"#\s*noqa\s*:?\s*(?P<codes>VH[0-9]*\b)", re.IGNORECASE)
"""A suppression that was meant for us, in whatever spelling."""
NOQA_FILE = re.compile(r"\s*# flake8[:=]\s*noqa(?P<codes>:)?", re.IGNORECASE)
OURS = re.compile(r"#\s*valhalla\s*:\s*(?P<rest>.*)", re.IGNORECASE)
GRAMMAR = re.compile(
    r"(?P<form>ignore|ignore-begin|ignore-end)\[(?P<codes>[^\]]*)\](?:\s+until=(?P<until>\S+))?"
    r"(?:\s+--\s*(?P<reason>.*?))?\s*"
)
CODE = re.compile(r"VH[0-9]{0,3}")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One suppression: the lines that it covers, the codes (prefixes; "" for all) and where it is written."""

    kind: str
    codes: tuple[str, ...]
    first: int
    last: int
    place: Span
    reason: str = ""
    until: str = ""
    expired: bool = False

    def covers(self, finding: Finding) -> str | None:
        """The code of this suppression that answers a finding, or None."""
        if not self.first <= finding.span.line <= self.last:
            return None
        return next((code for code in self.codes if finding.code.startswith(code)), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is left to report, what was answered, and problems of the answers themselves as hits by rule code."""

    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    problems: tuple[tuple[str, Hit], ...]


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The suppressions of one file, with the problems that show in their text alone."""

    entries: tuple[Suppression, ...] = ()
    problems: tuple[tuple[str, Hit], ...] = ()

    @classmethod
    def of(cls, module: Module, settings: Settings) -> "Suppressions":
        """Read the suppressions of a file; free for a file that mentions none."""
        entries: list[Suppression] = []
        problems: list[tuple[str, Hit]] = []
        if "noqa" in module.lower:
            entries.extend(_noqa(module))
            problems.extend(_near_misses(module))
        if "valhalla" in module.lower:
            _ours(module, settings, entries, problems)
        return cls(tuple(entries), tuple(problems))

    def apply(
        self, findings: Iterable[Finding], settings: Settings, asked: frozenset[str], known: frozenset[str]
    ) -> Outcome:
        """Split findings into what is left and what the author answered.

        asked: codes of the rules that were really asked about this file; only for these can an answer be unused.
        known: codes of all rules.
        """
        if not self.entries and not self.problems:
            return Outcome(tuple(findings), (), ())
        left: list[Finding] = []
        answered: list[Suppressed] = []
        used: set[tuple[Suppression, str]] = set()
        for finding in findings:
            hard = any(finding.code.startswith(prefix) for prefix in settings.unsuppressable)
            answer = None
            for entry in self.entries:
                code = entry.covers(finding)
                if code is None:
                    continue
                used.add((entry, code))
                counts = not (entry.expired or hard or (entry.kind.startswith("noqa") and not settings.noqa))
                if counts and answer is None:
                    answer = entry
            if answer is None:
                left.append(finding)
            else:
                answered.append(Suppressed(finding, answer.kind, answer.reason, answer.until))
        problems = (*self.problems, *self._unused(used, asked, known))
        return Outcome(tuple(left), tuple(answered), problems)

    def _unused(
        self, used: set[tuple[Suppression, str]], asked: frozenset[str], known: frozenset[str]
    ) -> Iterator[tuple[str, Hit]]:
        for entry in self.entries:
            for code in entry.codes:
                if not code.startswith("VH") or (entry, code) in used:
                    continue
                meant = {each for each in known if each.startswith(code)}
                if not meant:
                    yield UNKNOWN, Hit(entry.place, values={"code": code})
                elif meant <= asked and not entry.expired:
                    yield UNUSED, Hit(entry.place, values={"code": code})


def _noqa(module: Module) -> Iterator[Suppression]:
    """The `# noqa` comments, read as flake8 reads them."""
    lines = module.lines
    if any((match := NOQA_FILE.match(line)) and not match["codes"] for line in lines):
        yield Suppression("noqa-file", ("",), 1, len(lines), Span(1, 0, 1, 0))
    for first, last in _physical(module):
        text = "\n".join(lines[first - 1 : last])
        match = NOQA.search(text)
        if match is None:
            continue
        codes = tuple(code for code in re.split(r"[,\s]+", match["codes"] or "") if code) or ("",)
        before = text[: match.start()]
        line = first + before.count("\n")
        column = len(before) - (before.rfind("\n") + 1)
        end = column + len(match[0].rstrip())
        yield Suppression("noqa", codes, first, last, Span(line, column, line, end))


def _physical(module: Module) -> Iterator[tuple[int, int]]:
    """First and last line of each stretch that counts as one line: those that a multi-line string joins, else single.

    Only stretches that mention `noqa` at all.
    """
    lines = module.lines
    wanted = [number for number, line in enumerate(lines, 1) if "noqa" in line.lower()]
    if not any('"""' in line or "'''" in line or line.endswith("\\") for line in lines):
        yield from ((number, number) for number in wanted)
        return
    joined: dict[int, tuple[int, int]] = {}
    first, last = len(lines) + 1, 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
            if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            first, last = min(first, token.start[0]), max(last, token.end[0])
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                if last > first:
                    joined.update(dict.fromkeys(range(first, last + 1), (first, last)))
                first, last = len(lines) + 1, 0
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass  # a broken file: what was joined so far holds, the rest goes line by line
    yield from sorted({joined.get(number, (number, number)) for number in wanted})


def _near_misses(module: Module) -> Iterator[tuple[str, Hit]]:
    """`noqa` comments that name our codes in a spelling that flake8 takes for something else."""
    for number, line in enumerate(module.lines, 1):
        found = NOQA_LIKE.search(line)
        if found is None:
            continue
        place = Span(number, found.start(), number, found.end())
        exact = NOQA.search(line)
        codes = found["codes"]
        if exact is None:
            problem = "flake8 ignores it: write '# noqa: VH101'"
        elif not codes[2:]:
            problem = "a code without digits silences every code on the line: name the rule"
        elif exact["codes"] is None:
            problem = "spacing makes it a bare noqa, which silences every code on the line"
        elif codes != codes.upper():
            problem = "codes are compared as written: use capital letters"
        else:
            continue
        yield MALFORMED, Hit(place, values={"comment": found[0], "problem": problem})


def _ours(module: Module, settings: Settings, entries: list[Suppression], problems: list[tuple[str, Hit]]) -> None:
    """Read our own comments into `entries` and `problems`."""
    today = settings.today or dt.datetime.now(tz=dt.UTC).date()
    open_blocks: dict[tuple[str, ...], tuple[Comment, re.Match[str]]] = {}
    headers: list[tuple[int, int]] | None = None
    for comment in module.comments:
        ours = OURS.search(comment.text)
        if ours is None:
            continue
        place = Span(comment.line, comment.column, comment.line, comment.column + len(comment.text))
        match = GRAMMAR.fullmatch(ours["rest"])
        codes = _codes(match)
        until = _date(match["until"]) if match and match["until"] else None
        if match is None or not codes or (match["until"] and until is None):
            problem = "write '# valhalla: ignore[VH201] until=2027-03-31 -- reason'"
            problems.append((MALFORMED, Hit(place, values={"comment": ours[0][:60], "problem": problem})))
            continue
        if match["form"] != "ignore-end":
            if until is not None and until < today:
                problems.append((EXPIRED, Hit(place, values={"code": ", ".join(codes), "until": until.isoformat()})))
            if settings.require_reason and not match["reason"]:
                problems.append((REASONLESS, Hit(place, values={"code": ", ".join(codes)})))
        begun, grammar, kind = place, match, "ignore"
        if match["form"] == "ignore-begin":
            open_blocks[codes] = (comment, match)
            continue
        if match["form"] == "ignore-end":
            opened = open_blocks.pop(codes, None)
            if opened is None:
                problem = "this block was never begun with the same codes"
                problems.append((MALFORMED, Hit(place, values={"comment": ours[0][:60], "problem": problem})))
                continue
            start, grammar = opened
            begun = Span(start.line, start.column, start.line, start.column + len(start.text))
            kind, first, last = "ignore-block", start.line, comment.line
        else:
            headers = headers if headers is not None else sorted(_headers(module))
            first, last = _target(module, headers, comment)
        date = _date(grammar["until"]) if grammar["until"] else None
        entries.append(
            Suppression(
                kind,
                codes,
                first,
                last,
                begun,
                (grammar["reason"] or "").strip(),
                date.isoformat() if date else "",
                expired=date is not None and date < today,
            )
        )
    for start, _ in open_blocks.values():
        place = Span(start.line, start.column, start.line, start.column + len(start.text))
        problem = "this block is never ended with the same codes, so it answers nothing"
        problems.append((MALFORMED, Hit(place, values={"comment": start.text[:60], "problem": problem})))


def _codes(match: re.Match[str] | None) -> tuple[str, ...]:
    """The codes of one of our comments, () where one of them is not a code."""
    if match is None:
        return ()
    codes = tuple(part.strip() for part in match["codes"].split(","))
    return codes if all(CODE.fullmatch(code) for code in codes) else ()


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def _headers(module: Module) -> Iterator[tuple[int, int]]:
    """First and last line of every simple statement, and of the head of every compound one."""
    for kind, nodes in module.index.by_type.items():
        if not (issubclass(kind, ast.stmt) or kind is ast.ExceptHandler):
            continue
        for node in nodes:
            if isinstance(node, ast.stmt | ast.ExceptHandler):
                decorators: Sequence[ast.expr] = getattr(node, "decorator_list", ())
                inner = _first_inside(node)
                first = min(node.lineno, decorators[0].lineno) if decorators else node.lineno
                last = node.end_lineno or node.lineno
                yield first, last if inner is None else max(node.lineno, inner - 1)


def _first_inside(node: ast.stmt | ast.ExceptHandler) -> int | None:
    """The line on which the body of a compound statement begins; None for a simple one."""
    if isinstance(node, ast.Match):
        return node.cases[0].pattern.lineno if node.cases else None
    body: Sequence[ast.stmt] = getattr(node, "body", ())
    return body[0].lineno if body else None


def _target(module: Module, headers: Sequence[tuple[int, int]], comment: Comment) -> tuple[int, int]:
    """The lines that one of our comments answers for: its own statement, or the next one if it stands alone."""
    alone = not module.lines[comment.line - 1][: comment.column].strip()
    around = [span for span in headers if span[0] <= comment.line <= span[1]]
    if around:
        return max(around)  # the innermost begins last
    if alone:
        return min((span for span in headers if span[0] > comment.line), default=(comment.line, comment.line))
    return comment.line, comment.line


def by_code(problems: Iterable[tuple[str, Hit]]) -> Mapping[str, list[Hit]]:
    """Problems grouped by the code of the rule that reports them."""
    found: dict[str, list[Hit]] = {}
    for code, hit in problems:
        found.setdefault(code, []).append(hit)
    return found
