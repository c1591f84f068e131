"""Numbers that something is computed with: units, factors, offsets, masks."""

import ast

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import values
from valhalla_lint.facts.numbers import vocabulary as about
from valhalla_lint.facts.numbers.formulas import Form, form
from valhalla_lint.facts.numbers.judgement import Judgement, Number, counts
from valhalla_lint.facts.numbers.kinds import Kind
from valhalla_lint.facts.numbers.names import receiver
from valhalla_lint.facts.numbers.places import Role, is_literal, is_number
from valhalla_lint.facts.numbers.values import is_small
from valhalla_lint.facts.words import mentioned

OCTAL_MODE = regex(r"0[oO][0-7]{3,}")
"""A number spelled in octal with three digits is the mode of a file."""
PUBLISHED = regex(r"[0-9]*\.[0-9]{4,}|[0-9]+\.[0-9]{3,}")
"""A coefficient with so many digits comes from a table or a paper."""
MULTIPLICATIONS = (ast.Mult, ast.Div, ast.FloorDiv)
DIVISIONS = (ast.Div, ast.FloorDiv)


def is_width(module: Module, node: ast.Constant) -> bool:
    """Whether a number belongs to a power that is known as a whole: `2**32 - 1`, `1 << 20`, `10**9`, `1024**2`."""
    value = node.value
    match module.parent(node):
        case ast.BinOp(left=ast.Constant(value=base), op=ast.Pow(), right=right) if right is node:
            twos = base == values.PAIR and value in values.WIDTHS | values.BINARY_UNITS
            return twos or base == values.TEN or base in values.UNIT_NAMES
        case ast.BinOp(left=ast.Constant(value=base), op=ast.LShift(), right=right) if right is node:
            return value in values.BINARY_UNITS or (base == 1 and value in values.WIDTHS)
        case ast.BinOp(left=left, op=ast.Pow()) if left is node:
            return value == values.TEN
        case _:
            return False


def conversion(module: Module, number: Number) -> tuple[Judgement | None, bool]:
    """What a factor that converts units comes to, and whether it is one; alone in its file it is no riddle."""
    found = _unit(module, number)
    if found is None:
        return None, False
    if form(module, found.place.holder) is Form.SYMBOLIC:
        return None, False
    kind = unit_kind(found.around | receiver(module, number.node))
    if kind is Kind.SCALE and number.size in values.SCHEDULED:
        return None, False  # a thousand of nothing that is measured is a choice
    return repeated_unit(found, kind), True


def _unit(module: Module, number: Number) -> Number | None:
    """The number with what it converts, also inside an arithmetic of literals (`10 * 1024`); else None."""
    node, place, value = number.node, number.place, number.size
    inside: ast.AST = node
    above = module.parent(node)
    match above:
        case ast.BinOp(op=ast.Pow(), left=left, right=power) if left is node and is_number(power):
            inside = above  # `1024**2` is a unit as a whole
            above = module.parent(above)
        case _:
            pass
    match above:
        case ast.AugAssign(op=operator, target=target) if isinstance(operator, MULTIPLICATIONS):
            other: ast.expr = target
        case ast.BinOp(op=operator, left=left, right=right) if isinstance(operator, MULTIPLICATIONS) or (
            isinstance(operator, ast.Mod) and value in values.REMAINDERS
        ):
            other = right if left is inside else left
            if left is inside and isinstance(operator, DIVISIONS) and not mentioned(right) & about.TIME:
                return None  # what is divided is no unit
        case _:
            return None
    partner = place.partner if is_literal(other) and place.role is Role.ARITHMETIC else other
    around = mentioned(partner) if partner is not None else frozenset()
    if value in values.UNIT_NAMES:
        if value < 1 and around and not around & about.TIME:
            return None
    elif value not in values.SMALL_UNITS or not (around & (about.TIME | about.CALENDAR) or _makes_seconds(place.whole)):
        return None
    return number._replace(place=place._replace(role=Role.ARITHMETIC, partner=partner), around=around)


def _makes_seconds(whole: ast.expr) -> bool:
    """Whether a product of literals converts to seconds (`60 * 60 * 24 * 30`)."""
    return any(isinstance(part, ast.Constant) and part.value in values.SEXAGESIMAL for part in ast.walk(whole))


def repeated_unit(number: Number, kind: Kind) -> Judgement:
    """A unit, which counts where a file converts by it twice."""
    return counts(number, kind, "the same conversion stands in this file more than once", key=("unit", number.size))


def unit_kind(around: frozenset[str]) -> Kind:
    """Whether a conversion is of time, of bytes, or of something else, by the words around it."""
    if around & about.TIME:
        return Kind.TIME_UNIT
    return Kind.BYTE_UNIT if around & about.BYTES else Kind.SCALE


def computed(module: Module, number: Number) -> Judgement | None:
    """A number that is an operand of arithmetic and no unit."""
    match number.place.holder:
        case ast.BinOp(op=operator, left=left):
            on_left = number.place.whole is left
        case ast.AugAssign(op=operator):
            on_left = False
        case _:
            return None
    match operator:
        case ast.Pow():
            return None if on_left else _exponent(module, number)
        case ast.LShift() | ast.RShift():
            return None if on_left else _shift(number)
        case ast.BitAnd() | ast.BitOr() | ast.BitXor():
            return _mask(module, number)
        case ast.MatMult():
            return None
        case _:
            pass
    if _is_structure(module, number, operator):
        return None
    match operator:
        case ast.Mod():
            return _remainder(module, number)
        case ast.Add() | ast.Sub():
            return _offset(module, number)
        case _:
            return _factor(module, number, operator)


def _is_structure(module: Module, number: Number, operator: ast.operator) -> bool:
    """Whether the number is a percent, a version, a sample of an image, the width of a type, or repeats a list."""
    value, around = number.size, number.around
    scales = isinstance(operator, MULTIPLICATIONS)
    if scales and (value == values.HUNDRED or value in values.SAMPLE_SCALES or value in values.HALF_TURNS):
        return True
    if around & about.VERSION or value in values.EXTREMES:
        return True
    if value in values.COLOUR_DEPTH and around & (about.IMAGE | about.BITS):
        return True
    if isinstance(operator, ast.Sub) and value == values.HUNDRED and number.place.whole is _left(number.place.holder):
        return True  # the rest of a percentage
    bytewise = value in values.BYTE_STRUCTURE or value + 1 in values.BYTE_STRUCTURE
    if bytewise and (_is_shifted_by(module, number) or _rounds_up_to_bytes(module, number)):
        return True
    if bytewise and (around | receiver(module, number.node)) & about.BITS:
        return True
    if value in values.CHANNELS and scales and around & about.PIXEL:
        return True
    return isinstance(number.place.partner, ast.List | ast.Tuple | ast.ListComp) and is_small(value, values.TEN)


def _left(holder: ast.AST) -> ast.expr | None:
    return holder.left if isinstance(holder, ast.BinOp) else None


def _exponent(module: Module, number: Number) -> Judgement | None:
    alone = number.place.whole.__class__ is not ast.BinOp  # `x ** (1 / 3)` is a root
    if number.size <= values.SMALL or not alone or form(module, number.place.holder) is Form.SYMBOLIC:
        return None
    return counts(number, Kind.EXPONENT, "no known formula has it")


def _shift(number: Number) -> Judgement | None:
    value = number.size
    if value <= values.SMALL or value in values.BYTE_STRUCTURE | values.BINARY_UNITS | values.WIDTHS:
        return None
    if number.around & about.MODE:
        return None
    return counts(number, Kind.SHIFT, "it goes beyond bytes")


def _mask(module: Module, number: Number) -> Judgement | None:
    value = number.size
    if value <= values.TEN or value in values.BYTE_MASKS or value in values.EXTREMES or values.is_ones(value):
        return None
    if OCTAL_MODE.match(module.segment(number.node)):
        return None
    return counts(number, Kind.MASK, "it picks bits beyond bytes")


def _remainder(module: Module, number: Number) -> Judgement | None:
    value = number.value
    if not isinstance(value, int) or value in values.TURNS or _takes_digits(number):
        return None
    if value in values.CALENDAR and (number.around | receiver(module, number.node)) & about.CALENDAR:
        return None
    aligned = value & (value - 1) == 0 and value >= values.SMALL - 1
    return counts(number, Kind.ALIGNMENT if aligned else Kind.PERIOD, "what it leaves over decides")


def _takes_digits(number: Number) -> bool:
    """Whether decimal digits are taken from a number (`number % 10`, `digits // 1000`)."""
    return number.value in values.POWERS_OF_TEN and bool(number.around) and number.around <= about.DIGITS


def _offset(module: Module, number: Number) -> Judgement | None:
    value, around = number.value, number.around
    if is_small(value):
        return None
    if values.is_tolerance(value):
        return counts(number, Kind.TOLERANCE, "it keeps a value from becoming nothing")
    if value in values.WIDTHS and _is_shifted_by(module, number):
        return None
    if around & about.CHARACTER or (around & about.CALENDAR and value in values.CALENDAR):
        return None
    if value in values.TURNS and around & about.ANGLE:
        return None
    shape = form(module, number.place.holder)
    if shape is Form.SYMBOLIC and isinstance(value, int):
        return None
    if shape and isinstance(value, float) and number.size <= values.TEN:
        return None
    return counts(number, Kind.OFFSET, "it is added or taken away, and nothing says why so much")


def _is_shifted_by(module: Module, number: Number) -> bool:
    """Whether what a number is part of is what bits are shifted by (`1 << 32 - bits`, `2 ** (8 * size)`)."""
    match module.parent(number.place.holder):
        case ast.BinOp(op=ast.LShift() | ast.RShift()):
            return True
        case ast.BinOp(op=ast.Pow(), left=ast.Constant(value=values.PAIR)):
            return True
        case _:
            return False


def _rounds_up_to_bytes(module: Module, number: Number) -> bool:
    """Whether a number belongs to the usual way from bits to whole bytes, `(bits + 7) // 8`."""
    division = number.place.holder if number.size == values.BYTE else module.parent(number.place.holder)
    match division:
        case ast.BinOp(
            op=ast.FloorDiv(),
            left=ast.BinOp(op=ast.Add(), right=ast.Constant(value=rest)),
            right=ast.Constant(value=values.BYTE),
        ):
            return rest == values.BYTE - 1
        case _:
            return False


def _factor(module: Module, number: Number, operator: ast.operator) -> Judgement | None:
    value, size, around = number.value, number.size, number.around
    if values.is_tolerance(value):
        return counts(number, Kind.TOLERANCE, "it decides what counts as nothing")
    in_place = isinstance(number.place.holder, ast.AugAssign)
    counted = around & about.COUNT
    eighths = isinstance(value, float) and size <= values.SMALL and values.in_parts(value, values.EIGHTHS)
    if eighths and not in_place and not counted:
        return None  # halves, quarters, eighths: textbook factors
    shape = form(module, number.place.holder)
    if (shape is Form.SYMBOLIC and isinstance(value, int)) or (shape and size in values.TURNS):
        return None
    textbook = size <= values.TEN and (values.in_parts(value, values.QUARTERS) or values.in_parts(value, values.SIXTHS))
    if shape and (textbook or PUBLISHED.fullmatch(module.segment(number.node))):
        return None
    if isinstance(value, int) and size <= values.TEN:
        widens = isinstance(operator, ast.Mult) and around & about.LAYER and not around & about.HOW_MANY
        if widens or not (counted or in_place or around & about.PACKED):
            return None  # the usual widening of a layer, or nothing that tells a choice from a formula
        if size == values.TEN and isinstance(operator, ast.Mult) and _puts_digits_together(module, number):
            return None
    if isinstance(operator, DIVISIONS) and _takes_digits(number):
        return None
    kind = Kind.DIVISOR if isinstance(operator, DIVISIONS) else Kind.FACTOR
    return counts(number, kind, "how much it scales by is a choice that nothing names")


def _puts_digits_together(module: Module, number: Number) -> bool:
    """Whether decimal digits become a number (`n * 10 + digit`)."""
    above = module.parent(number.place.holder)
    return isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add)
