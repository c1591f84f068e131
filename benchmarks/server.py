"""The language server: from a change to its diagnostics, in processor time and in wall time.

`python -m benchmarks.server` starts the server as an editor does, opens a program of each length, changes it again and
again as one types (most changes in the body of a function; every fifth adds or takes a line; every tenth breaks the
program, and the next mends it), and waits for the diagnostics of each change. Beside each change, the same text is
parsed and its tree walked here, once. The processor time is that of both processes of the server, all threads, as the
scheduler of Linux counts it in nanoseconds; other systems are not measured.

With `--typing` it types with the pauses of a typist, for several lengths of the moment that the server waits after a
keystroke, and says how many verdicts each led to, and at what cost.

Of the functions of the programs, about one in ten can hold what flow looks for, as in applications that were counted.
"""

import argparse
import ast
import json
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LENGTHS = (500, 2_000, 10_000)
GOALS = {500: 25, 2_000: 80, 10_000: 350}
"""Milliseconds of processor time that 95 of 100 changes stay below."""
CHANGES = 60
EVERY = {"line": 5, "broken": 10}
SEED = 11
WARM = 5
"""Changes at the start that are not counted: tables are read, and code is met for the first time."""
MOMENTS = (0.05, 0.1, 0.25, 0.5)
KEYS = 240
WORD = 6
"""Keys between two pauses of thought."""
KEY_PAUSE = (0.08, 0.22)
THINKING = (0.4, 1.2)
MILLI = 1_000
NANO = 1_000_000_000
COLUMNS = ("lines", "CPU median", "CPU p95", "goal", "wall median", "wall p95", "parse", "parse and walk", "CPU / both")
MARK = "# typed here"
P95 = 0.95
SET_MOMENT = (
    "import sys; from valhalla_lint.hosts.lsp import server; server.BRIEF = server.CALM = float(sys.argv.pop(1));"
    "from valhalla_lint.__main__ import main; sys.exit(main())"
)
HEAD = '''"""A service."""

import logging
import os
from dataclasses import dataclass
from pathlib import Path

from flask import Flask, request

app = Flask(__name__)
log = logging.getLogger(__name__)
ROOT = Path("data")
'''
PIECES = (
    '''

class Clock{n}:
    """Counts what happens in a stretch of time."""

    def __init__(self, width={k}):
        self.width = width
        self.counts = []

    def add(self, moment, weight=1):
        place = int(moment // self.width)
        while len(self.counts) <= place:
            self.counts.append(0)
        self.counts[place] += weight  # typed here

    def rate(self, moment):
        place = int(moment // self.width)
        return self.counts[place] / self.width if place < len(self.counts) else 0.0

    def busiest(self):
        if not self.counts:
            return None
        best = max(self.counts)
        return self.counts.index(best) * self.width


def label{n}(item, names, *, short=False):
    name = names.get(item.kind) or item.kind.title()
    parts = [name, *(str(part) for part in item.parts if part is not None)]
    return ".".join(parts) if short else " of ".join(reversed(parts))


def grouped{n}(items, key):
    groups = {{}}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return {{name: sorted(group, key=str) for name, group in sorted(groups.items())}}
''',
    '''

@dataclass(frozen=True)
class Settings{n}:
    """What the user chose for part {n}."""

    name: str
    size: int = 32
    ratio: float = 0.5
    folder: Path = ROOT

    def fits(self, items):
        """Whether all items fit."""
        used = sum(len(item) for item in items)  # typed here
        if used > self.size * {k}:
            log.warning("too many: %s of %s", used, self.size)
            return False
        return True
''',
    '''

def collect{n}(rows, keys, default=None):
    """The values of some keys, row by row."""
    found = {{}}
    for number, row in enumerate(rows):
        values = [row.get(key, default) for key in keys]
        if not any(values):
            continue
        found[number] = dict(zip(keys, values, strict=True))  # typed here
        for key, value in found[number].items():
            if isinstance(value, str):
                found[number][key] = value.strip().lower()
    return found
''',
    """

@app.get("/part{n}/<name>")
def part{n}(name):
    kind = request.args.get("kind", "plain")
    path = ROOT / "parts" / os.path.basename(name)
    if not path.is_file():
        return {{"error": "no such part"}}, 404
    text = path.read_text(encoding="utf-8")  # typed here
    log.info("part %s of kind %s", name, kind)
    return {{"name": name, "kind": kind, "size": len(text)}}
""",
    '''

class Store{n}:
    """Keeps what was computed."""

    def __init__(self, folder, limit={k}):
        self.folder = Path(folder)
        self.limit = limit
        self._held = {{}}

    def put(self, key, value):
        while len(self._held) >= self.limit:
            self._held.pop(next(iter(self._held)))
        self._held[key] = value  # typed here

    def get(self, key, default=None):
        try:
            return self._held[key]
        except KeyError:
            log.debug("missed %r", key)
            return default

    def load(self, name):
        with open(self.folder / f"{{name}}.json", encoding="utf-8") as handle:
            return handle.read()
''',
    """

def mean{n}(values):
    total = 0.0
    for value in values:
        total += value  # typed here
    return total / max(1, len(values))


def spread{n}(values, steps=10):
    low, high = min(values), max(values)
    width = (high - low) / steps
    return [low + width * step for step in range(steps + 1)] if width else [low]
""",
)


def program(lines: int, seed: int = SEED) -> str:
    """A module of about so many lines, the same for the same seed; no two definitions have one name."""
    rng = random.Random(seed)  # noqa: S311 -- a benchmark, not a secret
    text, held, number = [HEAD], HEAD.count("\n"), 0
    while held < lines:
        number += 1
        piece = rng.choice(PIECES).format(n=number, k=rng.choice((10, 64, 100)))
        text.append(piece)
        held += piece.count("\n")
    return "".join(text)


class Editor:
    """A client of the protocol that is pushed to."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        """Shakes hands with the server that the process is."""
        if process.stdin is None or process.stdout is None:
            raise ValueError("the process must be started with pipes")
        self._process = process
        self._to, self._from = process.stdin, process.stdout
        self._came: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._number = 0
        self._ask(
            "initialize",
            processId=None,
            rootUri=folder.as_uri(),
            workspaceFolders=[{"uri": folder.as_uri(), "name": "benchmark"}],
            capabilities={"textDocument": {"publishDiagnostics": {"relatedInformation": True}}},
        )
        self.tell("initialized")

    def tell(self, method: str, **params: object) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def change(self, uri: str, version: int, text: str) -> None:
        """Send a whole new text."""
        document = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def shown(self) -> tuple[int, int]:
        """Wait for diagnostics; their version and number."""
        while True:
            message = self._read()
            if message.get("method") == "textDocument/publishDiagnostics":
                return message["params"]["version"], len(message["params"]["diagnostics"])

    def cpu(self) -> float:
        """Seconds of processor time that the server has used, its other process included."""
        root = self._process.pid
        children = Path(f"/proc/{root}/task/{root}/children").read_text(encoding="ascii").split()
        return sum(_seconds(process) for process in (str(root), *children))

    def _ask(self, method: str, **params: object) -> None:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while self._read().get("id") != self._number:
            pass

    def _send(self, message: dict[str, object]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._to.flush()

    def _read(self) -> dict[str, Any]:
        message = self._came.get()
        if message is None:
            sys.exit("the server has ended")
        return message

    def _listen(self) -> None:
        """On a thread of its own, so that neither side ever waits for the other to read."""
        length = 1
        while length:
            length = 0
            while line := self._from.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            self._came.put(json.loads(self._from.read(length)) if length else None)


def _seconds(process: str) -> float:
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / NANO


@contextmanager
def editor(moment: float | None = None) -> Iterator[tuple[Editor, Path]]:
    """A running server and a folder to work in. moment: seconds that it waits after a keystroke, where not its own."""
    start = [sys.executable, "-m", "valhalla_lint", "server"]
    if moment is not None:
        start = [sys.executable, "-c", SET_MOMENT, str(moment), "server"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pyproject.toml").write_text("", encoding="utf-8")
        (folder / "src").mkdir()
        with subprocess.Popen(start, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603 -- ourselves
            try:
                yield Editor(process, folder), folder
            finally:
                process.kill()


def opened(client: Editor, folder: Path, text: str) -> str:
    """Open a text as a module of the folder and wait until it is judged; its address."""
    place = folder / "src" / "service.py"
    place.write_text(text, encoding="utf-8")
    document = {"uri": place.as_uri(), "languageId": "python", "version": 1, "text": text}
    client.tell("textDocument/didOpen", textDocument=document)
    client.shown()
    return place.as_uri()


def changes(text: str, count: int) -> Iterator[str]:
    """Texts as they become while one types."""
    rng = random.Random(SEED)  # noqa: S311 -- as above
    lines = text.split("\n")
    places = [number for number, line in enumerate(lines) if MARK in line] or [
        number for number, line in enumerate(lines) if line.startswith("    ") and line.rstrip().endswith(")")
    ]
    for number in range(count):
        at = rng.choice(places)
        whole = lines[at]
        if number % EVERY["broken"] == EVERY["broken"] - 1:
            lines[at] = whole.replace("=", "= (", 1) if "=" in whole else f"{whole} ("
            yield "\n".join(lines)
            lines[at] = whole
            continue
        if number % EVERY["line"] == EVERY["line"] - 1:
            lines[at] = f"{whole[: len(whole) - len(whole.lstrip())]}pass\n{whole}"
        else:
            lines[at] = f"{whole}  # {number}" if "#" not in whole else f"{whole} {number}"
        yield "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Change:
    """What one change cost, in milliseconds: the server's processor and wall time, and parsing and walking here."""

    cpu: float
    wall: float
    parse: float
    walk: float


def measured(text: str, count: int) -> list[Change]:
    """A server that is told of changes, one after the other."""
    found = []
    with editor() as (client, folder):
        uri = opened(client, folder, text)
        for version, changed in enumerate(changes(text, count + WARM), start=2):
            cpu, wall = client.cpu(), time.perf_counter()
            client.change(uri, version, changed)
            while client.shown()[0] != version:
                pass
            wall, cpu = time.perf_counter() - wall, client.cpu() - cpu
            start = time.process_time()
            try:
                tree = ast.parse(changed)
            except SyntaxError:
                tree = ast.parse(text)
            middle = time.process_time()
            for _ in ast.walk(tree):
                pass
            end = time.process_time()
            if version > WARM + 1:
                found.append(Change(cpu * MILLI, wall * MILLI, (middle - start) * MILLI, (end - middle) * MILLI))
    return found


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(texts: Sequence[str], count: int) -> None:
    """Measure and print one row for each text."""
    print(f"| {' | '.join(COLUMNS)} |")
    print(f"|{'---|' * len(COLUMNS)}")
    for text in texts:
        found = measured(text, count)
        lines = text.count("\n")
        goal = next((goal for length, goal in GOALS.items() if lines <= length + length // WARM), "")
        cpu, wall = [item.cpu for item in found], [item.wall for item in found]
        parse, both = [item.parse for item in found], [item.parse + item.walk for item in found]
        ratio = quantile([item.cpu / (item.parse + item.walk) for item in found], 0.5)
        print(
            f"| {lines:,} | {quantile(cpu, 0.5):.0f} ms | {quantile(cpu, P95):.0f} ms | {goal} | "
            f"{quantile(wall, 0.5):.0f} ms | {quantile(wall, P95):.0f} ms | {quantile(parse, 0.5):.1f} ms | "
            f"{quantile(both, 0.5):.1f} ms | {ratio:.2f} |",
            flush=True,
        )


def typing(text: str, moment: float) -> None:
    """Type into a text and print what the server made of it."""
    rng = random.Random(SEED)  # noqa: S311 -- as above
    with editor(moment) as (client, folder):
        uri = opened(client, folder, text)
        for number in range(WARM):
            client.change(uri, number + 2, f"{text}\n# {number}")
            client.shown()
        cpu = client.cpu()
        typed = text + "\n# "
        for number in range(KEYS):
            typed += "x"
            client.change(uri, WARM + 2 + number, typed)
            pause = THINKING if number % WORD == WORD - 1 else KEY_PAUSE
            time.sleep(rng.uniform(*pause))
        last = WARM + 1 + KEYS
        shown = 1
        while client.shown()[0] != last:
            shown += 1
        cpu = client.cpu() - cpu
    print(f"| {moment * MILLI:.0f} ms | {shown} of {KEYS} | {cpu / KEYS * MILLI:.1f} ms |", flush=True)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--changes", type=int, default=CHANGES, help="changes of each text")
    parser.add_argument("--file", type=Path, action="append", default=[], help="measure this file instead")
    parser.add_argument("--typing", action="store_true", help="measure how long to wait after a keystroke")
    arguments = parser.parse_args()
    if not os.access("/proc/self/schedstat", os.R_OK):
        sys.exit("this system does not count the processor time of other processes finely enough")
    texts = [file.read_text(encoding="utf-8") for file in arguments.file] or [program(length) for length in LENGTHS]
    if arguments.typing:
        print("| moment | verdicts shown | CPU per key |")
        print("|---|---|---|")
        for moment in MOMENTS:
            typing(texts[min(1, len(texts) - 1)], moment)
    else:
        table(texts, arguments.changes)


if __name__ == "__main__":
    main()
