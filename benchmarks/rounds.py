"""Rounds in which every subject runs once, so that a busy machine weighs on all of them alike."""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.subjects import Ratio

FINE = (0, 1)
"""Exit statuses of a linter that did its work."""
KIBIBYTE = 1024


@dataclass(frozen=True, slots=True)
class Run:
    """One run: CPU seconds of the process and its children, wall seconds, and peak memory of the largest in MiB.

    Memory below that of the measuring process cannot be told: a child begins as a copy of it.
    """

    cpu: float
    wall: float
    memory: float


class Failed(Exception):  # noqa: N818 -- it is caught by its name where a subject is dropped
    """A subject that did not do its work; the text says how it ended."""


def run(command: Sequence[str], folder: Path, home: Path) -> Run:
    """Run a command to its end, with an empty home. Raises Failed where it ends with an unexpected status."""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("PYTHON") or key == "PYTHONPATH"
    }
    environment |= {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "PYTHONHASHSEED": "0", "NO_COLOR": "1"}
    with tempfile.TemporaryFile() as told:
        began = time.monotonic()
        process = subprocess.Popen(  # noqa: S603 -- commands of our own table
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=told, env=environment, cwd=folder
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        last = told.read().decode("utf-8", "replace").strip().splitlines()[-1:]
    if process.returncode not in FINE:
        raise Failed(f"exit status {process.returncode}: {' '.join(last)}")
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / KIBIBYTE)


def rounds(
    jobs: Mapping[str, Callable[[], Run]], count: int, told: Callable[[str], None]
) -> Mapping[str, tuple[Run, ...]]:
    """Run every subject once in each round, in an order that turns by one; a first round warms up and does not count.

    A subject that fails is dropped, and that is told.
    """
    done: dict[str, list[Run]] = {name: [] for name in jobs}
    order = list(jobs)
    for number in range(count + 1):
        order = order[1:] + order[:1]
        for name in tuple(order):
            try:
                result = jobs[name]()
            except Failed as error:
                told(f"{name} is left out: {error}")
                order.remove(name)
                del done[name]
                continue
            if number:
                done[name].append(result)
        told(f"round {number} of {count} is done")
    return {name: tuple(runs) for name, runs in done.items()}


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of a figure over the rounds, with its least and greatest."""

    median: float
    least: float
    greatest: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> "Spread":
        """Over at least one figure."""
        return cls(statistics.median(figures), min(figures), max(figures))


def ratio(row: Ratio, done: Mapping[str, tuple[Run, ...]]) -> Spread | None:
    """A ratio taken inside each round; None where one of its subjects was not measured."""
    if not all(done.get(name) for name in (row.of, row.to, row.less or row.to)):
        return None
    less = [item.cpu for item in done[row.less]] if row.less else [0.0] * len(done[row.of])
    pairs = zip(done[row.of], less, done[row.to], strict=True)
    return Spread.of([(one.cpu - other) / base.cpu for one, other, base in pairs])
