"""One command: fetch what is pinned, run the rounds, print the table, and on demand renew the page."""

import argparse
import ast
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchmarks import page, places
from benchmarks.places import Corpus
from benchmarks.rounds import Run, Spread, ratio, rounds, run
from benchmarks.subjects import RATIOS, SUBJECTS, Setting, Subject

PARTS = (32, 8, 2)
"""Every so-many-th file of the large corpus: about 40, 150 and 600 thousand lines."""
GROWTH = ("floor", "cold-1", "cold", "warm")
SLOW = frozenset({"detect-secrets"})
"""Left out on the large corpus, where one run takes minutes."""
WORK = Path.home() / ".cache" / "valhalla-lint-benchmarks"
"""Not in this checkout: a package there counts as a part of this project, and its imports lead nowhere."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one corpus."""

    corpus: Corpus
    runs: Mapping[str, tuple[Run, ...]]

    def figures(self) -> dict[str, object]:
        """The figures as plain data."""
        ratios = {row.says: found for row in RATIOS if (found := ratio(row, self.runs)) is not None}
        return {
            "corpus": self.corpus.name,
            "files": self.corpus.files,
            "lines": self.corpus.lines,
            "subjects": {
                name: {
                    "cpu": asdict(Spread.of([item.cpu for item in runs])),
                    "wall": asdict(Spread.of([item.wall for item in runs])),
                    "memory": max(item.memory for item in runs),
                }
                for name, runs in self.runs.items()
            },
            "ratios": {says: asdict(found) for says, found in ratios.items()},
        }


def edit(root: Path, number: int) -> None:
    """Change the body of one function in a file of middling size; parses before and after."""
    files = sorted(root.rglob("*.py"), key=lambda file: (file.stat().st_size, file))
    for file in files[len(files) // 2 :]:
        text = file.read_text(encoding="utf-8")
        function = next((node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)), None)
        if function is None:
            continue
        last = function.body[-1]
        lines = text.split("\n")
        lines.insert(last.lineno - 1, f"{' ' * last.col_offset}edited = {number}")
        file.write_text("\n".join(lines), encoding="utf-8")
        return


def measure(corpus: Corpus, names: Sequence[str], options: argparse.Namespace) -> Measured:
    """Run the subjects of these names over a corpus."""
    tools = {name: programs for name in {item.tool for item in SUBJECTS} if (programs := tool(name, options))}
    with tempfile.TemporaryDirectory() as made:
        scratch = Path(made)
        copied = scratch / "corpus" / corpus.root.name
        shutil.copytree(corpus.root, copied)
        edited = 0

        def once(subject: Subject) -> Run:
            nonlocal edited
            place = Setting(copied if subject.edits else corpus.root, scratch, tools)
            if subject.edits:
                edited += 1
                edit(copied, edited)
            return run(subject.command(place), place.root if subject.inside else scratch, scratch)

        jobs: dict[str, Callable[[], Run]] = {
            subject.name: partial(once, subject)
            for subject in SUBJECTS
            if subject.name in names and (not subject.tool or subject.tool in tools)
        }
        return Measured(corpus, rounds(jobs, options.rounds, tell))


def tool(name: str, options: argparse.Namespace) -> Path | None:
    """The folder of a tool's programs: one that is there already, or a fresh environment."""
    if not name or options.no_peers:
        return None
    given = options.tools / name / "bin" if options.tools else None
    return given if given is not None and given.is_dir() else places.tool(name, options.work)


def tell(text: str) -> None:
    """Say how far it is, on standard error."""
    print(text, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure as the arguments say; returns an exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--corpus", nargs="+", default=["medium"], choices=("small", "medium", "large"))
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count (default: %(default)s)")
    parser.add_argument("--subjects", nargs="+", choices=[item.name for item in SUBJECTS], help="only these")
    parser.add_argument("--growth", action="store_true", help="also measure how cost grows with size")
    parser.add_argument("--no-peers", action="store_true", help="only ourselves and the floor; installs nothing")
    parser.add_argument("--tools", type=Path, help="a folder of environments named like the tools, instead of new ones")
    parser.add_argument(
        "--work", type=Path, default=WORK, help="where fetched packages are kept (default: %(default)s)"
    )
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--page", type=Path, help="renew the tables and the plot of this page")
    options = parser.parse_args(arguments)
    options.work = options.work.absolute()
    found: list[dict[str, object]] = []
    for name in options.corpus:
        wanted = options.subjects or [item.name for item in SUBJECTS if name != "large" or item.name not in SLOW]
        found.append(measure(places.corpus(name, options.work), wanted, options).figures())
    growth: list[dict[str, object]] = []
    if options.growth:
        whole = places.corpus("large", options.work)
        corpora = [places.part(whole, share, options.work) for share in PARTS]
        corpora = [places.corpus("small", options.work), *corpora, whole]
        growth.extend(measure(corpus, GROWTH, options).figures() for corpus in corpora)
    figures = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": len(os.sched_getaffinity(0)),
        "rounds": options.rounds,
        "corpora": found,
        "growth": growth,
    }
    print(page.tables(figures))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if options.page:
        page.renew(options.page, figures)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
