"""How many instructions of Python one check costs for each node of the checked trees.

Run as a program: `python benchmarks/instructions.py fixtures/model_server --limit 400`. Unlike a time, the count is the
same on a busy machine and an idle one, so a test can hold it. Work inside C functions is not counted.
"""

import argparse
import ast
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter


@dataclass
class Counter:
    """Counts the instructions of every frame that is entered while it is the trace function."""

    count: int = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> "Counter":
        """What the interpreter calls for each event of a frame."""
        del argument
        if event == "opcode":
            self.count += 1
        else:
            frame.f_trace_opcodes = True
            frame.f_trace_lines = False
        return self


def instructions_per_node(files: Sequence[Path]) -> float:
    """Instructions for a node, all rules on, after everything that is loaded once has been loaded."""
    linter = Linter(Settings(isolated=True))
    sources = [Source(path=file.as_posix(), text=file.read_text(encoding="utf-8"), location=file) for file in files]
    for source in sources:
        linter.check(source)
    counter = Counter()
    before = sys.gettrace()
    sys.settrace(counter)
    try:
        for source in sources:
            linter.check(source)
    finally:
        sys.settrace(before)
    return counter.count / sum(sum(1 for _ in ast.walk(ast.parse(source.text))) for source in sources)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the count; exit status 1 where it is above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, help="instructions for a node that are too many")
    options = parser.parse_args(arguments)
    found = instructions_per_node(sorted(options.folder.rglob("*.py")))
    print(f"{found:.1f} instructions for each node of the trees")
    return int(options.limit is not None and found > options.limit)


if __name__ == "__main__":
    raise SystemExit(main())
