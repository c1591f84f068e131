"""The command line: one module a command, imported only when it is called."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol, cast

from valhalla_lint import __version__
from valhalla_lint.hosts.cli import status
from valhalla_lint.hosts.cli.streams import give_up, make_tolerant
from valhalla_lint.replays import Replay


class Command(NamedTuple):
    """A command: its name, and its line in the overview. Its module is called like it, dashes as underscores."""

    name: str
    about: str


COMMANDS = (
    Command("check", "find what is wrong in files, folders or standard input"),
    Command("fix", "mend what can be mended, each change proven before it is written"),
    Command("baseline", "write down the findings that are there, so that only new ones are reported"),
    Command("suppressions", "list every answer in the source: reason, date, and whether it does anything"),
    Command("explain", "say what a rule finds, why, and how to answer it"),
    Command("rules", "list all rules"),
    Command("tier", "say which tier files belong to, and why"),
    Command("config", "say which settings hold for a path, and where they come from"),
    Command("review", "say what a repository shows at one commit, with the place behind every statement"),
    Command("server", "judge what is open in an editor (a language server on standard input and output)"),
    Command("cache", "say what is kept of earlier runs, or remove it"),
    Command("init", "write the table for this project into pyproject.toml"),
)


USUAL_COLUMNS = 80
"""Of a terminal that does not tell."""
MARGIN = 2
"""Columns that stay free, as argparse leaves them."""


class CommandModule(Protocol):
    """What a command's module holds."""

    def register(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; returns the exit status. Raises ConfigurationError for wrong settings."""
        ...


def run(argv: Sequence[str], before: Replay | None = None) -> int:
    """Run a command; returns the exit status. before: what it is known to have found earlier. Effect: prints."""
    make_tolerant()
    command = next((command for command in COMMANDS if command.name in argv[:1]), None)
    parser, child = _overview(argv) if command is None else (_alone(command), None)
    arguments, unknown = parser.parse_known_args(argv if command is None else argv[1:])
    if unknown:
        hint = getattr(arguments, "hint", f"`{(child or parser).prog} --help` says what it takes")
        (child or parser).error(f"unrecognized arguments: {' '.join(unknown)}; {hint}")
    arguments.argv = tuple(argv)
    arguments.before = before or Replay()
    if arguments.command is None:
        parser.print_help()
        return status.WRONG_USE
    from valhalla_lint.config import ConfigurationError

    try:
        return _module(arguments.command).run(arguments)
    except ConfigurationError as error:
        for problem in error.problems:
            sys.stderr.write(f"valhalla-lint: {problem}\n")
        return status.WRONG_USE
    except KeyboardInterrupt:
        return status.INTERRUPTED
    except BrokenPipeError:
        give_up()
        return status.FOUND


def _alone(command: Command) -> argparse.ArgumentParser:
    """A parser for one command alone: making those of all takes longer than many a file does."""
    parser = argparse.ArgumentParser(
        prog=f"valhalla-lint {command.name}", description=_description(command), formatter_class=_formatter
    )
    return _filled(command, parser)


def _formatter(prog: str) -> argparse.HelpFormatter:
    """As wide as the terminal; argparse makes one for each argument, and would load `shutil` to ask how wide it is."""
    return argparse.HelpFormatter(prog, width=_columns() - MARGIN)


@cache
def _columns() -> int:
    stated = os.environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated):
        return int(stated)
    try:
        return os.get_terminal_size().columns or USUAL_COLUMNS
    except (OSError, ValueError):  # there is none
        return USUAL_COLUMNS


def _filled(command: Command, parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """A command's parser with its arguments."""
    parser.set_defaults(command=command.name)
    _module(command.name).register(parser)
    return parser


def _description(command: Command) -> str:
    return f"{command.about.capitalize()}."


def _overview(argv: Sequence[str]) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser | None]:
    """The parser of all commands, and that of the one that is called, if any: only that has its arguments added."""
    named = next((word for word in argv if not word.startswith("-")), "")
    parser = argparse.ArgumentParser(
        prog="valhalla-lint",
        description="A security linter for Python: paths, secrets, unnamed constants, model loading, in three tiers.",
    )
    parser.add_argument("--version", action="version", version=f"valhalla-lint {__version__}")
    called: argparse.ArgumentParser | None = None
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in COMMANDS:
        child = commands.add_parser(command.name, help=command.about, description=_description(command))
        if command.name == named:
            called = _filled(command, child)
    return parser, called


def _module(name: str) -> CommandModule:
    found = importlib.import_module(f"valhalla_lint.hosts.cli.{name.replace('-', '_')}")
    return cast("CommandModule", found)
