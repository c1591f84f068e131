"""VH303 hardcoded-url."""

import ast
from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.locations import Meaning, Use, addresses
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.words import last_name

ERRORS = ("Error", "Exception")
"""Ends of the names of classes that tell of failures."""


def check(module: Module, options: None) -> Iterator[Hit]:
    for found in addresses(module):
        if found.use in (Use.TEXT, Use.TEST, Use.ROUTE):
            continue
        if _explains_failure(module, found.node):
            continue
        spoken = found.use in (Use.DIRECT, Use.NAMED) or (found.meaning is Meaning.INTERNAL and found.use is Use.DATA)
        yield Hit(
            found.node,
            values={"place": found.shown, "meaning": found.meaning.value},
            confidence=None if spoken else Confidence.LOW,
            audit=not spoken,
        )


def _explains_failure(module: Module, node: ast.AST) -> bool:
    """Whether an address stands in a request that is never sent: an error, or a reply made by hand, has to have one."""
    request = next((above for above in module.ancestors(node) if isinstance(above, ast.Call | ast.stmt)), None)
    if not isinstance(request, ast.Call) or last_name(request.func) != "Request":
        return False
    holder = module.parent(request)
    if isinstance(holder, ast.keyword) and holder.arg == "request":
        return True
    around = module.definition(request).split(".")
    return any(name.endswith(ERRORS) for name in around)


RULE = Rule(
    code="VH303",
    name="hardcoded-url",
    message="{place!r} is {meaning}, written into the code",
    why=(
        "An address in code cannot be changed where the program runs: it ties every installation to one network, and a"
        " test run to the real service. Documentation, licences, schemas, examples and defaults that a user can change"
        " are no such addresses."
    ),
    remedy="take the address from the environment or the settings, with this one as its default",
    severity=Severity.LOW,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: None},
    cwe=(1051,),
    check=check,
    bad=(
        Bad("""
            import httpx

            def report(rows):
                httpx.post("http://billing.internal:9091/v1/usage", json=rows)  # VH303
                return httpx.get(f"https://api.moonep.ai/v1/{rows}")  # VH303
            """),
        Bad("""
            import socket

            def serve(app):
                link = socket.create_connection(("10.3.0.17", 9000))  # VH303
                app.run(host="0.0.0.0", port=8000)  # VH303 VH303
                return link

            def listen(sock):
                sock.bind(("", 9000))  # VH303
            """),
        Bad("QUEUE = 'redis://queue:6379/0'  # VH303\n", note="A host without a domain is known to one network only."),
    ),
    good=(
        Good("""
            import os

            from pydantic import BaseSettings, Field

            API = os.environ.get("API_URL", "http://queue:8000")

            class Settings(BaseSettings):
                api_host: str = Field("0.0.0.0", env="API_HOST")
                api_port: int = Field(8000, env="API_PORT")
                base_url: str = "http://gateway.internal:8080"

            def connect(url="http://localhost:8000", host=""):
                base = url.rstrip("/") if url else "https://api.moonep.ai"
                return base, host or "10.0.0.1"
            """),
        Good("""
            import requests

            SVG = "http://www.w3.org/2000/svg"

            def fetch(url):
                if not url.startswith("https://"):
                    raise ValueError("see https://docs.moonep.ai/urls for what an address must look like")
                return requests.get(url), requests.get("https://example.com/robots.txt"), "203.0.113.7"
            """),
        Good("""
            import httpx

            class QuotaError(Exception):
                def __init__(self, text, status):
                    self.request = httpx.Request("POST", "https://api.moonep.ai/v1/chat")
                    self.response = httpx.Response(status, request=self.request)
                    super().__init__(text)

            def refused(text):
                return httpx.Response(403, text=text, request=httpx.Request("POST", url="https://api.moonep.ai/v1"))
            """),
        Good(
            """
            def archive(store):
                uri = "files.zip"
                return store.open(uri), store.open(url="model.tar.gz")
            """,
            note="The name of a file leads to no service.",
        ),
        Good('URL = "http://10.0.0.1:8000"\n', path="tests/test_client.py"),
    ),
)
