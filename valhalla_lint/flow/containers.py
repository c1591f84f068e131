"""Lists, dictionaries and configuration parsers: what is put in under which key, and what comes out."""

from collections.abc import Callable

from valhalla_lint.core.frozen import replace
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.flow.checks import charset, holds_text
from valhalla_lint.flow.machine import Call, Machine
from valhalla_lint.flow.secrecy import rest_at, without_secrets
from valhalla_lint.flow.state import Cell
from valhalla_lint.flow.values import (
    CLEAN,
    Facts,
    Place,
    Truth,
    Value,
    View,
    all_labels,
    constant,
    merge,
    merge_all,
    together,
    union,
    with_labels,
)


def _key(value: Value | None) -> object:
    if value is None or value.const is MISSING:
        return MISSING
    try:
        hash(value.const)
    except TypeError:
        return MISSING
    return value.const


def container_method(machine: Machine, call: Call, name: str) -> Value | None:
    """A method of a list, dictionary or configuration parser; None where it is something else."""
    if call.receiver is None:
        return None
    found = machine.cell(call.receiver, call.state)
    if found is None:
        return None
    number, cell = found
    handler = TABLES.get(cell.kind, {}).get(name)
    if handler is None:
        return None
    return handler(machine, call, number, cell)


def _put(call: Call, number: int, cell: Cell) -> None:
    call.state.heap[number] = cell


def list_append(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del machine
    value = call.argument(0) or CLEAN
    if cell.exact:
        _put(call, number, replace(cell, items={**cell.items, len(cell.items): value}))
    else:
        _put(call, number, replace(cell, rest=value if cell.rest is None else merge(cell.rest, value)))
    return CLEAN


def list_extend(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    item = machine.elements(call.argument(0) or CLEAN, call.state, call.node)
    _put(call, number, replace(cell, rest=item if cell.rest is None else merge(cell.rest, item), exact=False))
    return CLEAN


def list_insert(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del machine
    value = call.argument(1) or CLEAN
    position = _key(call.argument(0))
    if cell.exact and isinstance(position, int) and position >= 0:
        items = [cell.items[index] for index in sorted(key for key in cell.items if isinstance(key, int))]
        items.insert(position, value)
        _put(call, number, replace(cell, items=dict(enumerate(items))))
    else:
        rest = merge_all([*cell.items.values(), value, *([cell.rest] if cell.rest is not None else [])])
        _put(call, number, replace(cell, items={}, rest=rest, exact=False))
    return CLEAN


def list_pop(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del machine
    position = _key(call.argument(0)) if call.arguments else -1
    if cell.exact and isinstance(position, int) and cell.items:
        items = [cell.items[index] for index in sorted(key for key in cell.items if isinstance(key, int))]
        if -len(items) <= position < len(items):
            value = items.pop(position)
            _put(call, number, replace(cell, items=dict(enumerate(items))))
            return value
    values = [*cell.items.values(), *([cell.rest] if cell.rest is not None else [])]
    return merge_all(values)


def list_any(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del machine, call, number
    return merge_all([*cell.items.values(), *([cell.rest] if cell.rest is not None else [])])


def nothing(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del machine, call, number, cell
    return CLEAN


def clear(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del machine
    _put(call, number, Cell(cell.kind, ref=cell.ref))
    return CLEAN


def same(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del number
    return machine.allocate(cell, call.state)


def dict_get(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    key = _key(call.argument(0))
    default = call.argument(1) or constant(None)
    if key is not MISSING:
        found = cell.items.get(key)
        if found is not None:
            if call.name == "pop":
                _put(
                    call, number, replace(cell, items={name: item for name, item in cell.items.items() if name != key})
                )
            return found
        if cell.rest is None:
            return default
        return merge(rest_at(machine, cell.rest, key, call.frame.unit), default)
    values = [*cell.items.values(), *([cell.rest] if cell.rest is not None else []), default]
    return merge_all(values)


def dict_set(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del machine
    key = _key(call.argument(0))
    value = call.argument(1) or constant(None)
    if key is not MISSING and key in cell.items:
        return cell.items[key]
    if key is MISSING:
        _put(call, number, replace(cell, rest=value if cell.rest is None else merge(cell.rest, value)))
    else:
        _put(call, number, replace(cell, items={**cell.items, key: value}))
    return value


def dict_update(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    items: dict[object, Value] = dict(cell.items) | dict[object, Value](call.keywords.items())
    rest = cell.rest
    for value in call.arguments:
        other = machine.cell(value, call.state)
        if other is not None:
            items.update(other[1].items)
            if other[1].rest is not None:
                rest = other[1].rest if rest is None else merge(rest, other[1].rest)
        if value.labels:
            outside = with_labels(value.labels)
            rest = outside if rest is None else merge(rest, outside)
    _put(call, number, replace(cell, items=items, rest=rest))
    return CLEAN


def dict_items(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del number
    pairs = [
        machine.allocate(Cell("list", {0: constant(key), 1: value}), call.state)
        for key, value in list(cell.items.items())[:MAX_PAIRS]
    ]
    if cell.rest is not None:
        pairs.append(
            machine.allocate(
                Cell("list", {0: with_labels(without_secrets(all_labels(cell.rest, call.state))), 1: cell.rest}),
                call.state,
            )
        )
    if len(pairs) > 1:
        key = merge_all(constant(name) for name in cell.items)
        value = merge_all([*cell.items.values(), *([cell.rest] if cell.rest is not None else [])])
        pairs = [machine.allocate(Cell("list", {0: key, 1: value}), call.state)]
    return machine.allocate(Cell("list", {}, pairs[0] if pairs else CLEAN, exact=False), call.state)


def dict_values(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del number
    item = merge_all([*cell.items.values(), *([cell.rest] if cell.rest is not None else [])])
    return machine.allocate(Cell("list", {}, item, exact=False), call.state)


def config_set(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del machine
    section, option = _key(call.argument(0)), _key(call.argument(1))
    value = call.argument(2) or CLEAN
    if section is MISSING or option is MISSING:
        _put(call, number, replace(cell, rest=value if cell.rest is None else merge(cell.rest, value)))
    else:
        _put(call, number, replace(cell, items={**cell.items, (section, str(option).lower()): value}))
    return CLEAN


def config_get(machine: Machine, call: Call, number: int, cell: Cell) -> Value:
    del machine, number
    section, option = _key(call.argument(0)), _key(call.argument(1))
    fallback = call.keywords.get("fallback")
    if section is not MISSING and option is not MISSING:
        found = cell.items.get((section, str(option).lower()))
        if found is not None:
            return found
        rest = cell.rest if cell.rest is not None else CLEAN
        return merge(rest, fallback) if fallback is not None else rest
    return merge_all([*cell.items.values(), *([cell.rest] if cell.rest is not None else [])])


Method = Callable[[Machine, Call, int, Cell], Value]
LIST: dict[str, Method] = {
    "append": list_append,
    "add": list_append,
    "appendleft": list_append,
    "extend": list_extend,
    "insert": list_insert,
    "pop": list_pop,
    "popleft": list_pop,
    "remove": nothing,
    "sort": nothing,
    "reverse": nothing,
    "clear": clear,
    "copy": same,
    "index": nothing,
    "count": nothing,
    "union": list_any,
}
DICT: dict[str, Method] = {
    "get": dict_get,
    "pop": dict_get,
    "setdefault": dict_set,
    "update": dict_update,
    "items": dict_items,
    "values": dict_values,
    "keys": nothing,
    "copy": same,
    "clear": clear,
}
CONFIG: dict[str, Method] = {
    "set": config_set,
    "get": config_get,
    "getint": nothing,
    "add_section": nothing,
    "has_section": nothing,
    "has_option": nothing,
}
TABLES: dict[str, dict[str, Method]] = {"list": LIST, "dict": DICT, "config": CONFIG}
MAX_PAIRS = 8


# --- constructors


def letters_asked(value: Value, name: str, other: Value, place: Place) -> Truth | None:
    """What a question about the characters of a text proves: `set(name) & BAD`, `set(name) <= GOOD`, the methods."""
    view = next((thing for thing in value.things if isinstance(thing, View) and thing.kind == "letters"), None)
    if view is None or not isinstance(other.const, frozenset | tuple | str):
        return None
    characters = [item for item in other.const if isinstance(item, str)]
    labels = view.subject.labels
    match name:
        case "intersection" | "isdisjoint":
            asked = [holds_text(labels, character, place, segments=False) for character in characters]
            facts = together(truth.fails for truth in asked if truth is not None and truth.fails is not None)
            return Truth(facts, Facts()) if name == "isdisjoint" else Truth(Facts(), facts)
        case "issubset" | "difference":
            facts = Facts({label.content: charset(characters) for label in labels})
            return Truth(facts, Facts()) if name == "issubset" else Truth(Facts(), facts)
        case _:
            return None


def asked_by_set(characters: Value, name: str, asked: Value, place: Place) -> Truth | None:
    """The same questions asked the other way round: `GOOD.issuperset(name)`, `BAD.isdisjoint(name)`."""
    if not isinstance(characters.const, frozenset) or name not in ("issuperset", "isdisjoint"):
        return None
    letters = next((thing for thing in asked.things if isinstance(thing, View) and thing.kind == "letters"), None)
    if letters is None and not asked.labels:
        return None
    subject = Value(things=(letters or View("letters", asked),))
    return letters_asked(subject, "issubset" if name == "issuperset" else name, characters, place)


def collected(machine: Machine, call: Call) -> Value:
    """`list(x)`, `sorted(x)`, `set(x)`, …: the same elements."""
    value = call.argument(0)
    if value is None:
        return machine.allocate(Cell("list"), call.state)
    if isinstance(value.const, tuple | frozenset) and call.name in ("set", "frozenset"):
        try:
            return Value(const=frozenset(value.const))
        except TypeError:
            return CLEAN
    if isinstance(value.const, tuple | frozenset):
        return Value(const=tuple(value.const) if isinstance(value.const, tuple) else value.const)
    found = machine.cell(value, call.state)
    if found is not None and found[1].kind == "list" and call.name in ("list", "tuple"):
        return machine.allocate(found[1], call.state)
    if isinstance(value.const, str) and call.name in ("set", "frozenset"):
        return Value(const=frozenset(value.const))
    item = machine.elements(value, call.state, call.node)
    result = replace(machine.allocate(Cell("list", {}, item, exact=False), call.state), truth=value.truth)
    if value.labels and call.name in ("set", "frozenset"):
        return replace(result, things=(View("letters", value), *result.things))
    return result


def dictionary(machine: Machine, call: Call) -> Value:
    """`dict(a=b)`, `dict(x)`."""
    items = dict[object, Value](call.keywords.items())
    rest = call.extra
    for value in call.arguments:
        found = machine.cell(value, call.state)
        if found is not None and found[1].kind == "dict":
            items = {**found[1].items, **items}
            rest = found[1].rest if rest is None else rest
        else:
            labels = all_labels(value, call.state)
            if labels:
                rest = with_labels(labels)
    return machine.allocate(Cell("dict", items, rest), call.state)


def zipped(machine: Machine, call: Call) -> Value:
    """`zip(a, b)`, `enumerate(a)`."""
    if call.name == "enumerate":
        parts: dict[object, Value] = {0: CLEAN, 1: machine.elements(call.argument(0) or CLEAN, call.state, call.node)}
    else:
        parts = {index: machine.elements(value, call.state, call.node) for index, value in enumerate(call.arguments)}
    pair = machine.allocate(Cell("list", parts), call.state)
    return machine.allocate(Cell("list", {}, pair, exact=False), call.state)


def configuration(machine: Machine, call: Call) -> Value:
    """`configparser.ConfigParser()`."""
    return machine.allocate(Cell("config"), call.state)


def following(machine: Machine, call: Call) -> Value:
    """`next(x)`, `iter(x)`."""
    value = call.argument(0) or CLEAN
    if call.name == "iter":
        return value
    default = call.argument(1)
    item = machine.elements(value, call.state, call.node)
    item = machine.one_part(item, call.state)
    return merge(item, default) if default is not None else item


def namespace(machine: Machine, call: Call) -> Value:
    """`types.SimpleNamespace(a=b)`."""
    return machine.allocate(Cell("namespace", dict[object, Value](call.keywords.items())), call.state)


CONSTRUCTORS: dict[str, Callable[..., Value]] = {
    **dict.fromkeys(("list", "tuple", "set", "frozenset", "sorted", "reversed", "collections.deque"), collected),
    **dict.fromkeys(("dict", "collections.OrderedDict"), dictionary),
    **dict.fromkeys(("zip", "enumerate"), zipped),
    **dict.fromkeys(
        ("configparser.ConfigParser", "configparser.RawConfigParser", "configparser.SafeConfigParser"), configuration
    ),
    **dict.fromkeys(("next", "iter", "anext"), following),
    "types.SimpleNamespace": namespace,
}
_ = union
