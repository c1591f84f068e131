"""What an expression runs that stands in another file of the project, or in a class: functions, methods, properties."""

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.lending import lends
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.words import OWNERS

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Machine

PROPERTIES = frozenset({"property", "cached_property"})
"""Decorators of methods that run when an attribute is asked for."""


def is_property(node: FunctionNode) -> bool:
    """Whether a method runs without being called."""
    return any(last_name(item) in PROPERTIES for item in node.decorator_list)


class Lent(NamedTuple):
    """What stands in another file, by its name there: a function, or a method of a class.

    dotted: of the function or the class. method: "" for a function. plain: an attribute that is asked for, not called.
    """

    dotted: str
    method: str = ""
    plain: bool = False


def borrowed(machine: "Machine", unit: Unit, node: ast.AST) -> Iterator[FunctionNode | Lent]:
    """What of the project a function runs, as far as names tell: functions of the same file, and names in others."""
    held = abroad(machine, unit).held
    for item in unit.module.index.own(node):
        kind = item.__class__
        if kind is ast.Attribute:  # most nodes are neither: they are asked cheaply
            assert isinstance(item, ast.Attribute)
            base = item.value
            if isinstance(base, ast.Name):
                if base.id not in held and base.id not in OWNERS:
                    continue
            elif not isinstance(base, ast.Call):
                continue
            if isinstance(item.ctx, ast.Load):
                for found in methods_of(machine, unit, item, plain=True):
                    if isinstance(found, Lent) or is_property(found):
                        yield found
        elif kind is ast.Call:
            assert isinstance(item, ast.Call)
            func = item.func
            if isinstance(func, ast.Name):
                if func.id in unit.functions:
                    yield unit.functions[func.id]
                else:
                    yield from function_abroad(machine, unit, func)
            elif isinstance(func, ast.Attribute):
                yield from function_abroad(machine, unit, func)
                yield from methods_of(machine, unit, func)


def resolved(machine: "Machine", unit: Unit, lent: Lent) -> tuple[Unit, FunctionNode] | None:
    """The function that a file has from another; the other is read for it."""
    match machine.loader.find(unit, lent.dotted):
        case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as target) if not lent.method:
            return where, target
        case ClassRef() as ref if lent.method:
            found = machine.loader.method(ref, lent.method)
            return found if found is not None and (not lent.plain or is_property(found[1])) else None
        case _:
            return None


def function_abroad(machine: "Machine", unit: Unit, func: ast.expr) -> Iterator[Lent]:
    """The function of another file that an imported name means, if that file may lend something from outside."""
    dotted = _imported(machine, unit, func)
    if dotted is not None:
        yield Lent(dotted)


class Abroad(NamedTuple):
    """What a file has of others, as far as names tell.

    imported: names that mean something of the project. held: variables and parameters that are objects of imported
    classes. derived: classes with imported bases.
    """

    imported: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    derived: frozenset[ast.ClassDef] = frozenset()


def abroad(machine: "Machine", unit: Unit) -> Abroad:
    """What a file has of others."""
    return machine.abroad(unit, lambda: _abroad(unit, machine.loader.imported(unit)))


def _abroad(unit: Unit, imported: frozenset[str]) -> Abroad:
    if not imported:
        return Abroad()
    nodes = unit.module.nodes
    held = {arg.arg for arg in nodes(ast.arg) if arg.annotation is not None and root_of(arg.annotation) in imported}
    for item in nodes(ast.Assign):
        if isinstance(item.value, ast.Call) and root_of(item.value.func) in imported:
            held.update(target.id for target in item.targets if isinstance(target, ast.Name))
    derived = (node for node in nodes(ast.ClassDef) if any(root_of(base) in imported for base in node.bases))
    return Abroad(imported, frozenset(held), frozenset(derived))


def root_of(node: ast.expr) -> str:
    """The name with which a dotted name begins, "" for any other expression."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def methods_of(
    machine: "Machine", unit: Unit, node: ast.Attribute, *, plain: bool = False
) -> Iterator[FunctionNode | Lent]:
    """The methods that an attribute may mean: of a class of the file, or of others by the names of their classes.

    The object is `self`, or of an imported class: made on the spot, or a variable that is made so or annotated.
    """
    if isinstance(node.value, ast.Name) and node.value.id in OWNERS:
        owner = unit.module.scopes.owner(node)
        if owner is None:
            return
        own = unit.methods.get(owner, {}).get(node.attr)
        if own is not None:
            yield own
            return
        classes: Iterable[ast.expr] = owner.bases if owner in abroad(machine, unit).derived else ()
    else:
        classes = _makers(machine, unit, node.value)
    for item in classes:
        dotted = _imported(machine, unit, item)
        if dotted is not None:
            yield Lent(dotted, node.attr, plain)


def _imported(machine: "Machine", unit: Unit, node: ast.expr) -> str | None:
    """The name of what stands behind an imported one in a module that may lend something from outside."""
    if not lent_by_name(machine, unit, root_of(node)):
        return None
    dotted = unit.module.name(node)
    return dotted if dotted is not None and _lends(machine, unit, dotted) else None


def lent_by_name(machine: "Machine", unit: Unit, name: str) -> bool:
    """Whether what stands behind a name that a file imports may give something from outside by itself.

    Whatever stands behind a module may.
    """
    return name in machine.loader.imported(unit) and _lent_by_name(machine, unit, name)


def _lent_by_name(machine: "Machine", unit: Unit, name: str) -> bool:
    """The same of a name that means something of the project."""

    def find() -> bool:
        return any(_is_lent(machine, unit, item.target) for item in unit.module.names.imports[name])

    return machine.lenders((unit, name), find)


def _is_lent(machine: "Machine", unit: Unit, target: str) -> bool:
    if not machine.loader.exists(unit, target):
        return False
    start = machine.loader.names_of(unit, target)
    return start is None or not start.names or _lends(machine, unit, target)


def may_be_lent(machine: "Machine", unit: Unit, node: ast.expr, names: Abroad) -> bool:
    """Whether a name or an attribute may mean what another file lends: the cheapest question, by single names.

    names: what the file has of others.
    """
    if isinstance(node, ast.Attribute):
        base = node.value
        if isinstance(base, ast.Name):
            name = base.id
            if name in names.held or (names.derived and name in OWNERS):
                return True
        elif isinstance(base, ast.Attribute):
            name = root_of(base)
        elif isinstance(base, ast.Call):
            name = root_of(base.func)
        else:
            return False
    elif isinstance(node, ast.Name):
        name = node.id
    else:
        return False
    return name in names.imported and _lent_by_name(machine, unit, name)


def _lends(machine: "Machine", unit: Unit, dotted: str) -> bool:
    def find() -> bool:
        start = machine.loader.names_of(unit, dotted)
        if start is None:
            return False
        name = start.names[0] if start.names else ""
        return lends(machine.loader.read, start.location, name, machine.catalogue, weak=machine.audit)

    return machine.lending((unit, dotted), find)


def _makers(machine: "Machine", unit: Unit, node: ast.expr) -> Iterator[ast.expr]:
    """The expressions that name the class of an object, where the file tells it at once."""
    match node:
        case ast.Call(func=func):
            yield func
        case ast.Name(id=name) if name in abroad(machine, unit).held:
            scopes = unit.module.scopes
            scope = scopes.binding_scope(node, name)
            for binding in scopes.bindings(scope)[name] if scope is not None else ():
                if isinstance(binding, ast.arg) and binding.annotation is not None:
                    yield binding.annotation
                elif isinstance(binding, ast.Name):
                    match unit.module.parent(binding):
                        case ast.Assign(value=ast.Call(func=func)):
                            yield func
                        case _:
                            pass
        case _:
            pass
