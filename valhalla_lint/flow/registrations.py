"""Functions that a file hands to a framework: `app.add_url_rule("/x", view_func=show)`, `button.click(load)`.

Also what a decorator makes of a function, above it (`@app.get("/x")`) or called for it (`server.tool()(self.read)`).
"""

import ast
from collections.abc import Iterator, Mapping, Sequence

from valhalla_lint.facts.calls import last_name
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.scopes import FUNCTIONS, parameters
from valhalla_lint.flow.catalogue import Catalogue, Registration
from valhalla_lint.flow.labels import Handler, Kind
from valhalla_lint.flow.pages import PAGES, handed_by_page
from valhalla_lint.flow.units import Unit, once_a_unit
from valhalla_lint.flow.words import OWNERS

VERBS = frozenset("get post put patch delete head options websocket route api_route".split())


WHOLE = frozenset({"register_instance", "Fire"})
"""Registrations of all public methods of an object or a class: of a server of XML-RPC, of a command line."""


@once_a_unit
def registered(unit: Unit, catalogue: Catalogue) -> Mapping[FunctionNode, tuple[Handler, str]]:
    """The functions of a file that it registers itself: each with what calls it, and its path template or ""."""
    found: dict[FunctionNode, tuple[Handler, str]] = {}
    module = unit.module
    for last in catalogue.registrations.keys() & module.calls.keys():
        registration = catalogue.registrations[last]
        if not imports_any(module, registration.imports):
            continue
        for call in module.calls[last]:
            for given in arguments(call, registration):
                offered = ((method, frozenset[str]()) for method in (_methods(unit, given) if last in WHOLE else ()))
                for function, known in (*functions(unit, given), *offered):
                    handler = registration.handler
                    if PAGES in registration.imports:
                        handler = handler._replace(skips=handler.skips | handed_by_page(module, call, function))
                    if known:
                        handler = handler._replace(skips=handler.skips | known)
                    before, route = found.get(function, (handler, template(module, call)))
                    found[function] = before._replace(skips=before.skips & handler.skips), route  # filled by each
    for call in module.index.found("calls of what a call gives", ast.Call, _of_calls):
        for function, _ in functions(unit, call.args[0]):
            made = decorates(unit, catalogue, call.func)
            if made is not None:
                found.setdefault(function, made)
    return found


def _of_calls(calls: Sequence[ast.Call]) -> Iterator[ast.Call]:
    """Those of some calls that hand one thing to what another call gives: `app.get("/items")(function)`."""
    for call in calls:
        if call.func.__class__ is ast.Call and len(call.args) == 1 and not call.keywords:
            yield call


def decorates(unit: Unit, catalogue: Catalogue, decorator: ast.expr) -> tuple[Handler, str] | None:
    """The handler that a decorator of a known framework makes of a function, and its path template or ""."""
    call = decorator if isinstance(decorator, ast.Call) else None
    func = call.func if call is not None else decorator
    last = last_name(func)
    found = catalogue.decorator(unit.module.name(func) or _of_object(unit, func), last)
    if found is None:
        return None
    route = route_text(unit, call.args[0]) if call is not None and call.args else None
    if route is None and call is not None:
        route = next(
            (route_text(unit, item.value) for item in call.keywords if item.arg in ("path", "rule", "uri")),
            None,
        )
    if (
        last in VERBS
        and found.name == last
        and not ((call is not None and (route or "").startswith("/")) or last in ("route", "api_route"))
    ):
        return None
    return found, route or ""


def makes_tool(unit: Unit, node: FunctionNode) -> bool:
    """Whether a function that a tool's decorator stands on makes the tool: it says so, or hands back one of its own."""
    if node.returns is not None and last_name(node.returns) == "Tool":
        return True
    inner = {item.name for item in node.body if isinstance(item, FUNCTIONS)}
    return bool(inner) and any(
        isinstance(item, ast.Return) and isinstance(item.value, ast.Name) and item.value.id in inner
        for item in unit.module.index.own(node)
    )


def made_tool(unit: Unit, catalogue: Catalogue, node: FunctionNode) -> tuple[Handler, str] | None:
    """The handler that a function is which a maker of tools hands back: what it is given, a language model chose."""
    maker = unit.module.parent(node)
    if not isinstance(maker, FUNCTIONS) or not maker.decorator_list or not makes_tool(unit, maker):
        return None
    for decorator in maker.decorator_list:
        found = decorates(unit, catalogue, decorator)
        if found is not None and found[0].kind is Kind.TOOL:
            return found
    return None


def route_text(unit: Unit, node: ast.expr) -> str | None:
    """A path template, without the parts that nobody knows: `f"{PREFIX}/files/{{name}}"` is `/files/{name}`."""
    text = unit.module.constants.text(node)
    if text is not None:
        return text
    match node:
        case ast.JoinedStr(values=values):
            known = (item.value for item in values if isinstance(item, ast.Constant))
            return "".join(item for item in known if isinstance(item, str)) or None
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return "".join(filter(None, (route_text(unit, left), route_text(unit, right)))) or None
        case _:
            return None


def _of_object(unit: Unit, func: ast.expr) -> str | None:
    """The qualified name of a method of what the file made of a library's class (`mcp = FastMCP("files")`)."""
    match func:
        case ast.Attribute(value=ast.Name() as owner, attr=attr):
            made = unit.module.scopes.value_of(owner)
            kind = unit.module.name(made.func) if isinstance(made, ast.Call) else None
            return f"{kind}.{attr}" if kind is not None else None
        case _:
            return None


def imports_any(module: Module, packages: frozenset[str]) -> bool:
    """Whether a file imports one of some packages; true where none is named."""
    return not packages or not packages.isdisjoint(module.packages)


def arguments(call: ast.Call, registration: Registration) -> Iterator[ast.expr]:
    """The arguments at which functions are registered."""
    for place in registration.arguments:
        if isinstance(place, int):
            if place < len(call.args):
                yield call.args[place]
        else:
            yield from (item.value for item in call.keywords if item.arg == place)


def functions(unit: Unit, given: ast.expr) -> Iterator[tuple[FunctionNode, frozenset[str]]]:
    """The functions of the file that an expression means, each with the parameters that it fills already.

    An expression is a name, `self.name`, or `partial(name, …)`.
    """
    scopes = unit.module.scopes
    match given:
        case ast.Name(id=name):
            scope = scopes.binding_scope(given, name)
            for node in scopes.bindings(scope).get(name, ()) if scope is not None else ():
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield node, frozenset()
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            function = unit.module.function(given)
            owner = scopes.class_of(function) if function is not None else None
            method = unit.methods.get(owner, {}).get(name) if owner is not None else None
            if method is not None:
                yield method, frozenset()
        case ast.Call(func=ast.Name(id="partial") | ast.Attribute(attr="partial"), args=[first, *filled]):
            named = frozenset(keyword.arg for keyword in given.keywords if keyword.arg is not None)
            for node, known in functions(unit, first):
                free = [arg.arg for arg in parameters(node) if arg.arg not in known and arg.arg not in OWNERS]
                yield node, known | named | frozenset(free[: len(filled)])
        case _:
            pass


def _methods(unit: Unit, given: ast.expr) -> Iterator[FunctionNode]:
    """The public methods of a class of the file that an expression names, or of which it is an object."""
    match given:
        case ast.Name(id=name):
            scopes = unit.module.scopes
            scope = scopes.binding_scope(given, name)
            bound = scopes.bindings(scope).get(name, ()) if scope is not None else ()
            owner = next((node for node in bound if isinstance(node, ast.ClassDef)), None)
            if owner is not None:
                yield from (node for method, node in unit.methods.get(owner, {}).items() if not method.startswith("_"))
            elif isinstance(made := scopes.value_of(given), ast.Call):
                yield from _methods(unit, made.func)
        case ast.Call(func=ast.Name() as maker):
            yield from _methods(unit, maker)
        case _:
            pass


def template(module: Module, call: ast.Call) -> str:
    """The path template that stands first in a call, or ""."""
    text = module.constants.text(call.args[0]) if call.args else None
    return text if text is not None and ("/" in text or "<" in text or "{" in text) else ""
