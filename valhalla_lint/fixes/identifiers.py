"""Names that a module does not know yet, and whether an import of it can be used at a place."""

import ast
import builtins
import keyword
import re
import unicodedata
from dataclasses import dataclass

from valhalla_lint.facts.module import Module

WORD = re.compile(r"[^\W\d]\w*")
MAX_NUMBER = 99
"""How many names that differ by a number only are tried."""


def words_of(text: str) -> set[str]:
    """Every word of a text, comments and texts included, as Python reads identifiers (NFKC): nothing here is new."""
    found = set(WORD.findall(text))
    return found if text.isascii() else found | {unicodedata.normalize("NFKC", word) for word in found}


def is_free(name: str, taken: set[str]) -> bool:
    """Whether nothing is called so."""
    return name not in taken and name.isidentifier() and not keyword.iskeyword(name) and not hasattr(builtins, name)


def imported_as(module: Module, node: ast.AST, target: str) -> str | None:
    """How a dotted name of another module is written at a node, by an import at the top of this module; None if not.

    Only plain imports count: never re-bound, not hidden at the node by a local name, before the first definition.
    """
    for name, many in module.names.imports.items():
        for found in many:
            if found.scope is not module.tree or not (target == found.target or target.startswith(f"{found.target}.")):
                continue
            bound = module.scopes.bindings(module.tree).get(name, ())
            if len(bound) != 1 or module.scopes.binding_scope(node, name) is not module.tree:
                continue
            if found.node in module.tree.body and _early(module.tree, found.node):
                return name + target[len(found.target) :]
    return None


DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def _early(tree: ast.Module, statement: ast.stmt) -> bool:
    """Whether a statement of the body stands before everything that could run later."""
    for item in tree.body:
        if item is statement:
            return True
        if any(isinstance(node, DEFINING) for node in ast.walk(item)):
            return False
    return False


@dataclass(frozen=True, slots=True)
class Reachable:
    """How a name of another module is written at a place, and the imports that must be added for it."""

    written: str
    imports: tuple[str, ...] = ()


def reachable(module: Module, node: ast.AST, target: str) -> Reachable | None:
    """How a dotted name is written at a node, if need be through a new import; None where its root means another thing.

    A class is imported by itself (`pathlib.Path`), anything else through its module (`os.path.isabs`).
    """
    written = imported_as(module, node, target)
    if written is not None:
        return Reachable(written)
    package, _, last = target.rpartition(".")
    root = target.partition(".")[0]
    by_itself = last[:1].isupper()
    if "*" in module.names.imports or binds(module, node, last if by_itself else root):
        return None
    return Reachable(last, (f"from {package} import {last}",)) if by_itself else Reachable(target, (f"import {root}",))


def binds(module: Module, node: ast.AST, name: str) -> bool:
    """Whether a name means anything at a node, or is bound at all in the module itself or declared global."""
    return (
        name in module.scopes.bindings(module.tree)
        or module.scopes.binding_scope(node, name) is not None
        or any(name in item.names for item in module.nodes(ast.Global))
    )
