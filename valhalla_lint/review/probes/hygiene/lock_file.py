"""Is every version fixed somewhere?"""

from collections import defaultdict

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, unknown, yes_if
from valhalla_lint.review.project import RUNTIME, Requirement, aside

PYTHON_LOCKS = ("poetry.lock", "uv.lock", "pdm.lock", "pipfile.lock", "pixi.lock", "conda-lock.yml")


def ask(facts: Facts) -> Reply:
    """Look for lock files and for requirements files in which every line is pinned, for each project of the tree."""
    if not facts.declared.requirements:
        return not_applicable("no dependency is declared")
    locks = {
        file.path: ""
        for file in facts.kind("lock")
        if file.entry.name.lower() in PYTHON_LOCKS or file.entry.name.startswith("pylock")
    }
    files: defaultdict[str, list[Requirement]] = defaultdict(list)
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for item in facts.declared.requirements:
        folder = item.path.rpartition("/")[0]
        if item.path.endswith((".txt", ".in")):
            files[item.path].append(item)
        elif item.group == RUNTIME and not aside(folder):
            wanted[folder].add(item.name)
    every = set().union(*wanted.values()) if wanted else {item.name for item in facts.declared.of(RUNTIME)}
    for path, items in files.items():
        needed = wanted.get(path.rpartition("/")[0], every)
        if needed and needed <= {item.name for item in items} and all(item.pinned for item in items):
            locks[path] = "every line is pinned"
    places = [facts.cite(path, note=note) for path, note in sorted(locks.items())]
    covers = {path.rpartition("/")[0] for path in locks}
    bare = [folder for folder in sorted(wanted) if not _covered(folder, covers)]
    computed = [path for path in facts.declared.dynamic if not _covered(path.rpartition("/")[0], covers)]
    if places and not bare and computed:
        return unknown(f"dependencies are computed by code where no lock file is ({', '.join(computed)})")
    if not places or not bare:
        return yes_if(places, "{n} files", "no file does")
    return Reply(
        Outcome.NO,
        f"{len(bare)} of {len(wanted)} projects of the tree have none: {', '.join(bare)}",
        tuple(places),
        tuple(sorted({facts.cite(item.path) for item in facts.declared.of(RUNTIME) if _home(item) in bare})),
    )


def _covered(folder: str, tops: set[str]) -> bool:
    return any(not top or folder == top or folder.startswith(f"{top}/") for top in tops)


def _home(item: Requirement) -> str:
    return item.path.rpartition("/")[0]


PROBE = Probe(
    id="lock-file",
    question="Does a lock file or a fully pinned requirements file fix the version of every runtime dependency?",
    how=(
        "poetry.lock, uv.lock, pdm.lock, Pipfile.lock, pylock, pixi.lock, conda-lock.yml; requirements files all of "
        "whose lines have == and that name every declared runtime dependency. Each project of the tree that declares "
        "runtime dependencies needs one beside or above it; projects of tests, examples and documentation do not count"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="commit a lock file, so that a build today and one next year get the same versions",
)
