"""Which findings the author has answered in the source, and what is wrong with those answers.

Three forms count: `# noqa: VH101` on the finding's own physical line (a multi-line string counts as one line, as in
flake8); our own `# valhalla: ignore[VH201] until=2027-03-31 -- reason`, for the statement that it stands on or above;
and the same as a block, from `ignore-begin[...]` to `ignore-end[...]`.
"""

import ast
import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from valhalla_lint.core.finding import Answer, Finding, State, Suppressed
from valhalla_lint.core.regex import regex
from valhalla_lint.core.rule import Hit
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.span import Span
from valhalla_lint.facts import disk
from valhalla_lint.facts.comments import Comment
from valhalla_lint.facts.index import KINDS
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.quoting import quoted

UNUSED, UNKNOWN, EXPIRED, REASONLESS, MALFORMED = "VH901", "VH902", "VH903", "VH904", "VH905"

NOQA = regex(r"# noqa(?::\s?(?P<codes>(?:[A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
"""What flake8 takes for a suppression, so that both agree; anything else after `# noqa` makes it a bare one."""
NOQA_LIKE = regex(r"#\s*noqa\s*:?\s*(?P<codes>[A-Z]{1,3}[0-9]{0,4}\b(?:[,\s]+[A-Z]{1,3}[0-9]{1,4}\b)*)", re.IGNORECASE)
"""A suppression by codes, in whatever spelling."""
PREFIX = "VH"
NOQA_FILE = regex(r"\s*# flake8[:=]\s*noqa", re.IGNORECASE)
"""What silences a whole file in flake8; codes behind it change nothing."""
NOQA_OURS = regex(r"noqa[^\n]*vh")
"""A line, in small letters, that may name one of our codes; only then do all of its suppressions matter."""
FILE_CODES = regex(r"# flake8[:=]\s*noqa\s*:\s*VH[0-9]*", re.IGNORECASE)
OURS = regex(r"#\s*valhalla\s*:\s*(?P<rest>.*)", re.IGNORECASE)
GRAMMAR = regex(
    r"(?P<form>ignore|ignore-begin|ignore-end)\[(?P<codes>[^\]]*)\](?:\s+until=(?P<until>\S+))?"
    r"(?:\s+--\s*(?P<reason>.*?))?\s*"
)
CODE = regex(r"VH[0-9]{0,3}")
SHOWN = 60
"""Characters of a comment that a message shows."""


class Suppression(NamedTuple):
    """One suppression: the lines that it covers, the codes (prefixes; "" for all) and where it is written.

    comment: whether it is a real comment. flake8 is silenced by the same text inside a string too; but such a text may
    be about suppressions, so nothing is said of it.
    """

    kind: str
    codes: tuple[str, ...]
    first: int
    last: int
    place: Span
    reason: str = ""
    until: str = ""
    expired: bool = False
    comment: bool = True

    def covers(self, finding: Finding) -> str | None:
        """The code of this suppression that answers a finding, or None."""
        if not self.first <= finding.span.line <= self.last:
            return None
        return next((code for code in self.codes if finding.code.startswith(code)), None)


class Outcome(NamedTuple):
    """What is left to report, what was answered, problems of the answers themselves by rule code, and the answers."""

    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    problems: tuple[tuple[str, Hit], ...]
    answers: tuple[Answer, ...] = ()


class Suppressions(NamedTuple):
    """The suppressions of one file, with the problems that show in their text alone."""

    entries: tuple[Suppression, ...] = ()
    problems: tuple[tuple[str, Hit], ...] = ()

    @classmethod
    def of(cls, module: Module, settings: Settings, *, found: bool = True) -> "Suppressions":
        """Read the suppressions of a file; free for a file that mentions none.

        found: whether anything was found in the file; if not, only suppressions that name our codes say anything.
        """
        entries: list[Suppression] = []
        problems: list[tuple[str, Hit]] = []
        marked = module.lower if module.source.plain else "\n".join(module.hashes).lower()
        if "noqa" in marked:
            ours = NOQA_OURS.search(marked) is not None
            if ours or (found and _is_bare_anywhere(module.text)):
                entries.extend(_noqa(module))
            if ours:
                problems.extend(_near_misses(module))
        if "valhalla" in marked:
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
        uses: Counter[tuple[Suppression, str]] = Counter()
        refused: Counter[tuple[Suppression, str]] = Counter()
        for finding in findings:
            hard = any(finding.code.startswith(prefix) for prefix in settings.unsuppressable)
            answer = None
            for entry in self.entries:
                code = entry.covers(finding)
                if code is None:
                    continue
                uses[entry, code] += 1
                refused[entry, code] += hard
                if answer is None and not (entry.expired or hard):
                    answer = entry
            if answer is None:
                left.append(finding)
            else:
                answered.append(Suppressed(finding, answer.kind, answer.reason, answer.until))
        answers = tuple(self._answers(uses, refused, asked, known))
        told = (*self.problems, *_unused(answers))
        return Outcome(tuple(left), tuple(answered), told, tuple(_with_malformed(answers, self.problems)))

    def _answers(
        self,
        uses: Mapping[tuple[Suppression, str], int],
        refused: Mapping[tuple[Suppression, str], int],
        asked: frozenset[str],
        known: frozenset[str],
    ) -> Iterator[Answer]:
        """What each suppression does, code by code; those that are not about us are left out."""
        for entry in self.entries:
            for code in entry.codes:
                count = uses.get((entry, code), 0)
                if not code.startswith(PREFIX) and not count:
                    continue
                meant = {each for each in known if each.startswith(code)}
                if not meant:
                    state = State.UNKNOWN
                elif entry.expired:
                    state = State.EXPIRED
                elif count:
                    state = State.REFUSED if count == refused.get((entry, code)) else State.USED
                else:
                    state = State.UNUSED if meant <= asked else State.UNASKED
                if entry.comment or state in (State.USED, State.REFUSED):
                    yield Answer(entry.kind, code, entry.place, state, count, entry.reason, entry.until)


def _with_malformed(answers: Sequence[Answer], problems: Iterable[tuple[str, Hit]]) -> Iterator[Answer]:
    """The answers, and the comments that were to be some; one that does something else is told with its problem."""
    wrong = {hit.at: hit.values for code, hit in problems if code == MALFORMED and isinstance(hit.at, Span)}
    lines = {at.line: str(values["problem"]) for at, values in wrong.items()}
    for answer in answers:
        yield answer._replace(problem=lines.get(answer.span.line, "")) if answer.kind != "ignore" else answer
    read = {answer.span.line for answer in answers if answer.kind != "ignore"}
    for at, values in wrong.items():
        if at.line not in read:
            comment = str(values["comment"]).lower()
            kind = "ignore" if "valhalla" in comment else "noqa"
            yield Answer(kind, "", at, State.MALFORMED, problem=str(values["problem"]))


def _unused(answers: Iterable[Answer]) -> Iterator[tuple[str, Hit]]:
    """What is wrong with answers that answer nothing."""
    rules = {State.UNKNOWN: UNKNOWN, State.UNUSED: UNUSED}
    for answer in answers:
        if answer.state in rules:
            yield rules[answer.state], Hit(answer.span, values={"code": answer.code})


def _noqa(module: Module) -> Iterator[Suppression]:
    """The `# noqa` comments, read as flake8 reads them."""
    lines = module.lines
    whole = next((number for number, line in enumerate(lines, 1) if NOQA_FILE.match(line)), 0)
    if whole:
        yield Suppression("noqa-file", ("",), 1, len(lines), Span(whole, 0, whole, len(lines[whole - 1])))
    real = _columns(module)
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
        comment = 0 <= real.get(line, -1) <= column
        yield Suppression("noqa", codes, first, last, Span(line, column, line, end), comment=comment)


def _is_bare_anywhere(text: str) -> bool:
    """Whether any suppression silences every code, and so ours."""
    if any(match["codes"] is None for match in NOQA.finditer(text)):
        return True
    return any(NOQA_FILE.match(line) for line in text.splitlines() if "flake8" in line.lower())


def _columns(module: Module) -> Mapping[int, int]:
    """Where the comment of each line begins."""
    return {comment.line: comment.column for comment in module.comments}


def _physical(module: Module) -> Iterator[tuple[int, int]]:
    """First and last line of each stretch that counts as one line: those that a multi-line string joins, else single.

    Only stretches that mention `noqa` at all.
    """
    wanted = [number for number, line in enumerate(module.lines, 1) if "noqa" in line.lower()]
    joined = {number: stretch for stretch in module.lexed.joined for number in range(stretch[0], stretch[1] + 1)}
    yield from sorted({joined.get(number, (number, number)) for number in wanted})


def _near_misses(module: Module) -> Iterator[tuple[str, Hit]]:
    """`noqa` comments that name our codes in a spelling that flake8 takes for something else."""
    for comment in module.comments:
        if (whole := FILE_CODES.match(comment.text)) is not None:
            place = Span(comment.line, comment.column, comment.line, comment.column + len(whole[0]))
            problem = "flake8 reads no codes here: every code is silenced in the whole file"
            yield MALFORMED, Hit(place, values={"comment": quoted(whole[0], SHOWN), "problem": problem})
            continue
        found = NOQA_LIKE.search(comment.text)
        codes = re.split(r"[,\s]+", found["codes"]) if found is not None else []
        ours = [code for code in codes if code.upper().startswith(PREFIX)]
        if found is None or not ours:
            continue
        start = comment.column + found.start()
        place = Span(comment.line, start, comment.line, start + len(found[0]))
        exact = NOQA.search(comment.text)
        if exact is None:
            problem = "flake8 ignores it: write '# noqa: VH101'"
        elif codes[0].isalpha():
            problem = "a code without digits silences every code on the line: name the rule"
        elif exact["codes"] is None:
            problem = "spacing makes it a bare noqa, which silences every code on the line"
        elif any(code != code.upper() for code in ours):
            problem = "codes are compared as written: use capital letters"
        else:
            continue
        yield MALFORMED, Hit(place, values={"comment": quoted(found[0], SHOWN), "problem": problem})


def _ours(module: Module, settings: Settings, entries: list[Suppression], problems: list[tuple[str, Hit]]) -> None:
    """Read our own comments into `entries` and `problems`."""
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
            if match is not None and codes:
                problem = "until= wants a day of the calendar, such as until=2027-03-31"
            problems.append((MALFORMED, Hit(place, values={"comment": quoted(ours[0], SHOWN), "problem": problem})))
            continue
        if match["form"] != "ignore-end":
            if until is not None and until < _today(settings):
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
                problems.append((MALFORMED, Hit(place, values={"comment": quoted(ours[0], SHOWN), "problem": problem})))
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
                expired=date is not None and date < _today(settings),
            )
        )
    for start, _ in open_blocks.values():
        place = Span(start.line, start.column, start.line, start.column + len(start.text))
        problem = "this block is never ended with the same codes, so it answers nothing"
        problems.append((MALFORMED, Hit(place, values={"comment": quoted(start.text, SHOWN), "problem": problem})))


def _codes(match: re.Match[str] | None) -> tuple[str, ...]:
    """The codes of one of our comments, () where one of them is not a code."""
    if match is None:
        return ()
    codes = tuple(part.strip() for part in match["codes"].split(","))
    return codes if all(CODE.fullmatch(code) for code in codes) else ()


def _today(settings: Settings) -> dt.date:
    """The day of the run; asked only where an answer ends with a day, so that other verdicts outlast the night."""
    return settings.today or dt.date.fromisoformat(disk.today())


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


STATEMENTS = tuple(kind for kind in KINDS if issubclass(kind, ast.stmt) or kind is ast.ExceptHandler)


def _headers(module: Module) -> Iterator[tuple[int, int]]:
    """First and last line of every simple statement, and of the head of every compound one."""
    for kind in STATEMENTS:
        for node in module.nodes(kind):
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
        first, last = max(around)  # the innermost begins last
        rest = (line.strip() for line in module.lines[comment.line : last])
        if not alone or any(line and not line.startswith("#") for line in rest):
            return first, last
        # Alone below a head that has ended: it stands above the first statement of the body.
    if alone:
        return min((span for span in headers if span[0] > comment.line), default=(comment.line, comment.line + 1))
    return comment.line, comment.line


def by_code(problems: Iterable[tuple[str, Hit]]) -> Mapping[str, list[Hit]]:
    """Problems grouped by the code of the rule that reports them."""
    found: dict[str, list[Hit]] = {}
    for code, hit in problems:
        found.setdefault(code, []).append(hit)
    return found
