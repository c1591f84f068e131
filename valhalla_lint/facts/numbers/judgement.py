"""A number in its place, and what is first thought of it."""

import ast
from typing import NamedTuple

from valhalla_lint.facts.numbers.kinds import Kind
from valhalla_lint.facts.numbers.places import Place


class Number(NamedTuple):
    """A literal with its place. size: without its sign. around: the words of what it meets there."""

    node: ast.Constant
    place: Place
    value: int | float | complex
    size: int | float
    around: frozenset[str]


class Judgement(NamedTuple):
    """Why a number counts. One with a `key` counts only where the file has two of that key.

    noun: what the called API calls the argument, for the name, where a table tells.
    """

    number: Number
    place: Place
    kind: Kind
    reason: str
    noun: str = ""
    key: tuple[object, ...] = ()


def counts(number: Number, kind: Kind, reason: str, *, noun: str = "", key: tuple[object, ...] = ()) -> Judgement:
    """A judgement on a number where it stands."""
    return Judgement(number, number.place, kind, reason, noun, key)
