"""Numbers that something is compared with: thresholds, limits, codes."""

import ast

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import values
from valhalla_lint.facts.numbers import vocabulary as about
from valhalla_lint.facts.numbers.judgement import Judgement, Number, counts
from valhalla_lint.facts.numbers.kinds import Kind, by_words
from valhalla_lint.facts.numbers.places import operator_of
from valhalla_lint.facts.numbers.values import is_small

ORDERINGS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
EQUALITIES = (ast.Eq, ast.NotEq)
LONG_LIST = 5
"""So many numbers in one membership test are a list of codes, whatever their size."""


def has_name(number: Number) -> Judgement | None:
    """A status or error number, for which the standard library has a name."""
    if number.around & about.ERROR_NUMBER and isinstance(number.value, int):
        return counts(number, Kind.ERRNO, "the module errno has a name for it")
    if number.around & about.STATUS and values.is_http_status(number.value) and not number.around & about.NO_STATUS:
        return counts(number, Kind.HTTP_STATUS, "http.HTTPStatus has a name for it")
    return None


def compared(module: Module, number: Number) -> Judgement | None:
    """A number that is an operand of a comparison."""
    if number.around & about.VERSION:
        return None
    named = has_name(number)
    if named is not None:
        return named
    if _is_structure(module, number):
        return None
    value, around = number.value, number.around
    operator = operator_of(number.place)
    if around & about.TRIES and isinstance(value, int):
        return counts(number, Kind.RETRIES, "it limits how often something is tried")
    measured = operator in ORDERINGS and number.size > values.PAIR and around & about.MEASURE and "len" not in around
    if is_small(value) and not measured:
        return None
    if values.is_tolerance(value):
        return counts(number, Kind.TOLERANCE, "it decides what counts as nothing")
    if around & about.PORT:
        return counts(number, Kind.PORT, "it decides a branch")
    if around & about.TIME:
        return counts(number, Kind.TIMEOUT, "it decides how long is long enough")
    if operator in EQUALITIES:
        return counts(number, Kind.CODE, "one special value decides a branch")
    if isinstance(value, float):
        return counts(number, by_words(around & about.RATE, Kind.THRESHOLD), "it decides a branch")
    return counts(number, Kind.LIMIT, "it decides what is too much or too little")


def _is_structure(module: Module, number: Number) -> bool:
    """Whether what is compared gives the number its meaning: a date, a rank, a state, a character, a sample, a turn."""
    value, around, place = number.value, number.around, number.place
    if around & about.CALENDAR and not around & about.SPAN and (value in values.CALENDAR or value in values.YEARS):
        return True
    if value in values.WHOLES and _starts_at_zero(place.holder):
        return True
    if "len" in around and (operator_of(place) in EQUALITIES or around & about.COLOUR) and is_small(value, values.TEN):
        return True  # as many parts as a record has
    if (value in values.TURNS and around & about.ANGLE) or (is_small(value) and around & about.DIMENSION):
        return True
    if isinstance(value, float) and operator_of(place) in EQUALITIES and number.size <= values.TEN:
        return values.in_parts(value, values.QUARTERS)  # a parameter of a formula (`nu == 2.5`)
    if around & about.STATE and isinstance(value, int) and is_small(value, values.WIDEST_STATE):
        return not isinstance(place.partner, ast.Call)
    match place.partner:
        case ast.BinOp(op=ast.BitAnd()):
            return value in values.BYTE_MASKS and value != values.CONTINUATION
        case _:
            pass
    if "ord" in around or (around & about.CODE_POINT and module.segment(number.node)[:2].lower() == "0x"):
        return True
    if around & about.WIDTH and value in values.WIDTHS:
        return True
    if around & about.LENGTH:
        return False
    if number.size in values.EXTREMES:
        return not around & about.PORT
    return value in values.COLOUR_DEPTH and bool(around & (about.IMAGE | about.BITS))


def _starts_at_zero(holder: ast.AST) -> bool:
    """Whether a chain holds something between nothing and the whole (`0 <= share <= 100`)."""
    return isinstance(holder, ast.Compare) and isinstance(holder.left, ast.Constant) and holder.left.value == 0


def member(number: Number) -> Judgement | None:
    """A number in a display that membership is asked of."""
    value, around, elements = number.value, number.around, number.place.elements
    if elements is None or around & about.VERSION or around & {"capability", "shape"}:
        return None
    named = has_name(number)
    if named is not None:
        return named
    if operator_of(number.place) not in (ast.In, ast.NotIn):
        return None
    listed = [element.value for element in elements.elts if isinstance(element, ast.Constant)]
    if any(isinstance(item, str) for item in listed):
        return None  # a row of a table
    coded = len(listed) >= LONG_LIST and not all(is_small(item) for item in listed)
    if not coded and (is_small(value) or value in values.HALVES):
        return None
    if around & about.WIDTH or value in values.EXTREMES or (around & about.DIMENSION and is_small(value, values.TEN)):
        return None
    if (value in values.CALENDAR and around & about.CALENDAR) or (value in values.TURNS and around & about.ANGLE):
        return None
    if "len" in around and is_small(value, values.TEN):
        return None
    return counts(number, Kind.CODE, "membership in a list of numbers decides a branch")
