"""`valhalla-lint check`: find what is wrong in files, folders or standard input."""

import argparse
import sys
from collections.abc import Sequence

from valhalla_lint import replays
from valhalla_lint.config import Configuration
from valhalla_lint.core.source import Status
from valhalla_lint.hosts.cli import options, output, status
from valhalla_lint.hosts.cli.known import without_known
from valhalla_lint.hosts.cli.options import STDIN
from valhalla_lint.hosts.cli.progress import Progress
from valhalla_lint.linter import Checked, Compared, Rests, check_bytes, check_paths, every_rule, lines_in, lines_of
from valhalla_lint.reports.formats import report_of
from valhalla_lint.reports.run import Run

COUNTS_ALONE = (
    "valhalla-lint: --statistics prints counts in the place of findings, so --output-format {form} has nothing to say; "
    "leave one of them out, or write the findings into a file with --output {form}:FILE\n"
)


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files, folders, or - (default: .)")
    parser.add_argument("--statistics", action="store_true", help="how often each rule speaks, instead of findings")
    parser.add_argument("--exit-zero", action="store_true", help="end with status 0 even if there are findings")
    parser.add_argument("--stdin-filename", metavar="PATH", default="", help="under which name - is judged")
    options.add_jobs(parser)
    fixing = parser.add_argument_group("fixing")
    fixing.add_argument("--fix", action="store_true", help="mend what can be mended, then report what is left")
    fixing.add_argument("--diff", action="store_true", help="only show what --fix would change, secrets masked")
    options.add_fixing(fixing)
    output.add_output(parser)
    options.add_selection(parser)
    options.add_known(parser)
    options.add_files(parser)
    options.add_cache(parser)
    options.add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check, report, and return the exit status."""
    if arguments.statistics and arguments.output_format:
        sys.stderr.write(COUNTS_ALONE.format(form=arguments.output_format))
        return status.WRONG_USE
    configuration = options.configuration_of(arguments)
    if arguments.diff or (arguments.fix and STDIN in arguments.paths):
        from valhalla_lint.hosts.cli import fix  # the menders are loaded only where they are needed

        return fix.run(arguments)
    files = output.targets(arguments.output)
    fixed = _fixed(configuration, arguments) if arguments.fix else status.CLEAN
    if STDIN in arguments.paths and len(arguments.paths) > 1:
        sys.stderr.write("valhalla-lint: - stands alone: it cannot be checked together with paths\n")
        return status.WRONG_USE
    with replays.recording() as looks:
        told, compared = _checked(configuration, arguments)
        output.deliver(told, files)
        report = (
            statistics_of(told)
            if arguments.statistics
            else report_of(arguments.output_format or output.DEFAULT_FORMAT)(told)
        )
    ended = max(fixed, exit_status(compared.checked, exit_zero=arguments.exit_zero))
    if _says_the_same_again(arguments, configuration, compared.checked):
        replays.keep(arguments.argv, ended, report, looks, arguments.before)
    sys.stdout.write(report)
    sys.stdout.flush()
    return ended


def _checked(configuration: Configuration, arguments: argparse.Namespace) -> tuple[Run, Compared]:
    """What a report tells, and the answers behind it."""
    lines = None
    rests: Rests = {}
    if STDIN in arguments.paths:
        data = sys.stdin.buffer.read()
        one = check_bytes(data, arguments.stdin_filename, configuration)
        checked = [] if one is None else [one]
        lines = lines_in(data, arguments.stdin_filename)
    else:
        cache = options.cache_of(arguments, configuration)
        with Progress(sys.stderr) as progress:
            checked = check_paths(
                arguments.paths,
                configuration,
                jobs=arguments.jobs,
                progress=progress,
                cache=cache,
                rests=rests if arguments.diff_base else None,
                same=() if arguments.fix else arguments.before.same,
            )
    compared, notes = without_known(checked, configuration, arguments, rests)
    told = Run(
        files=tuple(item.report for item in compared.checked),
        lines=(lambda _path: lines) if lines is not None else (lambda path: lines_of(path, configuration.base)),
        colour=output.wants_colour(arguments.color),
        notes=(*notes_on(configuration, checked), *notes),
        rules=every_rule,
        known=compared.known,
    )
    return told, compared


def _says_the_same_again(
    arguments: argparse.Namespace, configuration: Configuration, checked: Sequence[Checked]
) -> bool:
    """Whether the same command over the same files needs to do no more than to print the same.

    Not where it changes files, asks git or standard input, or met what could not be read: why, may change at any time.
    """
    does_more = arguments.fix or arguments.output or arguments.diff_base or STDIN in arguments.paths
    read = all(item.report.status is not Status.UNREAD for item in checked)
    found = options.cache_of(arguments, configuration) == replays.folder_of(arguments.argv)
    return not does_more and read and found


def _fixed(configuration: Configuration, arguments: argparse.Namespace) -> int:
    """Mend first; what was done goes to standard error, so that the report stays readable by programs."""
    from valhalla_lint.hosts.cli import fix

    return fix.write_and_tell(fix.mended(configuration, arguments), arguments, sys.stderr)


def statistics_of(run: Run) -> str:
    """Counts instead of findings."""
    from valhalla_lint.reports.text import statistics

    return statistics(run)


def exit_status(checked: Sequence[Checked], *, exit_zero: bool) -> int:
    """3 where an input could not be read, 1 where findings fail the run, else 0; `--exit-zero` forgives findings."""
    if any(item.report.status is Status.UNREAD for item in checked):
        return status.UNREAD
    if any(item.failing for item in checked) and not exit_zero:
        return status.FOUND
    return status.CLEAN


NOTHING = "Nothing to check: no Python file was found there, or `exclude` or .gitignore leaves it out."
QUIETING = ("clean", "guard", "mark", "pass")
"""Rows of a project's own that can make findings disappear."""


def notes_on(configuration: Configuration, checked: list[Checked]) -> tuple[str, ...]:
    """What a reader must know of the run as a whole."""
    notes = [] if checked else [NOTHING]
    for file, settings in configuration.in_use():
        rows = sum(len(settings.catalogue.get(kind, ())) for kind in QUIETING)
        if rows:
            notes.append(f"{configuration.shown(file)} clears flows by {rows} of its own rows; --isolated reads none.")
    return tuple(notes)
