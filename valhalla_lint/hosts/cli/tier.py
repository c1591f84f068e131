"""`valhalla-lint tier`: which tier files belong to, and why."""

import argparse
import json
import sys

from valhalla_lint.core.source import Unread
from valhalla_lint.hosts.cli import options, status
from valhalla_lint.linter import inputs, tier_of
from valhalla_lint.reports.printable import printable


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tier`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files (they need not exist) or folders")
    parser.add_argument("--output-format", default="text", choices=("text", "json"), help="default: text")
    options.add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print each file's tier, its flags and the reasons."""
    configuration = options.configuration_of(arguments)
    ended = status.CLEAN
    told = []
    for item in inputs(arguments.paths, configuration):
        decided = item if isinstance(item, Unread) else tier_of(item.path, configuration)
        if isinstance(decided, Unread):
            ended = status.UNREAD
            sys.stderr.write(f"{printable(decided.path)}: not read: {printable(decided.reason)}\n")
            continue
        told.append(
            {
                "path": item.path,
                "tier": decided.tier.value,
                "flags": sorted(flag.value for flag in decided.flags),
                "reasons": list(decided.reasons),
            }
        )
        if arguments.output_format == "text":
            words = ", ".join([decided.tier.value, *sorted(flag.value for flag in decided.flags)])
            sys.stdout.write(f"{printable(item.path)}: {words}: {printable('; '.join(decided.reasons))}\n")
    if arguments.output_format == "json":
        sys.stdout.write(json.dumps(told, indent=2) + "\n")
    return ended
