"""How a piece of code refuses what it was asked for: in a handler of a web framework by an answer, else by an error.

An error that nobody expects is answered with status 500, as if the server were broken, and is logged as such.
"""

import ast
from dataclasses import dataclass

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.words import last_name
from valhalla_lint.fixes.identifiers import binds, imported_as

ERROR = "the path leads out of its folder"
ROUTES = frozenset({"route", "api_route", "get", "post", "put", "patch", "delete", "head", "options", "view"})
"""Decorators by which an application or a router is given a handler."""
REQUEST = "request"
"""What the parameter of a handler is called where no decorator makes it one."""


@dataclass(frozen=True, slots=True)
class _Framework:
    """A framework: the name that refuses, how it is written, and whether decorators make the handlers."""

    target: str
    written: str
    decorated: bool


FRAMEWORKS = {
    "fastapi": _Framework("fastapi.HTTPException", "raise {name}(status_code=404)", decorated=True),
    "starlette": _Framework("starlette.exceptions.HTTPException", "raise {name}(status_code=404)", decorated=False),
    "flask": _Framework("flask.abort", "{name}(404)", decorated=True),
    "django": _Framework("django.http.Http404", f'raise {{name}}("{ERROR}")', decorated=False),
}
"""By the root of their packages, the first that a module imports counts."""


@dataclass(frozen=True, slots=True)
class RefusingLine:
    """The statement that refuses, and the imports that it needs."""

    text: str
    imports: tuple[str, ...] = ()


def refusing_line(module: Module, node: ast.AST) -> RefusingLine:
    """How the code around a node refuses a path."""
    roots = {item.target.partition(".")[0] for many in module.names.imports.values() for item in many}
    for root, framework in FRAMEWORKS.items():
        if root not in roots:
            continue
        if not _is_handler(module, node, framework):
            break
        name, imports = _name(module, node, framework.target)
        if name:
            return RefusingLine(framework.written.format(name=name), imports)
        break
    return RefusingLine(f'raise ValueError("{ERROR}")')


def _is_handler(module: Module, node: ast.AST, framework: _Framework) -> bool:
    """Whether the function around a node is one that a framework calls with a request."""
    function = module.function(node)
    if function is None:
        return False
    calls = (item.func for item in function.decorator_list if isinstance(item, ast.Call))
    if any(isinstance(item, ast.Attribute) and last_name(item) in ROUTES for item in calls):
        return True
    names = [item.arg for item in (*function.args.posonlyargs, *function.args.args)]
    return not framework.decorated and REQUEST in names[:2]


def _name(module: Module, node: ast.AST, target: str) -> tuple[str, tuple[str, ...]]:
    """How a name of a framework is written at a node, and the import for it; "" where it cannot be had."""
    written = imported_as(module, node, target)
    if written is not None:
        return written, ()
    package, _, last = target.rpartition(".")
    if "*" in module.names.imports or binds(module, node, last) or not beside_import(module, package):
        return "", ()
    return last, (f"from {package} import {last}",)


def beside_import(module: Module, package: str) -> int:
    """Behind which statement of the body an import of a package belongs, counted from 1; 0 where there is no such."""
    root = package.partition(".")[0]
    found = 0
    for number, statement in enumerate(module.tree.body, 1):
        match statement:
            case ast.ImportFrom(module=str(name), level=0) if name.partition(".")[0] == root:
                found = number
            case ast.Import(names=names) if any(item.name.partition(".")[0] == root for item in names):
                found = number
            case ast.ImportFrom() | ast.Import():
                continue
            case _ if found:
                break
            case _:
                continue
    return found if found and _has_its_lines(module, found - 1) else 0


def _has_its_lines(module: Module, index: int) -> bool:
    """Whether a statement of the body has its lines for itself."""
    body = module.tree.body
    end = body[index].end_lineno or body[index].lineno
    beside = [item for item in body[index + 1 : index + 2] if item.lineno <= end]
    return not beside and not module.lines[end - 1].endswith("\\")
