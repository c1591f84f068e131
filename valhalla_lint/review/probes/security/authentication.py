"""Is there code that authenticates requests?"""

import re

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import GRPC, HTTP, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable
from valhalla_lint.review.signs import shown, uses

GUARD = re.compile(r"(?:Auth|Token|ApiKey|APIKey|Login)\w{0,40}(?:Middleware|Backend|Guard|Dependency|Permission)$")
WORDS = (
    "api_key",
    "api_keys",
    "verify_token",
    "check_api_key",
    "authenticate",
    "is_authenticated",
    "login_required",
    "get_current_user",
    "current_user",
    "HTTPBearer",
    "verify_api_key",
)


def ask(facts: Facts) -> Reply:
    """Look for libraries and words, where requests are accepted at all."""
    if not of_kind(facts, HTTP, GRPC):
        return not_applicable("no HTTP or gRPC entry point was found")
    found = list(uses(facts, "authentication"))
    entries = {entry.path for entry in of_kind(facts, HTTP, GRPC)}
    found.extend(
        facts.cite(file.path, note=", ".join(words))
        for file in facts.production
        if file.path in entries and (words := sorted(file.words & frozenset(WORDS)))
    )
    found.extend(
        facts.cite(file.path, item.line, item.name)
        for file in facts.production
        for item in file.classes
        if GUARD.search(item.name)
    )
    return shown(
        facts,
        "serving",
        found,
        "{n} places",
        "neither a library nor a name of that kind in the modules that accept requests",
    )


PROBE = Probe(
    id="authentication",
    question="Is there code that authenticates requests?",
    how=(
        "imports of authentication libraries (fastapi.security, flask_login, PyJWT, authlib, Django's auth and their "
        "kin), routes that take the Authorization header or an API key by name, "
        "classes named as guards (…AuthMiddleware and their kin). That every route is behind it is not "
        "shown; unknown where sources in other languages, which may serve, were not analysed"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="authenticate before anything is parsed",
)
