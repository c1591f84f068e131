"""The verdicts on all numbers of a file: each judged in its place, then weighed by how often it stands there."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import values
from valhalla_lint.facts.numbers.arguments import fallback, handed_over, is_answered, ranged
from valhalla_lint.facts.numbers.arithmetic import computed, conversion, is_width
from valhalla_lint.facts.numbers.calls import makers
from valhalla_lint.facts.numbers.comparisons import compared, member
from valhalla_lint.facts.numbers.judgement import Judgement, Number, counts
from valhalla_lint.facts.numbers.kinds import Kind
from valhalla_lint.facts.numbers.names import ready_constant, suggest
from valhalla_lint.facts.numbers.places import Place, Role, names_itself, place
from valhalla_lint.facts.numbers.positions import FIRST_COLUMN, SHORTEST_PREFIX, indexed, returned, sliced
from valhalla_lint.facts.words import mentioned

NUMBERS = frozenset({int, float, complex})
NAMING_PARENTS = (ast.keyword, ast.Assign, ast.AnnAssign, ast.arguments, ast.Dict, ast.NamedExpr, ast.MatchValue)
"""What names a number that stands directly in it, or is plain data."""
HALVES_COUNT_IN = (ast.Call, ast.List, ast.Tuple, ast.Set)


class Verdict(NamedTuple):
    """A number that decides something and has no name.

    node: the literal. whole: the literal with its sign. role: where it stands. kind: what it is.
    reason: why it counts, for a message.
    suggested_name: a name in capitals; ready: a constant that exists already (`http.HTTPStatus.NOT_FOUND`), or "".
    spelling: as the source writes it, sign included.
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


def judge(module: Module, node: ast.Constant) -> Verdict | None:
    """The verdict on one literal. For many literals of one file ask `judged`, which goes through the file once."""
    return judged(module).get(node)


def judged(module: Module) -> Mapping[ast.Constant, Verdict]:
    """All numbers of a file that decide something and have no name, by their literals, in order of the index."""
    first = list(_judgements(module))
    keys = Counter(item.key for item in first if item.key)
    kept = [item for item in first if not item.key or keys[item.key] > 1]
    same = Counter((item.number.value, item.place.role, item.kind) for item in kept)
    found: dict[ast.Constant, Verdict] = {}
    for item in kept:
        node, value = item.number.node, item.number.value
        whole = _signed(module, node)
        found[node] = Verdict(
            node=node,
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


def _judgements(module: Module) -> Iterator[Judgement]:
    """The first judgements: the cheap tests (value, parent) come before the place, the place before the words."""
    parents = module.index.parents
    made = makers()

    def numbers(nodes: Sequence[ast.Constant]) -> Iterator[Number]:
        for node in nodes:
            value = node.value
            kind = value.__class__
            if kind is str or kind not in NUMBERS or value in values.ORDINARY:
                continue
            above = parents.get(node)
            if value in values.HALVES and not isinstance(above, HALVES_COUNT_IN):
                continue
            if isinstance(above, ast.UnaryOp):
                above = parents.get(above)
            if isinstance(above, NAMING_PARENTS):
                continue
            found = place(parents, node, made)
            if found is None or _is_idle(found, value) or names_itself(parents, found):
                continue
            assert isinstance(value, int | float | complex)  # noqa: S101 -- told apart by class above, for speed
            around = mentioned(found.partner) if found.partner is not None else frozenset()
            yield Number(node, found, value, abs(value), around)

    for number in module.index.found("numbers", ast.Constant, numbers):
        item = _judge(module, number)
        if item is not None:
            yield item


def _is_idle(found: Place, value: object) -> bool:
    """Whether a number is structure at first sight, before any word around it is read."""
    match found.role:
        case Role.INDEX:
            return values.is_small(value, FIRST_COLUMN - 1)
        case Role.SLICE:
            return values.is_small(value, SHORTEST_PREFIX - 1)
        case Role.ARGUMENT:
            return found.elements is not None or not is_answered(found, value)
        case Role.RETURN:
            return found.elements is None
        case _:
            return False


def _judge(module: Module, number: Number) -> Judgement | None:
    if is_width(module, number.node):
        return None
    converted, is_unit = conversion(module, number)
    if is_unit:
        return converted
    match number.place.role:
        case Role.COMPARISON:
            return compared(module, number)
        case Role.MEMBERSHIP:
            return member(number)
        case Role.ARITHMETIC:
            return computed(module, number)
        case Role.RANGE:
            return ranged(module, number)
        case Role.ARGUMENT:
            return handed_over(module, number)
        case Role.FALLBACK:
            return fallback(number, number.around)
        case Role.INDEX:
            return indexed(number)
        case Role.SLICE:
            return sliced(module, number)
        case Role.RETURN:
            return returned(number)
        case Role.FORMAT:
            return counts(number, Kind.LIMIT, "it is put into a text by hand")
