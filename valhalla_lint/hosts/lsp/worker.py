"""The process that judges: takes orders one after the other, and drops one in the middle when it is no longer wanted.

A thread listens, so that word of an unwanted order arrives while its work is being done; it interrupts the work as the
interrupt key would. What is remembered between orders is only ever put away whole, so nothing half-done is left.
Cyclic garbage is looked for between orders only: while a text is judged, many objects come that go by their counts.
So is memory that can be held in large pages.
"""

import _thread
import gc
import os
import queue
import signal
import sys
import threading
from multiprocessing.connection import Connection

from valhalla_lint.config import Configuration
from valhalla_lint.hosts.lsp.memory import gather_pages
from valhalla_lint.hosts.lsp.orders import Answer, Order
from valhalla_lint.hosts.lsp.session import Session

NONE = 0
"""The number of no order."""
STILL = 2.0
"""Seconds without an order after which cyclic garbage is looked for."""
PATIENCE = 24
"""Answers after which it is looked for in any case: each leaves up to 6 MB for a text of 10,000 lines."""


class Unwanted(BaseException):
    """Raised in the middle of work that nobody waits for any more."""


class Worker:
    """Answers orders until the other side is gone."""

    def __init__(self, connection: Connection, session: Session) -> None:
        """connection: brings orders, and the numbers of those that are unwanted; takes numbers with answers."""
        self._connection = connection
        self._session = session
        self._orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._running = NONE
        self._unwanted = NONE

    def run(self) -> None:
        """Work until the other side is gone. Effect: takes over the interrupt signal of the process."""
        signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._listen, name="valhalla-lint listener", daemon=True).start()
        recursion = sys.getrecursionlimit()
        gc.disable()
        answered = 0
        while True:
            order = self._next()
            answer = self._answer(order)
            try:
                self._connection.send((order.number, answer))
            except OSError:
                return
            sys.setrecursionlimit(recursion)
            answered += 1
            if answered == 1:
                gc.collect()
                gc.freeze()  # what is loaded now stays, and need not be gone through again
                gather_pages()
            elif answered % PATIENCE == 0:
                gc.collect()

    def _next(self) -> Order:
        """Wait for an order; the time in which there is none is that for cyclic garbage, and for memory."""
        try:
            return self._orders.get(timeout=STILL)
        except queue.Empty:
            gc.collect()
            gather_pages()
            return self._orders.get()

    def _answer(self, order: Order) -> Answer | None:
        """The answer, None for an order that became unwanted; what it tells of documents is taken over in any case."""
        self._session.take(order)
        try:
            self._running = order.number
            if self._unwanted == order.number:
                self._running = NONE
                return None
            answer = self._session.answer(order.question)
            self._running = NONE
        except Unwanted:
            self._running = NONE
            return None
        return answer

    def _listen(self) -> None:
        try:
            while True:
                message: Order | int = self._connection.recv()
                if isinstance(message, Order):
                    self._orders.put(message)
                else:
                    self._unwanted = message
                    _thread.interrupt_main()
        except (EOFError, OSError):  # the server is gone, however it ended: so is all reason to work
            os._exit(0)

    def _interrupted(self, _signal: int, _frame: object) -> None:
        if self._running != NONE and self._running == self._unwanted:
            raise Unwanted


def work(connection: Connection, given: Configuration) -> None:
    """What the process does. Standard input and output belong to the editor: it lets go of both."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    Worker(connection, Session(given)).run()
