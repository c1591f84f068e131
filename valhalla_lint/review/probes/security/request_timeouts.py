"""Do network calls have a time-out?"""

from valhalla_lint.core.evidence import Citation, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable, unknown
from valhalla_lint.review.tables import table

URLOPEN_TIMEOUT = 3
"""Position of the time-out among the arguments of urlopen."""


def ask(facts: Facts) -> Reply:
    """Look at the arguments of the calls."""
    bounded: list[Citation] = []
    endless: list[Citation] = []
    for file, call in facts.calls(*table("signs")["calls"]["requests"]):
        has = (
            "timeout" in call.keywords
            or "**" in call.keywords
            or (call.last == "urlopen" and call.arguments >= URLOPEN_TIMEOUT)
        )
        (bounded if has else endless).append(facts.cite(file.path, call.line, call.name))
    if not bounded and not endless:
        if any(name.partition(".")[0] in facts.graph.external for _, _, name in facts.importing("httpx", "aiohttp")):
            return unknown("httpx and aiohttp have a time-out by default; whether it is switched off was not followed")
        return not_applicable("production code imports no library that sends requests by calls that are known here")
    return no_if(
        endless,
        f"{{n}} of {len(bounded) + len(endless)} calls have none",
        f"all {len(bounded)} calls have one",
        bounded,
    )


PROBE = Probe(
    id="request-timeouts",
    question="Do all calls of requests and urllib in production code have a time-out?",
    how=(
        "requests.get and its kin, urllib.request.urlopen; a timeout argument or unpacked arguments count; unknown "
        "where only httpx or aiohttp is used"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="give each call a time-out",
)
