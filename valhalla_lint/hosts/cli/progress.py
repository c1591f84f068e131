"""A bar on a terminal for runs that take long enough to make one wonder."""

import os
import time
from types import TracebackType
from typing import Self, TextIO

PATIENCE = 0.7
"""Seconds before a bar appears."""
INTERVAL = 0.1
"""Seconds between two drawings."""
WIDTH = 30


class Progress:
    """Called with how many of how many files are done; silent where the stream is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        """stream: where the bar is drawn and wiped away."""
        self._stream = stream
        self._silent = not stream.isatty() or os.environ.get("TERM") == "dumb"
        self._started = time.monotonic()
        self._next = self._started + PATIENCE
        self._drawn = False

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wipe the bar away, also when the run was interrupted."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def __call__(self, done: int, total: int) -> None:
        """Draw, if it is time. Effect: writes to the stream."""
        now = time.monotonic()
        if self._silent or now < self._next:
            return
        self._next = now + INTERVAL
        self._drawn = True
        filled = WIDTH * done // max(1, total)
        self._stream.write(f"\r\x1b[K[{'#' * filled}{'.' * (WIDTH - filled)}] {done:,} of {total:,} files")
        self._stream.flush()
