"""Which dotted name an expression means, through imports, aliases and plain re-bindings."""

import ast
import builtins
from typing import NamedTuple

from valhalla_lint.facts.index import Index
from valhalla_lint.facts.scopes import Scopes

BUILTINS = frozenset(dir(builtins))
MAX_ALIASES = 8
"""How many plain re-bindings (`load = torch.load`) are followed before giving up."""


class Import(NamedTuple):
    """One imported name: the scope that it is bound in and the dotted name that it stands for."""

    scope: ast.AST
    target: str
    node: ast.Import | ast.ImportFrom


def absolute(module: str, level: int, name: str | None, *, is_package: bool) -> str:
    """The dotted name that a relative import means inside `module`; leading dots stay where it leads out of sight."""
    if not level:
        return name or ""
    parts = module.split(".") if module else []
    drop = level - 1 if is_package else level
    if drop > len(parts) or not parts:
        return "." * level + (name or "")
    base = parts[: len(parts) - drop]
    return ".".join([*base, name] if name else base)


class Names:
    """Resolves names in one file.

    module: the file's own dotted name ("" where unknown), is_package: whether it is an `__init__`.
    """

    __slots__ = ("_index", "_is_package", "_known", "_module", "_scopes", "imports")

    def __init__(self, index: Index, scopes: Scopes, module: str = "", *, is_package: bool = False) -> None:
        """Collect the imports of all scopes; nothing else is computed before it is asked for."""
        self._index = index
        self._scopes = scopes
        self._module = module
        self._is_package = is_package
        self._known: dict[ast.AST, str | None] = {}
        self.imports: dict[str, list[Import]] = {}
        for node in index.nodes(ast.Import):
            scope = scopes.scope(node)
            for item in node.names:
                if item.asname:
                    self._bind(item.asname, Import(scope, item.name, node))
                else:
                    root = item.name.partition(".")[0]
                    self._bind(root, Import(scope, root, node))
        for origin in index.nodes(ast.ImportFrom):
            scope = scopes.scope(origin)
            base = absolute(module, origin.level, origin.module, is_package=is_package)
            for item in origin.names:
                target = f"{base}.{item.name}" if base else item.name
                self._bind(item.asname or item.name, Import(scope, target, origin))

    def _bind(self, name: str, found: Import) -> None:
        self.imports.setdefault(name, []).append(found)

    @property
    def stars(self) -> list[str]:
        """The modules from which everything is imported (`from x import *`)."""
        return [found.target.removesuffix(".*") for found in self.imports.get("*", ())]

    def name(self, expression: ast.AST | None) -> str | None:
        """The dotted name that a name or attribute chain means, or None.

        `t.load` after `import torch as t` means `torch.load`; `open` means `open` unless the file binds it otherwise.
        Names that the file itself defines, parameters and attributes of values resolve to None.
        """
        if expression is None:
            return None
        try:
            return self._known[expression]  # half of all questions are asked again
        except KeyError:
            found = self._known[expression] = self._resolve(expression, MAX_ALIASES)
            return found

    def _resolve(self, expression: ast.AST | None, budget: int) -> str | None:
        parts: list[str] = []
        while isinstance(expression, ast.Attribute):
            parts.append(expression.attr)
            expression = expression.value
        if not isinstance(expression, ast.Name):
            return None
        root = self._root(expression, budget)
        if root is None:
            return None
        if not parts:
            return root
        parts.append(root)
        return ".".join(reversed(parts))

    def _root(self, node: ast.Name, budget: int) -> str | None:
        name = node.id
        imported = self.imports.get(name)
        scope = self._scopes.binding_scope(node, name)
        if scope is None:
            if name in BUILTINS:
                return name
            return imported[0].target if imported else None
        if imported:
            for found in imported:
                if found.scope is scope:
                    return found.target
        if budget and (value := self._scopes.sole_value(scope, name)) is not None:
            if isinstance(value, ast.Name) and value.id == name:
                return None
            return self._resolve(value, budget - 1) if isinstance(value, ast.Name | ast.Attribute) else None
        return None
