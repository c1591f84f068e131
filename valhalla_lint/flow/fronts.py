"""What stands before a function that answers a request: a server that fills in fields, and the routes of its file."""

import ast
from collections.abc import Mapping

from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.entries import template
from valhalla_lint.flow.units import Unit, once_a_unit
from valhalla_lint.flow.words import pieces

SETTING_WORDS = frozenset({"settings", "config", "conf"})
MAX_NAMES = 6
"""Names that are followed to find out of what a key is put together."""


@once_a_unit
def _converters(unit: Unit) -> Mapping[str, frozenset[str]]:
    """The fields of all path templates that a file registers functions under, each with its converters."""
    found: dict[str, set[str]] = {}
    for node in unit.module.nodes(ast.Constant):
        if isinstance(node.value, str) and node.value.startswith("/") and ("<" in node.value or "{" in node.value):
            for name, converter in template(node.value).items():
                found.setdefault(name, set()).add(converter)
    return {name: frozenset(several) for name, several in found.items()}


def only_converter(unit: Unit, name: str) -> str | None:
    """The converter that a field has in every path template of a file, for a function that several routes share."""
    found = _converters(unit).get(name, frozenset())
    return next(iter(found)) if len(found) == 1 else None


def is_of_settings(node: ast.AST, unit: Unit) -> bool:
    """Whether the key of an item (`form[name]`, `form.get(name)`) is put together of what the program's settings say.

    Such fields are named for a server in front, which puts uploads into files of its own and refuses them to clients.
    """
    match node:
        case ast.Subscript(slice=key) | ast.Call(args=[key, *_]):
            pass
        case _:
            return False
    scopes = unit.module.scopes
    left = MAX_NAMES
    waiting: list[ast.AST] = [key]
    while waiting:
        for item in ast.walk(waiting.pop()):
            if isinstance(item, ast.Call) and _asks_settings(item.func):
                return True
            if isinstance(item, ast.Name) and left > 0:
                left -= 1
                value = scopes.value_of(item)
                if value is not None:
                    waiting.append(value)
    return False


def _asks_settings(func: ast.expr) -> bool:
    return any(
        not SETTING_WORDS.isdisjoint(pieces(last_name(item)))
        for item in ast.walk(func)
        if isinstance(item, ast.Name | ast.Attribute)
    )
