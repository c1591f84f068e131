"""The language server as an editor meets it: a process that speaks the protocol over its standard streams."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from editors import PATIENCE, Editor, Message, editor
from lsprotocol import types
from pygls.uris import to_fs_path

from valhalla_lint.hosts.lsp.notebooks import edited

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
TWICE = "def check(prompt):\n    return len(prompt) > 8192\n\n\ndef fits(batch):\n    return len(batch) < 37\n"
HANDLER = """

@app.get("/file{n}")
def file{n}():
    name = request.args["name"]
    for part in request.args:
        name = os.path.join(name, part)
    return open(os.path.join("/srv/data", name)).read()
"""
HELPER = "import os\n\n\ndef checked(name):\n    return os.path.basename(name)\n"
APP = """import os

from flask import request

from shop.helper import checked


def handler():
    return open(os.path.join("files", checked(request.args["name"]))).read()
"""
HELD = 20_000  # handlers in a file that is judged for many seconds
SUPERSEDED, CANCELLED = -32802, -32800


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """One server for all tests that need nothing special of it: each starts two processes."""
    with editor(tmp_path_factory.mktemp("workspace")) as client:
        yield client


@pytest.fixture
def client(running: Editor, tmp_path: Path) -> Iterator[Editor]:
    """A folder of its own in the workspace of the shared server."""
    folder = {"uri": tmp_path.as_uri(), "name": "project"}
    running.folder = tmp_path
    running.seen.clear()
    running.tell("workspace/didChangeWorkspaceFolders", event={"added": [folder], "removed": []})
    yield running
    for uri in running.opened:
        running.tell("textDocument/didClose", textDocument={"uri": uri})
    running.opened.clear()
    running.tell("workspace/didChangeWorkspaceFolders", event={"added": [], "removed": [folder]})


def slow() -> str:
    """A program that takes far longer to judge than a test may wait for."""
    return FLOW[: FLOW.index("@app")] + "".join(HANDLER.format(n=number) for number in range(HELD))


def children(process: int) -> list[int]:
    """The processes that a process has started (and that still run)."""
    listed = Path(f"/proc/{process}/task/{process}/children")
    if not listed.parent.exists():
        pytest.skip("only Linux tells of the children of a process")
    return [int(child) for child in listed.read_text().split()]


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


def test_what_is_typed_counts_and_not_what_is_saved(client: Editor) -> None:
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


def test_a_flow_is_shown_with_its_steps(client: Editor) -> None:
    uri = client.open("src/app.py", FLOW)
    found = next(item for item in client.pushed(uri) if item.get("relatedInformation"))
    steps = found["relatedInformation"]
    assert found["code"].startswith("VH2")
    assert steps[0]["location"]["uri"] == uri
    assert steps[0]["location"]["range"]["start"]["line"] == 8


def test_findings_are_mended_and_answered(client: Editor) -> None:
    text = "def check(prompt):\n    return len(prompt) > 8192\n"
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


def test_all_is_mended_on_demand_only(client: Editor) -> None:
    uri = client.open("src/app.py", PROGRAM)
    (found,) = client.pushed(uri)
    assert not [item for item in client.actions(uri, found).values() if item["kind"] != "quickfix"]
    (every,) = client.actions(uri, found, "source.fixAll").values()
    assert every["kind"] == "source.fixAll.valhalla-lint"


def test_the_page_of_the_rule_is_shown(client: Editor) -> None:
    uri = client.open("src/app.py", PROGRAM)
    (found,) = client.pushed(uri)
    shown = client.ask("textDocument/hover", textDocument={"uri": uri}, position=found["range"]["start"])
    nothing = client.ask("textDocument/hover", textDocument={"uri": uri}, position={"line": 1, "character": 0})
    assert "# VH301 magic-number" in shown["contents"]["value"]
    assert nothing is None


def test_a_page_is_offered_as_a_command_to_who_can_show_it(tmp_path: Path) -> None:
    with editor(tmp_path, window={"showDocument": {"support": True}}) as client:
        uri = client.open("src/app.py", PROGRAM)
        (found,) = client.pushed(uri)
        (page,) = [item["command"] for item in client.actions(uri, found).values() if "command" in item]
        told = client.ask("workspace/executeCommand", command=page["command"], arguments=page["arguments"])
        (shown,) = [item["params"] for item in client.seen if item.get("method") == "window/showDocument"]
        place = Path(to_fs_path(shown["uri"]) or "")
        lies = place.read_text(encoding="utf-8")
        unknown = client.ask("workspace/executeCommand", command=page["command"], arguments=["../VH301"])
    assert told == lies
    assert told.startswith("# VH301 magic-number\n")
    assert (place.name, unknown) == ("VH301.md", "")
    assert not place.parent.exists()  # the server has ended


def test_a_changed_configuration_holds_at_once(client: Editor, tmp_path: Path) -> None:
    table = tmp_path / "pyproject.toml"
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
def test_any_address_is_judged(client: Editor, uri: str) -> None:
    client.show(uri, PROGRAM)
    assert codes(client.pushed(uri)) == ["VH301"]


def test_a_newer_text_takes_the_place_of_one_that_is_being_judged(client: Editor) -> None:
    uri = client.open("src/app.py", slow())
    client.change(uri, PROGRAM, 2)
    assert codes(client.pushed(uri)) == ["VH301"]
    client.change(uri, slow(), 3)
    client.change(uri, "", 4)
    assert client.pushed(uri) == []
    versions = [
        message["params"]["version"]
        for message in client.seen
        if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri
    ]
    assert versions == [2, 4]


def test_the_keyboard_is_heard_while_something_is_judged(client: Editor) -> None:
    slow_one = client.open("src/slow.py", slow())
    client.open("src/app.py", PROGRAM)
    client.ask("textDocument/diagnostic", textDocument={"uri": "file:///not/open.py"})
    assert not [
        message
        for message in client.seen
        if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == slow_one
    ]


def test_who_asks_for_an_older_text_is_told_to_ask_again(tmp_path: Path) -> None:
    with editor(tmp_path, pulls=True) as client:
        uri = client.open("src/app.py", slow())
        first = client.send("textDocument/diagnostic", textDocument={"uri": uri})
        client.change(uri, PROGRAM)
        second = client.send("textDocument/diagnostic", textDocument={"uri": uri})
        assert client.answer(first)["error"]["code"] == SUPERSEDED
        assert client.answer(first)["error"]["data"] == {"retriggerRequest": True}
        assert codes(client.answer(second)["result"]["items"]) == ["VH301"]
        client.change(uri, slow(), 3)
        third = client.send("textDocument/diagnostic", textDocument={"uri": uri})
        client.tell("$/cancelRequest", id=third)
        assert client.answer(third)["error"]["code"] == CANCELLED
        other = client.open("src/other.py", PROGRAM)
        report = client.ask("textDocument/diagnostic", textDocument={"uri": other})
        assert codes(report["items"]) == ["VH301"]


@pytest.mark.parametrize("ends", ["shutdown", "kill"])
def test_nothing_is_left_of_a_server_that_ends_while_it_judges(tmp_path: Path, ends: str) -> None:
    with editor(tmp_path) as client:
        client.open("src/slow.py", slow())
        helpers = children(client.process)
        while not helpers:
            helpers = children(client.process)
        if ends == "kill":
            os.kill(client.process, signal.SIGKILL)
            client.ended = True
        else:
            client.ask("shutdown")
            client.tell("exit")
            client.ended = True
    deadline = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{helper}").exists() for helper in helpers):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    with editor(tmp_path) as client:
        uri = client.open("src/app.py", PROGRAM)
        assert codes(client.pushed(uri)) == ["VH301"]
        for helper in children(client.process):
            os.kill(helper, signal.SIGKILL)
        client.change(uri, PROGRAM + "\n")
        assert codes(client.pushed(uri)) == ["VH301"]


def test_flow_leads_through_what_is_typed_in_another_file(client: Editor, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").write_text("")
    helper = client.open("shop/helper.py", HELPER)
    assert client.pushed(helper) == []
    uri = client.open("shop/app.py", APP)
    assert client.pushed(uri) == []
    client.change(helper, "\n\ndef checked(name):\n    return name.strip()\n")
    (found,) = client.pushed(uri)
    assert found["code"] == "VH201"
    client.tell("textDocument/didClose", textDocument={"uri": helper})
    assert client.pushed(uri) == []


def test_a_file_that_is_saved_for_the_first_time_is_found(client: Editor, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").write_text("")
    uri = client.open("shop/app.py", APP)
    assert codes(client.pushed(uri)) == ["VH201"]
    place = tmp_path / "shop" / "helper.py"
    client.show(place.as_uri(), HELPER)
    assert client.pushed(place.as_uri()) == []
    place.write_text(HELPER)
    client.tell("textDocument/didSave", textDocument={"uri": place.as_uri()})
    assert client.pushed(uri) == []


def test_all_of_a_rule_is_mended_as_the_command_mends_it(client: Editor, tmp_path: Path) -> None:
    text = TWICE + "\n\nimport torch\n\n\ndef load(path):\n    return torch.load(path)\n"
    uri = client.open("src/app.py", text)
    found = next(item for item in client.pushed(uri) if item["code"] == "VH301")
    action = client.actions(uri, found)["VH301: mend all that is safe to mend in this file"]
    (named,) = client.actions(uri, found, "source.fixAll.valhalla-lint.VH301").values()
    assert (action["kind"], named["kind"]) == ("quickfix", "source.fixAll.valhalla-lint.VH301")
    command = [sys.executable, "-m", "valhalla_lint", "fix", "--select", "VH301", "src/app.py"]
    subprocess.run(command, cwd=tmp_path, check=False, capture_output=True)
    mended = (tmp_path / "src" / "app.py").read_text()
    assert mended != text
    assert applied(text, action, uri) == applied(text, named, uri) == mended


def test_all_of_a_rule_is_worked_out_when_it_is_wanted(tmp_path: Path) -> None:
    resolves = {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}
    edits = {"workspaceEdit": {"documentChanges": True}}
    with editor(tmp_path, textDocument=resolves, workspace=edits) as client:
        uri = client.open("src/app.py", TWICE)
        found, _ = client.pushed(uri)
        action = client.actions(uri, found)["VH301: mend all that is safe to mend in this file"]
        assert "edit" not in action
        (change,) = client.ask("codeAction/resolve", **action)["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    assert change["edits"][0]["newText"].count("= 8192\n") == 1


def test_what_is_known_or_answered_is_not_shown(client: Editor, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "app.py").write_text(PROGRAM)
    (tmp_path / "pyproject.toml").write_text('[tool.valhalla-lint]\nbaseline = "known.json"\n')
    command = [sys.executable, "-m", "valhalla_lint", "baseline", "create", "src"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    uri = client.open("src/app.py", PROGRAM)
    assert client.pushed(uri) == []
    client.change(uri, PROGRAM + TWICE)
    assert codes(client.pushed(uri)) == ["VH301", "VH301"]
    client.change(uri, PROGRAM + TWICE.replace("8192", "8192  # noqa: VH301").replace("37", "37  # noqa: VH101"), 3)
    assert sorted(codes(client.pushed(uri))) == ["VH301", "VH901"]


CELLS = ("# Prompts", "limit = 4096\nprompt = input()", "%time check(prompt)\nif len(prompt) > 8192:\n    print('🙂')")


def notebook(client: Editor, name: str = "look.ipynb") -> tuple[str, list[str]]:
    """Open a notebook with three cells; its address and theirs."""
    uri = (client.folder / name).as_uri()
    cells = [f"vscode-notebook-cell:{uri.removeprefix('file:')}#{number}" for number in range(len(CELLS))]
    kinds = (1, 2, 2)
    documents = [
        {"uri": cell, "languageId": "python" if kind == 2 else "markdown", "version": 1, "text": text}
        for cell, kind, text in zip(cells, kinds, CELLS, strict=True)
    ]
    held = [{"kind": kind, "document": cell} for cell, kind in zip(cells, kinds, strict=True)]
    client.tell(
        "notebookDocument/didOpen",
        notebookDocument={"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": held},
        cellTextDocuments=documents,
    )
    return uri, cells


def test_findings_are_shown_in_their_cells(client: Editor, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.valhalla-lint]\nstrict-tiers = true\n")
    uri, cells = notebook(client)
    assert [client.pushed(cell) for cell in cells[:2]] == [[], []]
    (found,) = client.pushed(cells[2])
    assert (found["code"], place(found)) == ("VH301", (1, 17, 21))
    hover = client.ask("textDocument/hover", textDocument={"uri": cells[2]}, position={"line": 1, "character": 18})
    assert "# VH301 magic-number" in hover["contents"]["value"]
    number = {"start": {"line": 1, "character": 17}, "end": {"line": 1, "character": 21}}
    client.tell(
        "notebookDocument/didChange",
        notebookDocument={"uri": uri, "version": 2},
        change={
            "cells": {
                "textContent": [
                    {"document": {"uri": cells[2], "version": 2}, "changes": [{"range": number, "text": "limit"}]}
                ]
            }
        },
    )
    assert client.pushed(cells[2]) == []
    array = {"start": 0, "deleteCount": 1, "cells": []}
    client.tell(
        "notebookDocument/didChange",
        notebookDocument={"uri": uri, "version": 3},
        change={"cells": {"structure": {"array": array, "didClose": [{"uri": cells[0]}]}}},
    )
    assert client.pushed(cells[0]) == []
    client.tell("notebookDocument/didSave", notebookDocument={"uri": uri})
    assert [client.pushed(cell) for cell in cells[1:]] == [[], []]
    client.tell(
        "notebookDocument/didClose",
        notebookDocument={"uri": uri},
        cellTextDocuments=[{"uri": cell} for cell in cells[1:]],
    )
    assert client.pushed(cells[1]) == []


def test_what_can_be_done_is_offered_in_the_cell(client: Editor, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.valhalla-lint]\nstrict-tiers = true\n")
    _, cells = notebook(client)
    (found,) = client.pushed(cells[2])
    offered = client.actions(cells[2], found)
    (mend,) = [title for title in offered if title.startswith("VH301: ") and "all that" not in title]
    changed = {
        cell: applied(CELLS[cells.index(cell)], offered[mend], cell) for cell in offered[mend]["edit"]["changes"]
    }
    assert changed == {
        cells[1]: "PROMPT_LENGTH_LIMIT = 8192\n\nlimit = 4096\nprompt = input()",
        cells[2]: "%time check(prompt)\nif len(prompt) > PROMPT_LENGTH_LIMIT:\n    print('🙂')",
    }
    assert applied(CELLS[2], offered["Answer with # noqa: VH301"], cells[2]) == (
        "%time check(prompt)\nif len(prompt) > 8192:  # noqa: VH301\n    print('🙂')"
    )
    ours = applied(CELLS[2], offered["Answer with # valhalla: ignore[VH301] and a reason"], cells[2])
    assert ours.split("\n")[1] == "# valhalla: ignore[VH301] -- say why this may stay"
    assert client.actions(cells[1], found) == {}


def test_an_edit_of_a_cell_takes_its_units_from_the_editor() -> None:
    partial = types.TextDocumentContentChangePartial
    at = types.Range(types.Position(0, 3), types.Position(1, 0))
    assert edited("🙂b\r\nc", partial(at, "-"), "utf-16") == "🙂b-c"
    assert edited("x", types.TextDocumentContentChangeWholeDocument("y"), "utf-16") == "y"
