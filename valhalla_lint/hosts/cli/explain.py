"""`valhalla-lint explain`: a rule's page, or what the catalogue says of a function, method or class."""

import argparse
import sys

from valhalla_lint.hosts.cli import options, status
from valhalla_lint.linter import every_rule, rows_about
from valhalla_lint.reports.page import page


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.add_argument(
        "what",
        nargs="+",
        metavar="WHAT",
        help="a code (VH201), a prefix (VH2), a rule's name, or a dotted name (flask.request.args)",
    )
    options.add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the page of each rule, and the rows about each name, that is asked for."""
    pages: list[str] = []
    for asked in arguments.what:
        found = _rules(asked) or _rows(asked, arguments)
        if not found:
            from valhalla_lint.config import near

            meant = near(asked, tuple(word for rule in every_rule() for word in (rule.code, rule.name)))
            hint = f" (did you mean {meant}?)" if meant else ""
            sys.stderr.write(f"valhalla-lint: no rule is called {asked!r}, and the catalogue does not know it{hint}\n")
            return status.WRONG_USE
        pages += found
    sys.stdout.write("\n".join(pages))
    return status.CLEAN


def _rules(asked: str) -> list[str]:
    """The pages of a rule, or of all rules that begin with a prefix."""
    if not asked:
        return []  # every code begins with nothing
    wanted = asked.lower().replace("_", "-")
    exact = [rule for rule in every_rule() if wanted in (rule.code.lower(), rule.name)]
    return [page(rule) for rule in exact or every_rule() if exact or rule.code.lower().startswith(wanted)]


def _rows(asked: str, arguments: argparse.Namespace) -> list[str]:
    """What the catalogue knows about a dotted name."""
    known, sentences = rows_about(asked, options.configuration_of(arguments))
    if not sentences:
        return []
    head = known if known == asked else f"{asked}: nothing of its own; of {known} it is known:"
    return ["\n".join([head, *(f"  {sentence}" for sentence in sentences)]) + "\n"]
