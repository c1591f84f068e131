"""Many files: the same work on each, in one process or in several, always answered in the order of asking."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Item = TypeVar("Item")
Answer = TypeVar("Answer")

WORTH_IT = 64
"""Files from which a second process is expected to pay for its start (about 0.1 s of CPU)."""
CHUNKS = 8
"""Portions of work for each process: small enough that none waits long for the last, large enough to cost little."""
MAX_CHUNK = 32


class Work(NamedTuple, Generic[Item, Answer]):
    """What is done with each item.

    prepare: called once in each process; returns the function that does the work and must not raise.
    lost: the answer for an item on which the process itself died. Both must be picklable.
    """

    prepare: Callable[[], Callable[[Item], Answer]]
    lost: Callable[[Item], Answer]


def processes(jobs: int, files: int) -> int:
    """How many processes to use; 0 jobs means as many as there are processors, where that pays."""
    if jobs <= 0:
        jobs = _processors() if files >= WORTH_IT else 1
    return max(1, min(jobs, files))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(items: Sequence[Item], work: Work[Item, Answer], jobs: int) -> Iterator[Answer]:
    """The answers in the order of the items.

    Raises KeyboardInterrupt when the user interrupts, after the processes have been ended.
    """
    count = processes(jobs, len(items))
    if count == 1:
        yield from map(work.prepare(), items)
        return
    size = max(1, min(MAX_CHUNK, len(items) // (count * CHUNKS)))
    yield from _parallel([items[start : start + size] for start in range(0, len(items), size)], work, count)


_ready: list[Callable[[Any], object]] = []
"""What a worker process does with an item: set once, when the process starts, and never in the process that asks."""


def _start(prepare: Callable[[], Callable[[Any], object]]) -> None:
    """Make a worker ready. Effect: it leaves interrupts to the process that asked, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _hold_interrupts(hold=False)
    import threading

    threading.Thread(target=_end_with_parent, daemon=True).start()
    _ready[:] = [prepare()]


def _end_with_parent() -> None:
    """Wait until the process that asked is gone, and go, too: one that is killed outright can end nobody."""
    import multiprocessing  # there already: a worker was made by it

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _hold_interrupts(*, hold: bool) -> None:
    """Hold interrupts back, or let them through: a worker must not meet one before it has learnt to ignore it.

    Effect: on the calling thread and, while held, on the processes that it starts. Not everywhere can they be held.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


def _do(items: Sequence[Any]) -> list[Any]:
    return [_ready[0](item) for item in items]


def _pool(work: Work[Item, Answer], count: int) -> "ProcessPoolExecutor":
    import multiprocessing  # only where there is more than one process
    from concurrent.futures import ProcessPoolExecutor

    # A forked worker starts with everything imported; elsewhere than on Linux, forking is not safe.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    return ProcessPoolExecutor(count, mp_context=context, initializer=partial(_start, work.prepare))


def _parallel(chunks: Sequence[Sequence[Item]], work: Work[Item, Answer], count: int) -> Iterator[Answer]:
    from concurrent.futures.process import BrokenProcessPool

    pool = _pool(work, count)
    done = 0
    before = _end_with_us(pool)
    try:
        futures = _submit(pool, chunks)
        for future in futures:
            yield from future.result()
            done += 1
    except BrokenProcessPool:
        pass
    except BaseException:
        _end(pool)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        if before is not None:
            signal.signal(signal.SIGTERM, before)
    # A process died (out of memory, or a fault of the interpreter): what is left is done with care, file by file.
    for chunk in chunks[done:]:
        for item in chunk:
            yield _alone(item, work)


def _submit(pool: "ProcessPoolExecutor", chunks: Sequence[Sequence[Any]]) -> "list[Future[list[Any]]]":
    """Hand all work over. Effect: starts the processes."""
    _hold_interrupts(hold=True)
    try:
        return [pool.submit(_do, chunk) for chunk in chunks]
    finally:
        _hold_interrupts(hold=False)


def _end(pool: "ProcessPoolExecutor") -> None:
    """End the processes of a pool at once. Effect: they are gone.

    One may be ended while it hands an answer over, whose rest this process would wait for: the pipe's other end is open
    here, too, so that it never ends. So that one is closed.
    """
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()
    writer = getattr(getattr(pool, "_result_queue", None), "_writer", None)  # nothing public leads there
    if writer is not None:
        writer.close()


def _end_with_us(pool: "ProcessPoolExecutor") -> Any:  # noqa: ANN401 -- whatever handler there was
    """Let the processes of a pool end where this one is told to terminate: nobody else would end them.

    Returns what was done until then, None where nothing was changed (on a thread of a host). Effect: handles SIGTERM.
    """
    before = signal.getsignal(signal.SIGTERM)

    def end(number: int, _frame: object) -> None:
        _end(pool)
        signal.signal(number, before)
        os.kill(os.getpid(), number)

    try:
        signal.signal(signal.SIGTERM, end)
    except ValueError:
        return None
    return before


def _alone(item: Item, work: Work[Item, Answer]) -> Answer:
    """One item in a process of its own, so that one that kills it takes nobody along."""
    from concurrent.futures.process import BrokenProcessPool

    with _pool(work, 1) as pool:
        (future,) = _submit(pool, [[item]])
        try:
            answer: Answer = future.result()[0]
        except BrokenProcessPool:
            return work.lost(item)
        return answer
