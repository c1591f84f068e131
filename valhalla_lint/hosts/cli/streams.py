"""The terminal as it is: streams that know few characters, readers that leave early."""

import os
import sys


def make_tolerant() -> None:
    """Let a stream that knows no umlaut still show the rest. Effect: on standard output and error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def give_up() -> None:
    """The reader has gone (`| head`): nothing more can be told, not even when the interpreter flushes at its end.

    Effect: standard output leads nowhere from now on.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
