"""Is there a chain of middleware?"""

import re

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import HTTP, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.python import Class

DECORATOR = re.compile(r"\.(?:middleware|before_request|after_request|teardown_request|on_request|on_response)$")
BASES = ("BaseHTTPMiddleware", "MiddlewareMixin", "BaseMiddleware", "MiddlewareProtocol")


def _is_middleware(item: Class) -> bool:
    if any(base.rpartition(".")[2] in BASES for base in item.bases):
        return True
    return item.name.endswith("Middleware") and not {"__call__", "dispatch", "process_request"}.isdisjoint(item.methods)


def ask(facts: Facts) -> Reply:
    """Look for calls, decorators, classes, and Django's setting."""
    found = [facts.cite(file.path, call.line, "add_middleware") for file, call in facts.calls(".add_middleware")]
    for file in facts.production:
        for function in file.functions:
            found.extend(
                facts.cite(file.path, function.line, f"@{name}")
                for name, _ in function.decorators
                if DECORATOR.search(name)
            )
        found.extend(facts.cite(file.path, item.line, item.name) for item in file.classes if _is_middleware(item))
    if not found and not of_kind(facts, HTTP):
        return not_applicable("no HTTP entry point was found")
    return yes_if(found, "{n} places", "no middleware was found")


PROBE = Probe(
    id="middleware",
    question="Does a chain of middleware stand before request handlers?",
    how=(
        "add_middleware calls, decorators for middleware and before/after request, classes named …Middleware that "
        "can be called, or derived from a middleware base"
    ),
    ask=ask,
)
