"""`valhalla-lint baseline`: write down the findings that are there, so that only new ones are reported.

A baseline answers each finding as often as it was there, wherever its lines go; it holds no source and no secret.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from valhalla_lint.baselines import DEFAULT_FILE, NOTHING, Ledger, file_for, ledgers, read, written
from valhalla_lint.config import Configuration, ConfigurationError, Problem
from valhalla_lint.core.source import Status
from valhalla_lint.hosts.cli import options, status
from valhalla_lint.hosts.cli.output import write
from valhalla_lint.hosts.cli.progress import Progress
from valhalla_lint.linter import Checked, check_paths, every_rule
from valhalla_lint.reports.printable import printable

ACTIONS = {
    "create": "write the baseline of the findings that are there now",
    "update": "add new findings, and drop those that are gone",
    "prune": "drop the findings that are gone",
}


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `baseline`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, about in ACTIONS.items():
        action = actions.add_parser(name, help=about, description=f"{about.capitalize()}.")
        action.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files or folders (default: .)")
        options.add_jobs(action)
        if name == "create":
            action.add_argument("--force", action="store_true", help="replace a baseline that is there")
        if name == "prune":
            action.add_argument("--check", action="store_true", help="write nothing; status 1 if something is gone")
        _add_file(action)
        options.add_selection(action)
        options.add_files(action)
        options.add_configuration(action)
    show = actions.add_parser("show", help="say what a baseline answers, rule by rule")
    show.add_argument("--output-format", default="text", choices=("text", "json"), help="default: text")
    show.set_defaults(hint="the file is named by --baseline FILE")
    _add_file(show)
    options.add_configuration(show)


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--baseline", metavar="FILE", help=f"default: the configured one, else {DEFAULT_FILE}")


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit status. Effect: writes baselines."""
    named = arguments.baseline
    if named is None and not file_for(options.configuration_of(arguments), None):
        arguments.baseline = named = DEFAULT_FILE
    configuration = options.configuration_of(arguments)
    if arguments.action == "show":
        return show(configuration, as_json=arguments.output_format == "json")
    if arguments.action == "create":
        _refuse_to_replace(configuration, force=arguments.force)
    with Progress(sys.stderr) as progress:
        checked = check_paths(arguments.paths, configuration, jobs=arguments.jobs, progress=progress)
    found = (
        ledgers(checked, configuration, lambda _file: NOTHING)
        if arguments.action == "create"
        else ledgers(checked, configuration)
    )
    only_check = arguments.action == "prune" and arguments.check
    for ledger in found:
        after = ledger.pruned if arguments.action == "prune" else ledger.updated
        if not only_check:
            write(ledger.file, written(after), "--baseline")
        sys.stdout.write(_told(ledger, configuration, arguments.action, after.total))
    if arguments.action == "create" and named is not None:
        sys.stderr.write(_unread_by_check(named, arguments))
    ended = _unread(checked)
    return status.FOUND if only_check and not ended and any(ledger.found.stale for ledger in found) else ended


def _refuse_to_replace(configuration: Configuration, *, force: bool) -> None:
    file = file_for(configuration, None)
    if file is not None and (file.is_dir() or (file.exists() and not force)):
        shown = configuration.shown(file)
        problem = (
            f"{shown} is a folder; a baseline is a file"
            if file.is_dir()
            else f"{shown} is there already; `update` adds to it, `--force` replaces it"
        )
        raise ConfigurationError((Problem("--baseline", "", problem),))


def _told(ledger: Ledger, configuration: Configuration, action: str, total: int) -> str:
    """What happened to one baseline, in a line."""
    gone, moved = sum(ledger.found.stale.values()), sum(ledger.found.moved.values())
    parts = [f"{total:,} known"]
    if action != "prune":
        parts.append(f"{len(ledger.found.new):,} added")
    if action != "create":
        parts += [f"{gone:,} gone", f"{moved:,} moved with their files"]
    return f"{printable(configuration.shown(ledger.file))}: {', '.join(parts)}\n"


def _unread_by_check(named: str, arguments: argparse.Namespace) -> str:
    """What has to be done that `check` reads a new baseline; "" where the configuration names it already."""
    by_itself = options.configuration_of(argparse.Namespace(**{**vars(arguments), "baseline": None}))
    file = file_for(by_itself, None)
    if file is not None and file.resolve() == Path(named).resolve():
        return ""
    shown = printable(named)
    return f'`check` reads it where it is told so: --baseline {shown}, or baseline = "{shown}" in the configuration\n'


def _unread(checked: list[Checked]) -> int:
    """Name the files that could not be judged: no baseline answers that."""
    unread = [item.report for item in checked if item.report.status is Status.UNREAD]
    for report in unread:
        sys.stderr.write(f"{printable(report.path)}: not read: {printable('; '.join(report.notes))}\n")
    return status.UNREAD if unread else status.CLEAN


def show(configuration: Configuration, *, as_json: bool) -> int:
    """Print how many findings of which rule the baseline of the working folder answers."""
    file = file_for(configuration, None) or Path(DEFAULT_FILE)
    baseline = read(file)
    by_code: Counter[str] = Counter()
    by_path: Counter[str] = Counter()
    for entry, count in baseline.counts.items():
        by_code[entry.code] += count
        by_path[entry.path] += count
    if as_json:
        told = {"total": baseline.total, "rules": dict(sorted(by_code.items())), "files": dict(sorted(by_path.items()))}
        sys.stdout.write(json.dumps(told, indent=2) + "\n")
        return status.CLEAN
    names = {rule.code: rule.name for rule in every_rule()}
    for code, count in sorted(by_code.items(), key=lambda item: (-item[1], item[0])):
        sys.stdout.write(f"{count:>7,}  {printable(code)} {names.get(code, 'no rule of this version')}\n")
    sys.stdout.write(f"{printable(configuration.shown(file))}: {baseline.total:,} known in {len(by_path):,} files\n")
    return status.CLEAN
