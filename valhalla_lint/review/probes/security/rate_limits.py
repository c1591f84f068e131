"""Is the number of requests at a time, or in a time, limited in code?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import GRPC, HTTP, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable
from valhalla_lint.review.signs import shown, uses

WORDS = (
    "limit_concurrency",
    "max_concurrent_requests",
    "maximum_concurrent_rpcs",
    "max_concurrency",
    "concurrency_limit",
    "default_concurrency_limit",
)


LOCKS = frozenset({"asyncio.Lock", "anyio.Lock", "threading.Lock", "threading.RLock", "multiprocessing.Lock"})


def ask(facts: Facts) -> Reply:
    """Look for libraries and words, where requests are accepted at all."""
    if not of_kind(facts, HTTP, GRPC):
        return not_applicable("no HTTP or gRPC entry point was found")
    found = list(uses(facts, "limiting"))
    entries = {entry.path for entry in of_kind(facts, HTTP, GRPC)}
    for file in facts.production:
        found.extend(
            facts.cite(file.path, call.line, word) for call in file.calls for word in call.keywords if word in WORDS
        )
        if file.path in entries:
            found.extend(facts.cite(file.path, call.line, call.name) for call in file.calls if call.name in LOCKS)
    return shown(
        facts, "serving", found, "{n} places", "neither a limiter, nor a semaphore, nor a lock beside the routes"
    )


PROBE = Probe(
    id="concurrency-limits",
    question="Is the number of requests at a time, or in a time, limited in code?",
    how=(
        "imports and calls of slowapi, flask_limiter, throttling classes, semaphores and capacity limiters; "
        "limit_concurrency of uvicorn; locks made in the modules that accept requests. What they guard is for the "
        "reader; unknown where sources in other languages, which may serve, were not analysed"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="bound what runs at a time, and refuse the rest early",
)
