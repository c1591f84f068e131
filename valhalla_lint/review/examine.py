"""Everything that is done with one Python file (facts, our hits, bandit's), in several processes where that pays."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from valhalla_lint.core.evidence import RiskHit
from valhalla_lint.core.parsed import Parsed
from valhalla_lint.core.settings import Settings
from valhalla_lint.engine.run import Work, run
from valhalla_lint.linter import Linter
from valhalla_lint.review.files import File
from valhalla_lint.review.python import Python
from valhalla_lint.review.risk import Bandit, ours
from valhalla_lint.review.study import study

STUB = ".pyi"


@dataclass(frozen=True, slots=True)
class Job:
    """A file and where it was laid out."""

    file: File
    place: Path


@dataclass(frozen=True, slots=True)
class Examined:
    """What came out; `facts` is None where the file is no text (then `problems` says so)."""

    path: str
    facts: Python | None = None
    hits: tuple[RiskHit, ...] = ()
    problems: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


def examine(jobs: Sequence[Job], settings: Settings) -> Iterator[Examined]:
    """Examine files; the answers come in the order of the jobs."""
    return run(jobs, Work(partial(_ready, settings), _lost), 0)


def _ready(settings: Settings) -> Callable[[Job], Examined]:
    return partial(_examine, Linter(settings), Bandit())


def _examine(linter: Linter, bandit: Bandit, job: Job) -> Examined:
    path = job.file.path
    studied = study(job.file, job.place.read_bytes(), job.place, linter.settings)
    if isinstance(studied, str):
        return Examined(path, problems=(studied,))
    source, facts, tree = studied
    hits = ours([linter.inspect(source._replace(parsed=Parsed(tree) if tree is not None else None))])
    skipped: list[str] = []
    if not path.endswith(STUB):
        found, skipped = bandit.hits(path, job.place, facts.tier)
        hits.extend(found)
    return Examined(path, facts, tuple(hits), tuple(f"partly read: {note}" for note in facts.notes), tuple(skipped))


def _lost(job: Job) -> Examined:
    return Examined(job.file.path, problems=("the process that studied it died",))
