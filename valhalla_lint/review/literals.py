"""What the arguments of a call are worth, as far as names, sums and literals of the same file tell; nothing is run."""

import ast
from collections.abc import Iterator

DEEPEST = 12
"""Names and sums inside each other that are followed."""


class Unknown:
    """Stands for what cannot be told."""


UNKNOWN = Unknown()


class Values:
    """The values that a module's top level binds: the last assignment counts, keys that are set later are added."""

    def __init__(self, tree: ast.Module) -> None:
        """Collect the assignments; nothing is evaluated yet."""
        self._bound: dict[str, ast.expr] = {}
        self._keys: dict[str, dict[str, ast.expr]] = {}
        for node in tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._bound[name] = value
                case ast.Assign(
                    targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key))],
                    value=value,
                ):
                    self._keys.setdefault(name, {})[key] = value

    def keywords(self, call: ast.Call) -> Iterator[tuple[str, object]]:
        """The keyword arguments of a call, those of an unpacked dictionary among them."""
        for keyword in call.keywords:
            if keyword.arg is not None:
                yield keyword.arg, self.value(keyword.value)
                continue
            unpacked = self.value(keyword.value)
            if isinstance(unpacked, dict):
                yield from ((str(key), value) for key, value in unpacked.items())
            else:
                yield "**", UNKNOWN

    def value(self, node: ast.expr, depth: int = 0) -> object:
        """What an expression is worth; lists and dictionaries may hold `UNKNOWN`."""
        if depth > DEEPEST:
            return UNKNOWN
        match node:
            case ast.Constant():
                return node.value
            case ast.Name(id=name) if name in self._bound:
                value = self.value(self._bound[name], depth + 1)
                if isinstance(value, dict):
                    later = self._keys.get(name, {})
                    return {**value, **{key: self.value(item, depth + 1) for key, item in later.items()}}
                return value
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                return [self.value(item, depth + 1) for item in items]
            case ast.Dict(keys=keys, values=items):
                return {
                    str(self.value(key, depth + 1)): self.value(item, depth + 1)
                    for key, item in zip(keys, items, strict=True)
                    if key is not None
                }
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return _sum(self.value(left, depth + 1), self.value(right, depth + 1))
            case _:
                return UNKNOWN


def _sum(left: object, right: object) -> object:
    match left, right:
        case str(), str():
            return left + right
        case list(), list():
            return [*left, *right]
        case list(), _:
            return [*left, UNKNOWN]
        case _, list():
            return [UNKNOWN, *right]
        case _:
            return UNKNOWN


def complete(value: object) -> bool:
    """Whether nothing in a value is unknown."""
    match value:
        case Unknown():
            return False
        case list():
            return all(map(complete, value))
        case dict():
            return all(map(complete, value.values()))
        case _:
            return True
