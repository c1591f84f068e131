"""The value that an expression must have."""

import ast
import operator
from collections.abc import Callable
from typing import Final

from valhalla_lint.facts.index import Index
from valhalla_lint.facts.scopes import Scopes


class Missing:
    """The type of `MISSING`: no constant is known (None is a constant)."""

    __slots__ = ()

    def __bool__(self) -> bool:
        """False, so that `if value:` reads well where only true constants matter."""
        return False


MISSING: Final = Missing()

Value = str | bytes | int | float | complex | bool | None | tuple[object, ...] | frozenset[object]

MAX_DEPTH = 40
"""How deep an expression is folded; deeper ones are unknown."""
MAX_SIZE = 1_000_000
"""The longest string and the largest repetition that is folded (characters)."""
MAX_BITS = 4096
"""The largest integer that is folded."""

BINARY: dict[type, Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Pow: operator.pow,
}
UNARY: dict[type, Callable[..., object]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}


class Constants:
    """Folds expressions of one file; follows names that one plain assignment binds."""

    __slots__ = ("_index", "_scopes")

    def __init__(self, index: Index, scopes: Scopes) -> None:
        """Nothing is computed here."""
        self._index = index
        self._scopes = scopes

    def value(self, node: ast.AST | None) -> object:
        """The constant that an expression must have, or `MISSING`; lists fold to tuples, sets to frozensets."""
        return self._fold(node, MAX_DEPTH)

    def text(self, node: ast.AST | None) -> str | None:
        """The string that an expression must have, or None."""
        found = self._fold(node, MAX_DEPTH)
        return found if isinstance(found, str) else None

    def _fold(self, node: ast.AST | None, depth: int) -> object:
        if node is None or depth <= 0:
            return MISSING
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(ctx=ast.Load()):
                return self._fold(self._scopes.value_of(node), depth - 1)
            case ast.UnaryOp(op=op, operand=operand):
                return self._apply(UNARY.get(op.__class__), self._fold(operand, depth - 1))
            case ast.BinOp(left=left, op=op, right=right):
                first = self._fold(left, depth - 1)
                return MISSING if first is MISSING else self._binary(op, first, self._fold(right, depth - 1))
            case ast.JoinedStr(values=parts):
                return self._joined(parts, depth)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return self._all(elements, depth)
            case ast.Set(elts=elements):
                return self._set(self._all(elements, depth))
            case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple"), args=[only], keywords=[]):
                inner = self._fold(only, depth - 1)
                return (
                    self._set(inner) if isinstance(inner, tuple) else inner if isinstance(inner, frozenset) else MISSING
                )
            case _:
                return MISSING

    def _all(self, elements: list[ast.expr], depth: int) -> object:
        values = [self._fold(element, depth - 1) for element in elements]
        return MISSING if any(value is MISSING for value in values) else tuple(values)

    @staticmethod
    def _set(values: object) -> object:
        try:
            return frozenset(values) if isinstance(values, tuple) else MISSING
        except TypeError:
            return MISSING

    def _joined(self, parts: list[ast.expr], depth: int) -> object:
        texts: list[str] = []
        for part in parts:
            if isinstance(part, ast.FormattedValue):
                if part.format_spec is not None or part.conversion != -1:
                    return MISSING
                value = self._fold(part.value, depth - 1)
                if not isinstance(value, str | int):
                    return MISSING
                texts.append(str(value))
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                texts.append(part.value)
            else:
                return MISSING
        return "".join(texts)

    @staticmethod
    def _apply(function: Callable[..., object] | None, *values: object) -> object:
        if function is None or any(value is MISSING for value in values):
            return MISSING
        try:
            return function(*values)
        except (ArithmeticError, TypeError, ValueError, MemoryError):
            return MISSING

    def _binary(self, op: ast.operator, first: object, second: object) -> object:
        kind = op.__class__
        numbers = isinstance(first, int | float) and isinstance(second, int | float)
        if not numbers and kind not in (ast.Add, ast.Mult, ast.BitOr):
            return MISSING
        if kind is ast.Mult and not numbers:
            size = len(first) if isinstance(first, str | bytes | tuple) else 1
            times = second if isinstance(second, int) else 0
            if size * times > MAX_SIZE or not isinstance(first, str | bytes | tuple):
                return MISSING
        if kind in (ast.Pow, ast.LShift) and isinstance(second, int | float) and abs(second) > MAX_BITS:
            return MISSING
        if kind is ast.Pow and isinstance(first, int) and first.bit_length() * max(1, int(second)) > MAX_BITS:  # type: ignore[call-overload]  # a number: see above
            return MISSING
        return self._apply(BINARY.get(kind), first, second)
