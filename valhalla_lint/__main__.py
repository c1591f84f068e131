"""`python -m valhalla_lint` and the console script."""

import sys


def main() -> int:
    """Run the command line; returns the exit status."""
    from valhalla_lint.hosts.cli.main import run  # here, so that importing this module stays free

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
