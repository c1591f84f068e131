"""`valhalla-lint explain`: a rule's page."""

import argparse
import sys

from valhalla_lint.hosts.cli import status
from valhalla_lint.linter import every_rule
from valhalla_lint.reports.page import page


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.add_argument("what", nargs="+", metavar="CODE|NAME", help="a code (VH201), a prefix (VH2) or a rule's name")


def run(arguments: argparse.Namespace) -> int:
    """Print the page of each rule that is asked for; a prefix asks for all of its rules."""
    pages: list[str] = []
    for asked in arguments.what:
        wanted = asked.lower().replace("_", "-")
        exact = [rule for rule in every_rule() if wanted in (rule.code.lower(), rule.name)]
        rules = exact or [rule for rule in every_rule() if rule.code.lower().startswith(wanted)]
        if not rules:
            from valhalla_lint.config import near

            meant = near(asked, tuple(word for rule in every_rule() for word in (rule.code, rule.name)))
            hint = f" (did you mean {meant}?)" if meant else ""
            sys.stderr.write(f"valhalla-lint: no rule is called {asked!r}{hint}\n")
            return status.WRONG_USE
        pages += [page(rule) for rule in rules]
    sys.stdout.write("\n".join(pages))
    return status.CLEAN
