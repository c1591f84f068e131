"""Is every origin let in?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import HTTP, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable, unknown, yes_if
from valhalla_lint.review.python import COMPUTED, EVERY


def ask(facts: Facts) -> Reply:
    """Look at arguments that name allowed origins."""
    said = [(facts.cite(file.path, line), kind) for file in facts.production for line, kind in file.origins]
    found = [place for place, kind in said if kind == EVERY]
    if not found and not of_kind(facts, HTTP):
        return not_applicable("no HTTP entry point was found")
    computed = sum(kind == COMPUTED for _, kind in said)
    if computed and not found:
        return unknown(f"{computed} calls take the origins from elsewhere")
    return yes_if(found, "{n} calls", "no call lets every origin in")


PROBE = Probe(
    id="open-origins",
    question="Do calls in production code let every origin in (CORS)?",
    how=(
        'allow_origins, origins, cors_allowed_origins or allow_origin_regex given as "*"; unknown where the '
        "value comes from elsewhere"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="name the origins",
)
