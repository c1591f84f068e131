"""The server's side of the process that judges: what is asked of it, in which order, and what is no longer wanted."""

import asyncio
import contextlib
import threading
from collections import deque
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import overload

from valhalla_lint.config import Configuration
from valhalla_lint.hosts.lsp.orders import Answer, Document, Judge, Offer, Order, Pages, Question, Remedy, Verdict

PATIENCE = 5.0
"""Seconds after which a process that does not drop what is unwanted is ended, and another one started."""


class LostError(Exception):
    """The process ended in the middle of a question."""


@dataclass(slots=True, eq=False)
class _Asked:
    """A question that somebody waits for; its number is given when it is handed over."""

    question: Question
    answer: "asyncio.Future[Answer]"
    number: int = field(default=0)


class Analyst:
    """Answers questions about documents in a process of its own, one at a time, in the order of asking.

    A process and not a thread: parsing and judging are Python, so in a thread they would take turns with what reads
    the keystrokes; an answer that is no longer wanted can be dropped at any point; and what one document can do to a
    process, it does not do to the server.
    """

    def __init__(self, given: Configuration) -> None:
        """given: what the options of the server say. Nothing is started here."""
        self._given = given
        self._context = get_context("spawn")  # the same on every system, and safe beside the threads of the server
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._waiting: deque[_Asked] = deque()
        self._running: _Asked | None = None
        self._number = 0
        self._documents: dict[str, Document] = {}
        self._untold: dict[str, Document | None] = {}
        self._folders: tuple[str, ...] = ()
        self._folders_told = False
        self._reload = False

    # -- what there is to know ------------------------------------------------------------------------------------

    def document(self, uri: str, document: Document | None) -> None:
        """A document as it is from now on; None: it was closed."""
        self._untold[uri] = document
        if document is not None:
            self._documents[uri] = document
        else:
            self._documents.pop(uri, None)

    def folders(self, folders: tuple[str, ...]) -> None:
        """The folders of the workspace, as addresses."""
        self._folders, self._folders_told = folders, False

    def reload(self) -> None:
        """Have configurations, and what is remembered of the file system, read anew."""
        self._reload = True

    # -- questions --------------------------------------------------------------------------------------------------

    @overload
    async def ask(self, question: Judge) -> Verdict: ...

    @overload
    async def ask(self, question: Offer) -> tuple[Remedy, ...]: ...

    @overload
    async def ask(self, question: Pages) -> tuple[str, ...]: ...

    async def ask(self, question: Question) -> Answer:
        """The answer. Whoever is cancelled while waiting has the work dropped. Raises LostError."""
        asked = _Asked(question, asyncio.get_running_loop().create_future())
        self._waiting.append(asked)
        self._next()
        try:
            return await asked.answer
        except asyncio.CancelledError:
            if asked is self._running:
                self._drop(asked)
            elif asked in self._waiting:
                self._waiting.remove(asked)
            raise

    def start(self) -> Connection:
        """Start the process, if need be before there is a question, while the editor is still busy with itself."""
        if self._connection is None:
            ours, theirs = self._context.Pipe()
            process = self._context.Process(target=_work, args=(theirs, self._given), daemon=True)
            process.start()
            theirs.close()
            self._process, self._connection = process, ours
            self._untold = {**self._documents}
            self._folders_told = False
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._listen, args=(ours, loop), name="valhalla-lint answers", daemon=True).start()
        return self._connection

    def stop(self) -> None:
        """End the process, whatever it does."""
        process, self._process, self._connection = self._process, None, None
        if process is not None:
            process.kill()
            process.join()
            process.close()

    def _next(self) -> None:
        """Hand over the next question, if the process has nothing to do."""
        while self._running is None and self._waiting:
            connection = self.start()
            asked = self._waiting.popleft()
            self._number += 1
            asked.number = self._number
            order = Order(asked.number, asked.question, self._untold, reload=self._reload)
            if not self._folders_told:
                order = replace(order, folders=self._folders)
            self._untold, self._folders_told, self._reload = {}, True, False
            self._running = asked
            try:
                connection.send(order)
            except OSError:
                self._lost(connection)

    def _drop(self, asked: _Asked) -> None:
        """Tell the process that nobody waits for what it does; end it if it does not listen."""
        if self._connection is None:
            return
        try:
            self._connection.send(asked.number)
        except OSError:
            return  # it is gone already, and its listener will say so
        asyncio.get_running_loop().call_later(PATIENCE, self._insist, asked)

    def _insist(self, asked: _Asked) -> None:
        if self._running is asked and self._process is not None:
            self._process.kill()

    # -- answers ----------------------------------------------------------------------------------------------------

    def _listen(self, connection: Connection, loop: asyncio.AbstractEventLoop) -> None:
        """On a thread of its own: wait for answers, and hand them to the server's loop until that is closed."""
        with contextlib.suppress(RuntimeError):  # it is closed: the server has ended
            try:
                while True:
                    number, answer = connection.recv()
                    loop.call_soon_threadsafe(self._came, number, answer)
            except (EOFError, OSError):
                loop.call_soon_threadsafe(self._lost, connection)

    def _came(self, number: int, answer: Answer | None) -> None:
        asked = self._running
        if asked is None or asked.number != number:
            return
        self._running = None
        if not asked.answer.done() and answer is not None:
            asked.answer.set_result(answer)
        self._next()

    def _lost(self, connection: Connection) -> None:
        """The process has ended: what it was asked has no answer; what waits is asked of the next one."""
        connection.close()
        if connection is not self._connection:
            return
        self.stop()
        asked, self._running = self._running, None
        if asked is not None and not asked.answer.done():
            asked.answer.set_exception(LostError("the process that judged it died"))
        self._next()


def _work(connection: Connection, given: Configuration) -> None:
    """What the process runs; rules and engine are imported there and not by the server."""
    from valhalla_lint.hosts.lsp.worker import work

    work(connection, given)
