"""Reports for people: one line a finding, or each with its source, its steps, its reasons and what would clear it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding, Severity, Step
from valhalla_lint.core.source import Status
from valhalla_lint.core.tier import Tier
from valhalla_lint.reports.excerpt import Excerpts
from valhalla_lint.reports.printable import printable
from valhalla_lint.reports.run import Run

READING = frozenset({"VH906", "VH907", "VH908"})
"""The findings that say how far a file was read."""
RESET = "\x1b[0m"
BOLD = "\x1b[1m"
DIM = "\x1b[2m"
FOR, AGAINST = "for: ", "against: "
"""How a reason says on which side it is."""
SIDES = {FOR: "because", AGAINST: "although"}
"""The words by which a reader is told so."""
REMEDY = "remedy"
LABEL = 8
"""The longest of these words."""
COLOURS = {Severity.HIGH: "\x1b[31m", Severity.MEDIUM: "\x1b[33m", Severity.LOW: "\x1b[36m"}


def concise(run: Run) -> str:
    """One line for each finding, sorted by place, and the closing line."""
    lines = [
        f"{printable(finding.path)}:{finding.spot}: {finding.code} {printable(finding.text)}"
        for finding in run.findings
    ]
    return _joined([*lines, *closing(run)])


def full(run: Run) -> str:
    """Findings by tier, each with its line, its steps, its reasons and what would clear it; then the closing line."""
    paint = Paint(colour=run.colour)
    excerpts = Excerpts(run.files, run.lines, run.known)
    lines: list[str] = []
    for tier in Tier:
        findings = [finding for finding in run.findings if finding.tier is tier]
        if not findings:
            continue
        lines += [paint.bold(f"── {tier.value}: {_count(len(findings), 'finding')}"), ""]
        for finding in findings:
            lines += [*_finding(finding, excerpts, paint), ""]
    return _joined([*lines, *closing(run)])


def statistics(run: Run) -> str:
    """How often each rule speaks, by tier, the most frequent first; then the closing line."""
    counts: Counter[tuple[str, str]] = Counter((finding.code, finding.name) for finding in run.findings)
    by_tier: Counter[tuple[str, Tier]] = Counter((finding.code, finding.tier) for finding in run.findings)
    rows = [["count", "code", "name", *(tier.value for tier in Tier)]]
    for (code, name), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        rows.append([str(count), code, name, *(str(by_tier[code, tier] or "") for tier in Tier)])
    return _joined([*(_table(rows) if counts else ()), *closing(run)])


def closing(run: Run) -> Iterator[str]:
    """What was found in how many files, and how far they were read."""
    unread, partly = run.having(Status.UNREAD), run.having(Status.PARTLY)
    findings = sum(run.tiers.values())
    yield from run.notes
    told = {finding.path for file in run.files for finding in file.findings if finding.code in READING}
    for words, files in (("not read", unread), ("read only in part", partly)):
        for file in files:
            if file.path not in told:  # told here, where no finding tells it
                yield f"{printable(file.path)}: {words}: {printable('; '.join(file.notes))}"
    parts = [_count(len(run.files), "file")]
    if partly:
        parts.append(f"{len(partly)} read only in part")
    if unread:
        parts.append(f"{len(unread)} not read")
    suppressed = sum(len(file.suppressed) for file in run.files)
    if suppressed:
        parts.append(f"{_count(suppressed, 'finding')} suppressed in the source")
    if run.known:
        parts.append(f"{_count(len(run.known), 'finding')} known before")
    where = ", ".join(parts)
    if findings:
        tiers = ", ".join(f"{run.tiers[tier]:,} {tier.value}" for tier in Tier)
        yield f"Found {_count(findings, 'finding')} ({tiers}) in {where}."
    else:
        yield f"No findings in {where}."


class Paint:
    """Puts colours on words, or none."""

    def __init__(self, *, colour: bool) -> None:
        """colour: whether escape sequences are written at all."""
        self.colour = colour

    def __call__(self, text: str, code: str) -> str:
        """A text in a colour."""
        return f"{code}{text}{RESET}" if self.colour else text

    def bold(self, text: str) -> str:
        """A heading."""
        return self(text, BOLD)

    def dim(self, text: str) -> str:
        """What stands beside the point."""
        return self(text, DIM)


def _finding(finding: Finding, excerpts: Excerpts, paint: Paint) -> Iterator[str]:
    colour = COLOURS[finding.severity]
    place = f"{printable(finding.path)}:{finding.spot}"
    weight = f"{finding.severity.name.lower()} severity, {finding.confidence.name.lower()} confidence"
    yield f"{place}  {paint(f'{finding.code} {finding.name}', colour)}  {paint.dim(weight)}"
    yield f"  {paint.bold(printable(finding.message))}"
    if (shown := excerpts.of(finding.path, finding.span)) is not None:
        number = finding.span.line if finding.cell is None else finding.cell.span.line
        yield f"{paint.dim(f'{number:>6} │ ')}{shown.text}"
        yield f"{paint.dim(' ' * 6 + ' │ ')}{paint(shown.marks, colour)}"
    for number, step in enumerate(finding.steps, 1):
        yield from _step(finding, step, number, excerpts, paint)
    for reason in finding.reasons:
        word, said = _reason(reason)
        yield f"  {paint.dim(word.ljust(LABEL))} {printable(said)}"
    if finding.remedy:
        yield f"  {paint.dim(REMEDY.ljust(LABEL))} {printable(finding.remedy)}"


def _reason(reason: str) -> tuple[str, str]:
    """The word that leads to a reason, and the reason without the word by which records tell its side."""
    for side, word in SIDES.items():
        if reason.startswith(side):
            return word, reason.removeprefix(side)
    return SIDES[FOR], reason


def _step(finding: Finding, step: Step, number: int, excerpts: Excerpts, paint: Paint) -> Iterator[str]:
    path = step.path or finding.path
    where = step.line_in_words if path == finding.path else f"{printable(path)}:{step.span.line}"
    yield f"  {number}. {where}: {printable(step.text)}"
    if (path, step.span.line) != (finding.path, finding.span.line) and (shown := excerpts.of(path, step.span)):
        yield f"     {paint.dim(shown.text)}"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns side by side, figures to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if column in (1, 2) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"
