"""Whether a module looks at its own names, so that a new one could change what it does."""

import ast
import re

from valhalla_lint.facts.module import Module

COMPILERS = re.compile(r"\btorch\.jit\b|\btriton\b")
"""Tools that compile functions by themselves, without the constants of the module around them."""
WHOLE = frozenset({"items", "keys", "values", "copy"})
LISTERS = frozenset({"vars", "locals", "dir"})


def sees_new_names(module: Module) -> bool:
    """Whether code of a module may come upon a new constant: it lists its names, or is compiled without them."""
    if COMPILERS.search(module.text) or "sys.modules[__name__]" in module.text:
        return True
    return any(_lists(module, call) for call in module.nodes(ast.Call))


def _lists(module: Module, call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Name(id="globals"), args=[]):
            match module.parent(call):
                case ast.Subscript():
                    return False  # one name is looked up, and a new one is none that anybody knows
                case ast.Attribute(attr=name):
                    return name in WHOLE
                case _:
                    return True
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in LISTERS:
            return isinstance(module.scopes.scope(call), ast.Module)
        case _:
            return False
