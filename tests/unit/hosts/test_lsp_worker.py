"""The process that judges drops what is not wanted any more, wherever it is in its work, and goes on."""

import multiprocessing
from multiprocessing.connection import Connection

from valhalla_lint.config import Configuration
from valhalla_lint.hosts.lsp.orders import Answer, Document, Judge, Order, Pages, Question
from valhalla_lint.hosts.lsp.session import Session
from valhalla_lint.hosts.lsp.worker import Worker

PATIENCE = 30  # a hang is a failure


class Busy(Session):
    """Takes for ever over one question, and answers the others with the documents that it knows of."""

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Judge):
            while True:
                pass
        return tuple(self._documents)


def _work(connection: Connection, other: Connection) -> None:
    other.close()
    Worker(connection, Busy(Configuration())).run()


def test_work_that_nobody_waits_for_is_dropped_in_the_middle() -> None:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, ours), daemon=True)
    process.start()
    theirs.close()
    try:
        ours.send(Order(1, Judge("a"), {"a": Document("a", "python", "x")}))
        ours.send(1)
        assert ours.poll(PATIENCE)
        assert ours.recv() == (1, None)
        ours.send(Order(2, Pages(())))
        assert ours.poll(PATIENCE)
        assert ours.recv() == (2, ("a",))
    finally:
        ours.close()
        process.join(PATIENCE)
        assert process.exitcode == 0, "it ends by itself when the other side is gone"
        process.close()
