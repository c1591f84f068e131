"""Whether the arithmetic around a number is a formula, whose coefficients are what textbooks say."""

import ast
from enum import IntEnum
from functools import cache

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import vocabulary as about
from valhalla_lint.facts.numbers.calls import call_meanings
from valhalla_lint.facts.numbers.places import is_number
from valhalla_lint.facts.words import children, last_name, words

SYMBOL = regex(r"[A-Za-z][0-9]{0,2}_?|[A-Za-z]_[A-Za-z0-9]")
"""A letter, with an index perhaps: the names of mathematics."""
HOMES = frozenset({"self", "S", "np", "math", "torch", "mp", "sp"})
"""Names in front of symbols and functions that are no symbols themselves."""
MAX_LEVELS = 12
"""How many levels up a formula is looked for."""
MAX_NODES = 60
"""How many nodes of an expression are looked at to tell whether it is a formula."""


class Form(IntEnum):
    """How much of a formula an expression is; 0 for none."""

    NONE = 0
    FORMULA = 1
    """It has powers, functions of analysis or Greek letters."""
    SYMBOLIC = 2
    """All its names are symbols, too: the letters and the coefficients are the formula itself."""


@cache
def functions() -> frozenset[str]:
    """The last names of functions and constants that make a formula."""
    return frozenset(name for name, meaning in call_meanings().items() if meaning.means == "math") | {"pi", "e"}


def form(module: Module, holder: ast.AST) -> Form:
    """What the expression is that an arithmetic operation is part of; bounded in depth and size."""
    analysis = functions()
    top: ast.AST = holder
    for _, above in zip(range(MAX_LEVELS), module.ancestors(holder), strict=False):
        if isinstance(above, ast.Call) and last_name(above.func) in analysis:
            top = above
            break
        if not isinstance(above, ast.BinOp | ast.UnaryOp):
            break
        top = above
    analysed = False
    symbolic = True
    queue: list[ast.AST] = [top]
    for part in queue:
        match part:
            case ast.BinOp(op=ast.Pow(), left=base) if not is_number(base):
                analysed = True
            case ast.BinOp(op=ast.MatMult()):
                analysed = True
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in analysis:
                analysed = True
            case ast.Name(id=name) | ast.Attribute(attr=name):
                analysed = analysed or not about.GREEK.isdisjoint(words(name))
                symbolic = symbolic and (name in HOMES or SYMBOL.fullmatch(name) is not None)
            case _:
                pass
        if analysed and not symbolic:
            return Form.FORMULA
        if len(queue) < MAX_NODES:
            queue += children(part)
    if not analysed:
        return Form.NONE
    return Form.SYMBOLIC if symbolic else Form.FORMULA
