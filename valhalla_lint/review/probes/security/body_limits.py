"""Is the size of request bodies limited in code?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import GRPC, HTTP, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable
from valhalla_lint.review.signs import shown
from valhalla_lint.review.tables import table


def ask(facts: Facts) -> Reply:
    """Look for libraries and words, where requests are accepted at all."""
    if not of_kind(facts, HTTP, GRPC):
        return not_applicable("no HTTP or gRPC entry point was found")
    names = frozenset(table("signs")["names"]["body_limits"])
    found = []
    for file in facts.production:
        used = sorted(names & file.words)
        if used:
            found.append(facts.cite(file.path, note=", ".join(used)))
        found.extend(
            facts.cite(file.path, call.line, word) for call in file.calls for word in call.keywords if word in names
        )
    return shown(facts, "serving", found, "{n} places", "no name of that kind")


PROBE = Probe(
    id="body-limits",
    question="Is the size of request bodies limited in code?",
    how=(
        "names such as MAX_CONTENT_LENGTH, client_max_size, max_body_size, max_content_length and gRPC's options for "
        "message lengths in production code, however high they are set; a limit of the server before it is not seen; "
        "unknown where sources in other languages, which may serve, were not analysed"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="limit the body before it is read",
)
