"""Work on many items: the same answers, in the same order, however many processes there are."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from valhalla_lint.engine.run import Work, processes, run

DEADLY = 7


@dataclass(frozen=True)
class Prepare:
    deadly: bool = False

    def __call__(self) -> Callable[[int], int]:
        return self.square

    def square(self, number: int) -> int:
        if self.deadly and number == DEADLY:
            os._exit(1)
        return number * number


def lost(number: int) -> int:
    return -number


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 50])
def test_order_does_not_depend_on_processes(jobs: int, count: int) -> None:
    assert list(run(range(count), Work(Prepare(), lost), jobs)) == [number * number for number in range(count)]


def test_an_item_that_kills_its_process_takes_nobody_along() -> None:
    answers = list(run(range(20), Work(Prepare(deadly=True), lost), 2))
    assert answers == [-DEADLY if number == DEADLY else number * number for number in range(20)]


def test_stopping_early_leaves_no_process() -> None:
    import multiprocessing

    answers = run(range(200), Work(Prepare(), lost), 2)
    assert next(answers) == 0
    answers.close()  # type: ignore[attr-defined]  # a generator
    assert not multiprocessing.active_children()


def test_few_files_stay_in_one_process() -> None:
    assert processes(0, 3) == 1
    assert processes(8, 3) == 3
    assert processes(2, 0) == 1


LARGE = """
import os, signal, threading, time

from valhalla_lint.engine.run import Work, run


def prepare():
    return lambda item: "x" * 60_000_000


def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)


signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
threading.Thread(target=interrupt, daemon=True).start()
for _ in run(range(8), Work(prepare, str), 2):
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="answers are handed over through a pipe that all processes hold")
def test_an_interrupt_while_answers_are_handed_over_ends_all() -> None:
    process = subprocess.Popen([sys.executable, "-c", LARGE], stderr=subprocess.PIPE)
    try:
        _, error = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == -signal.SIGINT, error
    assert b"KeyboardInterrupt" in error
