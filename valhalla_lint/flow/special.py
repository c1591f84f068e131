"""Builtins and functions that call other functions, or look things up by name."""

import ast
from typing import TYPE_CHECKING

from valhalla_lint.core.frozen import replace
from valhalla_lint.flow.containers import CONSTRUCTORS
from valhalla_lint.flow.inlining import replace_call
from valhalla_lint.flow.machine import Call
from valhalla_lint.flow.state import Cell
from valhalla_lint.flow.texts import shared
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.values import (
    CLEAN,
    Facts,
    Library,
    Members,
    Partial,
    Truth,
    Value,
    all_labels,
    constant,
    with_labels,
)

if TYPE_CHECKING:
    from valhalla_lint.flow.calls import Calls


def on_partial(machine: "Calls", call: Call) -> Value:
    """`functools.partial(f, a, b=c)`."""
    del machine
    if not call.arguments:
        return CLEAN
    return Value(things=(Partial(call.arguments[0], tuple(call.arguments[1:]), dict(call.keywords)),))


def on_getattr(machine: "Calls", call: Call) -> Value:
    """`getattr(x, name)`."""
    base = call.argument(0) or CLEAN
    name = call.argument(1)
    if name is not None and name.text is not None:
        return machine.attribute(base, name.text, call.node, call.state, call.frame)
    for thing in base.things:
        if isinstance(thing, Library):
            unit = machine.loader.find(call.frame.unit, thing.name)
            if isinstance(unit, Unit):
                return Value(things=(Members(unit),))
    return with_labels(base.labels)


def on_setattr(machine: "Calls", call: Call) -> Value:
    """`setattr(x, name, value)`."""
    base, name, value = call.argument(0), call.argument(1), call.argument(2)
    found = machine.cell(base, call.state) if base is not None else None
    if found is not None and name is not None and name.text is not None and value is not None:
        call.state.heap[found[0]] = replace(found[1], items={**found[1].items, name.text: value})
    return CLEAN


def on_map(machine: "Calls", call: Call) -> Value:
    """`map(f, items)`, `filter(f, items)`."""
    if len(call.arguments) < 2:  # noqa: PLR2004 -- nothing to map over
        return CLEAN
    item = machine.elements(call.arguments[1], call.state, call.node)
    if call.name == "filter":
        return machine.allocate(Cell("list", {}, item, exact=False), call.state)
    inner = Call(call.node, [item], {}, call.state, call.frame, name="map")
    return machine.allocate(Cell("list", {}, machine.call(call.arguments[0], inner), exact=False), call.state)


def on_quantifier(machine: "Calls", call: Call) -> Value:
    """`any(…)`, `all(…)`: what each element would prove, proven for all.

    Where one of some bases from inside is enough, what it proves of a path is proven whichever it was.
    """
    value = call.argument(0) or CLEAN
    if value.truth is None:
        return CLEAN
    if call.name == "any":
        holds = value.truth.holds or Facts()
        return Value(truth=Truth(Facts(_of_one(machine, call, holds), holds.tried), value.truth.fails))
    return Value(truth=Truth(_of_all(machine, value.truth.holds), Facts()))


def _of_all(machine: "Calls", holds: Facts | None) -> Facts | None:
    """What holds of each character of a text holds of the text: `all(c.isalnum() for c in name)`."""
    if holds is None:
        return None
    proven = dict(holds.proven)
    for token, risk in holds.proven.items():
        parts = machine.parts(token)
        if parts[:1] == ("character",) and isinstance(parts[-1], int):
            proven[parts[-1]] = proven.get(parts[-1], 0) | risk
    return Facts(proven, holds.tried)


def _of_one(machine: "Calls", call: Call, holds: Facts) -> dict[int, int]:
    """What `any(f(x, item) for item in items)` proves of something else than the items: the same whichever it was."""
    node = call.expression(0)
    if not isinstance(node, ast.GeneratorExp | ast.ListComp) or len(node.generators) != 1:
        return {}
    items = machine.evaluate(node.generators[0].iter, call.state, call.frame)
    if few := machine.few(items, call.state):  # asked one by one: what holds whichever it was
        return shared([truth.holds for truth in machine.each(node, few, call.state, call.frame)])
    roots = {token for label in all_labels(items, call.state) for token in (label.content, label.spot)}
    return {token: risk for token, risk in holds.proven.items() if not _stems(machine, token, roots)}


def _stems(machine: "Calls", token: object, roots: set[int]) -> bool:
    """Whether a token was made of one of these; tokens are numbered as they are made."""
    if isinstance(token, tuple):
        return any(_stems(machine, part, roots) for part in token)
    if not isinstance(token, int) or not roots:
        return False
    return token in roots or any(
        _stems(machine, part, roots)
        for part in machine.parts(token)
        if isinstance(part, tuple) or (isinstance(part, int) and part < token)
    )


def on_started(machine: "Calls", call: Call) -> Value:
    """`Thread(target=f, args=(…))` and kin: the function is called with these."""
    target, given = call.keywords.get("target"), call.keywords.get("args")
    if target is not None and given is not None:
        inner = replace_call(call)
        found = machine.cell(given, call.state)
        if found is not None:
            inner.arguments = list(found[1].items.values())
        elif isinstance(given.const, tuple):
            inner.arguments = [constant(item) for item in given.const]
        inner.keywords = {}
        machine.call(target, inner)
    return CLEAN


def on_thread(machine: "Calls", call: Call) -> Value:
    """`asyncio.to_thread(f, …)` and kin: the function is called with the rest."""
    skip = 1
    if call.name.endswith("run_in_executor"):
        skip = 2
    if len(call.arguments) < skip:
        return CLEAN
    inner = replace_call(call)
    inner.arguments = call.arguments[skip:]
    return machine.call(call.arguments[skip - 1], inner)


SPECIAL = {
    "functools.partial": on_partial,
    "getattr": on_getattr,
    "setattr": on_setattr,
    "map": on_map,
    "filter": on_map,
    "any": on_quantifier,
    "all": on_quantifier,
    "asyncio.to_thread": on_thread,
    "anyio.to_thread.run_sync": on_thread,
    "fastapi.concurrency.run_in_threadpool": on_thread,
    "starlette.concurrency.run_in_threadpool": on_thread,
    "threading.Thread": on_started,
    "multiprocessing.Process": on_started,
    **CONSTRUCTORS,
}
"""Builtins and functions that call other functions."""
