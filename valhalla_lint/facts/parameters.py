"""The parameters that positional arguments are handed to, in the file or in another module of the project."""

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.facts.names import absolute
from valhalla_lint.facts.parse import parse
from valhalla_lint.facts.words import last_name

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

FIELD_DECORATORS = frozenset({"dataclass", "define", "frozen", "mutable"})
"""Decorators that make the annotated names of a class its parameters."""
MAX_HOPS = 3
"""Re-exports that are followed to a definition."""
Given = Iterator[tuple[ast.expr, str]]
"""Arguments, each with the name of its parameter."""


def own_arguments(module: "Module", telling: Mapping[str, object]) -> Given:
    """Positional arguments of calls of the file's own functions and classes whose parameters have telling names."""
    called = module.calls
    for last, names in _own(module):
        if any(name in telling for name in names):
            for node in called.get(last, ()):
                yield from _given(node.args, names, telling)
            for node in called.get("partial", ()):
                if node.args and last_name(node.args[0]) == last:
                    yield from _given(node.args[1:], names, telling)


def _given(arguments: list[ast.expr], names: tuple[str, ...], telling: Mapping[str, object]) -> Given:
    for argument, name in zip(arguments, names, strict=False):
        if isinstance(argument, ast.Starred):
            return
        if name in telling:
            yield argument, name


def _own(module: "Module") -> Iterator[tuple[str, tuple[str, ...]]]:
    """The functions and classes of the file by name, several of one name among them."""
    for node in module.nodes(ast.ClassDef):
        yield node.name, class_parameters(node)
    for function in module.nodes(ast.FunctionDef):
        yield function.name, parameters(function)
    for coroutine in module.nodes(ast.AsyncFunctionDef):
        yield coroutine.name, parameters(coroutine)
    for call in module.calls.get("namedtuple", ()):
        match call.args:
            case [ast.Constant(value=str(name)), ast.List(elts=elements) | ast.Tuple(elts=elements), *_]:
                yield name, tuple(str(item.value) if isinstance(item, ast.Constant) else "" for item in elements)
            case [ast.Constant(value=str(name)), ast.Constant(value=str(text)), *_]:
                yield name, tuple(text.replace(",", " ").split())
            case _:
                pass


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    """The names of a function's positional parameters, without the receiver."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return tuple(names[1:] if names[:1] in (["self"], ["cls"]) else names)


def class_parameters(node: ast.ClassDef) -> tuple[str, ...]:
    """The names of a class's positional parameters: those of `__init__`, or its fields; () where neither tells."""
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            return parameters(statement)
    bases = {last_name(base) for base in node.bases}
    decorated = any(last_name(decorator) in FIELD_DECORATORS for decorator in node.decorator_list)
    if "NamedTuple" in bases or (decorated and not bases):
        return tuple(
            statement.target.id
            for statement in node.body
            if isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and "ClassVar" not in ast.dump(statement.annotation)
        )
    return ()


# --- other modules ----------------------------------------------------------------------------------------------------


class Definitions(NamedTuple):
    """What a module says of its functions and classes: their parameters, and which names it only hands on."""

    parameters: Mapping[str, tuple[str, ...]]
    imported: Mapping[str, tuple[int, str | None, str]]


@lru_cache(maxsize=256)
def definitions(text: str) -> Definitions:
    """What the text of a module defines at its top level. Never raises on any text."""
    found: dict[str, tuple[str, ...]] = {}
    imported: dict[str, tuple[int, str | None, str]] = {}
    for node in parse(text).tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found[node.name] = parameters(node)
            case ast.ClassDef():
                found[node.name] = class_parameters(node)
            case ast.ImportFrom():
                imported |= {item.asname or item.name: (node.level, node.module, item.name) for item in node.names}
            case _:
                pass
    return Definitions(found, imported)


def project_parameter(module: "Module", call: ast.Call, argument: ast.expr) -> str:
    """The name of the parameter that a positional argument is handed to, if the project tells; else ""."""
    dotted = module.name(call.func) or ""
    for position, item in enumerate(call.args):
        if isinstance(item, ast.Starred):
            return ""
        if item is argument:
            names = _of_project(module, dotted)
            return names[position] if position < len(names) else ""
    return ""


def _of_project(module: "Module", dotted: str) -> tuple[str, ...]:
    for _ in range(MAX_HOPS):
        owner, _dot, last = dotted.rpartition(".")
        location = module.project.find(owner)
        text = module.read_module(location) if location is not None and location != module.source.location else None
        if text is None or location is None or last not in text:
            return ()
        known = definitions(text)
        if last in known.parameters:
            return known.parameters[last]
        if last not in known.imported:
            return ()
        level, origin, name = known.imported[last]
        base = absolute(owner, level, origin, is_package=location.name == "__init__.py")
        dotted = f"{base}.{name}"
    return ()
