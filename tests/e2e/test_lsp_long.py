"""A long afternoon in an editor: two folders with other settings, and whatever one does with files and configurations.

In the end, what is shown is what the command finds.
"""

import json
import random
import time
from pathlib import Path

import pytest
from command import python
from editors import Editor, Message, editor

HEAD = "import os\nfrom flask import request\nfrom other import name\n"
LINES = (
    "def read{n}():\n    return open(request.args['x']).read()\n",
    "def check{n}(prompt):\n    return len(prompt) > 81{n}\n",
    "def lead{n}():\n    return open(name(request.args['y']))\n",
    "class Store{n}:\n    def read(self, name):\n        return os.path.join('/x', name)\n",
    *("x = (", "  # noqa", "'''", "    else:", ""),
)
OTHER = (
    "def name(a):\n    return a\n",
    "import os\n\n\ndef name(a):\n    return os.path.basename(a)\n",
    "from app import read1 as name\n",
    "def name(a:\n",
)
TABLES = ('preset = "audit"\n', 'ignore = ["VH301"]\n', "strict-tiers = true\n", 'selekt = ["VH1"]\n')
DEEDS = 200
SEED = 11
PAUSES = (0.0, 0.0, 0.01, 0.05, 0.3)
CALM = 90


class Afternoon:
    """What an editor holds, and what it was shown last."""

    def __init__(self, client: Editor, folders: list[Path]) -> None:
        self.client = client
        self.folders = folders
        self.random = random.Random(SEED)  # noqa: S311 -- deeds, not secrets
        self.files = [folder / name for folder in folders for name in ("app.py", "more.py", "other.py")]
        self.texts: dict[Path, str] = {}
        self.versions = dict.fromkeys(self.files, 0)

    def tell(self, method: str, file: Path, **more: object) -> None:
        self.client.tell(method, textDocument={"uri": file.as_uri(), **more})

    def changed(self, file: Path, kind: int = 2) -> None:
        self.client.tell("workspace/didChangeWatchedFiles", changes=[{"uri": file.as_uri(), "type": kind}])

    def open(self, file: Path) -> None:
        self.texts[file] = file.read_text()
        self.versions[file] += 1
        told = {"languageId": "python", "version": self.versions[file], "text": self.texts[file]}
        self.tell("textDocument/didOpen", file, **told)

    def close(self, file: Path) -> str:
        self.tell("textDocument/didClose", file)
        return self.texts.pop(file)

    def save(self, file: Path) -> None:
        file.write_text(self.texts[file])
        self.tell("textDocument/didSave", file)

    def type(self, file: Path) -> None:
        chance = self.random
        lines = self.texts[file].split("\n")
        at = chance.randrange(len(lines) + 1)
        lines[at : at + chance.randrange(3)] = chance.choice(LINES).format(n=chance.randrange(9)).split("\n")
        text = chance.choice(OTHER) if file.name == "other.py" else "\n".join(lines)
        self.texts[file] = text
        self.versions[file] += 1
        self.client.change(file.as_uri(), text, self.versions[file])

    def rename(self, file: Path) -> None:
        """Give a file another name, and its own again."""
        file.write_text(self.close(file))
        moved = file.with_name("moved.py")
        for before, after in ((file, moved), (moved, file)):
            before.rename(after)
            self.changed(before, 3)
            self.changed(after, 1)
        self.open(file)

    def configure(self, folder: Path, table: str) -> None:
        (folder / "pyproject.toml").write_text(f"[tool.valhalla-lint]\n{table}")
        self.changed(folder / "pyproject.toml")

    def ask(self, file: Path) -> None:
        """Ask for what is answered too late, or not at all."""
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 400, "character": 0}}
        document = {"uri": file.as_uri()}
        place = {"line": self.random.randrange(40), "character": 4}
        self.client.send("textDocument/hover", textDocument=document, position=place)
        context: Message = {"diagnostics": []}
        self.client.send("textDocument/codeAction", textDocument=document, range=everything, context=context)

    def live(self) -> None:
        """Do one thing."""
        chance = self.random
        file = chance.choice(self.files)
        if file not in self.texts:
            self.open(file)
        deeds = [self.type] * 12 + [self.save] * 2 + [self.close, self.rename, self.ask]
        if chance.random() < 1 / 20:
            self.configure(chance.choice(self.folders), chance.choice(TABLES))
        else:
            chance.choice(deeds)(file)
        time.sleep(chance.choice(PAUSES))

    def end(self) -> None:
        """Save all, and settle what each folder wants."""
        for folder, table in zip(self.folders, TABLES, strict=False):
            self.configure(folder, table)
        for file in self.files:
            if file not in self.texts:
                self.open(file)
            self.save(file)

    def shown(self, expected: dict[Path, list[tuple[str, int]]]) -> dict[Path, list[tuple[str, int]]]:
        """What is shown of each file, as soon as it is what is expected, or after a while."""
        end = time.monotonic() + CALM
        found: dict[Path, list[tuple[str, int]]] = {}
        while found != expected and time.monotonic() < end:
            hovered = {"uri": self.files[0].as_uri()}  # while its answer is waited for, all else is heard
            asked = self.client.send("textDocument/hover", textDocument=hovered, position={"line": 0, "character": 0})
            self.client.answer(asked)
            for message in self.client.seen:
                if message.get("method") == "textDocument/publishDiagnostics":
                    params = message["params"]
                    (file,) = (file for file in self.files if file.as_uri() == params["uri"])
                    found[file] = placed(params["diagnostics"])
            time.sleep(0.1)
        return found


def placed(diagnostics: list[Message]) -> list[tuple[str, int]]:
    return sorted((item["code"], item["range"]["start"]["line"] + 1) for item in diagnostics)


@pytest.mark.slow
def test_in_the_end_an_editor_shows_what_the_command_finds(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        (folder / "pyproject.toml").write_text("")
        (folder / "app.py").write_text(HEAD)
        (folder / "more.py").write_text(HEAD)
        (folder / "other.py").write_text(OTHER[0])
    with editor(tmp_path) as client:
        added = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        client.tell("workspace/didChangeWorkspaceFolders", event={"added": added, "removed": []})
        afternoon = Afternoon(client, folders)
        for _ in range(DEEDS):
            afternoon.live()
        afternoon.end()
        expected: dict[Path, list[tuple[str, int]]] = {file: [] for file in afternoon.files}
        for folder in folders:
            said = python("-m", "valhalla_lint", "check", ".", "--no-cache", "--output-format", "json", folder=folder)
            for finding in json.loads(said.stdout)["findings"]:
                expected[folder / finding["path"]].append((finding["code"], finding["line"]))
        expected = {file: sorted(found) for file, found in expected.items()}
        assert sum(map(len, expected.values())) > len(folders)
        assert afternoon.shown(expected) == expected
