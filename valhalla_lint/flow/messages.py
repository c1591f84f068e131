"""Fields of generated protobuf messages that are numbers, and requests that are none of the web."""

import ast
from collections.abc import Iterator

from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.labels import Kind
from valhalla_lint.flow.machine import Machine, Reached
from valhalla_lint.flow.units import Unit, once_a_unit

SERIALIZED = "AddSerializedFile"
"""The call of a generated module that is given its descriptor."""
MESSAGE, NESTED, FIELD = 4, 3, 2
"""Numbers of fields in a descriptor: messages of a file, messages in a message, fields of a message."""
NAME, LABEL, TYPE = 1, 4, 5
"""Numbers of fields in the descriptor of a field or message."""
REPEATED = 3
NUMBERS = frozenset({1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 15, 16, 17, 18})
"""Types of fields that are numbers, truths or enumerations, as `descriptor.proto` of Protocol Buffers numbers them."""
VARINT, WIDE, SIZED, NARROW = 0, 1, 2, 5
"""Kinds of values on the wire."""
MORE, SEVEN, LOW = 0x80, 7, 0x7F
KIND_BITS, KIND_MASK = 3, 0x07
WIDE_BYTES, NARROW_BYTES = 8, 4
MAX_SHIFT = 63
MAX_NESTED = 8
"""Messages in messages that are looked into."""


def is_number_of_message(machine: Machine, reached: Reached) -> bool:
    """Whether a value is a field of a gRPC request that its generated message declares as a number."""
    origin, entry = reached.label.origin, reached.entry
    request, _, field = origin.text.partition(".")
    if origin.kind is Kind.PARAMETER or not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    given = next((arg.annotation for arg in parameters(entry) if arg.arg == request), None)
    dotted = machine.main.module.name(given) if isinstance(given, ast.Attribute | ast.Name) else None
    module, _, message = dotted.rpartition(".") if dotted else ("", "", "")
    if not module.endswith("_pb2") or not machine.loader.exists(machine.main, module):
        return False
    found = machine.loader.find(machine.main, module)
    return isinstance(found, Unit) and (message, field) in number_fields(found)


@once_a_unit
def number_fields(unit: Unit) -> frozenset[tuple[str, str]]:
    """The messages of a generated module with their fields that are single numbers, by the descriptor in it."""
    found: set[tuple[str, str]] = set()
    for call in unit.module.calls.get(SERIALIZED, ()):
        match call.args:
            case [ast.Constant(value=bytes(data))]:
                for number, value in _fields(data):
                    if number == MESSAGE and isinstance(value, bytes):
                        found.update(_numbers(value, MAX_NESTED))
            case _:
                pass
    return frozenset(found)


def _numbers(message: bytes, left: int) -> Iterator[tuple[str, str]]:
    """The fields of a message that are single numbers, with its name; nested messages have theirs behind a dot."""
    fields = list(_fields(message))
    name = next((_text(value) for number, value in fields if number == NAME), "")
    for number, value in fields:
        if not isinstance(value, bytes):
            continue
        if number == FIELD:
            said = dict(_fields(value))
            if said.get(TYPE) in NUMBERS and said.get(LABEL) != REPEATED:
                yield name, _text(said.get(NAME, b""))
        elif number == NESTED and left > 0:
            yield from ((f"{name}.{inner}", field) for inner, field in _numbers(value, left - 1))


def _text(value: int | bytes) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a serialized message: number and value; ends where the bytes are no message."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        match key & KIND_MASK:
            case kind if kind == VARINT:
                value, at = _varint(data, at)
                yield key >> KIND_BITS, value
            case kind if kind == SIZED:
                size, at = _varint(data, at)
                yield key >> KIND_BITS, data[at : at + size]
                at += size
            case kind if kind in (WIDE, NARROW):
                at += WIDE_BYTES if kind == WIDE else NARROW_BYTES
            case _:
                return


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    value = shift = 0
    while at < len(data) and shift <= MAX_SHIFT:
        byte = data[at]
        at += 1
        value |= (byte & LOW) << shift
        if not byte & MORE:
            break
        shift += SEVEN
    return value, at


def is_taken_apart(node: ast.AST, name: str, unit: Unit) -> bool:
    """Whether the arguments of a "request" are taken apart by place, as a job's are: `text, options = request.args`."""
    match unit.module.parent(node):
        case ast.Assign(targets=[ast.Tuple(elts=[_, _, *_])], value=value):
            return name == "args" and value is node
        case ast.Subscript(value=value, slice=ast.Constant(value=int())):
            return name == "args" and value is node and last_name(node) == name
        case _:
            return False
