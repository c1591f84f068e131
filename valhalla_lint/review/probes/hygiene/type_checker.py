"""Is a type checker configured or called?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.tooling import configured, said

TOOLS = ("mypy", "pyright", "pytype", "pyre", "basedpyright", "ty", "pyrefly", "zuban")
WORDS = r"\b(?:mypy|pyright|basedpyright|pytype|pyre check|pyrefly|zuban)\b"


def ask(facts: Facts) -> Reply:
    """Look for configuration, and for the words in hooks, CI files and task files."""
    places = [*configured(facts, *TOOLS), *said(facts, WORDS)]
    return yes_if(places, "{n} places", "neither configuration nor a call was found")


PROBE = Probe(
    id="type-checker",
    question="Is a type checker configured or called?",
    how=(
        "mypy, pyright, pytype, pyre, pyrefly, ty, zuban: sections and files that configure them; their names in "
        "hooks, CI files and task files (lines that only install packages do not count)"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="run a type checker in CI",
)
