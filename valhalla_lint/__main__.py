"""`python -m valhalla_lint` and the console script."""

import sys

STARTING = 200_000
"""Objects that may be made before cyclic garbage is looked for: what is made while a check starts all stays."""


def main() -> int:
    """Run the command line; returns the exit status."""
    if sys.argv[1:] == ["--version"]:  # asked for by scripts and editors, often: not worth a parser
        from valhalla_lint import __version__

        sys.stdout.write(f"valhalla-lint {__version__}\n")
        return 0
    before = None
    if sys.argv[1:2] == ["check"]:
        from valhalla_lint.replays import replayed

        before = replayed(sys.argv[1:])
        if before.said is not None:
            return _say(*before.said)
    import gc

    if sys.argv[1:2] == ["check"]:
        gc.set_threshold(STARTING)
    from valhalla_lint.hosts.cli.main import run  # here, so that importing this module stays free

    ended = run(sys.argv[1:], before)
    gc.freeze()  # the interpreter would go through all that is left once more, just to end
    gc.disable()
    return ended


def _say(ended: int, report: str) -> int:
    """Tell what the same command found before, as nothing has changed; returns its exit status."""
    from valhalla_lint.hosts.cli.streams import give_up, make_tolerant

    make_tolerant()
    try:
        sys.stdout.write(report)
        sys.stdout.flush()
    except BrokenPipeError:
        give_up()
    return ended


if __name__ == "__main__":
    sys.exit(main())
