"""`valhalla-lint server`: a language server on standard input and output."""

import argparse
import sys

from valhalla_lint.hosts.cli import options, status


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `server`."""
    parser.add_argument("--stdio", action="store_true", help="accepted because editors pass it; there is no other way")
    options.add_selection(parser)
    options.add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends it; returns the exit status."""
    try:
        from valhalla_lint.hosts.lsp.service import serve
    except ImportError:
        sys.stderr.write("valhalla-lint: the server needs pygls: pip install 'valhalla-lint[lsp]'\n")
        return status.WRONG_USE
    return serve(options.configuration_of(arguments))
