"""`valhalla-lint cache`: what earlier runs found, where it is kept, and how to be rid of it."""

import argparse
import sys
import time

from valhalla_lint.hosts.cli import options, status
from valhalla_lint.replays import evict, files
from valhalla_lint.reports.printable import printable

ACTIONS = {
    "info": "say where results are kept, how many there are and how large they are",
    "clear": "remove them",
}
MEBIBYTE = 1024 * 1024


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `cache`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, about in ACTIONS.items():
        action = actions.add_parser(name, help=about, description=f"{about.capitalize()}.")
        action.add_argument("--cache-dir", metavar="FOLDER", help="this one, in place of the user's cache folder")
        options.add_configuration(action)


def run(arguments: argparse.Namespace) -> int:
    """Tell or remove; returns the exit status. Effect: `clear` deletes our own files in the folder, and no others."""
    arguments.no_cache = False
    folder = options.cache_of(arguments, options.configuration_of(arguments)) or ""
    found = files(folder)
    size = sum(length for _, length, _ in found) / MEBIBYTE
    kept = f"{len(found):,} file{'' if len(found) == 1 else 's'}, {size:.1f} MiB"
    if arguments.action == "clear":
        try:
            evict(folder, 0)
        except OSError as error:
            sys.stderr.write(f"valhalla-lint: {printable(folder)}: {(error.strerror or str(error)).lower()}\n")
            return status.WRONG_USE
        sys.stdout.write(f"{printable(folder)}: removed {kept}\n")
        return status.CLEAN
    used = f", last used {time.strftime('%Y-%m-%d %H:%M', time.localtime(found[-1][0]))}" if found else ""
    sys.stdout.write(f"{printable(folder)}: {kept}{used}\n")
    return status.CLEAN
