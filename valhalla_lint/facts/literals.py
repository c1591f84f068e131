"""The literals that an expression can come out as, and the name that a place is known by."""

import ast
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.strings import SHORT
from valhalla_lint.facts.tables import table
from valhalla_lint.facts.words import last_name


class Calls(NamedTuple):
    """Functions by last name, as the table has them."""

    pair: frozenset[str]
    fallback: frozenset[str]
    option: frozenset[str]
    field: frozenset[str]
    wrapper: frozenset[str]
    compare: frozenset[str]
    password: dict[str, int]
    tried: dict[str, int]
    key: dict[str, int]
    pair_encoder: frozenset[str]

    @property
    def asked(self) -> frozenset[str]:
        """All names that are worth a closer look."""
        qualified = frozenset(name.rpartition(".")[2] for name in self.key)
        positional = frozenset(self.password) | frozenset(self.tried) | qualified | self.pair_encoder
        return self.pair | self.fallback | self.option | self.compare | positional


@cache
def calls() -> Calls:
    """The table, read once a process."""
    rows = table("credential_names")["calls"]
    return Calls(
        pair=frozenset(rows["pair"]),
        fallback=frozenset(rows["fallback"]),
        option=frozenset(rows["option"]),
        field=frozenset(rows["field"]),
        wrapper=frozenset(rows["wrapper"]),
        compare=frozenset(rows["compare"]),
        password=dict(rows["argument"]["password"]),
        tried=dict(rows["argument"]["tried"]),
        key=dict(rows["argument"]["key"]),
        pair_encoder=frozenset(rows["pair_encoder"]),
    )


SIMPLE = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.JoinedStr,
    ast.Call,
    ast.BinOp,
    ast.BoolOp,
    ast.IfExp,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.Await,
    ast.NamedExpr,
    ast.Lambda,
)
MAX_DEPTH = 12
"""How deep an expression is followed down to its literals."""
MAX_ITEMS = 50
"""How many values of a list are looked at: longer lists are word lists."""


class Leaf(NamedTuple):
    """A literal inside a bound expression, and how it got there. returned: a function of the name answers it."""

    node: ast.AST
    text: str
    partial: bool = False
    fallback: bool = False
    sequence: bool = False
    around: str = ""
    returned: bool = False


def text_of(value: object) -> str | None:
    """A string, or bytes read as Latin 1; None for other constants."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return None


def leaves(node: ast.AST | None, depth: int = MAX_DEPTH) -> Iterator[Leaf]:
    """The literals that an expression can come out as, through wrappers, concatenations, defaults and conditions."""
    if node is None or depth <= 0:
        return
    match node:
        case ast.Constant(value=str() | bytes()):
            text = text_of(node.value)
            if text is not None and len(text) >= SHORT:
                yield Leaf(node, text)
        case ast.JoinedStr(values=parts):
            for part in parts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value) >= SHORT:
                    yield Leaf(node, part.value, partial=len(parts) > 1)
                elif isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.IfExp | ast.BoolOp):
                    for leaf in leaves(part.value, depth - 1):
                        yield leaf._replace(partial=True)
        case ast.BinOp(op=ast.Add()):
            yield from _concatenation(node, depth)
        case ast.BinOp(op=ast.Mod()):
            yield from _filled_leaves(node, depth)
        case ast.IfExp(body=body, orelse=orelse):
            yield from leaves(body, depth - 1)
            yield from leaves(orelse, depth - 1)
        case ast.BoolOp(values=values):
            behind = False
            for value in values:
                for leaf in leaves(value, depth - 1):
                    yield Leaf(leaf.node, leaf.text, leaf.partial, leaf.fallback or behind, leaf.sequence)
                behind = behind or not isinstance(value, ast.Constant)
        case ast.Call():
            yield from _call_leaves(node, depth)
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            if len(elements) <= MAX_ITEMS:
                for element in elements:
                    if isinstance(element, ast.Constant | ast.JoinedStr):
                        for leaf in leaves(element, depth - 1):
                            yield Leaf(leaf.node, leaf.text, leaf.partial, leaf.fallback, sequence=True)
        case ast.Await(value=inner) | ast.NamedExpr(value=inner) | ast.Starred(value=inner):
            yield from leaves(inner, depth - 1)
        case ast.Lambda(body=ast.Constant() as body):
            for leaf in leaves(body, depth - 1):
                yield leaf._replace(returned=True)
        case _:
            pass


def summands(node: ast.BinOp) -> list[ast.expr]:
    """The first summands of a sum, in order."""
    parts: list[ast.expr] = []
    stack: list[ast.expr] = [node]
    while stack and len(parts) <= MAX_ITEMS:
        item = stack.pop()
        if isinstance(item, ast.BinOp) and isinstance(item.op, ast.Add):
            stack.extend((item.right, item.left))
        else:
            parts.append(item)
    return parts


def _concatenation(node: ast.BinOp, depth: int) -> Iterator[Leaf]:
    parts = summands(node)
    texts = [text_of(part.value) if isinstance(part, ast.Constant) else None for part in parts]
    known = [text for text in texts if text is not None]
    if len(known) == len(texts):
        whole = "".join(known)
        if len(whole) >= SHORT:
            yield Leaf(parts[0], whole)
        return
    for part in parts:
        for leaf in leaves(part, depth - 1):
            yield Leaf(leaf.node, leaf.text, partial=True, fallback=leaf.fallback)


def _call_leaves(node: ast.Call, depth: int) -> Iterator[Leaf]:
    name = last_name(node.func)
    if name == "format":
        yield from _filled_leaves(node, depth)
    elif name == "join" and len(node.args) == 1:
        yield from _joined(node.func, node.args[0])
    if (
        isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Constant | ast.Call)
        and name in calls().wrapper
    ):
        yield from leaves(node.func.value, depth - 1)
    if name == "cast" and len(node.args) == 2:  # noqa: PLR2004 -- type and value
        yield from leaves(node.args[1], depth - 1)
    elif name in calls().wrapper and node.args:
        for leaf in leaves(node.args[0], depth - 1):
            yield Leaf(leaf.node, leaf.text, leaf.partial, leaf.fallback, leaf.sequence, around=name)
    elif name in LOOK_UPS and len(node.args) == 2:  # noqa: PLR2004 -- what is looked up, and what stands in for it
        for leaf in leaves(node.args[1], depth - 1):
            yield leaf._replace(fallback=True)
    elif name in calls().field:
        yield from _field_leaves(node, name, depth)


LOOK_UPS = frozenset({"get", "getenv", "pop"})
"""Look-ups whose second argument is what they give where nothing is found."""


def _joined(function: ast.expr, pieces: ast.expr) -> Iterator[Leaf]:
    """The text of `"".join(["…", "…"])`."""
    match function, pieces:
        case ast.Attribute(value=ast.Constant(value=str(sign))), ast.List(elts=elements) | ast.Tuple(elts=elements):
            if 0 < len(elements) <= MAX_ITEMS:
                texts = [item.value for item in elements if isinstance(item, ast.Constant)]
                known = [text for text in texts if isinstance(text, str)]
                if len(known) == len(elements):
                    yield Leaf(elements[0], sign.join(known))
        case _:
            pass


def _filled_leaves(node: ast.Call | ast.BinOp, depth: int) -> Iterator[Leaf]:
    """The literals of a template with its values filled in: the whole text, or the constant parts of it."""
    parts = filled(node)
    values = [part for part in parts if not isinstance(part, str)]
    if not values:
        return
    whole = filled_text(parts)
    if whole is not None:
        yield Leaf(values[0] if len(values) == 1 else node, whole)
        return
    for part in parts:
        if not isinstance(part, str):
            for leaf in leaves(part, depth - 1):
                yield Leaf(leaf.node, leaf.text, partial=True, fallback=leaf.fallback)
        elif len(part) >= SHORT:
            yield Leaf(node, part, partial=True)


FORMAT_FIELD = regex(r"\{(?P<name>\w*)(?:![rsa])?(?::[^{}]{0,20})?\}")
PERCENT_FIELD = regex(r"%(?:\((?P<name>\w{1,40})\))?[sdr]")
MAX_FIELDS = 50
"""How many fields of a template are filled in; longer ones are documents."""


def filled(node: ast.AST) -> list[str | ast.expr]:
    """The parts of a template that is filled on the spot (`"…".format(…)`, `"…" % …`): texts and what stands between.

    Empty for all other expressions, and where a field cannot be told.
    """
    values: dict[str, ast.expr] = {}
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(template)), attr="format"), args=args, keywords=keywords
        ):
            fields = FORMAT_FIELD
            values = {str(number): value for number, value in enumerate(args)}
            values |= {item.arg: item.value for item in keywords if item.arg}
        case ast.BinOp(left=ast.Constant(value=str(template)), op=ast.Mod(), right=right):
            fields = PERCENT_FIELD
            if isinstance(right, ast.Dict):
                values = {target_name(key): value for key, value in zip(right.keys, right.values, strict=True)}
            else:
                given = right.elts if isinstance(right, ast.Tuple) else [right]
                values = {str(number): value for number, value in enumerate(given)}
        case _:
            return []
    parts: list[str | ast.expr] = []
    position = 0
    for number, field in enumerate(fields.finditer(template)):
        value = values.get(field["name"] or str(number))
        if value is None or number >= MAX_FIELDS:
            return []
        if field.start() > position:
            parts.append(template[position : field.start()])
        parts.append(value)
        position = field.end()
    if position < len(template):
        parts.append(template[position:])
    return parts


def filled_text(parts: list[str | ast.expr]) -> str | None:
    """The text that parts come to; None where one of them is no literal."""
    texts = [part if isinstance(part, str) else constant_text(part) for part in parts]
    known = [text for text in texts if text is not None]
    return "".join(known) if len(known) == len(texts) else None


def constant_text(node: ast.AST | None) -> str | None:
    """The text of a literal string or bytes, None for other expressions."""
    return text_of(node.value) if isinstance(node, ast.Constant) else None


def _field_leaves(node: ast.Call, name: str, depth: int) -> Iterator[Leaf]:
    given = [
        keyword.value for keyword in node.keywords if keyword.arg in ("default", "server_default", "value", "initial")
    ]
    if not given and node.args and name in FIRST_IS_DEFAULT:
        given = [node.args[0]]
    for value in given:
        for leaf in leaves(value, depth - 1):
            yield Leaf(leaf.node, leaf.text, leaf.partial, fallback=True)
    for keyword in node.keywords:
        if keyword.arg == "default_factory" and isinstance(keyword.value, ast.Lambda):
            for leaf in leaves(keyword.value.body, depth - 1):
                yield Leaf(leaf.node, leaf.text, leaf.partial, fallback=True)


FIRST_IS_DEFAULT = frozenset({"Field", "Query", "Header", "Form", "Body", "Cookie", "Option", "Argument"})
"""Field functions whose first argument is the default; elsewhere it is a type or a title."""


OWNED = frozenset({"key", "value", "token"})
"""Attributes that say what they are only together with their owner."""


SAME = frozenset({"encode", "decode", "strip", "get_secret_value"})
"""Methods after which a text still says what it said."""


def target_name(node: ast.AST | None) -> str:
    """The name that a target, key or operand is known by; "" where it has none."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name) if name in OWNED:
            return name if owner in ("self", "cls") else f"{owner}_{name}"
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str() | bytes() as key)):
            return text_of(key) or ""
        case ast.Subscript(slice=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
        case ast.Subscript(value=inner):
            return target_name(inner)
        case ast.Constant(value=str() | bytes() as key):
            return text_of(key) or ""
        case ast.Call(args=[ast.Constant(value=str(key)), *_], func=ast.Attribute(attr="get" | "pop" | "getlist")):
            return key
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=[]) if attr in SAME:
            return target_name(inner)
        case ast.Call(func=ast.Name(id="str" | "bytes"), args=[inner, *_]):
            return target_name(inner)
        case ast.Call(func=function):
            return last_name(function)
        case ast.Await(value=inner) | ast.NamedExpr(target=inner):
            return target_name(inner)
        case _:
            return ""
