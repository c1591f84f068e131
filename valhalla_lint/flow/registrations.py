"""Functions that a file hands to a framework: `app.add_url_rule("/x", view_func=show)`, `button.click(load)`."""

import ast
from collections.abc import Iterator, Mapping

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.flow.catalogue import Catalogue, Registration
from valhalla_lint.flow.labels import Handler
from valhalla_lint.flow.pages import PAGES, handed_by_page
from valhalla_lint.flow.units import Unit, once_a_unit
from valhalla_lint.flow.words import OWNERS


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
                for function, known in functions(unit, given):
                    handler = registration.handler
                    if PAGES in registration.imports:
                        handler = handler._replace(skips=handler.skips | handed_by_page(module, call, function))
                    if known:
                        handler = handler._replace(skips=handler.skips | known)
                    before, route = found.get(function, (handler, template(module, call)))
                    found[function] = before._replace(skips=before.skips & handler.skips), route  # filled by each
    return found


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


def template(module: Module, call: ast.Call) -> str:
    """The path template that stands first in a call, or ""."""
    text = module.constants.text(call.args[0]) if call.args else None
    return text if text is not None and ("/" in text or "<" in text or "{" in text) else ""
