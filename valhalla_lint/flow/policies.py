"""Objects that are asked whether something may be done: policies and permissions that whoever runs a program supplies.

Their class is not known, so nothing is proven of the value that they are asked about. It is checked all the same.
"""

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.checks import escapes
from valhalla_lint.flow.expressions import dotted_text
from valhalla_lint.flow.labels import Grade, Kind
from valhalla_lint.flow.state import State
from valhalla_lint.flow.values import Attempt, Facts, Function, Label, Place, Truth, Value
from valhalla_lint.flow.words import pieces

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Call, Machine

ALLOWING = frozenset(
    "can may allow allows allowed authorize authorizes authorized authorise authorised permit permits permitted".split()
)
"""Words in the name of a method which say that it tells who may do what."""
RAISING = frozenset(
    "check checks validate validates verify verifies authorize authorise ensure require enforce".split()
)
"""Words with which the name of a method begins that may say no by an exception."""
OTHERS = frozenset(
    """exists exist size space hash checksum digest sha1 sha256 md5 signature sig format type extension ext suffix mime
    output syntax version length schema password token key cert certificate csrf status update updates""".split()
)
"""What is checked of other things than where a path leads, and of files that are already open."""
READERS = frozenset(
    "reader readers loader loaders parser parsers decoder importer opener extractor codec robots".split()
)
"""What tells of an object that it knows what it can read, not who may."""


def is_question(call: "Call") -> bool:
    """Whether a call asks an object of which the class is not known for leave, by what its method is called."""
    func = call.node.func
    if not isinstance(func, ast.Attribute) or "." in call.name:
        return False  # a function of a library
    named = pieces(func.attr)
    says = bool(named) and (named[0] in RAISING or not ALLOWING.isdisjoint(named))
    return says and OTHERS.isdisjoint(named) and READERS.isdisjoint(pieces(last_name(func.value)))


def asked(machine: "Machine", call: "Call", value: Value) -> Value:
    """The value of a question, with what it says; the state learns of one whose answer is an exception."""
    given = [label for item in call.everything for label in item.labels if is_open(machine, label, call.state)]
    func = call.node.func
    if not given or not isinstance(func, ast.Attribute):
        return value
    place = Place(call.frame.unit, call.node)
    attempt = Attempt(place, f"{func.attr}()", "what it refuses is not known here", unread=True, gate=True)
    facts = Facts(tried={token_of(machine, label): (attempt,) for label in given})
    if not _stands_alone(call):
        return Value(value.labels, truth=Truth(facts, Facts()))
    if pieces(func.attr)[0] in RAISING:
        call.state.learn(facts)
    return value


def is_open(machine: "Machine", label: Label, state: State) -> bool:
    """Whether somebody may have chosen a value that can still leave its folder."""
    origin = label.origin
    return origin.grade is not Grade.ANY and origin.kind is not Kind.SECRET and escapes(machine.left(label, state))


def token_of(machine: "Machine", label: Label) -> int:
    """The token of a text, where it is a path as it stands, or of the place that a path names."""
    return label.content if machine.parts(label.spot) == ("spot", label.content) else label.spot


def _stands_alone(call: "Call") -> bool:
    """Whether nothing is done with what a call gives."""
    module = call.frame.unit.module
    above = module.parent(call.node)
    return isinstance(module.parent(above) if isinstance(above, ast.Await) else above, ast.Expr)


def is_left_open(function: Function) -> bool:
    """Whether a method asks for leave and has no body of its own: classes that are not in sight say what it does."""
    node = function.node
    return (
        function.owner is not None
        and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not (ALLOWING | RAISING).isdisjoint(pieces(node.name))
        and _is_empty(node)
    )


def _is_empty(node: FunctionNode) -> bool:
    return all(
        isinstance(line, ast.Pass | ast.Raise) or (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
        for line in node.body
    )


def keep_where_there(tests: Sequence[ast.expr], ways: Sequence[State | None], together: State | None) -> None:
    """Keep what an object was asked where the only other way is that there is no such object.

    tests: conditions one behind the other; ways: where each of them decides; together: where these ways meet.
    """
    if together is None or len(tests) <= 1:
        return
    absent = {text for test in tests if (text := tested_object(test)) is not None}
    if absent:
        for way in ways:
            if way is not None:
                keep_of(way, together, absent)


def keep_behind(node: ast.AST | None, ends: Sequence[State], together: State) -> None:
    """The same of a function that comes back at once where there is no such object: `if policy is None: return`."""
    absent = set()
    for line in node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ():
        match line:
            case ast.If(test=test, body=[ast.Return(value=None)]) if (text := tested_object(test)) is not None:
                absent.add(text)
            case _:
                pass
    if absent:
        for end in ends:
            keep_of(end, together, absent)


def tested_object(test: ast.expr) -> str | None:
    """The object of which a condition only asks whether there is one, as its source shows it."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return tested_object(inner)
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return dotted_text(left)
        case _:
            return dotted_text(test)


def keep_of(way: State, together: State, objects: set[str]) -> None:
    """Keep what one way had asked of some objects."""
    known: dict[tuple[Attempt, ...], tuple[Attempt, ...]] = {}  # many texts share what was asked of them
    for token, attempts in way.tried.items():
        kept = known.get(attempts)
        if kept is None:
            kept = known[attempts] = tuple(attempt for attempt in attempts if _asks_one(attempt, objects))
        for attempt in kept:
            together.attempt(token, attempt)


def _asks_one(attempt: Attempt, objects: set[str]) -> bool:
    """Whether a check is a call of a method of one of some objects."""
    match attempt.place.node:
        case ast.Call(func=ast.Attribute(value=value)):
            return attempt.gate and dotted_text(value) in objects
        case _:
            return False
