"""Is test coverage measured?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.tooling import configured, said

TOOLS = ("coverage",)
WORDS = (
    r"--cov\b|\bcoverage (?:run|report|xml|combine)\b|\bcodecov\b"
    r"|\bhatch\s+test\b[^;|&]{0,80}\s(?:--cover\b|-[a-bd-z]{0,4}c)"
)


def ask(facts: Facts) -> Reply:
    """Look for configuration, and for the words in hooks, CI files and task files."""
    places = [*configured(facts, *TOOLS), *said(facts, WORDS)]
    return yes_if(places, "{n} places", "neither configuration nor a call was found")


PROBE = Probe(
    id="coverage",
    question="Is test coverage measured?",
    how="coverage configuration; --cov, coverage run, codecov in hooks, CI files and task files",
    ask=ask,
    good=Outcome.YES,
    remedy="measure coverage in CI and name a floor",
)
