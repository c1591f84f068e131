"""Dictionaries that the program has written out: what is found in one is a key that it has chosen itself."""

import ast

from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.words import OWNERS


def is_table(node: ast.expr, unit: Unit) -> bool:
    """Whether an expression names a dictionary that is written out with its keys, in the file or in a class of it.

    One that begins empty holds what came, and one that gives a default for every key proves nothing.
    """
    match node:
        case ast.Name(id=name):
            scope = unit.module.scopes.binding_scope(node, name)
            return scope is not None and _is_written_out(unit.module.scopes.sole_value(scope, name))
        case ast.Attribute(value=ast.Name(id=owner), attr=attr) if attr.isupper():
            return any(
                _is_written_out(statement.value)
                for made in _classes(node, owner, unit)
                for statement in made.body
                if isinstance(statement, ast.Assign | ast.AnnAssign) and attr in _names(statement)
            )
        case _:
            return False


def _is_written_out(value: ast.expr | None) -> bool:
    match value:
        case ast.Dict(keys=[_, *_]):
            return all(key is None or isinstance(key, ast.Constant | ast.Name | ast.Attribute) for key in value.keys)
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=[_, *_]):
            return all(item.arg is not None for item in value.keywords)
        case ast.Call(func=ast.Name(id="MappingProxyType") | ast.Attribute(attr="MappingProxyType"), args=[inner]):
            return _is_written_out(inner)
        case _:
            return False


def _classes(node: ast.expr, owner: str, unit: Unit) -> list[ast.ClassDef]:
    """The class that `self` or `cls` is of, or the one that is named."""
    if owner not in OWNERS:
        return [unit.classes[owner]] if owner in unit.classes else []
    function = unit.module.function(node)
    found = unit.module.scopes.class_of(function) if function is not None else None
    return [found] if found is not None else []


def _names(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]
