"""Does CI run the tests?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.tooling import said

WORDS = (
    r"\b(?:pytest|py\.test|tox|nox|unittest|runtests\.py|run_tests?\.(?:py|sh)|trial)\b"
    r"|\bmake\s[^;|&]{0,80}\b(?:test|check)|\bhatch\s+(?:run\s+|test)|\bjust test|scripts?/test"
    r"|(?:^|[\s/])[\w.-]{0,80}tests?[\w-]{0,80}\.sh\b|\bmanage\.py test\b"
    r"|\b(?:bazel|bazelisk|cargo|go|pants|dotnet|mvn|gradlew?)\s+(?:[\w:./=-]{1,80}\s+){0,3}test\b|\bplaywright test\b"
    r"|\b(?:npm|yarn|pnpm)\s+(?:run\s+)?test\b"
)


def ask(facts: Facts) -> Reply:
    """Look for the words in CI files."""
    workflows = {file.path for file in facts.kind("ci")}
    if not workflows:
        return not_applicable("there is no CI configuration in the tree")
    found = [place for place in said(facts, WORDS) if place.path in workflows or place.path.startswith(".github/")]
    return yes_if(
        found, "{n} places", "no CI file calls a test runner by name", [facts.cite(path) for path in sorted(workflows)]
    )


PROBE = Probe(
    id="ci-tests",
    question="Does a CI file call a test runner?",
    how=(
        "pytest, tox, nox, unittest, make test, hatch, scripts/test, bazel test, cargo test, npm test and their kin in "
        "CI files and actions"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="run the tests on every change",
)
