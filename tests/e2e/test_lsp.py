"""The language server as an editor meets it: a process that speaks the protocol over its standard streams."""

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 30  # a hang is a failure; how long an answer takes is no matter here
PROGRAM = 'LABEL = "x"\n\n\ndef check(prompt):\n    return ("🙂", len(prompt) > 8192)\n'
FLOW = """import os
from flask import Flask, request

app = Flask(__name__)


@app.get("/file")
def file():
    name = request.args["name"]
    path = os.path.join("/srv/data", name)
    return open(path).read()
"""
Message = dict[str, Any]


class Editor:
    """A client of the protocol; what the server sends is kept in the order in which it comes."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self._process = process
        self._came: queue.Queue[Message] = queue.Queue()
        self._number = 0
        self.seen: list[Message] = []
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
            self._send({"id": message["id"], "result": None})
        return message

    def ask(self, method: str, **params: object) -> Any:  # noqa: ANN401 -- as varied as the protocol
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == self._number and "method" not in message:
                assert "error" not in message, message
                return message["result"]

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
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return uri

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
def editor(folder: Path, *arguments: str, encoding: str = "utf-16", pulls: bool = False) -> Iterator[Editor]:
    features: Message = {"publishDiagnostics": {"relatedInformation": True}}
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
                capabilities={"general": {"positionEncodings": [encoding]}, "textDocument": features},
            )
            client.tell("initialized")
            yield client
            client.ask("shutdown")
            client.tell("exit")
            assert process.stderr is not None
            assert b"Traceback" not in process.stderr.read()
        finally:
            process.kill()


def codes(diagnostics: list[Message]) -> list[str]:
    return [item["code"] for item in diagnostics]


def place(item: Message) -> tuple[int, int, int]:
    start, end = item["range"]["start"], item["range"]["end"]
    return start["line"], start["character"], end["character"]


def applied(text: str, action: Message, uri: str) -> str:
    """A text after an action, for one whose characters are all of one unit up to the place."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    (edit,) = action["edit"]["changes"][uri]
    start, end = (starts[edit["range"][side]["line"]] + edit["range"][side]["character"] for side in ("start", "end"))
    return f"{text[:start]}{edit['newText']}{text[end:]}"


@pytest.mark.parametrize(("encoding", "start"), [("utf-8", 34), ("utf-16", 32), ("utf-32", 31)])
def test_columns_are_counted_as_the_editor_counts(tmp_path: Path, encoding: str, start: int) -> None:
    with editor(tmp_path, encoding=encoding) as client:
        uri = client.open("src/app.py", PROGRAM)
        (found,) = client.pushed(uri)
    assert found["code"] == "VH301"
    assert place(found) == (4, start, start + 4)
    assert found["message"].startswith("[production] ")
    assert found["source"] == "valhalla-lint"


def test_what_is_typed_counts_and_not_what_is_saved(tmp_path: Path) -> None:
    with editor(tmp_path) as client:
        uri = client.open("src/app.py", PROGRAM)
        assert codes(client.pushed(uri)) == ["VH301"]
        client.change(uri, "def check(prompt):\n    return prompt\n")
        assert client.pushed(uri) == []
        client.change(uri, "def check(prompt:\n", 3)
        assert "VH906" in codes(client.pushed(uri))
        client.tell("textDocument/didClose", textDocument={"uri": uri})
        assert client.pushed(uri) == []


def test_who_asks_is_answered_and_not_pushed_to(tmp_path: Path) -> None:
    with editor(tmp_path, pulls=True) as client:
        uri = client.open("src/app.py", PROGRAM)
        report = client.ask("textDocument/diagnostic", textDocument={"uri": uri})
        assert codes(report["items"]) == ["VH301"]
        client.tell("textDocument/didSave", textDocument={"uri": uri})
        client.ask("textDocument/diagnostic", textDocument={"uri": uri})
    assert not [message for message in client.seen if message.get("method") == "textDocument/publishDiagnostics"]


def test_a_flow_is_shown_with_its_steps(tmp_path: Path) -> None:
    with editor(tmp_path) as client:
        uri = client.open("src/app.py", FLOW)
        found = next(item for item in client.pushed(uri) if item.get("relatedInformation"))
    steps = found["relatedInformation"]
    assert found["code"].startswith("VH2")
    assert steps[0]["location"]["uri"] == uri
    assert steps[0]["location"]["range"]["start"]["line"] == 8


def test_findings_are_mended_and_answered(tmp_path: Path) -> None:
    text = "def check(prompt):\n    return len(prompt) > 8192\n"
    with editor(tmp_path) as client:
        uri = client.open("src/app.py", text)
        (found,) = client.pushed(uri)
        actions = client.actions(uri, found)
        results = {title: applied(text, action, uri) for title, action in actions.items()}
        for number, result in enumerate(results.values(), start=2):
            client.change(uri, result, number)
            assert client.pushed(uri) == []
    noqa, ours, *_ = (results.pop(title) for title in list(results) if title.startswith("Answer"))
    assert noqa == "def check(prompt):\n    return len(prompt) > 8192  # noqa: VH301\n"
    assert "\n    # valhalla: ignore[VH301] -- " in ours
    (mended,) = results.values()
    assert " = 8192\n" in mended


def test_all_is_mended_on_demand_only(tmp_path: Path) -> None:
    with editor(tmp_path) as client:
        uri = client.open("src/app.py", PROGRAM)
        (found,) = client.pushed(uri)
        assert not [item for item in client.actions(uri, found).values() if item["kind"] != "quickfix"]
        (every,) = client.actions(uri, found, "source.fixAll").values()
        assert every["kind"] == "source.fixAll.valhalla-lint"


def test_the_page_of_the_rule_is_shown(tmp_path: Path) -> None:
    with editor(tmp_path) as client:
        uri = client.open("src/app.py", PROGRAM)
        (found,) = client.pushed(uri)
        shown = client.ask("textDocument/hover", textDocument={"uri": uri}, position=found["range"]["start"])
        nothing = client.ask("textDocument/hover", textDocument={"uri": uri}, position={"line": 1, "character": 0})
    assert "# VH301 magic-number" in shown["contents"]["value"]
    assert nothing is None


def test_a_changed_configuration_holds_at_once(tmp_path: Path) -> None:
    table = tmp_path / "pyproject.toml"
    with editor(tmp_path) as client:
        uri = client.open("src/app.py", PROGRAM)
        assert codes(client.pushed(uri)) == ["VH301"]
        table.write_text('[tool.valhalla-lint]\nignore = ["VH301"]\n')
        client.tell("workspace/didChangeWatchedFiles", changes=[{"uri": table.as_uri(), "type": 1}])
        assert client.pushed(uri) == []
        table.write_text('[tool.valhalla-lint]\nselekt = ["VH301"]\n')
        client.tell("textDocument/didSave", textDocument={"uri": table.as_uri()})
        (wrong,) = client.pushed(uri)
    assert "selekt" in wrong["message"]


def test_options_hold_for_every_document(tmp_path: Path) -> None:
    with editor(tmp_path, "--ignore", "VH301") as client:
        uri = client.open("src/app.py", PROGRAM)
        assert client.pushed(uri) == []


@pytest.mark.parametrize(
    "uri",
    ["untitled:1", "file:///nowhere/%00/app.py", "file:///a%20b/app.py", "file:///nowhere/app.py", "vscode://x/y.py"],
)
def test_any_address_is_judged(tmp_path: Path, uri: str) -> None:
    with editor(tmp_path) as client:
        document = {"uri": uri, "languageId": "python", "version": 1, "text": PROGRAM}
        client.tell("textDocument/didOpen", textDocument=document)
        assert codes(client.pushed(uri)) == ["VH301"]
