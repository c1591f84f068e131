"""Is a tool configured that proposes updates of dependencies?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.tooling import configured, said

TOOLS = ("dependabot", "renovate")
WORDS = r"\bpre-commit autoupdate\b|\bpip-compile --upgrade\b|\buv lock --upgrade\b"


def ask(facts: Facts) -> Reply:
    """Look for configuration, and for the words in hooks, CI files and task files."""
    places = [*configured(facts, *TOOLS), *said(facts, WORDS)]
    return yes_if(places, "{n} places", "neither configuration nor a call was found")


PROBE = Probe(
    id="dependency-updates",
    question="Is a tool configured that proposes updates of dependencies?",
    how="Dependabot, Renovate; scheduled calls that renew a lock file",
    ask=ask,
    good=Outcome.YES,
    remedy="configure Dependabot or Renovate",
)
