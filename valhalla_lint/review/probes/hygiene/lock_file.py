"""Is every version fixed somewhere?"""

from collections import defaultdict

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.project import RUNTIME, Requirement

PYTHON_LOCKS = ("poetry.lock", "uv.lock", "pdm.lock", "pipfile.lock", "pixi.lock", "conda-lock.yml")


def ask(facts: Facts) -> Reply:
    """Look for lock files and for requirements files in which every line is pinned."""
    if not facts.declared.requirements:
        return not_applicable("no dependency is declared")
    places = [
        facts.cite(file.path)
        for file in facts.kind("lock")
        if file.entry.name.lower() in PYTHON_LOCKS or file.entry.name.startswith("pylock")
    ]
    files: defaultdict[str, list[Requirement]] = defaultdict(list)
    for item in facts.declared.requirements:
        if item.path.endswith((".txt", ".in")):
            files[item.path].append(item)
    wanted = {item.name for item in facts.declared.of(RUNTIME)}
    places.extend(
        facts.cite(path, note="every line is pinned")
        for path, items in files.items()
        if all(item.pinned for item in items) and wanted and wanted <= {item.name for item in items}
    )
    return yes_if(places, "{n} files", "no file does")


PROBE = Probe(
    id="lock-file",
    question="Does a lock file or a fully pinned requirements file fix the version of every runtime dependency?",
    how=(
        "poetry.lock, uv.lock, pdm.lock, Pipfile.lock, pylock, pixi.lock, conda-lock.yml; requirements files all of "
        "whose lines have == and that name every declared runtime dependency"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="commit a lock file, so that a build today and one next year get the same versions",
)
