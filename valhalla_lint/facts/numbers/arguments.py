"""Numbers that are handed to a call by position, fall back for a missing value, or say how often a loop runs."""

import ast
from itertools import islice

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import values
from valhalla_lint.facts.numbers import vocabulary as about
from valhalla_lint.facts.numbers.arithmetic import repeated_unit, unit_kind
from valhalla_lint.facts.numbers.calls import CallMeaning, call_meanings
from valhalla_lint.facts.numbers.judgement import Judgement, Number, counts
from valhalla_lint.facts.numbers.kinds import Kind, by_words
from valhalla_lint.facts.numbers.names import parameter_of, receiver
from valhalla_lint.facts.numbers.places import Place, Role, is_literal, is_number
from valhalla_lint.facts.numbers.values import is_small
from valhalla_lint.facts.siblings import MANY
from valhalla_lint.facts.tables import table
from valhalla_lint.facts.words import last_name, mentioned, words

MOST_AXES = 16
"""Integers up to here are axes, parts and sizes of what an array is turned into."""
POINT = 3
"""So many numbers by position make a value of their own (a point, a colour, a box); so many calls make a table."""
VERSION_TESTS = frozenset({"version", "newer", "older"})
FORCED = frozenset(
    {"base", "radix", "axis", "dim", "ndigits", "decimals", "digits", "stacklevel", "precision", "version"}
)
"""Names of parameters that the form of an API gives their numbers."""
NUMERIC_LIBRARIES = ("torch", "tensorflow", "keras", "jax", "flax", "paddle", "mlx", "mindspore", "haiku", "equinox")
TUNABLE = {
    "delay": (Kind.TIMEOUT, "it decides how long to wait"),
    "buffer size": (Kind.SIZE, "it decides how much is read at once"),
    "backlog": (Kind.LIMIT, "it decides how many may wait"),
    "worker count": (Kind.COUNT, "it decides how much runs at once"),
    "count": (Kind.COUNT, "it decides how many are kept"),
    "length": (Kind.LENGTH, "it decides how long the result is"),
}
"""The kinds of settings that the table of calls knows, and why they count."""


def ranged(module: Module, number: Number) -> Judgement | None:
    """A number that bounds a `range`."""
    call = number.place.holder
    if not isinstance(call, ast.Call):
        return None
    loop = module.parent(call)
    target = loop.target if isinstance(loop, ast.For | ast.AsyncFor | ast.comprehension) else None
    variable = target.id if isinstance(target, ast.Name) else ""
    is_last = number.place.position == len(call.args) - 1
    value = number.value
    if about.TRIES.intersection(words(variable)):
        return counts(number, Kind.RETRIES, "it decides how often something is tried")
    if variable == "_":
        often = is_last and value not in values.HALVES and not (isinstance(loop, ast.comprehension) and is_small(value))
        return counts(number, Kind.COUNT, "it only says how often, and nothing says why") if often else None
    if is_last and value not in values.HALVES and _tries_again(loop, variable):
        return counts(number, Kind.RETRIES, "it decides how often something is tried")
    if is_small(value, values.TEN) or value in values.COLOUR_DEPTH | values.BYTE_STRUCTURE:
        return None
    return counts(number, Kind.COUNT, "it decides how often a loop runs")


def _tries_again(loop: ast.AST | None, variable: str) -> bool:
    """Whether a loop tries something until it works: it can end early, and what it counts by decides nothing.

    It waits between two tries, goes on behind an exception, or never reads its variable but to tell of it.
    """
    if not isinstance(loop, ast.For | ast.AsyncFor):
        return False
    inside = [node for statement in loop.body for node in islice(ast.walk(statement), MOST_NODES)]
    if not any(isinstance(node, ast.Return | ast.Break) for node in inside):
        return False
    waits = any(isinstance(node, ast.Call) and last_name(node.func) in WAITS for node in inside)
    caught = any(isinstance(node, ast.ExceptHandler) and not isinstance(node.body[-1], ENDS) for node in inside)
    told = sum(1 for node in inside if isinstance(node, ast.Return) and last_name(node.value or loop) == variable)
    read = sum(1 for node in inside if isinstance(node, ast.Name) and node.id == variable)
    return waits or caught or read == told


MOST_NODES = 200
"""How many nodes of a statement are looked at."""
ENDS = (ast.Raise, ast.Return, ast.Break)
WAITS = frozenset({"sleep", "wait"})
"""Calls, by last name, that let time pass before the next try."""
ASKED_OF_SMALL = frozenset({"tunable", "limit", "fallback"})
"""What calls mean for which even a small number can count."""


def is_answered(place: Place, value: object) -> bool:
    """Whether a positional argument can count at all: small integers and halves only in calls that the table knows."""
    if not is_small(value) and value not in values.HALVES:
        return True
    if not isinstance(place.holder, ast.Call):
        return False
    name = last_name(place.holder.func)
    meaning = call_meanings().get(name)
    return name == "kill" or (meaning is not None and meaning.means in ASKED_OF_SMALL)


def handed_over(module: Module, number: Number) -> Judgement | None:
    """A number that is a positional argument."""
    call = number.place.holder
    if not isinstance(call, ast.Call) or number.place.elements is not None:
        return None
    name = last_name(call.func)
    value = number.value
    match call_meanings().get(name):
        case CallMeaning(means="tunable", kind=kind, noun=noun, least=least):
            tunable, reason = TUNABLE[kind]
            return counts(number, tunable, reason, noun=noun) if number.size >= least else None
        case CallMeaning(means="limit"):
            return _limit(number, call)
        case CallMeaning(means="fallback") if number.place.position:
            return fallback(number, _keys(call) or mentioned(call.args[0]))
        case CallMeaning(means="status") if values.is_http_status(value):
            return None
        case CallMeaning(means="arithmetic") if number.size in values.SAMPLE_SCALES or number.size == values.HUNDRED:
            return None
        case CallMeaning(means="structural") if is_small(value, MOST_AXES) or values.is_tolerance(value):
            return None
        case CallMeaning(means="structural" | "maker" | "status" | "arithmetic"):
            pass
        case CallMeaning():
            return None
        case None:
            pass
    if name == "kill" and value in values.SIGNAL_NAMES:
        return counts(number, Kind.SIGNAL, "the module signal has a name for it")
    if is_small(value) or value in values.HALVES:
        return None
    if name == "divmod" and (value in values.UNIT_NAMES or value in values.SMALL_UNITS):
        return repeated_unit(number, unit_kind(mentioned(call)))
    return _by_position(module, number, call, name)


def _by_position(module: Module, number: Number, call: ast.Call, name: str) -> Judgement | None:
    """A number whose meaning only the callee knows."""
    value = number.value
    spoken = frozenset(words(module.definition(call) if name == "__init__" else name))
    if _is_value_of_its_own(module, call, name, spoken) or _draws(call.func) or spoken & VERSION_TESTS:
        return None
    if values.is_http_status(value) and spoken & about.ERROR:
        return None
    if value in values.WHOLES and _has_zero(call):
        return None  # from nothing to the whole
    if _is_beside_host(call, number, name):
        return None
    if _defines_constant(module, call) or "seed" in receiver(module, call):
        return None
    parameter = parameter_of(module, call, number.place.position)
    if parameter is not None and _is_forced(parameter):
        return None
    if values.is_tolerance(value):
        return counts(number, Kind.TOLERANCE, "it decides what counts as nothing, and the call does not say so")
    asked = frozenset(words(parameter.arg)) if parameter is not None else frozenset()
    return counts(number, by_words(asked, Kind.SETTING), "the call does not show what it means")


def _is_beside_host(call: ast.Call, number: Number, name: str) -> bool:
    """Whether a number is the port of a literal host, which is told as an address as a whole."""
    if number.place.position != 1 or name not in table("locations/hosts")["connecting_calls"]:
        return False
    return isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)


def _is_value_of_its_own(module: Module, call: ast.Call, name: str, spoken: frozenset[str]) -> bool:
    """Whether the numbers of a call are a value (a point), a layer of a model, or a row of a table of such calls."""
    if sum(map(is_number, call.args)) >= POINT:
        return True
    is_class = name[:1].isupper() or name == "__init__"
    if (is_class or spoken & about.LAYER_MAKER) and _builds_models(module):
        return True
    return _is_row(module, call) or _is_column_type(module, call)


def _is_column_type(module: Module, call: ast.Call) -> bool:
    """Whether a call makes the type of a column (`Column("name", VARCHAR2(128))`): that is how sizes are written."""
    above = module.parent(call)
    if isinstance(above, ast.keyword):
        above = module.parent(above)
    meaning = call_meanings().get(last_name(above.func)) if isinstance(above, ast.Call) else None
    return meaning is not None and meaning.means == "schema"


def _defines_constant(module: Module, call: ast.Call) -> bool:
    """Whether a module gives the result of a call on literals a name (`CR = byte_chr(13)`)."""
    above = module.parent(call)
    if not isinstance(above, ast.Assign | ast.AnnAssign) or not isinstance(module.parent(above), ast.Module):
        return False
    return not call.keywords and all(isinstance(arg, ast.Constant) or is_literal(arg) for arg in call.args)


def _is_row(module: Module, call: ast.Call) -> bool:
    """Whether a call is one of several alike in a display, or among the arguments of another call."""
    row = call
    above = module.parent(row)
    while isinstance(above, ast.Call) and above.func is row:  # `Cycle(0, 1)(2, 4)`
        row, above = above, module.parent(above)
    match above:
        case ast.Tuple(elts=rows) | ast.List(elts=rows) | ast.Set(elts=rows) | ast.Dict(values=rows):
            pass
        case ast.Call(args=rows):
            pass
        case _:
            return False
    name = last_name(row.func)
    return sum(isinstance(other, ast.Call) and last_name(other.func) == name for other in rows[:MANY]) >= POINT


def _builds_models(module: Module) -> bool:
    """Whether a file builds models: layer sizes by position are how that is written."""
    if not any(library in module.text for library in NUMERIC_LIBRARIES):
        return False
    roots = {found.target.partition(".")[0] for many in module.names.imports.values() for found in many}
    return not roots.isdisjoint(NUMERIC_LIBRARIES)


def _is_forced(parameter: ast.arg) -> bool:
    """Whether a parameter says what its numbers are: a base, an axis, or one of the words of a `Literal` type."""
    if parameter.arg in FORCED:
        return True
    annotation = parameter.annotation
    if annotation is None:
        return False
    return any(
        isinstance(part, ast.Name | ast.Attribute) and last_name(part) == "Literal" for part in ast.walk(annotation)
    )


def _has_zero(expression: ast.expr) -> bool:
    """Whether a call has zero among its arguments."""
    return isinstance(expression, ast.Call) and any(
        isinstance(arg, ast.Constant) and arg.value == 0 for arg in expression.args
    )


def _draws(function: ast.expr) -> bool:
    node = function
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute) and node.attr in about.DRAWING:
            return True
        node = node.value
    return isinstance(node, ast.Name) and node.id in about.DRAWING


def _limit(number: Number, call: ast.Call) -> Judgement | None:
    """A number that `min`, `max` or `clip` holds other values against."""
    value = number.value
    if value in values.HALVES or number.size in values.EXTREMES:
        return None
    if value in values.SAMPLE_SCALES or (value in values.COLOUR_DEPTH and mentioned(call) & about.IMAGE):
        return None
    if value in values.WHOLES and any(_has_zero(arg) for arg in call.args):
        return None
    if values.is_tolerance(value):
        return counts(number, Kind.TOLERANCE, "it decides what counts as nothing")
    return counts(number, Kind.LIMIT, "it caps or floors a value")


def _keys(call: ast.Call) -> frozenset[str]:
    return frozenset(arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def fallback(number: Number, key: frozenset[str]) -> Judgement | None:
    """A number that stands in for a missing value: it counts where a file gives the same one for the same key twice."""
    if is_small(number.value, values.PAIR):
        return None
    found = number._replace(place=number.place._replace(role=Role.FALLBACK))
    reason = "the same fallback is given in this file more than once"
    return counts(found, Kind.DEFAULT, reason, key=("fallback", number.value, key))
