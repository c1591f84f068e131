"""Literals that are bound to a name which says that they are credentials, in every way in which Python binds.

Loops over the nodes that bind, asks their names first, and only then looks at what is bound.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import defaults
from valhalla_lint.facts.secret_names import NameVerdict, is_header, judge_name
from valhalla_lint.facts.strings import SHORT, Reason
from valhalla_lint.facts.tables import table
from valhalla_lint.facts.words import last_name

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module


@dataclass(frozen=True, slots=True)
class Bound:
    """A literal and the name that it is bound to.

    topic: "token", "fallback", "comparison" or "authorization". partial: only a constant part of what is bound.
    needs_strong: the place is too vague for anything but a strongly random value. sequence: one of several in a list.
    around: other words of the place (the function that is called).
    text_tokens: the file speaks of tokens as pieces of text.
    """

    literal: ast.AST
    text: str
    target: str
    verdict: NameVerdict
    topic: str
    partial: bool = False
    needs_strong: bool = False
    sequence: bool = False
    around: str = ""
    text_tokens: bool = False


@dataclass(frozen=True, slots=True)
class Calls:
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


@cache
def _asked() -> frozenset[str]:
    return calls().asked


PASSWORD = NameVerdict("password", 3.0, Reason(3.0, "stands where the function takes a password"))
SIGNING_KEY = NameVerdict("key", 2.5, Reason(2.5, "stands where the function takes a key"))
TRIED = NameVerdict("password", 1.5, Reason(1.5, "stands where the function tries a password"))
HEADER = NameVerdict("token", 3.0, Reason(3.0, "the value of a header that carries credentials"))
LOOK_UPS = frozenset(
    {"getenv", "get", "environ", "env", "config", "getattr", "pop", "read", "get_secret", "get_config"}
)
"""Calls behind which a literal is a fallback."""
LOOKED_UP = frozenset({"get", "pop"})
"""The most frequent calls by far; with a single argument they bind nothing."""
ENUMS = frozenset({"Enum", "StrEnum", "IntEnum", "Flag", "IntFlag", "TextChoices", "Choices", "IntegerChoices"})
SETTINGS = frozenset({"BaseSettings"})
TEXT_TOKENS = ("tokeniz", "tokenis", "lexer", "eos_token", "detokenize", "lark", "pygments", "tokenfilter", "parser")
SIMPLE = (
    ast.Constant,
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
)
MAX_DEPTH = 12
"""How deep an expression is followed down to its literals."""
MAX_ITEMS = 50
"""How many values of a list are looked at: longer lists are word lists."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A literal inside a bound expression, and how it got there."""

    node: ast.AST
    text: str
    partial: bool = False
    fallback: bool = False
    sequence: bool = False
    around: str = ""


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
        case ast.BinOp(op=ast.Add()):
            yield from _concatenation(node, depth)
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
        case _:
            pass


def _concatenation(node: ast.BinOp, depth: int) -> Iterator[Leaf]:
    parts: list[ast.expr] = []
    stack: list[ast.expr] = [node]
    while stack and len(parts) <= MAX_ITEMS:
        item = stack.pop()
        if isinstance(item, ast.BinOp) and isinstance(item.op, ast.Add):
            stack.extend((item.right, item.left))
        else:
            parts.append(item)
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
    if (
        isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Constant | ast.Call)
        and name in calls().wrapper
    ):
        yield from leaves(node.func.value, depth - 1)
    if name in calls().wrapper and node.args:
        for leaf in leaves(node.args[0], depth - 1):
            yield Leaf(leaf.node, leaf.text, leaf.partial, leaf.fallback, leaf.sequence, around=name)
    elif name in calls().field:
        yield from _field_leaves(node, name, depth)


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


OWNED = frozenset({"key", "value", "token"})
"""Attributes that say what they are only together with their owner."""


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
        case ast.Call(func=function):
            return last_name(function)
        case ast.Await(value=inner) | ast.NamedExpr(target=inner):
            return target_name(inner)
        case _:
            return ""


FIRST_IS_DEFAULT = frozenset({"Field", "Query", "Header", "Form", "Body", "Cookie", "Option", "Argument"})
"""Field functions whose first argument is the default; elsewhere it is a type or a title."""


class _Binder:
    """Turns places into `Bound` values; holds only what it was made with."""

    def __init__(self, module: "Module", telling: Mapping[str, NameVerdict]) -> None:
        self.module = module
        self.telling = telling

    @cached_property
    def text_tokens(self) -> bool:
        """Whether the file speaks of tokens as pieces of text."""
        return any(word in self.module.lower for word in TEXT_TOKENS)

    def bound(
        self,
        name: str,
        value: ast.AST | None,
        topic: str = "token",
        *,
        verdict: NameVerdict | None = None,
        needs_strong: bool = False,
        fallback_topic: str = "fallback",
    ) -> Iterator[Bound]:
        """The literals of a value under a name, if the name (or the verdict given for it) is telling."""
        header = topic in ("token", "fallback") and ("-" in name or name[:1].isupper()) and is_header(name)
        found = verdict or judge_name(name)
        if found is None or (header and found.kind == "weak"):
            found = HEADER if header else None
        if found is None or value is None or found.kind == "weak":
            return
        for leaf in leaves(value):
            if leaf.sequence and not found.plural and not isinstance(value, ast.BoolOp | ast.IfExp):
                continue
            chosen = "authorization" if header else fallback_topic if leaf.fallback else topic
            yield Bound(
                literal=leaf.node,
                text=leaf.text,
                target=name,
                verdict=found,
                topic=chosen,
                partial=leaf.partial,
                needs_strong=needs_strong or leaf.partial,
                sequence=leaf.sequence,
                around=leaf.around,
                text_tokens=self.text_tokens,
            )


def bindings(module: "Module", telling: Mapping[str, NameVerdict]) -> Iterator[Bound]:
    """Every literal bound to a telling name; `telling` holds those that occur in the file."""
    binder = _Binder(module, telling)
    if telling:
        yield from _assignments(module, binder)
        yield from _functions(module, binder)
        yield from _comparisons(module, binder)
        yield from _sequences(module, binder)
    yield from _dicts(module, binder)
    yield from _keywords(module, binder)
    yield from _calls(module, binder)


def weak_binding(module: "Module", node: ast.Constant, text: str) -> Iterator[Bound]:
    """The place of a literal under a name that is telling only next to a strongly random value (`key`, `auth`, …)."""
    name, topic = _place_name(module, node)
    verdict = judge_name(name) if name else None
    if verdict is not None and verdict.kind == "weak":
        above = module.parent(node)
        around = last_name(above.func) if isinstance(above, ast.Call) else ""
        yield Bound(node, text, name, verdict, topic, needs_strong=True, around=around)


MAX_CLIMB = 3
"""How many wrappers a literal under a weak name may stand in."""
MAX_ENTRIES = 200
"""Entries of a mapping up to which the key of a value is looked for."""


def _place_name(module: "Module", node: ast.AST) -> tuple[str, str]:
    """The name that a literal is bound to, from the literal upwards, and the topic of the place."""
    below = node
    for _ in range(MAX_CLIMB):
        above = module.parent(below)
        match above:
            case ast.keyword(arg=str(name)):
                return name, "token"
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
                return target_name(target), "token"
            case ast.Dict(keys=keys, values=values) if len(keys) <= MAX_ENTRIES:
                key = next((key for key, value in zip(keys, values, strict=True) if value is below), None)
                return target_name(key), "token"
            case ast.Compare(left=left, comparators=[right], ops=[ast.Eq() | ast.NotEq()]):
                return target_name(right if left is below else left), "comparison"
            case ast.Call(func=function) if last_name(function) in calls().wrapper:
                below = above
            case ast.Attribute():
                below = above
            case _:
                return "", ""
    return "", ""


def _assignments(module: "Module", binder: _Binder) -> Iterator[Bound]:
    telling = binder.telling
    for node in module.nodes(ast.Assign):
        for target in node.targets:
            kind = target.__class__
            if kind is ast.Name:
                name = target.id  # type: ignore[attr-defined]  # a Name, as just asked
            elif kind is ast.Attribute:
                name = target.attr  # type: ignore[attr-defined]  # an Attribute, as just asked
                if name in OWNED:
                    name = target_name(target)
            elif kind is ast.Tuple or kind is ast.List:
                yield from _tuple(target, node.value, binder)  # type: ignore[arg-type]  # one of the two
                continue
            else:
                name = target_name(target)
                if _tells_alone(name):
                    yield from binder.bound(name, node.value)
                    continue
            if name in telling and isinstance(node.value, SIMPLE):
                yield from _assigned(module, binder, node, name, node.value)
    for annotated in module.nodes(ast.AnnAssign):
        if annotated.value is not None:
            name = target_name(annotated.target)
            if name in telling and isinstance(annotated.value, SIMPLE):
                yield from _assigned(module, binder, annotated, name, annotated.value)
    for walrus in module.nodes(ast.NamedExpr):
        if walrus.target.id in telling:
            yield from binder.bound(walrus.target.id, walrus.value)
    for added in module.nodes(ast.AugAssign):
        name = target_name(added.target)
        if name in telling:
            yield from binder.bound(name, added.value, needs_strong=True)


@lru_cache(maxsize=8192)
def _tells_alone(name: str) -> bool:
    """Whether a key is that of a header, or a telling name that is no identifier (`aws.secret_access_key`)."""
    return is_header(name) or (
        ("." in name or " " in name or "/" in name or ":" in name) and judge_name(name) is not None
    )


def _assigned(module: "Module", binder: _Binder, node: ast.AST, name: str, value: ast.AST) -> Iterator[Bound]:
    above = module.parent(node)
    bases = {last_name(base) for base in above.bases} if isinstance(above, ast.ClassDef) else set()
    in_settings = any(base in SETTINGS or base.endswith("Settings") for base in bases)
    yield from binder.bound(
        name,
        value,
        "fallback" if in_settings else "token",
        needs_strong=bool(bases & ENUMS),
    )


def _tuple(target: ast.Tuple | ast.List, value: ast.AST, binder: _Binder) -> Iterator[Bound]:
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
        for one, item in zip(target.elts, value.elts, strict=True):
            if isinstance(one, ast.Tuple | ast.List):
                yield from _tuple(one, item, binder)
            else:
                yield from binder.bound(target_name(one), item)


def _dicts(module: "Module", binder: _Binder) -> Iterator[Bound]:
    telling = binder.telling
    for node in module.nodes(ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            kind = key.__class__
            if kind is ast.Constant:
                name = key.value  # type: ignore[union-attr]  # a Constant, as just asked
                if name.__class__ is bytes:
                    name = name.decode("latin-1")
                elif name.__class__ is not str:
                    continue
            elif kind is ast.Name or kind is ast.Attribute:
                name = target_name(key)
            else:
                continue
            if (name in telling or _tells_alone(name)) and isinstance(value, SIMPLE):
                yield from binder.bound(name, value)


def _functions(module: "Module", binder: _Binder) -> Iterator[Bound]:
    telling = binder.telling
    functions: list[FunctionNode | ast.Lambda] = [*_named_functions(module), *module.nodes(ast.Lambda)]
    for node in functions:
        arguments = node.args
        if arguments.defaults or arguments.kw_defaults:
            for argument, default in defaults(node):
                if argument.arg in telling and isinstance(default, SIMPLE):
                    yield from binder.bound(argument.arg, default)
    for returned in module.nodes(ast.Return):
        if returned.value.__class__ is ast.Constant and isinstance(returned.value.value, str | bytes):
            function = module.function(returned)
            if function is not None and function.name in telling:
                yield from binder.bound(function.name, returned.value, needs_strong=True)


def _keywords(module: "Module", binder: _Binder) -> Iterator[Bound]:
    telling = binder.telling
    for keyword in module.nodes(ast.keyword):
        name = keyword.arg
        if name in telling:
            if isinstance(keyword.value, SIMPLE):
                yield from binder.bound(name, keyword.value)  # type: ignore[arg-type]  # a name of the file
        elif name == "auth":
            if isinstance(keyword.value, ast.Tuple):
                yield from _pair_of_auth(keyword.value, binder)
        elif name == "cookies" and isinstance(keyword.value, ast.Dict):
            yield from _cookies(keyword.value, binder)


def _calls(module: "Module", binder: _Binder) -> Iterator[Bound]:
    called = module.calls
    for last in _asked().intersection(called):
        alone = last in LOOKED_UP
        for node in called[last]:
            if node.args and not (alone and len(node.args) == 1 and not node.keywords):
                yield from _known_call(node, last, binder)
    for last, taken in _own_parameters(module, binder.telling).items():
        for node in called.get(last, ()):
            for position, name in taken:
                if position < len(node.args) and not any(
                    isinstance(item, ast.Starred) for item in node.args[: position + 1]
                ):
                    yield from binder.bound(name, node.args[position])


def _sequences(module: "Module", binder: _Binder) -> Iterator[Bound]:
    sequences: list[ast.List | ast.Tuple] = [*module.nodes(ast.List), *module.nodes(ast.Tuple)]
    for sequence in sequences:
        elements = sequence.elts
        if len(elements) > 1 and elements[0].__class__ is ast.Constant:
            yield from _command_line(elements, binder)
            if len(elements) == 2:  # noqa: PLR2004 -- a name and a value
                yield from _pair(elements, binder)


def _named_functions(module: "Module") -> list[FunctionNode]:
    return [*module.nodes(ast.FunctionDef), *module.nodes(ast.AsyncFunctionDef)]


def _own_parameters(module: "Module", telling: Mapping[str, NameVerdict]) -> dict[str, list[tuple[int, str]]]:
    """Functions and classes of the file by name, with the positions at which a caller hands over a credential."""
    found: dict[str, list[tuple[int, str]]] = {}
    if not telling:
        return found
    for node in _named_functions(module):
        named = [*node.args.posonlyargs, *node.args.args]
        taken = [(position, argument.arg) for position, argument in enumerate(named) if argument.arg in telling]
        if not taken:
            continue
        bound = named[0].arg in ("self", "cls")
        name = node.name
        if name == "__init__":
            owner = module.scopes.class_of(node)
            name = owner.name if owner is not None else name
        handed = [(position - bound, argument) for position, argument in taken if position >= bound]
        found.setdefault(name, []).extend(handed)
    return found


def _known_call(node: ast.Call, last: str, binder: _Binder) -> Iterator[Bound]:
    known = calls()
    arguments = node.args
    if last in known.password and known.password[last] < len(arguments):
        topic = "authorization" if last.endswith(("Auth", "auth")) else "token"
        value = arguments[known.password[last]]
        yield from binder.bound("password", value, topic, verdict=PASSWORD)
    yield from _handed_key(node, last, binder)
    if last in known.pair_encoder:
        yield from _encoded_pair(arguments[0])
    if last in known.tried and known.tried[last] < len(arguments):
        yield from binder.bound("password", arguments[known.tried[last]], verdict=TRIED)
    if last in known.compare and len(arguments) > 1:
        for one, other in ((arguments[0], arguments[1]), (arguments[1], arguments[0])):
            if not isinstance(one, ast.Constant):
                yield from _compared(target_name(one), other, binder, asserted=last.startswith("assert"))
    first = text_of(arguments[0].value) if arguments and isinstance(arguments[0], ast.Constant) else None
    if first is None and arguments and isinstance(arguments[0], ast.Name | ast.Attribute):
        first = target_name(arguments[0])
    if last == "getattr" and len(arguments) > 2:  # noqa: PLR2004 -- object, name, default
        yield from binder.bound(target_name(arguments[1]), arguments[2], "fallback")
    elif first is not None and last in known.pair and len(arguments) > 1:
        topic = "fallback" if last == "setdefault" else "token"
        if last == "setattr":
            yield from binder.bound(target_name(arguments[1]), arguments[2] if len(arguments) > 2 else None)  # noqa: PLR2004 -- as getattr
        else:
            yield from binder.bound(first, arguments[1], topic)
    elif first is not None and last in known.fallback:
        given = [arguments[1]] if len(arguments) > 1 else []
        given += [keyword.value for keyword in node.keywords if keyword.arg in ("default", "fallback", "default_value")]
        for value in given:
            yield from binder.bound(first, value, "fallback")
        if len(arguments) > 1 and any(keyword.arg in ("fallback", "default") for keyword in node.keywords):
            option = target_name(arguments[1])
            for keyword in node.keywords:
                if keyword.arg in ("fallback", "default"):
                    yield from binder.bound(option, keyword.value, "fallback")
    elif last in known.option:
        names = [text for item in arguments if isinstance(item, ast.Constant) and (text := text_of(item.value))]
        name = next((text for text in names if judge_name(text.lstrip("-")) is not None), None)
        if name is not None:
            for keyword in node.keywords:
                if keyword.arg in ("default", "const", "flag_value"):
                    yield from binder.bound(name.lstrip("-"), keyword.value, "fallback")


def _handed_key(node: ast.Call, last: str, binder: _Binder) -> Iterator[Bound]:
    known = calls().key
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    for name in (last, f"{owner.id}.{last}" if isinstance(owner, ast.Name) else ""):
        if name in known and known[name] < len(node.args):
            yield from binder.bound("key", node.args[known[name]], verdict=SIGNING_KEY)


PAIR_TEXT = re.compile(r"[^\s:]{1,80}:[^\s:]{4,200}")


def _encoded_pair(value: ast.AST) -> Iterator[Bound]:
    """The password of `b64encode(b"user:password")`."""
    for leaf in leaves(value):
        if not leaf.partial and PAIR_TEXT.fullmatch(leaf.text):
            user, _, password = leaf.text.partition(":")
            if user.lower() not in ("user", "username"):
                yield Bound(leaf.node, password, "Authorization", PASSWORD, "authorization")


def _pair_of_auth(pair: ast.Tuple, binder: _Binder) -> Iterator[Bound]:
    if len(pair.elts) == 2:  # noqa: PLR2004 -- user and password
        yield from binder.bound("auth", pair.elts[1], "authorization", verdict=PASSWORD)


def _cookies(cookies: ast.Dict, binder: _Binder) -> Iterator[Bound]:
    for key, value in zip(cookies.keys, cookies.values, strict=True):
        name = target_name(key)
        if name and judge_name(name) is None:
            yield from binder.bound(name, value, "authorization", verdict=HEADER, needs_strong=True)


def _command_line(elements: list[ast.expr], binder: _Binder) -> Iterator[Bound]:
    for one, other in pairwise(elements):
        if (
            isinstance(one, ast.Constant)
            and isinstance(one.value, str)
            and one.value[:1] == "-"
            and isinstance(other, ast.Constant | ast.JoinedStr)
        ):
            name = one.value.lstrip("-")
            if judge_name(name) is not None and not (
                isinstance(other, ast.Constant) and str(other.value).startswith("-")
            ):
                yield from binder.bound(name, other)


CONTAINERS = (ast.Constant, ast.Tuple, ast.List, ast.Set)


def _pair(elements: list[ast.expr], binder: _Binder) -> Iterator[Bound]:
    name = target_name(elements[0])
    if name in binder.telling and isinstance(elements[1], ast.Constant):
        for bound in binder.bound(name, elements[1]):
            yield replace(bound, sequence=True)


def _comparisons(module: "Module", binder: _Binder) -> Iterator[Bound]:
    for node in module.nodes(ast.Compare):
        if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In):
            continue
        left, right = node.left, node.comparators[0]
        if isinstance(right, CONTAINERS):
            if left.__class__ is not ast.Constant:
                yield from _compared(target_name(left), right, binder)
        elif left.__class__ is ast.Constant and not isinstance(node.ops[0], ast.In):
            yield from _compared(target_name(right), left, binder)
    for matched in module.nodes(ast.Match):
        name = target_name(matched.subject)
        if judge_name(name) is not None:
            for case in matched.cases:
                for pattern in ast.walk(case.pattern):
                    if isinstance(pattern, ast.MatchValue):
                        yield from _compared(name, pattern.value, binder)


def _compared(name: str, other: ast.AST, binder: _Binder, *, asserted: bool = False) -> Iterator[Bound]:
    verdict = judge_name(name) if name else None
    if verdict is None:
        return
    several = isinstance(other, ast.Tuple | ast.List | ast.Set)
    items: Iterable[ast.AST] = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else (other,)
    for item in items:
        if isinstance(item, ast.Constant):
            yield from binder.bound(
                name,
                item,
                "comparison",
                verdict=verdict,
                needs_strong=several or (asserted and verdict.kind != "password"),
            )
