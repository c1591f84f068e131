"""Which class of the project an object is of, as far as assignments, annotations and returned values tell.

Nothing is interpreted for it, so calls of its methods are found before anybody asks what they are given.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import defaults
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.words import OWNERS

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Machine

MAX_STEPS = 6
"""Assignments, attributes and calls that lead from an object to the call that makes it."""
DEPENDS = ("Depends", "Security", "Provide")
"""Calls that stand for what a function gives or a class makes (dependency injection)."""
AROUND = frozenset({"Annotated", "Optional", "Union", "Final", "ClassVar"})
"""Annotations around the class of an object."""
GIVING = frozenset({"Iterator", "Generator", "AsyncIterator", "AsyncGenerator", "Iterable", "AsyncIterable"})
"""Annotations of functions that hand out one object and clean up after it."""


def method_called(machine: "Machine", unit: Unit, func: ast.Attribute) -> tuple[Unit, FunctionNode] | None:
    """The method of a class of the project that `object.method` means; None where its class is not known."""
    ref = class_of(machine, unit, func.value)
    return machine.loader.method(ref, func.attr) if ref is not None else None


def own_method(machine: "Machine", unit: Unit, node: ast.Attribute) -> tuple[Unit, FunctionNode] | None:
    """The method of its own class that `self.name` means, also where it is read as an attribute."""
    owner = unit.module.scopes.owner(node)
    if owner is None or not isinstance(node.value, ast.Name) or node.value.id not in OWNERS:
        return None
    return machine.loader.method(ClassRef(unit, owner), node.attr)


def class_of(machine: "Machine", unit: Unit, node: ast.expr, left: int = MAX_STEPS) -> ClassRef | None:
    """The class of what an expression gives, if it is one of the project; other files are read for it."""
    if node in machine.classing or (left <= 0 and node not in machine.classes):
        return None  # what needs itself, or too many steps

    def find() -> ClassRef | None:
        machine.classing.add(node)
        try:
            return next(_classes(machine, unit, node, left - 1), None)
        finally:
            machine.classing.discard(node)

    return machine.classes(node, find)


def classes_of(machine: "Machine", unit: Unit, node: ast.expr) -> tuple[ClassRef, ...]:
    """Every class of the project of which an expression may give an object, as far as the files that are read tell."""
    first = class_of(machine, unit, node)
    if first is None or node in machine.classing:
        return ()
    return (first, *(other for other in _classes(machine, unit, node, MAX_STEPS - 1) if other.node is not first.node))


def _classes(machine: "Machine", unit: Unit, node: ast.expr, left: int) -> Iterator[ClassRef]:
    match node:
        case ast.Await(value=inner) | ast.NamedExpr(value=inner):
            yield from _known(class_of(machine, unit, inner, left))
        case ast.BoolOp(values=several):
            for value in several:
                yield from _known(class_of(machine, unit, value, left))
        case ast.IfExp(body=body, orelse=other):
            yield from _known(class_of(machine, unit, body, left))
            yield from _known(class_of(machine, unit, other, left))
        case ast.Call(func=func):
            yield from _made(machine, unit, func, left)
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in OWNERS:
            holder = unit.module.scopes.owner(node)
            if holder is not None:
                yield from _of_attribute(machine, ClassRef(unit, holder), name, left)
        case ast.Attribute(value=inner, attr=name) if (ref := class_of(machine, unit, inner, left)) is not None:
            yield from _of_attribute(machine, ref, name, left)
        case ast.Name():
            yield from _of_name(machine, unit, node, left)
        case _:
            pass
    match node:
        case ast.Name() | ast.Attribute() if (dotted := unit.module.name(node)) is not None:
            match machine.loader.find(unit, dotted) if machine.loader.exists(unit, dotted) else None:
                case (Unit() as where, ast.expr() as value):
                    yield from _known(class_of(machine, where, value, left))
                case _:
                    pass
        case _:
            pass


def _made(machine: "Machine", unit: Unit, func: ast.expr, left: int) -> Iterator[ClassRef]:
    """The class of what a call gives: of the class that is called, or of what the function returns."""
    match meant(machine, unit, func):
        case ClassRef() as ref:
            yield ref
        case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as function):
            yield from returned(machine, where, function, left)
        case _:
            if isinstance(func, ast.Attribute):
                method = method_called(machine, unit, func) if left > 0 else None
                if method is not None:
                    yield from returned(machine, *method, left)


def returned(machine: "Machine", unit: Unit, function: FunctionNode, left: int = MAX_STEPS) -> Iterator[ClassRef]:
    """The class of what a function of the project gives: as annotated, else as what it returns."""
    yield from _annotated(machine, unit, function.returns)
    for item in unit.module.index.own(function):
        if isinstance(item, ast.Return | ast.Yield) and item.value is not None:
            yield from _known(class_of(machine, unit, item.value, left))


def _of_attribute(machine: "Machine", ref: ClassRef, name: str, left: int) -> Iterator[ClassRef]:
    """The class of an attribute of an object: as its class and the bases annotate it, or as methods set it."""
    for item in machine.loader.lineage(ref):
        if not isinstance(item, ClassRef):
            continue
        for statement in item.node.body:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=found)) if found == name:
                    yield from _annotated(machine, item.unit, statement.annotation)
                case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                    yield from _known(class_of(machine, item.unit, value, left))
                case _:
                    pass
        method = item.unit.methods.get(item.node, {}).get(name)
        if method is not None:
            yield from returned(machine, item.unit, method, left)
        for value in item.unit.module.attribute_values.get((item.node, name), ()):
            yield from _known(class_of(machine, item.unit, value, left))


def _of_name(machine: "Machine", unit: Unit, node: ast.Name, left: int) -> Iterator[ClassRef]:
    """The class of a variable: as it is annotated, injected, or assigned."""
    module = unit.module
    scope = module.scopes.binding_scope(node, node.id)
    if scope is None:
        return
    for binding in module.scopes.bindings(scope).get(node.id, ()):
        if isinstance(binding, ast.arg):
            yield from _annotated(machine, unit, binding.annotation)
            if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                for arg, default in defaults(scope):
                    if arg is binding:
                        yield from _injected(machine, unit, default)
        elif isinstance(binding, ast.Name):
            match module.parent(binding):
                case ast.Assign(value=value) | ast.NamedExpr(value=value) | ast.withitem(context_expr=value):
                    yield from _known(class_of(machine, unit, value, left))
                case ast.AnnAssign(annotation=annotation, value=value):
                    yield from _annotated(machine, unit, annotation)
                    if value is not None:
                        yield from _known(class_of(machine, unit, value, left))
                case _:
                    pass


def _annotated(machine: "Machine", unit: Unit, node: ast.expr | None) -> Iterator[ClassRef]:
    """The class that an annotation names, or what the dependency beside it gives."""
    match node:
        case ast.Constant(value=str(text)) if text.isidentifier():
            local = unit.classes.get(text)
            if local is not None:
                yield ClassRef(unit, local)
            else:
                yield from _known(_class(machine, unit, text))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            yield from _annotated(machine, unit, left)
            yield from _annotated(machine, unit, right)
        case ast.Subscript(value=head, slice=inner) if last_name(head) in AROUND | GIVING:
            for part in inner.elts if isinstance(inner, ast.Tuple) else [inner]:
                yield from _annotated(machine, unit, part)
        case ast.Call():
            yield from _injected(machine, unit, node)
        case ast.Name() | ast.Attribute():
            match meant(machine, unit, node):
                case ClassRef() as ref:
                    yield ref
                case (Unit() as where, ast.Subscript() as alias):  # `StoreDep = Annotated[Store, Depends(get_store)]`
                    yield from _annotated(machine, where, alias)
                case _:
                    pass
        case _:
            pass


def _injected(machine: "Machine", unit: Unit, node: ast.expr) -> Iterator[ClassRef]:
    if isinstance(node, ast.Call) and last_name(node.func) in DEPENDS and node.args:
        yield from _made(machine, unit, node.args[0], MAX_STEPS)


def _class(machine: "Machine", unit: Unit, name: str) -> ClassRef | None:
    for item in unit.module.names.imports.get(name, ()):
        found = machine.loader.find(unit, item.target) if machine.loader.exists(unit, item.target) else None
        if isinstance(found, ClassRef):
            return found
    return None


def meant(machine: "Machine", unit: Unit, node: ast.expr) -> object:
    """The function, class or assigned expression of the project that a name means."""
    if isinstance(node, ast.Name):
        if node.id in unit.functions:
            return (unit, unit.functions[node.id])
        if node.id in unit.classes:
            return ClassRef(unit, unit.classes[node.id])
        scopes = unit.module.scopes
        value = scopes.sole_value(unit.module.tree, node.id)
        if value is not None:
            return (unit, value)
    dotted = unit.module.name(node)
    if dotted is None or not machine.loader.exists(unit, dotted):
        return None
    return machine.loader.find(unit, dotted)


def _known(found: ClassRef | None) -> Iterable[ClassRef]:
    return () if found is None else (found,)
