"""Whether a regular expression of analysed code may be run: what its search can cost, as the degree of a polynomial."""

import re
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

from valhalla_lint.facts.automata import BROKEN, WIDE, Automaton, Builder, CharTest, Parsed, Spent, Widened, parse

MAX_DEGREE = 3
"""Most open repetitions that may share a text, for a pattern that is run at all: the work is a polynomial of that."""
MANY = 64
"""How often an open repetition is taken to read, where that is asked."""
COSTLY = 99
"""A degree beyond every limit."""
FEW = 4
"""A repetition whose counts lie less far apart is written out, as it were."""
SAMPLED = tuple(map(chr, range(128))) + WIDE
MAX_PIECES = 200
MAX_OPEN = 12
"""Patterns with more pieces, or more open ones, are not run."""


def compiled(pattern: str | bytes, flags: int, limit: int = MAX_DEGREE) -> Any | None:  # noqa: ANN401 -- of str or of bytes
    """The compiled pattern where its work on a text is a polynomial of at most this degree, or None.

    None too for what `re` refuses. Never raises.
    """
    parsed = parse(pattern, flags)
    try:
        if parsed is None or degree(parsed) > limit:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(pattern, flags)
    except (Widened, Spent, *BROKEN):
        return None


class Piece(NamedTuple):
    """What a pattern reads at one place: which characters, whether it must be there, whether its length is open."""

    test: CharTest
    needed: bool
    open: bool


def degree(parsed: Parsed) -> int:
    """How many open repetitions in a row can share a text between them in more than one way; COSTLY for nested ones.

    Two of them can where some character suits both, and nothing certain that suits the first not stands between them.
    Raises Widened for shapes whose cost is not known.
    """
    pieces = list(pieces_of(parsed.tree, parsed.flags, Builder(Automaton()), needed=True))
    if len(pieces) > MAX_PIECES or sum(piece.open for piece in pieces) > MAX_OPEN:
        return COSTLY
    read = [sum(1 << place for place, char in enumerate(SAMPLED) if piece.test(char)) for piece in pieces]
    longest: dict[int, int] = {}
    for last, piece in enumerate(pieces):
        if piece.open:
            before = [count for first, count in longest.items() if shared(pieces, read, first, last)]
            longest[last] = 1 + max(before, default=0)
    return max(longest.values(), default=0)


def shared(pieces: list[Piece], read: list[int], first: int, last: int) -> bool:
    """Whether two pieces can both read a stretch of text, with nothing certain between them."""
    certain = any(pieces[place].needed and not read[place] & read[first] for place in range(first + 1, last))
    return not certain and bool(read[first] & read[last])


def pieces_of(items: Any, flags: int, builder: Builder, *, needed: bool) -> Iterator[Piece]:  # noqa: ANN401 -- the parser's tree has no types
    """The pieces of a sequence. Raises Widened where a repetition holds another, or a choice, or a reference."""
    for op, argument in items:
        name = str(op)
        match name:
            case "LITERAL" | "NOT_LITERAL" | "IN" | "ANY":
                yield Piece(builder.test(name, argument, flags), needed, open=False)
            case "SUBPATTERN":
                _, added, removed, inner = argument
                yield from pieces_of(inner, (flags | added) & ~removed, builder, needed=needed)
            case "ATOMIC_GROUP":
                yield from pieces_of(argument, flags, builder, needed=needed)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                yield from repeated(*argument, flags=flags, builder=builder, needed=needed)
            case "BRANCH":
                for branch in argument[1]:
                    yield from pieces_of(branch, flags, builder, needed=False)
            case "ASSERT" | "ASSERT_NOT":
                yield from pieces_of(argument[1], flags, builder, needed=False)
            case "AT" | "FAILURE":
                pass
            case _:
                raise Widened


def repeated(least: int, most: Any, inner: Any, *, flags: int, builder: Builder, needed: bool) -> Iterator[Piece]:  # noqa: ANN401 -- as above
    """The pieces of a repetition."""
    count = MANY if str(most) == "MAXREPEAT" else int(most)
    pieces = list(pieces_of(inner, flags, builder, needed=needed and least > 0))
    if count <= 1:
        yield from pieces
    elif any(piece.open for piece in pieces) or has_choice(inner):
        raise Widened
    elif count - least < FEW and len(pieces) * count <= MAX_PIECES:
        for _ in range(count):
            yield from pieces
    else:
        for piece in pieces:
            yield Piece(piece.test, piece.needed, open=True)


def has_choice(items: Any) -> bool:  # noqa: ANN401 -- as above
    """Whether something in a sequence can be read in several ways."""
    return any(
        str(op) in ("BRANCH", "MAX_REPEAT", "MIN_REPEAT", "ASSERT", "ASSERT_NOT")
        or (str(op) == "SUBPATTERN" and has_choice(argument[3]))
        for op, argument in items
    )
