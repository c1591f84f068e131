"""`python -m valhalla_lint` and the console script."""

import sys


def main() -> int:
    """Run the command line; returns the exit status."""
    if sys.argv[1:] == ["--version"]:  # asked for by scripts and editors, often: not worth a parser
        from valhalla_lint import __version__

        sys.stdout.write(f"valhalla-lint {__version__}\n")
        return 0
    from valhalla_lint.hosts.cli.main import run  # here, so that importing this module stays free

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
