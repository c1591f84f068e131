"""Is the oldest supported Python declared?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, unknown
from valhalla_lint.review.project import PROJECT_NAMES


def ask(facts: Facts) -> Reply:
    """Look at the metadata."""
    files = [path for path in map(facts.declared.path, PROJECT_NAMES) if path in facts.by_path]
    if not files:
        return not_applicable("there is no pyproject.toml, setup.cfg or setup.py")
    place = files[0]
    if facts.declared.requires_python:
        for path in files:
            for number, line in enumerate(facts.text(path).split("\n"), 1):
                if "python" in line and ("requires" in line or line.startswith("python ")):
                    return Reply(Outcome.YES, facts.declared.requires_python, (facts.cite(path, number),))
        return Reply(Outcome.YES, facts.declared.requires_python, (facts.cite(place),))
    if facts.declared.dynamic:
        return unknown(f"the metadata is computed by code ({', '.join(facts.declared.dynamic)})")
    return Reply(Outcome.NO, "no requires-python was found", negative=(facts.cite(place),))


PROBE = Probe(
    id="python-version",
    question="Is the oldest supported version of Python declared?",
    how="requires-python, python_requires, or poetry's python dependency, where it is written as a literal",
    ask=ask,
    good=Outcome.YES,
    remedy="declare requires-python",
)
