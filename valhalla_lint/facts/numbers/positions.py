"""Numbers that pick a part of something, or are given back: indices, slice bounds, results."""

import ast

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import values
from valhalla_lint.facts.numbers import vocabulary as about
from valhalla_lint.facts.numbers.judgement import Judgement, Number, counts
from valhalla_lint.facts.numbers.kinds import Kind
from valhalla_lint.facts.numbers.places import from_end, is_literal
from valhalla_lint.facts.siblings import MANY
from valhalla_lint.facts.words import last_name

FIRST_COLUMN = 6
"""From here on a position in a record is no longer read at a glance."""
SHORTEST_PREFIX = 4
"""Shorter prefixes are read at a glance."""
TYPES = frozenset({"Literal", "Annotated", "Tuple", "tuple", "version_info"})
"""What is subscripted with numbers that are no positions in a record."""


def indexed(number: Number) -> Judgement | None:
    """A number that is an index."""
    value, partner = number.value, number.place.partner
    if not isinstance(value, int) or value < FIRST_COLUMN or partner is None or last_name(partner) in TYPES:
        return None
    return counts(number, Kind.COLUMN, "the position does not say what stands there")


def sliced(module: Module, number: Number) -> Judgement | None:
    """A number that is a bound of a slice."""
    value, around = number.value, number.around
    is_upper = bool(number.place.position)
    if not isinstance(value, int) or around & about.COLOUR:
        return None
    if value <= values.SMALL:
        if value >= SHORTEST_PREFIX and (
            _is_compared_whole(module, number) if is_upper else _skips_prefix(module, number)
        ):
            return counts(number, Kind.LENGTH, "it repeats the length of a text that stands nearby")
        return None
    if is_upper and around & about.DIGEST:
        reason = "digests are cut to this length in several places"
        return counts(number, Kind.LENGTH, reason, key=("digest", value))
    if from_end(number.place):
        reason = "it cuts off an end" if is_upper else "it takes an end"
        return counts(number, Kind.LENGTH, f"{reason} whose length nothing names")
    reason = "it cuts at a length that nothing names" if is_upper else "it skips a part whose length it encodes"
    return counts(number, Kind.LENGTH, reason)


def _skips_prefix(module: Module, number: Number) -> bool:
    """Whether the function asks for a prefix of just this length (`line.startswith("data:")` and `line[5:]`)."""
    partner = number.place.partner
    if partner is None:
        return False
    scope = module.scopes.scope(number.node)
    for call in module.calls.get("startswith", ())[:MANY]:
        match call:
            case ast.Call(func=ast.Attribute(value=base), args=[ast.Constant(value=str() | bytes() as prefix)]):
                same = len(prefix) == number.value and module.scopes.scope(call) is scope
                if same and ast.unparse(base) == ast.unparse(partner):
                    return True
            case _:
                pass
    return False


def _is_compared_whole(module: Module, number: Number) -> bool:
    """Whether a slice from the start is compared with a text of just this length (`magic[:4] == "RIFF"`)."""
    bounds = number.place.holder
    above = module.parent(bounds)
    compared = module.parent(above) if above is not None else None
    if not isinstance(bounds, ast.Slice) or bounds.lower is not None or not isinstance(compared, ast.Compare):
        return False
    texts = (other.value for other in (compared.left, *compared.comparators) if isinstance(other, ast.Constant))
    return any(isinstance(text, str | bytes) and len(text) == number.value for text in texts)


def returned(number: Number) -> Judgement | None:
    """A number that a function gives back: only a status beside its response counts, functions name their results."""
    elements = number.place.elements
    if elements is None or elements.elts[-1] is not number.place.whole or is_literal(elements):
        return None
    if not values.is_http_status(number.value):
        return None
    return counts(number, Kind.HTTP_STATUS, "http.HTTPStatus has a name for it")
