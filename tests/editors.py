"""An editor as tests need one: it speaks the protocol over standard streams, and keeps what it is told."""

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PATIENCE = 30  # a hang is a failure; how long an answer takes is no matter here
Message = dict[str, Any]


class Editor:
    """A client of the protocol; what the server sends is kept in the order in which it comes."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self.process = process.pid
        self._process = process
        self._came: queue.Queue[Message] = queue.Queue()
        self._number = 0
        self.seen: list[Message] = []
        self.opened: list[str] = []
        self.ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while header := stream.readline():
            if header.lower().startswith(b"content-length:"):
                while stream.readline().strip():
                    pass
                self._came.put(json.loads(stream.read(int(header.split(b":")[1]))))

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def tell(self, method: str, **params: object) -> None:
        self._send({"method": method, "params": params})

    def _next(self) -> Message:
        message = self._came.get(timeout=PATIENCE)
        self.seen.append(message)
        if "method" in message and "id" in message:
            done = {"success": True} if message["method"] == "window/showDocument" else None
            self._send({"id": message["id"], "result": done})
        return message

    def send(self, method: str, **params: object) -> int:
        """Send a request without waiting; returns its number."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int) -> Message:
        """The answer to a request, an error or a result."""
        while True:
            for message in self.seen:
                if message.get("id") == number and "method" not in message:
                    return message
            self._next()

    def ask(self, method: str, **params: object) -> Any:  # noqa: ANN401 -- as varied as the protocol
        answer = self.answer(self.send(method, **params))
        assert "error" not in answer, answer
        return answer["result"]

    def pushed(self, uri: str) -> list[Message]:
        """The next diagnostics that the server pushes for a document."""
        while True:
            message = self._next()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return list(message["params"]["diagnostics"])

    def open(self, name: str, text: str) -> str:
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        uri = place.as_uri()
        self.show(uri, text)
        return uri

    def show(self, uri: str, text: str) -> None:
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        self.opened.append(uri)

    def change(self, uri: str, text: str, version: int = 2) -> None:
        self.tell(
            "textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=[{"text": text}]
        )

    def actions(self, uri: str, diagnostic: Message, *only: str) -> dict[str, Message]:
        context = {"diagnostics": [diagnostic], **({"only": list(only)} if only else {})}
        found = self.ask(
            "textDocument/codeAction", textDocument={"uri": uri}, range=diagnostic["range"], context=context
        )
        return {item["title"]: item for item in found}


@contextlib.contextmanager
def editor(
    folder: Path, *arguments: str, encoding: str = "utf-16", pulls: bool = False, **capabilities: Message
) -> Iterator[Editor]:
    features: Message = {"publishDiagnostics": {"relatedInformation": True}, **capabilities.get("textDocument", {})}
    if pulls:
        features["diagnostic"] = {}
    with subprocess.Popen(
        [sys.executable, "-m", "valhalla_lint", "server", *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            client = Editor(folder, process)
            client.ask(
                "initialize",
                processId=None,
                rootUri=folder.as_uri(),
                workspaceFolders=[{"uri": folder.as_uri(), "name": "project"}],
                capabilities={
                    "general": {"positionEncodings": [encoding]},
                    **capabilities,
                    "textDocument": features,
                },
            )
            client.tell("initialized")
            yield client
            if not client.ended:
                client.ask("shutdown")
                client.tell("exit")
            assert process.stderr is not None
            said = process.stderr.read().decode()
            assert "Traceback" not in said, said
        finally:
            process.kill()
