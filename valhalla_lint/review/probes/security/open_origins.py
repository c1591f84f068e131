"""Is every origin let in?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import HTTP, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at arguments that name allowed origins."""
    found = [facts.cite(file.path, line) for file in facts.production for line in file.origins]
    if not found and not of_kind(facts, HTTP):
        return not_applicable("no HTTP entry point was found")
    return yes_if(found, "{n} calls", "no call lets every origin in")


PROBE = Probe(
    id="open-origins",
    question="Do calls in production code let every origin in (CORS)?",
    how='allow_origins, origins, cors_allowed_origins or allow_origin_regex given as "*"',
    ask=ask,
    good=Outcome.NO,
    remedy="name the origins",
)
