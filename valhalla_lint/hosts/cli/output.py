"""Where reports go: one to standard output, any number of others into files."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from valhalla_lint.config import ConfigurationError, Problem
from valhalla_lint.reports.formats import FORMATS, report_of
from valhalla_lint.reports.run import Run

DEFAULT_FORMAT = "full"
"""The report on the terminal where none is asked for."""


def add_output(parser: argparse.ArgumentParser) -> None:
    """The forms of a report."""
    group = parser.add_argument_group("reports")
    group.add_argument("--output-format", choices=tuple(FORMATS), help=f"on the terminal (default: {DEFAULT_FORMAT})")
    group.add_argument(
        "--output",
        action="append",
        default=[],
        metavar="FORMAT:FILE",
        help="write a report into a file as well; may be given several times",
    )
    group.add_argument("--color", default="auto", choices=("auto", "always", "never"), help="default: auto")


def targets(given: Sequence[str]) -> list[tuple[str, Path]]:
    """The reports that `--output` asks for. Raises ConfigurationError for a form or folder that does not exist."""
    found, problems = [], []
    for text in given:
        form, sign, name = text.partition(":")
        file = Path(name)
        if not sign or not name or form not in FORMATS:
            problems.append(
                Problem("--output", "", f"{text!r}: write FORMAT:FILE; FORMAT is one of {', '.join(FORMATS)}")
            )
        elif not file.parent.is_dir():
            problems.append(Problem("--output", "", f"{text!r}: there is no folder {file.parent}"))
        else:
            found.append((form, file))
    if problems:
        raise ConfigurationError(tuple(problems))
    return found


def deliver(run: Run, files: Sequence[tuple[str, Path]]) -> None:
    """Write reports into files. Effect: writes. Raises ConfigurationError where that cannot be done."""
    for form, file in files:
        write(file, report_of(form)(run), "--output")


def write(file: Path, text: str, option: str) -> None:
    """Replace a file as a whole, or leave it as it was; pipes and devices are written to.

    Effect: writes. Raises ConfigurationError where that cannot be done; `option` is what asked for it.
    """
    data = text.encode("utf-8", "backslashreplace")
    target = Path(os.path.realpath(file))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        try:
            part.write_bytes(data)
            if target.exists():
                part.chmod(target.stat().st_mode)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        problem = f"{file}: cannot be written ({(error.strerror or str(error)).lower()})"
        raise ConfigurationError((Problem(option, "", problem),)) from error


def wants_colour(wish: str) -> bool:
    """Whether to write colours: as told, else as the environment says, else only to a terminal that can show them."""
    if wish != "auto":
        return wish == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
