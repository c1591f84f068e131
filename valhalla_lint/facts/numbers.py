"""Which numbers decide something and have no name, why, and what each should be called.

A number is judged by where it stands (`number_places`), by what it is (`number_kinds`) and by how often it stands there:
never by a list of values alone. Small integers as structure, percent, textbook formulas, data and everything that is
named where it stands stay silent; doubtful kinds (a unit converted once, a fallback given once) do too.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

from valhalla_lint.facts import number_kinds as kinds
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.number_calls import CallMeaning, call_meanings, makers
from valhalla_lint.facts.number_kinds import Kind
from valhalla_lint.facts.number_names import parameter_of, ready_constant, suggest, unit_kind
from valhalla_lint.facts.number_places import (
    Place,
    Role,
    is_literal,
    is_number,
    names_itself,
    operator_of,
    place,
)
from valhalla_lint.facts.words import last_name, mentioned, words

ORDINARY = frozenset({0, 1})
"""Identity, emptiness, first and last, step, sentinel: never judged (-1 is 1 with its sign)."""
HALVES = frozenset({2, 0.5})
"""Halving, doubling, parity, pairs: judged only where a call waits that long, or in a list of codes."""
NAMING_PARENTS = (ast.keyword, ast.Assign, ast.AnnAssign, ast.arguments, ast.Dict, ast.NamedExpr, ast.MatchValue)
SMALL = 5
"""Integers up to here are positions, arities and shapes unless the words around them speak of a threshold."""
TEN = 10
FORMULA_CALLS = frozenset(name for name, meaning in call_meanings().items() if meaning.means == "math") | {"pi", "e"}
NUMERIC_LIBRARIES = frozenset({"torch", "tensorflow", "keras", "jax", "flax", "paddle", "mlx", "mindspore", "haiku", "equinox"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """A number that decides something and has no name.

    role: where it stands. kind: what it is. reason: why it counts, for a message.
    suggested_name: a name in capitals; ready: a constant that exists already (`http.HTTPStatus.NOT_FOUND`), or "".
    spelling: as the source writes it, sign included. whole: the literal with its sign (and nothing else).
    recurs: how many literals of the file have the same value in the same role and kind, this one included.
    """

    node: ast.Constant
    whole: ast.expr
    role: Role
    kind: Kind
    reason: str
    suggested_name: str
    ready: str
    spelling: str
    recurs: int = 1


@dataclass(frozen=True, slots=True)
class _Judged:
    """A first judgement; one with a `key` counts only where the file has two of that key."""

    node: ast.Constant
    place: Place
    kind: Kind
    reason: str
    noun: str = ""
    key: tuple[object, ...] = ()


def judge(module: Module, node: ast.Constant) -> Verdict | None:
    """The verdict on one literal. For many literals of one file ask `judged`, which reads the file once."""
    return judged(module).get(node)


def judged(module: Module) -> Mapping[ast.Constant, Verdict]:
    """All numbers of a file that decide something and have no name, by their literals, in order of the index."""
    first = list(_first(module))
    keys = Counter(item.key for item in first if item.key)
    kept = [item for item in first if not item.key or keys[item.key] > 1]
    same = Counter((item.node.value, item.place.role, item.kind) for item in kept)
    found: dict[ast.Constant, Verdict] = {}
    for item in kept:
        whole = _signed(module, item.node)
        value = item.node.value
        found[item.node] = Verdict(
            node=item.node,
            whole=whole,
            role=item.place.role,
            kind=item.kind,
            reason=item.reason,
            suggested_name=suggest(module, item.place, item.kind, value, item.noun),
            ready=ready_constant(item.kind, value),
            spelling=module.segment(whole),
            recurs=same[value, item.place.role, item.kind],
        )
    return found


def _signed(module: Module, node: ast.Constant) -> ast.expr:
    above = module.parent(node)
    if isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.USub | ast.UAdd):
        return above
    return node


def _first(module: Module) -> Iterator[_Judged]:
    parents = module.index.parents
    made = makers()
    for node in module.nodes(ast.Constant):
        value = node.value
        if value.__class__ not in (int, float, complex) or value in ORDINARY:
            continue
        above = parents.get(node)
        if value in HALVES and not isinstance(above, ast.Call | ast.List | ast.Tuple | ast.Set):
            continue
        if isinstance(above, ast.UnaryOp):
            above = parents.get(above)
        if isinstance(above, NAMING_PARENTS):
            continue
        found = place(parents, node, made)
        if found is None or names_itself(parents, found):
            continue
        item = _decide(module, node, found)
        if item is not None:
            yield item


def _decide(module: Module, node: ast.Constant, found: Place) -> _Judged | None:
    if _is_width(module, node):
        return None
    unit = _inner_unit(module, node, found)
    if unit is not None:
        return _conversion(module, node, unit)
    match found.role:
        case Role.COMPARISON:
            return _compared(module, node, found)
        case Role.MEMBERSHIP:
            return _member(module, node, found)
        case Role.ARITHMETIC:
            return _computed(module, node, found)
        case Role.RANGE:
            return _ranged(module, node, found)
        case Role.ARGUMENT:
            return _handed_over(module, node, found)
        case Role.FALLBACK:
            return _fallback(node, found, mentioned(found.partner) if found.partner else frozenset())
        case Role.INDEX:
            return _indexed(node, found)
        case Role.SLICE:
            return _sliced(module, node, found)
        case Role.RETURN:
            return _returned(module, node, found)
        case Role.FORMAT:
            return _Judged(node, found, Kind.LIMIT, "it is put into a text by hand")


def _value(found: Place) -> float:
    """The value with its sign, where the literal stands alone; complex numbers count by their size."""
    node = found.whole
    sign = 1
    while isinstance(node, ast.UnaryOp):
        sign = -sign if isinstance(node.op, ast.USub) else sign
        node = node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return sign * node.value
    return float("nan")


def _plain(node: ast.Constant) -> float:
    value = node.value
    return abs(value) if isinstance(value, int | float | complex) else 0


def _small(value: object, bound: float = SMALL) -> bool:
    return isinstance(value, int | float) and abs(value) <= bound and value == int(value)


# --- comparisons ------------------------------------------------------------------------------------------------------


def _compared(module: Module, node: ast.Constant, found: Place) -> _Judged | None:
    assert found.partner is not None
    value = node.value
    around = mentioned(found.partner)
    operator = operator_of(found)
    if around & kinds.VERSION:
        return None
    if around & kinds.ERRNOS:
        return _Judged(node, found, Kind.ERRNO, "an error number has a name in `errno`")
    if around & kinds.STATUS and kinds.is_http_status(value):
        return _Judged(node, found, Kind.HTTP_STATUS, "an HTTP status has a name in `http.HTTPStatus`")
    if value in kinds.CALENDAR_VALUES and around & kinds.CALENDAR and not around & {"timeout", "elapsed", "total", "max"}:
        return None
    if operator in (ast.Eq, ast.NotEq) and isinstance(value, float) and value <= TEN and value * 2 == int(value * 2):
        return None  # a parameter of a formula (`nu == 2.5`)
    if value in kinds.TURNS and around & kinds.ANGLES:
        return None
    if around & kinds.DIMENSIONS and _small(value):
        return None
    if around & kinds.STATES and _small(value, 64) and isinstance(value, int) and not isinstance(found.partner, ast.Call):
        return None
    if isinstance(found.partner, ast.BinOp) and isinstance(found.partner.op, ast.BitAnd):
        if value in kinds.BYTE_MASKS and value != 0x80:  # noqa: PLR2004 -- continuation bytes: see the kinds
            return None
        return _Judged(node, found, Kind.MASK, "a bit pattern is compared")
    if around & kinds.CHARACTERS and (module.segment(node)[:2].lower() == "0x" or "ord" in around):
        return None
    if _plain(node) in kinds.EXTREMES and "port" not in around and not around & kinds.LENGTHS:
        return None
    if value in kinds.COLOUR_DEPTH and around & (kinds.IMAGES | kinds.BITS) and not around & kinds.LENGTHS:
        return None
    if around & kinds.TRIES and isinstance(value, int):
        return _Judged(node, found, Kind.RETRIES, "it limits how often something is tried")
    if _small(value) and not (around & kinds.MEASURED and operator in kinds.ORDERINGS and _plain(node) > 2):  # noqa: PLR2004 -- a pair
        return None
    if kinds.is_tolerance(value):
        return _Judged(node, found, Kind.TOLERANCE, "it decides what counts as nothing")
    if around & kinds.TIME:
        return _Judged(node, found, Kind.TIMEOUT, "it decides how long is long enough")
    if operator in (ast.Eq, ast.NotEq):
        return _Judged(node, found, Kind.CODE, "it decides a branch as one special value")
    kind = Kind.THRESHOLD if isinstance(value, float) else Kind.LIMIT
    return _Judged(node, found, kind, f"it is {kind.value} in a condition")


LONG_LIST = 5
"""So many numbers in one membership test are a list of codes, whatever their size."""


def _member(module: Module, node: ast.Constant, found: Place) -> _Judged | None:
    assert found.partner is not None
    assert found.elements is not None
    around = mentioned(found.partner)
    value = node.value
    if around & kinds.VERSION or around & {"capability", "shape"}:
        return None
    if around & kinds.STATUS and kinds.is_http_status(value):
        return _Judged(node, found, Kind.HTTP_STATUS, "an HTTP status has a name in `http.HTTPStatus`")
    if around & kinds.ERRNOS:
        return _Judged(node, found, Kind.ERRNO, "an error number has a name in `errno`")
    if isinstance(found.holder, ast.Compare) and operator_of(found) not in (ast.In, ast.NotIn):
        return None
    values = [element.value for element in found.elements.elts if isinstance(element, ast.Constant)]
    listed = len(values) >= LONG_LIST and any(not _small(item) for item in values)
    if not listed and (_small(value) or value in HALVES):
        return None
    if around & kinds.DIMENSIONS and _small(value, TEN):
        return None
    if around & {"bits", "bit", "nbits", "bitwidth"} or value in kinds.EXTREMES:
        return None
    if value in kinds.CALENDAR_VALUES and around & kinds.CALENDAR:
        return None
    return _Judged(node, found, Kind.CODE, "membership in a list of numbers decides a branch")


# --- arithmetic -------------------------------------------------------------------------------------------------------


def _inner_unit(module: Module, node: ast.Constant, found: Place) -> Place | None:
    """The place of a unit inside an arithmetic of literals (`10 * 1024`), or of a unit that multiplies or divides."""
    above = module.parent(node)
    if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Pow) and above.left is node and is_number(above.right):
        above = module.parent(above)  # `1024**2` is a unit as a whole
    if not isinstance(above, ast.BinOp | ast.AugAssign) or not isinstance(above.op, ast.Mult | ast.Div | ast.FloorDiv | ast.Mod):
        return None
    value = _plain(node)
    if isinstance(above, ast.AugAssign):
        other: ast.expr = above.target
    else:
        if isinstance(above.op, ast.Mod) and value not in (60, 24):  # noqa: PLR2004 -- what is left over of a time
            return None
        inside = node if above.left is node or above.right is node else module.parent(node)
        other = above.right if above.left is inside else above.left
    partner = found.partner if is_literal(other) and found.role is Role.ARITHMETIC else other
    around = mentioned(partner) if partner is not None else frozenset()
    if value in kinds.UNIT_NAMES:
        if value in (1000, 1e-3) and around & {"timestep", "timesteps", "t", "step", "steps", "sigma", "sigmas", "scale"}:
            return None
        if value < 1 and around and not around & kinds.TIME:
            return None
    elif not (value in kinds.SMALL_UNITS and (around & (kinds.TIME | kinds.CALENDAR) or _among_seconds(found.whole))):
        return None
    return replace(found, role=Role.ARITHMETIC, partner=partner)


def _among_seconds(whole: ast.expr) -> bool:
    """Whether a product of literals converts to seconds (`60 * 60 * 24 * 30`)."""
    seconds = (kinds.SECONDS_PER_MINUTE, kinds.SECONDS_PER_HOUR)
    return any(isinstance(part, ast.Constant) and part.value in seconds for part in ast.walk(whole))


def _conversion(module: Module, node: ast.Constant, found: Place) -> _Judged | None:
    statement = module.statement(node)
    target = words(last_name(statement.targets[0])) if isinstance(statement, ast.Assign) else ()
    kind = unit_kind(found.partner, target)
    return _Judged(
        node, found, kind, "the same conversion stands in this file more than once", key=("unit", float(_plain(node)))
    )


def _computed(module: Module, node: ast.Constant, found: Place) -> _Judged | None:
    match found.holder:
        case ast.BinOp(op=op, left=left):
            on_left = found.whole is left
        case ast.AugAssign(op=op):
            on_left = False
        case _:
            return None
    assert found.partner is not None
    value = _plain(node)
    around = mentioned(found.partner)
    match op:
        case ast.Pow():
            if on_left:
                return None
            if value > SMALL and found.whole.__class__ is not ast.BinOp and _formula(module, found) is not _Form.SYMBOLIC:
                return _Judged(node, found, Kind.EXPONENT, "it is an exponent that is not part of a known formula")
            return None
        case ast.LShift() | ast.RShift():
            if on_left or value in kinds.BYTE_STRUCTURE | kinds.BINARY_UNITS | kinds.WIDTHS or value <= SMALL:
                return None
            return _Judged(node, found, Kind.SHIFT, "it shifts beyond bytes")
        case ast.BitAnd() | ast.BitOr() | ast.BitXor():
            if value in kinds.BYTE_MASKS or value <= TEN or value in kinds.EXTREMES:
                return None
            if OCTAL_MODE.match(module.segment(node)):
                return None
            if value == int(value) and (int(value) & (int(value) + 1)) == 0 and int(value).bit_length() in kinds.WIDTHS:
                return None
            return _Judged(node, found, Kind.MASK, "it is a bit pattern beyond bytes")
        case ast.MatMult():
            return None
        case _:
            pass
    if value in (100, 1e2) and isinstance(op, ast.Mult | ast.Div | ast.FloorDiv):
        return None
    if around & kinds.VERSION:
        return None
    if _colour(value, op, around):
        return None
    if value in kinds.EXTREMES:
        return None
    if value in kinds.BYTE_STRUCTURE | {7} and around & kinds.BITS:
        return None
    if isinstance(found.partner, ast.List | ast.Tuple | ast.ListComp) and _small(value, TEN):
        return None
    if isinstance(op, ast.Mod):
        return _modulo(node, found, around)
    if isinstance(op, ast.Add | ast.Sub):
        return _offset(module, node, found, around)
    if kinds.is_tolerance(node.value):
        return _Judged(node, found, Kind.TOLERANCE, "it decides what counts as nothing")
    return _factor(module, node, found, op, around)


def _colour(value: float, op: ast.operator, around: frozenset[str]) -> bool:
    """Whether a number scales or centres the samples of an eight-bit image."""
    if value in (255, 127.5) and isinstance(op, ast.Mult | ast.Div | ast.FloorDiv):  # noqa: PLR2004 -- kinds.COLOUR_DEPTH
        return True
    return value in kinds.COLOUR_DEPTH and bool(around & (kinds.IMAGES | kinds.BITS))


def _is_width(module: Module, node: ast.Constant) -> bool:
    """Whether a number is the exponent of two of a machine type's width or of kibi, mebi, gibi (`2**32 - 1`, `1 << 20`)."""
    match module.parent(node):
        case ast.BinOp(left=ast.Constant(value=base), op=ast.Pow(), right=right) if right is node:
            return base == TEN or base in kinds.UNIT_NAMES or base == 2 and node.value in kinds.WIDTHS | kinds.BINARY_UNITS  # noqa: PLR2004 -- two
        case ast.BinOp(left=ast.Constant(value=base), op=ast.LShift(), right=right) if right is node:
            return node.value in kinds.BINARY_UNITS or base == 1 and node.value in kinds.WIDTHS
        case ast.BinOp(left=left, op=ast.Pow()) if left is node and node.value == TEN:
            return True
        case _:
            return False


def _modulo(node: ast.Constant, found: Place, around: frozenset[str]) -> _Judged | None:
    value = node.value
    if around & kinds.CALENDAR and value in kinds.CALENDAR_VALUES | {4, 7}:
        return None
    if value in kinds.TURNS or isinstance(value, float):
        return None
    compared = value if isinstance(value, int) else 0
    kind = Kind.ALIGNMENT if compared & (compared - 1) == 0 and compared > SMALL - 1 else Kind.PERIOD
    return _Judged(node, found, kind, "what is left over when it is divided decides")


def _offset(module: Module, node: ast.Constant, found: Place, around: frozenset[str]) -> _Judged | None:
    value = _plain(node)
    if _small(value) or (isinstance(node.value, float) and value <= SMALL and not kinds.is_tolerance(value) and _formula(module, found)):
        return None
    if isinstance(node.value, int) and _formula(module, found) is _Form.SYMBOLIC:
        return None
    if kinds.is_tolerance(value):
        return _Judged(node, found, Kind.TOLERANCE, "it keeps a value from becoming nothing")
    if around & kinds.CALENDAR and value in kinds.CALENDAR_VALUES:
        return None
    if around & kinds.CHARACTERS:
        return None
    return _Judged(node, found, Kind.OFFSET, "it is added or taken away, and nothing says why so much")


def _factor(module: Module, node: ast.Constant, found: Place, op: ast.operator, around: frozenset[str]) -> _Judged | None:
    value = _plain(node)
    textbook = value * 4 == int(value * 4) or value * 6 == int(value * 6)
    eighths = isinstance(node.value, float) and value <= SMALL and value * 8 == int(value * 8)
    if eighths and not _assigns_in_place(found) and not around & kinds.COUNTS:
        return None  # halves, quarters, eighths: textbook factors
    form = _formula(module, found)
    if form is _Form.SYMBOLIC and isinstance(node.value, int) or form and value in kinds.TURNS:
        return None
    if form and (value <= TEN and textbook or _published(module.segment(node))):
        return None
    if isinstance(node.value, int) and value <= TEN:
        if around & kinds.LAYERS and not around & {"num", "n", "len", "count"}:
            return None
        if not around & kinds.COUNTS and not _assigns_in_place(found):
            return None
        if value == TEN and isinstance(op, ast.Mult) and _accumulates(module, found):
            return None
    kind = Kind.DIVISOR if isinstance(op, ast.Div | ast.FloorDiv) else Kind.FACTOR
    return _Judged(node, found, kind, "how much it scales by is a choice that nothing names")


def _assigns_in_place(found: Place) -> bool:
    return isinstance(found.holder, ast.AugAssign)


def _accumulates(module: Module, found: Place) -> bool:
    """Whether decimal digits are put together (`n * 10 + digit`)."""
    above = module.parent(found.holder)
    return isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add)


OCTAL_MODE = re.compile(r"0[oO][0-7]{3,}")
"""A number spelled in octal with three digits is the mode of a file."""
PUBLISHED = re.compile(r"[0-9]*\.[0-9]{4,}|[0-9]+\.[0-9]{3,}")


def _published(spelling: str) -> bool:
    """Whether a coefficient has so many digits that it must come from a table or a paper."""
    return bool(PUBLISHED.fullmatch(spelling))


class _Form(IntEnum):
    """How much of a formula an expression is."""

    NONE = 0
    FORMULA = 1
    """It has powers, functions of analysis or Greek letters."""
    SYMBOLIC = 2
    """All its names are symbols, too: the letters and the coefficients are the formula itself."""


def _formula(module: Module, found: Place) -> _Form:
    """Whether the arithmetic around a number is a formula."""
    top: ast.AST = found.holder
    for _, above in zip(range(FORMULA_DEPTH), module.ancestors(found.holder), strict=False):
        if isinstance(above, ast.Call) and last_name(above.func) in FORMULA_CALLS:
            top = above
            break
        if not isinstance(above, ast.BinOp | ast.UnaryOp):
            break
        top = above
    analysed = False
    symbolic = True
    queue: list[ast.AST] = [top]
    for part in queue:
        match part:
            case ast.BinOp(op=ast.Pow(), left=base) if not is_number(base):
                analysed = True
            case ast.BinOp(op=ast.MatMult()):
                analysed = True
            case ast.Call(func=function) if last_name(function) in FORMULA_CALLS:
                analysed = True
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in FORMULA_CALLS:
                analysed = True
            case ast.Name(id=name) | ast.Attribute(attr=name):
                analysed = analysed or bool(kinds.GREEK.intersection(words(name)))
                symbolic = symbolic and (bool(SYMBOL.fullmatch(name)) or name in SELF)
            case _:
                pass
        if len(queue) < FORMULA_NODES:
            queue.extend(ast.iter_child_nodes(part))
    if not analysed:
        return _Form.NONE
    return _Form.SYMBOLIC if symbolic else _Form.FORMULA


SYMBOL = re.compile(r"[A-Za-z][0-9]{0,2}_?|[A-Za-z]_[A-Za-z0-9]")
"""A letter, with an index perhaps: the names of mathematics."""
SELF = frozenset({"self", "S", "np", "math", "torch", "mp", "sp"})
FORMULA_DEPTH = 12
"""How many levels up a formula is looked for."""
FORMULA_NODES = 60
"""How many nodes of an expression are looked at to tell whether it is a formula."""


# --- calls ------------------------------------------------------------------------------------------------------------


def _ranged(module: Module, node: ast.Constant, found: Place) -> _Judged | None:
    loop = module.parent(found.holder)
    target = loop.target if isinstance(loop, ast.For | ast.AsyncFor | ast.comprehension) else None
    name = words(last_name(target)) if target is not None else ()
    if set(name) & kinds.TRIES:
        return _Judged(node, found, Kind.RETRIES, "it decides how often something is tried")
    if name == ("_",) or isinstance(target, ast.Name) and target.id == "_":
        assert isinstance(found.holder, ast.Call)
        counts = found.position == len(found.holder.args) - 1 and node.value not in HALVES
        if counts and not (isinstance(loop, ast.comprehension) and _small(node.value)):
            return _Judged(node, found, Kind.COUNT, "it only says how often, and nothing says why")
        return None
    if found.position > 1 and _small(node.value, TEN):
        return None
    if _small(node.value, TEN) or node.value in kinds.COLOUR_DEPTH | kinds.BYTE_STRUCTURE:
        return None
    return _Judged(node, found, Kind.COUNT, "it decides how often a loop runs")


def _handed_over(module: Module, node: ast.Constant, found: Place) -> _Judged | None:
    assert isinstance(found.holder, ast.Call)
    call = found.holder
    name = last_name(call.func)
    meaning = call_meanings().get(name)
    value = node.value
    if found.elements is not None:
        return None
    match meaning:
        case CallMeaning(means="tunable"):
            return _tunable(node, found, meaning)
        case CallMeaning(means="limit"):
            return _limit(node, found, call)
        case CallMeaning(means="fallback") if found.position:
            return _fallback(node, found, mentioned(call.args[0]) | _key_words(call))
        case CallMeaning(means="status") if kinds.is_http_status(value):
            return None
        case CallMeaning(means="structural" | "math") if _small(value, TEN) or kinds.is_tolerance(value):
            return None
        case CallMeaning(means="structural" | "math" | "maker"):
            pass
        case CallMeaning():
            return None
        case None:
            pass
    if name == "kill" and value in kinds.SIGNAL_NAMES:
        return _Judged(node, found, Kind.SIGNAL, "a signal has a name in `signal`")
    if _small(value) or value in HALVES:
        return None
    return _by_position(module, node, found, call, name)


def _by_position(module: Module, node: ast.Constant, found: Place, call: ast.Call, name: str) -> _Judged | None:
    value = node.value
    is_class = name[:1].isupper() or (name == "__init__")
    if is_class and (_models(module) or _numbers_in(call) >= POINT):
        return None
    if _draws(call.func):
        return None
    if kinds.is_http_status(value) and set(words(name)) & {"response", "error", "http", "status", "fail", "exception"}:
        return None
    parameter = parameter_of(module, call, found.position)
    if parameter is not None and parameter.annotation is not None and "Literal" in mentioned_names(parameter.annotation):
        return None
    if set(words(name)) & {"version", "min", "require", "requires"} and "version" in words(name):
        return None
    if kinds.is_tolerance(value):
        return _Judged(node, found, Kind.TOLERANCE, "it decides what counts as nothing, and the call does not say so")
    return _Judged(node, found, Kind.SETTING, "the call does not show what it means")


POINT = 3
"""So many numbers by position make a value of their own: a point, a colour, a box."""


def mentioned_names(annotation: ast.AST) -> frozenset[str]:
    """The last names in an annotation (`Literal` in `typing.Literal[404]`)."""
    found = {last_name(part) for part in ast.walk(annotation)}
    return frozenset(found)


def _numbers_in(call: ast.Call) -> int:
    return sum(1 for arg in call.args if is_number(arg))


def _models(module: Module) -> bool:
    """Whether a file builds models or arrays: layer sizes by position are how that is written."""
    return any(
        found.target.partition(".")[0] in NUMERIC_LIBRARIES for many in module.names.imports.values() for found in many
    )


DRAWING = frozenset("ax axes axs plt pyplot fig figure draw canvas painter pdf cv2 turtle ctx cr screen pygame plot".split())


def _draws(function: ast.expr) -> bool:
    names = set()
    node = function
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        names.add(node.id)
    return bool(names & DRAWING)


TUNABLE_KINDS = {
    "delay": (Kind.TIMEOUT, "it decides how long to wait"),
    "buffer size": (Kind.SIZE, "it decides how much is read at once"),
    "backlog": (Kind.LIMIT, "it decides how many may wait"),
    "worker count": (Kind.COUNT, "it decides how much runs at once"),
    "count": (Kind.COUNT, "it decides how many are kept"),
    "length": (Kind.LENGTH, "it decides how long the result is"),
}


def _tunable(node: ast.Constant, found: Place, meaning: CallMeaning) -> _Judged | None:
    if _plain(node) < meaning.least:
        return None
    kind, reason = TUNABLE_KINDS[meaning.kind]
    return _Judged(node, found, kind, reason, noun=meaning.noun)


def _limit(node: ast.Constant, found: Place, call: ast.Call) -> _Judged | None:
    value = node.value
    if value in HALVES or value in kinds.EXTREMES:
        return None
    if value in kinds.COLOUR_DEPTH and (mentioned(call) & kinds.IMAGES or _numbers_in(call) > 1):
        return None
    if all(is_literal(arg) for arg in call.args) and isinstance(call.func, ast.Name) and len(call.args) < 2:  # noqa: PLR2004 -- one argument
        return None
    if kinds.is_tolerance(value):
        return _Judged(node, found, Kind.TOLERANCE, "it decides what counts as nothing")
    return _Judged(node, found, Kind.LIMIT, "it caps or floors a value")


def _key_words(call: ast.Call) -> frozenset[str]:
    found: set[str] = set()
    for arg in call.args:
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
            found.update(words(arg.value))
    return frozenset(found)


def _fallback(node: ast.Constant, found: Place, around: frozenset[str]) -> _Judged | None:
    """A fallback counts where the same one is given for the same thing in two places of the file."""
    if _small(node.value, 2):
        return None
    return _Judged(
        node,
        replace(found, role=Role.FALLBACK),
        Kind.DEFAULT,
        "the same fallback is given in this file more than once",
        key=("fallback", node.value, around),
    )


# --- positions and results --------------------------------------------------------------------------------------------

FIRST_COLUMN = 6
"""From here on a position in a record is no longer read at a glance."""
DIGESTS = frozenset(
    """hex hexdigest digest sha256 sha1 md5 uuid uuid4 token sha hash hashed fingerprint checksum commit id rev revision
    hexsha signature""".split()
)


def _indexed(node: ast.Constant, found: Place) -> _Judged | None:
    if not isinstance(node.value, int) or node.value < FIRST_COLUMN or found.partner is None:
        return None
    if last_name(found.partner) in ("Literal", "Annotated", "version_info", "Tuple", "tuple"):
        return None
    return _Judged(node, found, Kind.COLUMN, "a position in a record means something that its number does not say")


def _sliced(module: Module, node: ast.Constant, found: Place) -> _Judged | None:
    if not isinstance(node.value, int) or node.value <= SMALL or found.partner is None:
        return None
    kind = Kind.LENGTH
    if mentioned(found.partner) & DIGESTS and found.position:
        return _Judged(node, found, kind, "digests are cut to this length in several places", key=("digest", node.value))
    reason = "it cuts at a length that nothing names" if found.position else "it skips a part whose length it encodes"
    return _Judged(node, found, kind, reason)


def _returned(module: Module, node: ast.Constant, found: Place) -> _Judged | None:
    value = node.value
    if found.elements is not None:
        last = found.elements.elts[-1]
        if kinds.is_http_status(value) and last is found.whole and not is_literal(found.elements):
            return _Judged(node, found, Kind.HTTP_STATUS, "an HTTP status has a name in `http.HTTPStatus`")
        return None
    return None
