"""Options that several commands share, and what they mean as settings."""

import argparse
from pathlib import Path

from valhalla_lint.config import Configuration, ConfigurationError, Overrides, Problem
from valhalla_lint.linter import cache_folder

STDIN = "-"
"""The path that stands for standard input."""


def words(text: str) -> tuple[str, ...]:
    """A list separated by commas or blanks."""
    return tuple(text.replace(",", " ").split())


def _processes(text: str) -> int:
    """A number of processes. Raises ArgumentTypeError for what is none."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes: give 1 or more")
    return int(text)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """How many processes work."""
    parser.add_argument("--jobs", type=_processes, default=0, metavar="N", help="processes (default: as many as pay)")


def add_configuration(parser: argparse.ArgumentParser) -> None:
    """Where the configuration comes from."""
    group = parser.add_argument_group("configuration")
    group.add_argument("--config", metavar="FILE", help="use this file for all paths instead of the nearest ones")
    group.add_argument("--isolated", action="store_true", help="read no configuration file at all")


def add_selection(parser: argparse.ArgumentParser) -> None:
    """What is looked for and what counts."""
    group = parser.add_argument_group("selection")
    for name, about in (
        ("--select", "codes, prefixes or names of rules to ask, in place of the configured ones"),
        ("--extend-select", "rules to ask as well"),
        ("--ignore", "rules not to ask, in place of the configured ones"),
        ("--extend-ignore", "rules not to ask either"),
        ("--tiers", "tiers to report: production, test, script"),
    ):
        group.add_argument(name, metavar="LIST", type=words, action="extend", help=about)
    group.add_argument("--strict-tiers", action="store_true", default=None, help="judge all code like production")
    group.add_argument("--preset", help="default (where it is sure) or audit (all that a reviewer may want to see)")
    group.add_argument("--fail-on", metavar="SEVERITY", help="low, medium or high: from which severity a run fails")


def add_files(parser: argparse.ArgumentParser) -> None:
    """Which files are read."""
    group = parser.add_argument_group("files")
    group.add_argument("--exclude", metavar="PATTERNS", type=words, action="extend", help="leave out, as in .gitignore")
    group.add_argument(
        "--no-respect-gitignore",
        dest="respect_gitignore",
        action="store_false",
        default=None,
        help="read what .gitignore leaves out, too",
    )
    group.add_argument(
        "--text-files",
        action="store_true",
        default=None,
        help="read YAML, TOML, JSON, shell and other text files for credentials, too",
    )


def add_fixing(group: argparse._ArgumentGroup) -> None:
    """How fixes are made, for `fix` and for `check --fix`."""
    group.add_argument(
        "--unsafe-fixes", action="store_true", help="also make fixes that change what the program does (read them)"
    )
    group.add_argument(
        "--exit-non-zero-on-fix", action="store_true", help="end with status 1 if a file was changed, for hooks"
    )


def add_known(parser: argparse.ArgumentParser) -> None:
    """Which findings are known already."""
    group = parser.add_argument_group("known findings")
    group.add_argument("--baseline", metavar="FILE", help="report only findings that this baseline does not answer")
    group.add_argument(
        "--no-baseline", dest="baseline", action="store_const", const="", help="report known findings, too"
    )
    group.add_argument(
        "--diff-base", metavar="REV", help="report only what was added since the branch left this revision of git"
    )


def add_cache(parser: argparse.ArgumentParser) -> None:
    """Where earlier answers are kept."""
    group = parser.add_argument_group("cache")
    group.add_argument("--no-cache", action="store_true", help="neither read nor write what earlier runs found")
    group.add_argument("--cache-dir", metavar="FOLDER", help="keep it here, in place of the user's cache folder")


def cache_of(arguments: argparse.Namespace, configuration: Configuration) -> str | None:
    """The folder of the cache, None where none is wanted: as told, as configured, or the user's own."""
    return None if arguments.no_cache else cache_folder(configuration, arguments.cache_dir)


def configuration_of(arguments: argparse.Namespace) -> Configuration:
    """The configuration that the options ask for; nothing is read yet. Raises ConfigurationError."""
    given = vars(arguments)
    if "" in (
        *given.get("paths", ()),
        given.get("path"),
    ):  # an unset variable of a script does not mean all that is here
        raise ConfigurationError((Problem("PATH", "", "an empty path names no file; . is the working folder"),))
    if given.get("stdin_filename") and STDIN not in given["paths"]:
        raise ConfigurationError((Problem("--stdin-filename", "", "names what - reads, and - is not given"),))

    def listed(name: str) -> tuple[str, ...] | None:
        value = given.get(name)
        return None if value is None else tuple(value)

    overrides = Overrides(
        select=listed("select"),
        extend_select=listed("extend_select") or (),
        ignore=listed("ignore"),
        extend_ignore=listed("extend_ignore") or (),
        tiers=listed("tiers"),
        strict_tiers=given.get("strict_tiers"),
        preset=given.get("preset"),
        fail_on=given.get("fail_on"),
        exclude=listed("exclude") or (),
        respect_gitignore=given.get("respect_gitignore"),
        baseline=str(Path(baseline).absolute()) if (baseline := given.get("baseline")) else baseline,
        text_files=given.get("text_files"),
    )
    file = given.get("config")
    return Configuration(
        overrides,
        file=Path(file).absolute() if file else None,
        isolated=bool(given.get("isolated")),
    )
