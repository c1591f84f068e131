"""`valhalla-lint fix`: mend what can be mended and proven, and say what was done.

Exit status: 0 where all is well, even if findings are left (`check` tells those); 1 with `--diff` where something would
change, and with `--exit-non-zero-on-fix` where something did; 2 for a wrong call; 3 where a file could not be read or
written.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from valhalla_lint.config import Configuration
from valhalla_lint.fixes.run import Line, Outcome, mend_bytes, mend_paths, write
from valhalla_lint.hosts.cli import options, status
from valhalla_lint.hosts.cli.known import counted, known_before
from valhalla_lint.hosts.cli.options import STDIN
from valhalla_lint.hosts.cli.progress import Progress
from valhalla_lint.reports.excerpt import without_tokens

SHOWN = 20
"""How many refusals are listed before the rest is only counted."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `fix`."""
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files, folders, or - (default: .)")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change, secrets masked")
    parser.add_argument("--stdin-filename", metavar="PATH", default="", help="under which name - is judged")
    options.add_jobs(parser)
    options.add_fixing(parser.add_argument_group("fixing"))
    options.add_selection(parser)
    options.add_known(parser)
    options.add_files(parser)
    options.add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Mend, say what was done, and return the exit status. Effect: changes files, unless a diff is asked for."""
    configuration = options.configuration_of(arguments)
    if STDIN in arguments.paths:
        if len(arguments.paths) > 1:
            sys.stderr.write("valhalla-lint: - stands alone: it cannot be mended together with paths\n")
            return status.WRONG_USE
        return filtered(sys.stdin.buffer.read(), configuration, arguments)
    outcomes = mended(configuration, arguments)
    if arguments.diff:
        return shown(outcomes)
    return write_and_tell(outcomes, arguments, sys.stdout)


def write_and_tell(outcomes: Sequence[Outcome], arguments: argparse.Namespace, stream: TextIO) -> int:
    """Write the files that change, say what was done, and return the exit status. Effect: changes files."""
    left = write(outcomes)
    stream.write("".join(f"{line}\n" for line in told(outcomes, left)))
    stream.flush()
    return exit_status(outcomes, left, changed_is_failure=arguments.exit_non_zero_on_fix)


def mended(configuration: Configuration, arguments: argparse.Namespace) -> list[Outcome]:
    """The outcomes for all paths; nothing is written. What is known already is left as it is."""
    known = counted(known_before(configuration, arguments))
    with Progress(sys.stderr) as progress:
        return mend_paths(
            arguments.paths,
            configuration,
            unsafe=arguments.unsafe_fixes,
            known=known,
            jobs=arguments.jobs,
            progress=progress,
        )


def filtered(data: bytes, configuration: Configuration, arguments: argparse.Namespace) -> int:
    """Standard input mended to standard output; what was done goes to standard error."""
    known = counted(known_before(configuration, arguments, data))
    outcome = mend_bytes(data, arguments.stdin_filename, configuration, unsafe=arguments.unsafe_fixes, known=known)
    outcomes = [] if outcome is None else [outcome]
    if arguments.diff:
        return shown(outcomes)
    sys.stdout.flush()
    sys.stdout.buffer.write(outcome.after if outcome is not None and outcome.changes else data)
    sys.stdout.buffer.flush()
    sys.stderr.write("".join(f"{line}\n" for line in told(outcomes, {})))
    return exit_status(outcomes, {}, changed_is_failure=arguments.exit_non_zero_on_fix)


def shown(outcomes: Iterable[Outcome]) -> int:
    """Print what would change, without secrets and what looks like one; 1 if anything would."""
    listed = list(outcomes)
    sys.stdout.write("".join(without_tokens(outcome.difference) for outcome in listed if outcome.changes))
    sys.stderr.write("".join(f"{line}\n" for line in told(listed, {}, would=True)))
    if any(outcome.problem for outcome in listed):
        return status.UNREAD
    return status.FOUND if any(outcome.changes for outcome in listed) else status.CLEAN


def exit_status(outcomes: Iterable[Outcome], left: dict[str, str], *, changed_is_failure: bool) -> int:
    """3 where a file could not be read or written, 1 where a change counts as a failure, else 0."""
    listed = list(outcomes)
    if left or any(outcome.problem for outcome in listed):
        return status.UNREAD
    return status.FOUND if changed_is_failure and any(outcome.changes for outcome in listed) else status.CLEAN


def told(outcomes: Iterable[Outcome], left: dict[str, str], *, would: bool = False) -> list[str]:
    """What was done, file by file, and in all."""
    lines: list[str] = []
    fixed = files = withheld = 0
    refused: list[str] = []
    for outcome in outcomes:
        problem = outcome.problem or left.get(outcome.path, "")
        withheld += sum(item.count for item in outcome.withheld)
        refused += [_at(outcome.path, item) for item in outcome.refused]
        if problem:
            lines.append(f"{outcome.path}: left as it is: {problem}")
        elif outcome.changes:
            files += 1
            fixed += sum(item.count for item in outcome.applied)
            if not would:
                lines += [_at(outcome.path, item) for item in outcome.applied]
    if refused:
        lines.append(f"Not mended ({len(refused)}):")
        lines += [f"  {line}" for line in refused[:SHOWN]]
        if len(refused) > SHOWN:
            lines.append(f"  and {len(refused) - SHOWN} more")
    lines.append(f"{'Would fix' if would else 'Fixed'} {_count(fixed, 'finding')} in {_count(files, 'file')}.")
    if withheld:
        lines.append(f"{_count(withheld, 'more finding')} can be mended with --unsafe-fixes.")
    return lines


def _at(path: str, item: Line) -> str:
    mark = "" if item.safe else " (unsafe)"
    return f"{path}:{item.place}: {item.code} {item.text}{mark}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
