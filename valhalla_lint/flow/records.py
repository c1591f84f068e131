"""Records that the program fills itself: what the class of one demands of its fields, and of the whole."""

import ast
from typing import TYPE_CHECKING

from valhalla_lint.core.frozen import replace
from valhalla_lint.flow.entries import annotation_of, constraints, validated, validators
from valhalla_lint.flow.fields import demanded, whole_checks
from valhalla_lint.flow.units import ClassRef
from valhalla_lint.flow.values import CLEAN, Function, Place, Value

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Call, Machine


def record(machine: "Machine", ref: ClassRef, value: Value, call: "Call") -> None:
    """Let a record that was just filled ask for what its class demands: bounds and checks of fields, then of the whole.

    Effect: the object holds what its fields let through, and what the checks prove is known.
    """
    found = machine.cell(value, call.state)
    if found is None:
        return
    number, cell = found
    items = dict(cell.items)
    place = Place(call.frame.unit, call.node)
    for name, item in items.items():
        if item.labels and isinstance(name, str):
            items[name] = _limited(machine, ref, name, item, place)
    call.state.heap[number] = replace(cell, items=items)
    for function, takes in whole_checks(machine, ref):
        if not takes and (function[1], "") not in machine.validating:
            machine.validating.add((function[1], ""))
            inner = replace(call, arguments=[], keywords={}, receiver=None, extra=None)
            machine.call_function(Function(function[0], function[1], bound=value, owner=ref), inner)
            machine.validating.discard((function[1], ""))


def _limited(machine: "Machine", ref: ClassRef, name: str, value: Value, place: Place) -> Value:
    """A value that was given to a field of a record, as the field lets it through."""
    for item in machine.loader.lineage(ref):
        if not isinstance(item, ClassRef):
            continue
        for statement in item.node.body:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=found), annotation=annotation, value=default) if found == name:
                    gone = demanded(item.unit, default)
                    if _is_checked(machine, ref):
                        typed = annotation_of(machine, annotation, item.unit)
                        if typed.closed:
                            return CLEAN
                        gone |= typed.gone
                        if isinstance(default, ast.Call):
                            gone |= constraints(machine, default, item.unit)
                    value = replace(
                        value, labels=tuple(replace(label, risk=label.risk & ~gone) for label in value.labels)
                    )
                    for function in validators(machine, ref, name):
                        value = validated(machine, function, value, place)
                    return value
                case _:
                    pass
    return value


def _is_checked(machine: "Machine", ref: ClassRef) -> bool:
    """Whether objects of a class are checked against its annotations when they are made."""
    return any(isinstance(item, str) and item in machine.catalogue.body_bases for item in machine.loader.lineage(ref))
