"""Routes of handler classes: `(r"/notes/([a-z]+)", NoteHandler)`, whose groups say what an argument may hold."""

import ast
from collections.abc import Iterator, Mapping

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.regexes import judge
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.flow.checks import CONTENT
from valhalla_lint.flow.labels import ANYTHING, RISK_NAMES, Mark, Risk
from valhalla_lint.flow.units import Unit

GROUP = regex(r"(?<!\\)\((?:\?P<(?P<name>\w+)>)?(?P<text>(?![?])[^()]{1,200})\)")
"""A group without groups in it; a named one is given by its name."""
PLAIN = regex(r"(?:(?:\\[wd]|[A-Za-z0-9_-]|\[(?:\\[wd-]|[A-Za-z0-9_.-])+\])(?:[+*?]|\{\d+(?:,\d*)?\})?)+")
"""Patterns that let no `%` through: what else is matched is decoded afterwards, and may be anything then."""
PLACES = ("separator", "backslash", "parent", "absolute", "drive", "nul", "newline")


NUMBERS = frozenset({"int", "float", "uuid", "bool", "number", "decimal"})
NAMES = frozenset({"slug", "alpha", "any", "ymd", "date", "datetime", "time", "timedelta", "dt"})
"""Converters that let only names, dates, or one of some words through."""
WIDE = frozenset({"path", "filepath", "subpath", "filename_path", "re", "regex"})
CONVERTERS = NUMBERS | NAMES | WIDE | {"str", "string", "strorempty"}


def limits(converter: str, *, decoded: bool = False) -> tuple[int, int]:
    """The risks that a converter of a path template takes away, and the marks that it gives.

    decoded: the framework decodes afterwards what it matched.
    """
    if converter in NUMBERS:
        return ANYTHING & ~(Risk.UPPER | Risk.LOWER), Mark.NONE
    if converter in NAMES:
        return CONTENT, Mark.NONE
    if converter in WIDE or converter.startswith((".*", ".+", "re")):
        return Risk.NONE, Mark.NONE
    gone = Risk.NONE if converter.isidentifier() else _risks(converter)  # a word is a converter's name, no pattern
    return (gone, Mark.NONE) if decoded else (gone | Risk.SEPARATOR | Risk.ABSOLUTE, Mark.SEGMENT)


def refused(unit: Unit, owner: ast.ClassDef, function: FunctionNode) -> Mapping[str, int]:
    """The risks that the routes of a class in its file keep out of a handler method's parameters."""
    names = [arg.arg for arg in parameters(function)][1:]
    found: dict[str, int] | None = None
    for pattern in _patterns(unit, owner):
        gone: dict[str, int] = {}
        for index, match in enumerate(GROUP.finditer(pattern)):
            name = match["name"] or (names[index] if index < len(names) else "")
            gone[name] = _risks(match["text"])
        found = gone if found is None else {name: risk & gone.get(name, 0) for name, risk in found.items()}
    return found or {}


def _patterns(unit: Unit, owner: ast.ClassDef) -> Iterator[str]:
    """The patterns of the routes that lead to a class; an empty one where a pattern is not known."""
    module = unit.module
    for name in module.nodes(ast.Name):
        if name.id != owner.name:
            continue
        match module.parent(name):
            case ast.Tuple(elts=[first, second, *_]) if second is name:
                yield _text(unit, first)
            case ast.Call(args=[first, second, *_]) if second is name:
                yield _text(unit, first)
            case _:
                pass


def _text(unit: Unit, node: ast.expr) -> str:
    """A pattern as it is written, also where a part is filled in (`r"/notes/%s" % NAME`); "" where it is not known."""
    constants = unit.module.constants
    match node:
        case ast.BinOp(op=ast.Mod(), left=left, right=right):
            whole, part = constants.text(left), constants.text(right)
            return whole.replace("%s", part) if whole is not None and part is not None else ""
        case _:
            return constants.text(node) or ""


def _risks(text: str) -> int:
    if PLAIN.fullmatch(text) is None:
        return Risk.NONE
    verdict = judge(text)
    if not verdict.understood:
        return Risk.NONE
    gone = Risk.NONE
    for word in PLACES:
        if word not in verdict.may:
            gone |= RISK_NAMES[word]
    return gone
