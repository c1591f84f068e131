"""Does production code serve gRPC?"""

from dataclasses import replace

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import GRPC, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable
from valhalla_lint.review.reach import reading
from valhalla_lint.review.signs import shown


def ask(facts: Facts) -> Reply:
    """Look at the entry points of that kind."""
    if not facts.production:
        return not_applicable("no production code")
    found = of_kind(facts, GRPC)
    places = [facts.cite(entry.path, entry.line, entry.name) for entry in found]
    reply = shown(facts, "serving", places, "{n} places", "no servicer was found")
    return replace(reply, reading=reply.reading + reading(facts, (GRPC,)))


PROBE = Probe(
    id="grpc-entries",
    question="Does production code serve gRPC?",
    how=(
        "classes derived from a Servicer, calls that add one to a server; the ways in list each with its path to "
        "an engine"
    ),
    ask=ask,
)
