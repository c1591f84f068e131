"""A text read in pieces: one that is not Python as a whole, or one that is read again and again while it is typed.

A piece begins at the left margin and is one or more whole statements. A text is Python as a whole where every piece is,
and then its tree is theirs, one behind the other. A piece that is broken takes none of the others along.
"""

import ast
import re
from collections.abc import Iterator

from valhalla_lint.core.parsed import Kept, Parsed, Piece, Pieces
from valhalla_lint.core.regex import regex
from valhalla_lint.facts.joined import Layers, shift
from valhalla_lint.facts.parse import explain, logical_lines, move, split_lines, tree_of
from valhalla_lint.facts.recovery import recover

AGAIN = 4
"""How many times a text may be gone through, at most, to find where a string or a bracket ends."""
MARGIN = regex(r"^(?!(?:elif|else|except|finally)\b)[^ \t\f\n#)\]}\\]", re.MULTILINE)
"""A line that can begin a statement of the module, or stands inside a string or a bracket."""


def read_in_pieces(text: str, known: Pieces | None = None) -> Pieces:
    """Read a text; never raises.

    known: an earlier text, of which pieces with the same lines are taken over. Effect: it is used up; its statements
    become part of the result, moved where lines were added or taken.
    """
    lines = "\n".join(split_lines(text.replace("\0", " "))) if "\r" in text else text.replace("\0", " ")
    return _Reader(lines, known).read()


class _Reader:
    """Reads one text."""

    def __init__(self, text: str, known: Pieces | None) -> None:
        self._text = text
        self._known: dict[str, list[Piece]] = {}
        for piece in known.pieces if known is not None else ():
            self._known.setdefault(piece.text, []).append(piece)
        self._unfinished = known.unfinished if known is not None else frozenset[str]()
        self._left = known.left if known is not None else None
        for piece in known.pieces if known is not None else ():
            if piece.broken and piece.text not in text:  # else it may be taken over as it is
                self._left = piece
        self._kept = known.parsed.kept if known is not None else None
        self._faults: dict[str, BaseException] = {}
        self._still: set[str] = set()
        self._patience = AGAIN * len(text)

    def read(self) -> Pieces:
        pieces = tuple(self._pieces())
        tree = ast.Module(body=[statement for piece in pieces for statement in piece.body], type_ignores=[])
        broken = next((piece for piece in pieces if piece.broken), None)
        kept = self._kept or Kept()
        kept.turn()
        parsed = Parsed(tree, pieces=pieces, kept=kept)
        if broken is not None:
            problem, line, column = _explained(broken)
            cuts = tuple(piece.before for piece in pieces)
            parsed = Parsed(tree, problem, line, column, cuts, pieces, kept)
        return Pieces(parsed, pieces, frozenset(self._still), self._left)

    def _pieces(self) -> Iterator[Piece]:
        text = self._text
        starts = list(_starts(text))
        ends = [*starts[1:], len(text)]
        places = {end: number for number, end in enumerate(ends, 1)}
        number = before = 0
        while number < len(starts):
            begin, end, following = starts[number], ends[number], number + 1
            piece = self._whole(begin, end, before)
            if piece is None:
                further = self._end(begin, before, places)
                if further > end and (piece := self._whole(begin, further, before)) is not None:
                    self._still.add(text[begin:end])
                    end, following = further, places[further]
                else:
                    piece = self._broken(text[begin:end], before)
            yield piece
            number = following
            before += text.count("\n", begin, end)

    def _whole(self, begin: int, end: int, before: int) -> Piece | None:
        """The lines between two offsets as a piece, None where they are not Python by themselves."""
        text = self._text[begin:end]
        if text in self._unfinished:
            self._still.add(text)
            return None
        known = self._known.get(text)
        if known:
            return None if known[-1].broken else _at(known.pop(), before)
        tree = tree_of(text)
        if isinstance(tree, ast.Module):
            # what will be asked for anyway, and saves one more walk in order to move it
            facts: dict[object, object] = {"index": Layers(tree.body)} if self._kept is not None and tree.body else {}
            return _at(Piece(text, 0, tree.body, facts=facts), before)
        self._faults[text] = tree.with_traceback(None)  # which holds the text, and more
        return None

    def _broken(self, text: str, before: int) -> Piece:
        """The same of lines that are not."""
        known = self._known.get(text)
        if known:
            return _at(known.pop(), before)
        left, self._left = self._left, None  # used up
        fault = self._faults.get(text) or tree_of(text)
        body, parts = recover(text, *((left.parts, left.before) if left is not None else ()))
        problem = fault if isinstance(fault, BaseException) else SyntaxError()
        return _at(Piece(text, 0, body, problem, parts, {}), before)

    def _end(self, begin: int, before: int, places: dict[int, int]) -> int:
        """Where a statement ends that begins at an offset, as far as strings and brackets tell; at a place to cut."""
        end = begin
        decorated = False
        for _, _, following in logical_lines(self._text, begin, before, until=begin + self._patience):
            line = self._text[end:following].lstrip()
            decorated = line.startswith("@") or (decorated and (not line or line.startswith("#")))
            end = following
            if end in places and not decorated:
                break
        self._patience -= end - begin
        return end if end in places else begin


def _explained(piece: Piece) -> tuple[str, int, int]:
    """What is wrong with a broken piece, and the line and column of the text where reading stopped."""
    fault: object = piece.fault
    if piece.before and (not isinstance(fault, SyntaxError) or "line" in fault.msg):  # what names a line is said anew
        fault = tree_of("\n" * piece.before + piece.text)
        return explain(fault) if isinstance(fault, BaseException) else ("", 1, 0)
    problem, line, column = explain(piece.fault or SyntaxError())
    return problem, line + piece.before, column


def _at(piece: Piece, before: int) -> Piece:
    """A piece behind so many lines. Effect: its statements are moved."""
    layers = piece.facts.get("index") if piece.facts is not None else None
    if isinstance(layers, Layers):
        shift(layers, before - piece.before)
    else:
        move(piece.body, before - piece.before)
    return piece._replace(before=before)


def _starts(text: str) -> Iterator[int]:
    """The offsets at which pieces begin, were there no strings and brackets over several lines."""
    decorated = False
    if not MARGIN.match(text):
        yield 0
    for found in MARGIN.finditer(text):
        if not decorated:
            yield found.start()
        decorated = found[0] == "@"
