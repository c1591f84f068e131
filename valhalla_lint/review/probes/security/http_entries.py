"""Does production code accept HTTP or WebSocket requests?"""

from dataclasses import replace

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import HTTP, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable
from valhalla_lint.review.reach import reading
from valhalla_lint.review.signs import shown


def ask(facts: Facts) -> Reply:
    """Look at the entry points of that kind."""
    if not facts.production:
        return not_applicable("no production code")
    found = of_kind(facts, HTTP)
    places = [facts.cite(entry.path, entry.line, entry.name) for entry in found]
    reply = shown(facts, "serving", places, "{n} places", "no route was found")
    return replace(reply, reading=reply.reading + reading(facts, (HTTP,)))


PROBE = Probe(
    id="http-entries",
    question="Does production code accept HTTP or WebSocket requests?",
    how=(
        "routes of Flask, FastAPI, Starlette, Django, aiohttp, Tornado, Sanic, Bottle, Litestar and their kin by "
        "decorators, calls and base classes; the ways in list each with its path to an engine"
    ),
    ask=ask,
)
