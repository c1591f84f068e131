"""`valhalla-lint suppressions`: every answer in the source, with its reason, its date, and whether it does anything."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Answer, FileReport, State, file_span, spot
from valhalla_lint.core.source import Status
from valhalla_lint.hosts.cli import options, status
from valhalla_lint.hosts.cli.progress import Progress
from valhalla_lint.linter import check_paths
from valhalla_lint.reports.printable import printable

EVERY = "all codes"
"""What a suppression without codes silences."""
NO_CODE = "no code"
"""What one silences that cannot be read."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `suppressions`."""
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files or folders (default: .)")
    parser.add_argument("--output-format", default="text", choices=("text", "json"), help="default: text")
    parser.add_argument(
        "--state",
        action="append",
        choices=tuple(state.value for state in State),
        help="show only answers in this state; may be given several times",
    )
    options.add_jobs(parser)
    options.add_selection(parser)
    options.add_files(parser)
    options.add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the answers by place, then how many there are of each state; 3 where an input could not be read."""
    configuration = options.configuration_of(arguments)
    with Progress(sys.stderr) as progress:
        checked = check_paths(arguments.paths, configuration, jobs=arguments.jobs, progress=progress)
    reports = [item.report for item in checked]
    wanted = frozenset(arguments.state or [state.value for state in State])
    rows = [(report, answer) for report, answer in answers(reports) if answer.state.value in wanted]
    if arguments.output_format == "json":
        sys.stdout.write(json.dumps([as_values(*row) for row in rows], indent=2) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in told(rows)))
    unread = [report for report in reports if report.status is Status.UNREAD]
    for report in unread:
        sys.stderr.write(f"{printable(report.path)}: not read: {printable('; '.join(report.notes))}\n")
    return status.UNREAD if unread else status.CLEAN


def answers(reports: Sequence[FileReport]) -> Iterator[tuple[FileReport, Answer]]:
    """All answers with their files, by place."""
    for report in reports:
        for answer in sorted(report.answers, key=lambda item: (file_span(item.span, item.cell), item.code)):
            yield report, answer


def told(rows: Sequence[tuple[FileReport, Answer]]) -> Iterator[str]:
    """One line for each answer, and the closing line."""
    for report, answer in rows:
        until = f" until {answer.until}" if answer.until else ""
        reason = f" -- {printable(answer.reason)}" if answer.reason else ""
        place = f"{printable(report.path)}:{spot(answer.span, answer.cell)}"
        count = f" ({answer.findings} finding{'' if answer.findings == 1 else 's'})" if answer.findings else ""
        code = answer.code or (NO_CODE if answer.state is State.MALFORMED else EVERY)
        problem = f": {printable(answer.problem)}" if answer.problem else ""
        state = f"{answer.kind}, {answer.state.value}{count}{until}{problem}"
        yield f"{place}: {printable(code)} [{report.tier.value}] {state}{reason}"
    counts = Counter(answer.state for _, answer in rows)
    states = ", ".join(f"{counts[state]:,} {state.value}" for state in State if counts[state])
    yield f"{len(rows):,} suppression{'' if len(rows) == 1 else 's'}" + (f": {states}." if states else ".")


def as_values(report: FileReport, answer: Answer) -> dict[str, object]:
    """An answer for programs; an empty code silences every rule, or none where the answer is malformed."""
    return {
        "path": report.path,
        "line": file_span(answer.span, answer.cell).line,
        "column": file_span(answer.span, answer.cell).column + 1,
        "tier": report.tier.value,
        "code": answer.code,
        "kind": answer.kind,
        "state": answer.state.value,
        "findings": answer.findings,
        "reason": answer.reason,
        "until": answer.until,
        "problem": answer.problem,
    }
