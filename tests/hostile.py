"""Inputs that break tools: the small ones lie in `fixtures/hostile`, the big ones are made here.

All of them are read, or end in one clear finding or message; none ends in a traceback, and none hides another file.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SMALL = Path(__file__).parent.parent / "fixtures" / "hostile"

OPERATORS = 5_000
BRANCHES = 2_000
LINES = 100_000
LINE_BYTES = 1_000_000
NESTED = 300
SIGNS = 90_000
BAIT = 33_000


@dataclass(frozen=True, slots=True)
class Hostile:
    """An input by name; `planted` is the line of a token that must be found wherever the file can be read at all."""

    name: str
    data: bytes
    planted: int | None = None


def planted_token() -> str:
    """A line with a credential of no provider: strongly random, made for these tests."""
    return 'API_TOKEN = "' + "qX7rT2mK9vB4" + 'nL8pW3zC6dF1hJ5gS0aY"\n'


def small() -> Iterator[Hostile]:
    """The files of `fixtures/hostile`, in the order of their names."""
    for path in sorted(SMALL.glob("*.py")):
        yield Hostile(path.name, path.read_bytes())


def big() -> Iterator[Hostile]:
    """Inputs that are long, deep or wide."""
    token = planted_token()
    before = {
        "operators.py": "TOTAL = " + " + ".join(["1"] * OPERATORS) + "\n",
        "names.py": "TOTAL = " + " + ".join(f"part{number}" for number in range(OPERATORS)) + "\n",
        "concatenation.py": "TEXT = " + " + ".join(['"part"'] * OPERATORS) + "\n",
        "attributes.py": "PLACE = root" + ".part" * OPERATORS + "\n",
        "calls.py": "RESULT = start" + "()" * OPERATORS + "\n",
        "signs.py": "VALUE = " + "-" * SIGNS + "1\n",
        "nested_lists.py": "VALUE = " + "[" * NESTED + "]" * NESTED + "\n",
        "nested_blocks.py": "".join(f"{' ' * depth}if flag:\n" for depth in range(NESTED)) + " " * NESTED + "pass\n",
        "branches.py": "if kind == 0:\n    pass\n"
        + "".join(f"elif kind == {number}:\n    pass\n" for number in range(1, BRANCHES)),
        "table.py": "TABLE = {\n" + "".join(f'    "key_{number}": {number},\n' for number in range(LINES)) + "}\n",
        "one_line.py": "TABLE = [" + ", ".join(["'part'"] * (LINE_BYTES // len("'part', "))) + "]\n",
        "one_string.py": 'TEXT = "' + "a" * LINE_BYTES + '"\n',
        "nearly_tokens.py": 'TEXT = "' + "hf_" * BAIT + '"\nMORE = "' + "a:" * BAIT + '@"\n',
        "nearly_paths.py": 'TEXT = "' + "../" * BAIT + '"\nMORE = "' + "%s/" * BAIT + '"\n',
        "arguments.py": "call(" + ", ".join(f"a{number}={number}" for number in range(OPERATORS)) + ")\n",
    }
    for name, text in before.items():
        yield Hostile(name, (text + token).encode(), planted=text.count("\n") + 1)


def write_tree(folder: Path) -> None:
    """All hostile inputs in a folder, with what only a file system can do.

    Effect: writes files, a folder called like a module, and links that lead nowhere, in circles and out of the folder.
    """
    for item in (*small(), *big()):
        (folder / item.name).write_bytes(item.data)
    (folder / "folder.py").mkdir()
    (folder / "dangling.py").symlink_to(folder / "not there.py")
    (folder / "circle").symlink_to(folder, target_is_directory=True)
    (folder / "outside.py").symlink_to(Path(os.sep) / "dev" / "null")
    (folder / "with space and ünïcode.py").write_text(planted_token(), encoding="utf-8")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.py")  # a reader that opens this would wait for ever
