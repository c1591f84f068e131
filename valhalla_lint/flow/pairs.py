"""Loops over a small dictionary in which one value is a secret: each value goes where its key says."""

import ast
from typing import TYPE_CHECKING

from valhalla_lint.flow.machine import MAX_UNROLLED
from valhalla_lint.flow.secrecy import secret
from valhalla_lint.flow.state import Cell, State
from valhalla_lint.flow.values import Value, constant

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Frame, Machine


def secret_pairs(machine: "Machine", node: ast.For | ast.AsyncFor, state: State, frame: "Frame") -> tuple[Value, ...]:
    """The pairs that a loop goes through, each a list of a key and a value; none where no secret is known.

    `for name, value in fields.items()` taken one by one: followed together, every value would stand under every key.
    """
    if not machine.secrets or frame.loops:  # loops inside each other would use up all steps
        return ()
    match node:
        case ast.For(iter=ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[]), target=ast.Tuple()):
            found = machine.cell(machine.evaluate(owner, state, frame), state)
        case _:
            return ()
    if found is None or found[1].kind != "dict" or found[1].rest is not None:
        return ()
    items = found[1].items
    if len(items) > MAX_UNROLLED or not any(secret(item) for item in items.values()):
        return ()
    return tuple(
        machine.allocate(Cell("list", {0: constant(key), 1: item}, exact=True), state) for key, item in items.items()
    )
