"""Where a number stands: compared, computed with, handed over, indexed by — or named on the spot.

The way up from a literal is short and bounded: sign, arithmetic of literals, displays and conditional branches are
passed through, the first node that is none of these gives the role.
"""

import ast
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from valhalla_lint.facts.numbers.vocabulary import BYTES, TIME
from valhalla_lint.facts.siblings import MANY, position
from valhalla_lint.facts.words import last_name, words

MAX_CLIMB = 60
"""How far up from a literal its role is looked for; deeper nests are machine-made and stay silent."""
SIGNS = (ast.USub, ast.UAdd, ast.Invert)
DISPLAYS = (ast.Tuple, ast.List, ast.Set)
ANNOTATING = frozenset({"Literal", "Annotated", "Field", "conint", "confloat", "constr"})
ENUM_ENDINGS = ("Enum", "Flag", "Choices")


class Role(Enum):
    """What a number without a name does where it stands; the values are the contexts that users can allow."""

    COMPARISON = "comparison"
    MEMBERSHIP = "membership"
    ARITHMETIC = "arithmetic"
    ARGUMENT = "argument"
    RANGE = "range"
    FALLBACK = "fallback"
    INDEX = "index"
    SLICE = "slice"
    RETURN = "return"
    FORMAT = "format"


class Place(NamedTuple):
    """A literal's role.

    whole: the literal with its sign and the arithmetic of literals around it. holder: the node that gives the role.
    partner: what the number meets there: the other operand, the sliced value, the called function.
    position: which argument it is. elements: the display that it is an element of, or None.
    """

    role: Role
    whole: ast.expr
    holder: ast.AST
    partner: ast.expr | None = None
    position: int = 0
    elements: ast.Tuple | ast.List | ast.Set | None = None


def is_number(node: ast.AST) -> bool:
    """Whether a node is a numeric literal (bool is none), with or without signs."""
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, SIGNS):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float, complex)


def from_end(found: Place) -> bool:
    """Whether a bound of a slice counts from the end."""
    return isinstance(found.whole, ast.UnaryOp) and isinstance(found.whole.op, ast.USub)


def is_literal(node: ast.AST, budget: int = MAX_CLIMB) -> bool:
    """Whether an expression is made of numbers only: literals, signs, arithmetic, and displays of them."""
    queue = [node]
    for item in queue:
        if len(queue) > budget:
            return False
        match item:
            case ast.BinOp(left=left, op=operator, right=right):
                queue += [side for side in (left, right) if not (isinstance(operator, ast.Mult) and is_unit(side))]
            case ast.UnaryOp(operand=operand):
                queue.append(operand)
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                queue += elements[:budget]
                if len(elements) > budget:
                    return False
            case ast.Constant(value=int() | float() | complex()):
                pass
            case _:
                return False
    return True


def is_unit(node: ast.AST) -> bool:
    """Whether an expression is a constant that names a unit (`ONE_HOUR`, `units.MiB`): so many of it need no name."""
    name = last_name(node) if isinstance(node, ast.Name | ast.Attribute) else ""
    return name[:1].isupper() and not UNITS.isdisjoint(words(name))


UNITS = TIME | BYTES | {"ki", "mi", "gi", "kib", "mib", "gib", "i"}


def place(parents: Mapping[ast.AST, ast.AST], node: ast.Constant, makers: frozenset[str]) -> Place | None:
    """The role of a number, or None where it is named where it stands or is plain data.

    makers: last names of calls that only give their literals another type.
    """
    below: ast.expr = node
    whole: ast.expr = node
    elements: ast.Tuple | ast.List | ast.Set | None = None
    for _ in range(MAX_CLIMB):
        above = parents.get(below)
        match above:
            case ast.UnaryOp():
                if below is whole and isinstance(above.op, SIGNS):
                    whole = above
            case ast.BinOp(left=left, right=right):
                other = right if below is left else left
                if not is_literal(other) and not (isinstance(above.op, ast.Mult) and is_unit(other)):
                    return None if elements else Place(Role.ARITHMETIC, whole, above, other)
                if below is whole:
                    whole = above
            case ast.AugAssign(target=target):
                return Place(Role.ARITHMETIC, whole, above, target)
            case ast.Compare():
                return _compared(above, below, whole, elements)
            case ast.Tuple() | ast.List() | ast.Set():
                elements = above
            case ast.IfExp(test=test):
                if below is test:
                    return None
            case ast.BoolOp(op=op, values=values):
                if isinstance(op, ast.Or) and below is values[-1] and not elements:
                    return Place(Role.FALLBACK, whole, above, values[0])
                return None
            case ast.Call(args=args) if len(args) > MANY:
                return None
            case ast.Call(func=function, args=args):
                loops = isinstance(parents.get(above), ast.For | ast.AsyncFor | ast.comprehension)
                if not loops and last_name(function) in makers and all(arg is below or is_literal(arg) for arg in args):
                    elements = None
                elif (at := position(below, args)) is not None:
                    role = Role.RANGE if last_name(function) == "range" else Role.ARGUMENT
                    return Place(role, whole, above, function, at, elements)
                else:
                    return None
            case ast.Subscript(value=value):
                return None if below is value else Place(Role.INDEX, whole, above, value, elements=elements)
            case ast.Slice():
                holder = parents.get(above)
                while isinstance(holder, ast.Tuple):
                    holder = parents.get(holder)
                if isinstance(holder, ast.Subscript) and below is not above.step:
                    return Place(Role.SLICE, whole, above, holder.value, 1 if below is above.upper else 0)
                return None
            case ast.Return() | ast.Yield():
                return Place(Role.RETURN, whole, above, elements=elements)
            case ast.FormattedValue(value=value):
                return Place(Role.FORMAT, whole, above) if value is whole else None
            case _:
                return None
        below = above
    return None


def _compared(
    holder: ast.Compare, below: ast.expr, whole: ast.expr, elements: ast.Tuple | ast.List | ast.Set | None
) -> Place | None:
    """The role of an operand of a comparison; what it is compared with is the nearest operand that is no literal.

    A list of more numbers than anybody writes by hand is a table.
    """
    others = holder.comparators
    at = 0 if below is holder.left else 1 + (position(below, others) or 0)
    neighbours = [others[at - 2] if at > 1 else holder.left] if at else []
    neighbours += others[at : at + 1]
    if elements is not None and len(elements.elts) > MANY:
        return None
    partner = next((operand for operand in neighbours if not is_literal(operand)), None)
    if partner is None:
        return None
    if elements is None:
        return Place(Role.COMPARISON, whole, holder, partner, at)
    return Place(Role.MEMBERSHIP, whole, holder, partner, at, elements)


def operator_of(found: Place) -> type[ast.cmpop]:
    """The operator of a comparison as if the number stood on its right: `8 < n` reads as `n > 8`.

    Raises TypeError for a place that is none in a comparison.
    """
    if not isinstance(found.holder, ast.Compare):
        raise TypeError("the place is none in a comparison")
    at = found.position
    if at:
        return found.holder.ops[at - 1].__class__
    return MIRRORED.get(found.holder.ops[0].__class__, found.holder.ops[0].__class__)


MIRRORED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}


PASSED = frozenset(
    {
        ast.BinOp,
        ast.UnaryOp,
        ast.BoolOp,
        ast.IfExp,
        ast.Tuple,
        ast.List,
        ast.Set,
        ast.Dict,
        ast.Subscript,
        ast.Attribute,
    }
)
"""Expressions that say nothing of what they are part of."""


def names_itself(parents: Mapping[ast.AST, ast.AST], found: Place) -> bool:
    """Whether what stands around a role already names the number.

    Constants in capitals and enum members, defaults of parameters, decorators, annotations, format specifications,
    class fields made by a call, the arithmetic of a `__hash__`, repeated text.
    """
    below: ast.AST = found.holder
    if isinstance(below, ast.BinOp) and isinstance(below.op, ast.Mod) and _text(below.left):
        return True
    direct = found.role is not Role.COMPARISON
    for _ in range(MAX_CLIMB):
        if _repeats_text(below):
            return True
        above = parents.get(below)
        if isinstance(above, ast.Subscript) and last_name(above.value) == "Annotated":
            return True
        if above.__class__ in PASSED:
            below = above  # type: ignore[assignment]  # a class of nodes, so a node
            continue
        match above:
            case ast.arguments() | ast.arg():
                return True
            case ast.FormattedValue(format_spec=spec) if below is spec:
                return True
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return _is_head(above, below) or _hashes(above)
            case ast.AnnAssign(annotation=annotation) if below is annotation:
                return True
            case ast.Assign() | ast.AnnAssign() | ast.NamedExpr():
                owner = parents.get(above)
                if _in_capitals(above, shortest=1 if isinstance(owner, ast.Module | ast.ClassDef) else LONG_SYMBOL):
                    return True
                if below is found.holder and _says(above, found.whole):
                    return True
                if isinstance(owner, ast.ClassDef):
                    return direct or any(last_name(base).endswith(ENUM_ENDINGS) for base in owner.bases)
            case ast.comprehension() | ast.Compare():
                direct = False
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                direct = False
            case None | ast.Module() | ast.Lambda():
                return False
            case _:
                pass
        if isinstance(above, ast.stmt):
            return _inside_hash(parents, above)
        below = above
    return True


def _repeats_text(node: ast.AST) -> bool:
    """Whether an expression is a text several times over (`"-" * 40`)."""
    if node.__class__ is not ast.BinOp:
        return False
    assert isinstance(node, ast.BinOp)  # noqa: S101 -- told apart by class above, for speed
    return isinstance(node.op, ast.Mult) and (_text(node.left) or _text(node.right))


def _text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _is_head(definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, below: ast.AST) -> bool:
    if isinstance(definition, ast.ClassDef):
        return below in definition.decorator_list or below in definition.bases or below in definition.keywords
    return below in definition.decorator_list or below is definition.returns


def _hashes(definition: ast.AST) -> bool:
    return isinstance(definition, ast.FunctionDef) and definition.name == "__hash__"


def _inside_hash(parents: Mapping[ast.AST, ast.AST], statement: ast.AST) -> bool:
    above = parents.get(statement)
    while isinstance(above, ast.stmt) and not isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        above = parents.get(above)
    return above is not None and _hashes(above)


def _says(statement: ast.Assign | ast.AnnAssign | ast.NamedExpr, whole: ast.expr) -> bool:
    """Whether the name that is given a value says the number itself (`Blues7 = Blues9[:7]`)."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    return isinstance(whole, ast.Constant) and str(whole.value) in words(last_name(target))


LONG_SYMBOL = 3
"""Shorter names in capitals are variables of mathematics where they stand in a function."""


def _in_capitals(statement: ast.Assign | ast.AnnAssign | ast.NamedExpr, *, shortest: int) -> bool:
    """Whether all targets are constants in capitals, of at least as many characters."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names: list[str] = []
    for target in targets:
        names += [last_name(item) for item in (target.elts if isinstance(target, ast.Tuple | ast.List) else [target])]
    return all(name.isupper() and len(name.strip("_")) >= shortest for name in names)
