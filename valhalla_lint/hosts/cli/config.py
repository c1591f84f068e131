"""`valhalla-lint config show PATH`: which settings hold for a path, and where they come from."""

import argparse
import sys
from collections.abc import Iterator
from enum import Enum

from valhalla_lint.core.settings import Settings
from valhalla_lint.hosts.cli import options, status
from valhalla_lint.linter import every_rule


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `config`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="print the settings that hold for a file or folder")
    show.add_argument("path", nargs="?", default=".", metavar="PATH")
    options.add_configuration(show)


def run(arguments: argparse.Namespace) -> int:
    """Print the settings as TOML, with the file that they come from."""
    configuration = options.configuration_of(arguments)
    location = configuration.locate(arguments.path)
    if location.is_dir():
        location /= "any file in it"
    settings = configuration.settings_for(location)
    file = configuration.file_for(location)
    where = file.as_posix() if file is not None else "no configuration file: these are the defaults"
    sys.stdout.write(f"# {where}\n" + "\n".join(_lines(settings)) + "\n")
    return status.CLEAN


def _lines(settings: Settings) -> Iterator[str]:
    for key in ("select", "ignore"):
        yield f"{key} = {toml(getattr(settings, key))}"
    if not settings.select:
        yield "# an empty select takes every rule"
    yield f"preset = {toml(settings.preset)}"
    yield f"strict-tiers = {toml(settings.strict_tiers)}"
    yield f"fail-on = {toml(settings.fail_on.name.lower())}"
    yield f"exclude = {toml(settings.exclude)}"
    yield f"respect-gitignore = {toml(settings.respect_gitignore)}"
    yield f"unsuppressable = {toml(settings.unsuppressable)}"
    yield f"require-reason = {toml(settings.require_reason)}"
    yield f"baseline = {toml(settings.baseline)}"
    yield f"text-files = {toml(settings.text_files)}"
    yield f"cache = {toml(settings.cache)}"
    yield f"cache-dir = {toml(settings.cache_dir)}"
    yield from ("", "[tiers]", f"report = {toml(sorted(tier.value for tier in settings.tiers))}")
    for name, patterns in settings.tier_overrides._asdict().items():
        if patterns:
            yield f"{name} = {toml(patterns)}"
    if settings.per_file_ignores:
        yield from ("", "[per-file-ignores]")
        yield from (f"{toml(pattern)} = {toml(codes)}" for pattern, codes in settings.per_file_ignores.items())
    names = {rule.code: rule.name for rule in every_rule()}
    for code, given in settings.rules.items():
        yield from ("", f"[rules.{names.get(code, code)}]")
        yield from (f"{name.replace('_', '-')} = {toml(value)}" for name, value in given._asdict().items())
    for kind, rows in settings.catalogue.items():
        yield from ("", f"# {len(rows)} of your own rows: [[catalogue.{kind}]]")


def toml(value: object) -> str:
    """A value as TOML writes it, sets in a fixed order."""
    match value:
        case bool():
            return "true" if value else "false"
        case Enum():
            return toml(value.value)
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case frozenset() | set():
            return toml(sorted(value, key=repr))
        case list() | tuple():
            return "[" + ", ".join(toml(item) for item in value) + "]"
        case None:
            return '""'
        case _:
            return str(value)
