"""Is a formatter configured or called?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.tooling import configured, said

TOOLS = ("black", "yapf", "isort")
WORDS = r"\b(?:black|ruff[ -]format|yapf|autopep8|isort)\b|\bhatch\s+(?:fmt|run\s+fmt)\b"


def ask(facts: Facts) -> Reply:
    """Look for configuration, and for the words in hooks, CI files and task files."""
    places = [*configured(facts, *TOOLS), *said(facts, WORDS)]
    if facts.declared.table("tool", "ruff").get("format") is not None:
        places.append(facts.cite(facts.declared.path("pyproject.toml"), note="configures ruff format"))
    return yes_if(places, "{n} places", "neither configuration nor a call was found")


PROBE = Probe(
    id="formatter",
    question="Is a formatter configured or called?",
    how=(
        "black, ruff format, yapf, autopep8, isort, hatch fmt: sections and files that configure them; their names in "
        "hooks, CI files and task files (lines that only install packages do not count)"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="configure a formatter and check it in CI",
)
