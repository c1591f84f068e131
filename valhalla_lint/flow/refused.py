"""Secrets that are known to be none where they are shown: empty, of another type than text, or opening nothing."""

import ast
from collections.abc import Iterable, Iterator

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.scopes import FUNCTIONS
from valhalla_lint.facts.secret_names import judge_name
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.units import Unit, once_a_unit
from valhalla_lint.flow.values import Label

TEXT_TYPES = frozenset({"str", "bytes", "AnyStr", "string_types", "text_type"})
"""Types that a credential has: where a value is known to have none of them, it is no credential."""
STRINGS = TEXT_TYPES - {"bytes"}
ABSENCE = regex(
    r"\bno such\b|\bnot (?:be )?found\b|\b(?:does not|doesn't|did not|didn't|do not|don't) exist\b|\bunknown\b"
    r"|\bnot registered\b|\bno (?:\w+ ){1,3}(?:exists?|found|for|with)\b"
)
"""What an exception says where nothing was found."""
OPENING = frozenset({"token", "key", "secret"})
"""Kinds of credentials that are looked up by themselves; a password is tried with a user, and may be one letter off."""


@once_a_unit
def refused_for_form(unit: Unit) -> frozenset[ast.AST]:
    """The places of a file at which a value is read that is known to be none: empty, or of another type than text."""
    found = {node for item in unit.module.nodes(ast.If) for node in _refused(item)}
    for asserted in unit.module.nodes(ast.Assert):
        if asserted.msg is not None and (name := _with_text_type(asserted.test)) is not None:
            found.update(_reads([asserted.msg], name))
    return frozenset(found)


def _refused(node: ast.If) -> Iterator[ast.AST]:
    text = _with_text_type(node.test, STRINGS)
    if text is not None and not any(
        isinstance(item, ast.Call) and _with_text_type(item) == text
        for other in node.orelse
        for item in ast.walk(other)
    ):  # `elif isinstance(key, bytes)`: a text all the same
        yield from _reads(node.orelse, text)
    tests = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or) else [node.test]
    names = {_without_form(test) for test in tests}
    name = names.pop()
    if name is None or names:
        return
    yield from _reads(node.body, name)


def _reads(nodes: Iterable[ast.AST], name: str) -> list[ast.AST]:
    """Where a name is read below some nodes; nowhere if it is given another value there."""
    read: list[ast.AST] = []
    for node in nodes:
        for item in ast.walk(node):
            if isinstance(item, ast.Name | ast.Attribute) and _dotted(item) == name:
                if not isinstance(item.ctx, ast.Load):
                    return []
                read.append(item)
    return read


def _with_text_type(test: ast.expr, wanted: frozenset[str] = TEXT_TYPES) -> str | None:
    """What a test asks whether it is a text: of what fails it, nothing is a credential."""
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name() | ast.Attribute() as asked, types]):
            kinds = types.elts if isinstance(types, ast.Tuple) else [types]
            return None if wanted.isdisjoint(last_name(kind) for kind in kinds) else _dotted(asked)
        case _:
            return None


def _without_form(test: ast.expr) -> str | None:
    """What a test finds empty or of another type than text, None where it asks something else."""
    match test:
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="isinstance"), args=[ast.expr() as asked, *_])
        ):
            return _dotted(asked)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() as asked):
            return _dotted(asked)
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Attribute(value=ast.Name() as asked, attr="strip"), args=[])
        ):
            return _dotted(asked)
        case ast.Compare(
            left=ast.expr() as asked, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None | "")]
        ):
            return _dotted(asked)
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[ast.expr() as asked]),
            ops=[ast.Eq()],
            comparators=[ast.Constant(value=0)],
        ):
            return _dotted(asked)
        case _:
            return None


def _dotted(node: ast.expr) -> str | None:
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else None


def without_strangers(labels: Iterable[Label], node: ast.AST, unit: Unit) -> Iterator[Label]:
    """The labels of an exception's text without those of secrets by which nothing was found: they open nothing.

    node: the `raise`d call. Asked is what it says, and that its function looks the secret up by itself.
    """
    said: bool | None = None
    for label in labels:
        if _opens(label.origin.text):
            if said is None:
                said = _says_absence(node)
            if said and _is_looked_up(node, unit):
                continue
        yield label


def _says_absence(node: ast.AST) -> bool:
    texts = [item.value for item in ast.walk(node) if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return ABSENCE.search(" ".join(texts).lower()) is not None


def _is_looked_up(node: ast.AST, unit: Unit) -> bool:
    """Whether a function asks for what belongs to a secret that it shows: `keys[token]`, `find(token)`."""
    scope = unit.module.scopes.scope(node)
    if not isinstance(scope, FUNCTIONS):
        return False
    shown = {item for item in ast.walk(node) if isinstance(item, ast.Name | ast.Attribute)}
    called = node.func if isinstance(node, ast.Call) else None
    names = {_dotted(item) for item in shown if item is not called and _opens(last_name(item))}
    return any(
        _dotted(asked) in names and asked not in shown
        for item in unit.module.index.own(scope)
        for asked in _asked_by(item)
    )


def _opens(name: str) -> bool:
    verdict = judge_name(name)
    return verdict is not None and verdict.kind in OPENING


def _asked_by(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Subscript(slice=key, ctx=ast.Load()):
            yield key
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()]):
            yield left
        case ast.Call(func=func, args=[first, *_]):
            if last_name(func)[:1].islower() and last_name(func) not in TESTS:
                yield first
            for item in node.args:
                if isinstance(item, ast.Compare) and isinstance(item.ops[0], ast.Eq):
                    yield item.comparators[0]  # `query.filter(Bot.token == token)`
        case _:
            pass


TESTS = frozenset("len isinstance str repr bool type print quote hash".split())
"""Functions that look nothing up."""
