"""What an expression runs that stands in another file of the project, or in a class: functions, methods, properties."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.lending import lends
from valhalla_lint.flow.units import ClassRef, Unit

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Machine

PROPERTIES = frozenset({"property", "cached_property"})
"""Decorators of methods that run when an attribute is asked for."""


def is_property(node: FunctionNode) -> bool:
    """Whether a method runs without being called."""
    return any(last_name(item) in PROPERTIES for item in node.decorator_list)


def borrowed(machine: "Machine", unit: Unit, node: ast.AST) -> Iterator[tuple[Unit, FunctionNode]]:
    """The functions of the project that a function runs, as far as names tell; other files are read for it."""
    found: tuple[Unit, FunctionNode] | None
    for item in unit.module.index.own(node):
        match item:
            case ast.Call(func=ast.Name(id=name)) if name in unit.functions:
                found = (unit, unit.functions[name])
            case ast.Call(func=ast.Name() as func):
                found = function_abroad(machine, unit, func)
            case ast.Call(func=ast.Attribute() as func):
                found = function_abroad(machine, unit, func) or method_of(machine, unit, func)
            case ast.Attribute(ctx=ast.Load()):
                found = method_of(machine, unit, item)
                found = found if found is not None and is_property(found[1]) else None
            case _:
                continue
        if found is not None:
            yield found


def function_abroad(machine: "Machine", unit: Unit, func: ast.expr) -> tuple[Unit, FunctionNode] | None:
    """The function of another file that an imported name means."""
    match _imported(machine, unit, func):
        case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as target):
            return where, target
        case _:
            return None


class Abroad(NamedTuple):
    """What a file has of classes of others, as far as names tell.

    held: variables and parameters that are objects of imported classes. derived: classes with imported bases.
    """

    held: frozenset[str] = frozenset()
    derived: frozenset[ast.ClassDef] = frozenset()


def abroad(machine: "Machine", unit: Unit) -> Abroad:
    """What a file has of classes of others."""
    known = machine.abroad.get(unit)
    if known is None:
        imported = machine.loader.imported(unit)
        known = machine.abroad[unit] = _abroad(unit, imported) if imported else Abroad()
    return known


def _abroad(unit: Unit, imported: frozenset[str]) -> Abroad:
    nodes = unit.module.nodes
    held = {arg.arg for arg in nodes(ast.arg) if arg.annotation is not None and root_of(arg.annotation) in imported}
    for item in nodes(ast.Assign):
        if isinstance(item.value, ast.Call) and root_of(item.value.func) in imported:
            held.update(target.id for target in item.targets if isinstance(target, ast.Name))
    derived = (node for node in nodes(ast.ClassDef) if any(root_of(base) in imported for base in node.bases))
    return Abroad(frozenset(held), frozenset(derived))


def root_of(node: ast.expr) -> str:
    """The name with which a dotted name begins, "" for any other expression."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def method_of(machine: "Machine", unit: Unit, node: ast.Attribute) -> tuple[Unit, FunctionNode] | None:
    """The method of a class that an attribute means.

    The object is `self`, or of an imported class: made on the spot, or a variable that is made so or annotated.
    """
    if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
        function = unit.module.function(node)
        owner = unit.module.scopes.class_of(function) if function is not None else None
        if owner is None:
            return None
        own = unit.methods.get(owner, {}).get(node.attr)
        if own is not None:
            return unit, own
        if owner not in abroad(machine, unit).derived:
            return None
        bases = [_imported(machine, unit, base) for base in owner.bases]
        ref = next((base for base in bases if isinstance(base, ClassRef)), None)
    else:
        ref = _class_of(machine, unit, node.value)
    return machine.loader.method(ref, node.attr) if ref is not None else None


def _imported(machine: "Machine", unit: Unit, node: ast.expr) -> object:
    """What stands behind an imported name in a module of the project that may lend something from outside."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or root.id not in machine.loader.imported(unit):
        return None
    dotted = unit.module.name(node)
    if dotted is None or not _lends(machine, unit, dotted):
        return None
    return machine.loader.find(unit, dotted)


def _lends(machine: "Machine", unit: Unit, dotted: str) -> bool:
    known = machine.lending.get((unit, dotted))
    if known is None:
        place = machine.loader.place(unit, dotted)
        known = machine.lending[unit, dotted] = place is not None and lends(
            machine.loader.read, *place, machine.catalogue, weak=machine.audit
        )
    return known


def _class_of(machine: "Machine", unit: Unit, node: ast.expr) -> ClassRef | None:
    """The class of an object, if this or another file tells it at once."""
    match node:
        case ast.Call(func=func):
            made = _imported(machine, unit, func)
            return made if isinstance(made, ClassRef) else None
        case ast.Name(id=name) if name in abroad(machine, unit).held:
            scopes = unit.module.scopes
            scope = scopes.binding_scope(node, name)
            if scope is None:
                return None
            for binding in scopes.bindings(scope)[name]:
                found: object = None
                if isinstance(binding, ast.arg) and binding.annotation is not None:
                    found = _imported(machine, unit, binding.annotation)
                elif isinstance(binding, ast.Name):
                    match unit.module.parent(binding):
                        case ast.Assign(value=ast.Call(func=func)):
                            found = _imported(machine, unit, func)
                        case _:
                            pass
                if isinstance(found, ClassRef):
                    return found
            return None
        case _:
            return None
