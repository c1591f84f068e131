"""Where the outside comes in: HTTP routes, gRPC services, commands, user interfaces, tools for language models."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.python import Python

ROUTE_METHODS = frozenset(
    {"route", "get", "post", "put", "delete", "patch", "head", "options", "websocket", "websocket_route", "api_route"}
)
ROUTE_CALLS = frozenset(
    {
        "django.urls.path", "django.urls.re_path", "django.conf.urls.url", "starlette.routing.Route",
        "starlette.routing.WebSocketRoute", "fastapi.routing.APIRoute",
    }
)  # fmt: skip
ROUTE_CALL_METHODS = frozenset({".add_url_rule", ".add_api_route", ".add_api_websocket_route", ".add_websocket_route"})
AIOHTTP = frozenset({".add_get", ".add_post", ".add_put", ".add_delete", ".add_patch", ".add_route", ".add_resource"})
HANDLER_BASES = (
    "tornado.web.RequestHandler",
    "tornado.websocket.WebSocketHandler",
    "http.server.BaseHTTPRequestHandler",
    "rest_framework.views.APIView",
    "rest_framework.viewsets.ModelViewSet",
    "rest_framework.viewsets.ViewSet",
    "flask.views.MethodView",
    "flask_restful.Resource",
    "starlette.endpoints.HTTPEndpoint",
    "starlette.endpoints.WebSocketEndpoint",
    "litestar.Controller",
)
FRAMEWORKS = (
    "flask",
    "fastapi",
    "starlette",
    "django",
    "aiohttp",
    "tornado",
    "sanic",
    "bottle",
    "litestar",
    "quart",
    "falcon",
    "rest_framework",
    "pyramid",
    "robyn",
    "blacksheep",
)
HTTP, GRPC, COMMAND, INTERFACE, TOOL = "HTTP", "gRPC", "command", "interface", "tool"
INTERFACE_CALLS = ("gradio.Interface", "gradio.Blocks", "gradio.ChatInterface", "gradio.TabbedInterface")
COMMAND_CALLS = frozenset(
    {
        "argparse.ArgumentParser",
        "fire.Fire",
        "typer.Typer",
        "typer.run",
        "absl.app.run",
        "docopt.docopt",
        "optparse.OptionParser",
        "simple_parsing.ArgumentParser",
        "transformers.HfArgumentParser",
        "jsonargparse.ArgumentParser",
        "jsonargparse.CLI",
        "configargparse.ArgumentParser",
        "tyro.cli",
        "cyclopts.App",
    }
)
COMMAND_DECORATORS = ("click.command", "click.group", "typer.command", "hydra.main")


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One way in: kind, place, what it is called."""

    kind: str
    path: str
    line: int
    name: str


def entries(facts: Facts) -> tuple[Entry, ...]:
    """All ways in that show in production code, and the commands that the project declares."""
    return _entries(facts)


@lru_cache(maxsize=1)
def _entries(facts: Facts) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for file in facts.production:
        found.extend(_http(file))
        found.extend(_others(file))
    for name, target, path in facts.declared.scripts:
        found.append(Entry(COMMAND, path, 0, f"{name} = {target}"))
    return tuple(sorted(set(found)))


def _http(file: Python) -> Iterator[Entry]:
    web = any(item.top in FRAMEWORKS for item in file.imports)
    for function in file.functions:
        for name, strings in function.decorators:
            head, _, last = name.rpartition(".")
            if (last in ROUTE_METHODS and head and strings and strings[0].startswith(("/", "<"))) or (
                last in ROUTE_METHODS and head and strings == ("",) and web
            ):
                yield Entry(HTTP, file.path, function.line, f"{last} {strings[0]}")
            elif (
                last in ROUTE_METHODS
                and web
                and head
                and not strings
                and head.rpartition(".")[2] in ("app", "router", "api", "bp", "blueprint")
            ):
                yield Entry(HTTP, file.path, function.line, last)
            elif (last == "tool" and head and any(item.top in ("mcp", "fastmcp") for item in file.imports)) or name in (
                "langchain.tools.tool",
                "langchain_core.tools.tool",
                "langchain.agents.tool",
            ):
                yield Entry(TOOL, file.path, function.line, function.name)
            elif name in COMMAND_DECORATORS or (
                last in ("command", "callback", "group")
                and any(item.top in ("typer", "click") for item in file.imports)
            ):
                yield Entry(COMMAND, file.path, function.line, function.name)
            elif name == "rest_framework.decorators.api_view":
                yield Entry(HTTP, file.path, function.line, function.name)
    for call in file.calls:
        if call.literal is None:
            continue  # a framework that hands a route on, not a route
        if (
            call.name in ROUTE_CALLS
            or (call.name in ROUTE_CALL_METHODS and web)
            or (call.name in AIOHTTP and any(item.top == "aiohttp" for item in file.imports))
        ):
            yield Entry(HTTP, file.path, call.line, f"{call.last} {call.literal}")
    for item in file.classes:
        if any(base in HANDLER_BASES for base in item.bases):
            yield Entry(HTTP, file.path, item.line, item.name)


def _others(file: Python) -> Iterator[Entry]:
    for item in file.classes:
        if any(base.endswith("Servicer") for base in item.bases):
            yield Entry(GRPC, file.path, item.line, item.name)
    for call in file.calls:
        if (
            call.last.startswith("add_")
            and call.last.endswith("Servicer_to_server")
            and not file.path.endswith("_grpc.py")
        ):
            yield Entry(GRPC, file.path, call.line, call.last)
        elif call.name in INTERFACE_CALLS:
            yield Entry(INTERFACE, file.path, call.line, call.name)
        elif call.name in COMMAND_CALLS:
            yield Entry(COMMAND, file.path, call.line, call.name)
        elif call.name == "mcp.server.Server":
            yield Entry(TOOL, file.path, call.line, call.name)
    if any(item.top == "streamlit" for item in file.imports) and file.main:
        yield Entry(INTERFACE, file.path, file.main, "streamlit")


def of_kind(facts: Facts, *kinds: str) -> tuple[Entry, ...]:
    """The ways in of some kinds."""
    return tuple(entry for entry in entries(facts) if entry.kind in kinds)
