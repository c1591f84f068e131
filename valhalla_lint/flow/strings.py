"""Texts put together: what stands before and behind a value, and whether the whole reads as a path."""

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.frozen import replace
from valhalla_lint.core.regex import regex
from valhalla_lint.flow.labels import Grade, Kind, Mark, Risk
from valhalla_lint.flow.state import Joined
from valhalla_lint.flow.values import Label, Place, Value, joined_at, merge_labels, with_labels
from valhalla_lint.flow.words import names_base, names_keeper, names_root, names_url

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Frame, Machine
    from valhalla_lint.flow.state import State

RELATIVE = regex(r"[\w.-]+(?:[/\\][\w.-]+)*[/\\]$")
"""Folders before a value, without anything that says where they are."""
NOT_A_PATH = regex(r"://|[<>{}?&=\s'\"|]|^//")
EXTENDED = "\\\\?\\"
EXTENSION = regex(r"\.[A-Za-z][A-Za-z0-9]{1,5}(?:\.(?:gz|bz2|xz|zip|tmp|lock|bak))?$")
"""A text's end that says that it names a file."""


class Piece(NamedTuple):
    """One part of a text that is put together."""

    value: Value
    node: ast.expr


def built(machine: "Machine", pieces: Sequence[Piece], node: ast.expr, state: "State", frame: "Frame") -> Value:
    """The value of a text put together from parts, in order."""
    texts = [piece.value.text for piece in pieces]
    if all(text is not None for text in texts):
        return Value(const="".join(text for text in texts if text is not None))
    if not any(piece.value.labels for piece in pieces):
        return Value()
    address = _is_address(pieces)
    naming = list(pieces)
    while len(naming) > 1 and naming[-1].value.text in ("", "/", "\\"):  # a separator at the end: the same place
        naming.pop()
    spot_parts = [machine.operand(piece.value, piece.node, frame.unit) for piece in naming if piece.value.text != ""]
    single = len(spot_parts) == 1
    end = "".join(piece.value.text or "/" for piece in naming[1:])
    extended = end.startswith(".") and not any(mark in end for mark in ("..", "/", "\\"))
    found: tuple[Label, ...] = ()
    before = ""
    unknown_before = False
    base_before = False
    owned = Mark.NONE
    for piece in pieces:
        value = piece.value
        if value.text is not None:
            if not (before + value.text).endswith(EXTENDED):  # Windows' mark of a long path, no folder
                before += value.text
            continue
        if value.labels:
            behind = bool(before) or unknown_before
            joined = not address and (
                any(mark in before for mark in "/\\")
                or (base_before and not before)
                or (unknown_before and before.endswith(("/", "\\")))
            )
            for label in value.labels:
                below = joined and not is_put_back(label, [item.value for item in pieces if item is not piece])
                placed = _placed(
                    machine, label, node, state, frame, spot_parts, behind=behind, joined=below, single=single
                )
                if extended and piece is pieces[0] and label.marks & Mark.NORMAL:
                    placed = replace(placed, marks=placed.marks | Mark.NORMAL)  # an ending brings no step up into it
                if below and owned and piece is pieces[-1] and is_whole_name(machine, label):
                    placed = replace(placed, marks=placed.marks | owned)
                found = merge_labels(found, (placed,))
            owned = owned or callers_folder(value)
        else:
            base_before = base_before or _named_base(piece.node)
            unknown_before = True
    if (
        not address
        and pieces[-1].value.text is not None
        and EXTENSION.search(pieces[-1].value.text)
        and not any(mark in before for mark in " \n")
    ):
        found = tuple(
            named_by_use(label) if machine.parts(label.content)[:1] == ("source",) else label for label in found
        )
    result = with_labels(found)
    if not address and _reads_as_path(pieces):
        text_sink(machine, result, node, state, frame)
    return result


ENDS = frozenset({"strip", "parent"})


def callers_folder(value: Value) -> int:
    """The mark of what is put below a base that a function's caller gave to work in, NONE for other bases.

    Those are folders below one of the program's own, and what says that it keeps things inside (a cache).
    """
    for label in value.labels:
        if label.origin.kind is not Kind.PARAMETER or label.marks & (Mark.JOINED | Mark.INDIRECT):
            continue
        if not names_keeper(label.origin.text):
            return Mark.BELOW if names_root(label.origin.text) else Mark.BESIDE
    return Mark.NONE


def is_put_back(label: Label, before: Sequence[Value]) -> bool:
    """Whether a part of a caller's path is put below another part of it: the path that the caller gave, built again."""
    return label.origin.kind is Kind.PARAMETER and any(
        other.origin == label.origin for value in before for other in value.labels
    )


def is_whole_name(machine: "Machine", label: Label) -> bool:
    """Whether a caller's parameter is taken as it stands: what gets an ending in the function is no file's name.

    Whoever hands over a folder and a file's whole name chooses the file; who hands over a key of something that is kept
    in the folder does not.
    """
    if label.origin.kind is not Kind.PARAMETER:
        return False
    ends = ENDS | {"item", "character"} if label.origin.text.endswith("s") else ENDS  # one of several names
    return all(_as_given(machine, token, ends) for token in (label.content, label.spot))


def _as_given(machine: "Machine", token: int, ends: frozenset[str]) -> bool:
    """Whether a token is of a parameter itself, but for its ends or for the folder that it names."""
    parts = machine.parts(token)
    while parts and parts[0] in ends and isinstance(parts[-1], int):
        parts = machine.parts(parts[-1])
    return parts[:1] in (("source",), ("spot",))


def named_by_use(label: Label) -> Label:
    """A label of a parameter that is used as the name of a file."""
    origin = label.origin
    if origin.kind is not Kind.PARAMETER or origin.grade is Grade.CERTAIN or not origin.open or origin.words:
        return label
    return replace(label, origin=replace(origin, grade=Grade.NAMED, words=frozenset({"file"})))


def _placed(
    machine: "Machine",
    label: Label,
    node: ast.expr,
    state: "State",
    frame: "Frame",
    parts: list[object],
    *,
    behind: bool,
    joined: bool,
    single: bool,
) -> Label:
    if single:
        return label
    spot = machine.token("text", *parts)
    machine.contents[spot] = label.content
    risk = label.risk
    if behind:
        risk &= ~(Risk.ABSOLUTE | Risk.DRIVE)
    else:  # what is contained stays so when a tail is added
        risk &= ~state.proven.get(label.spot, 0)
    marks = label.marks & ~(Mark.NORMAL | Mark.RESOLVED)
    attempts = state.tried.get(label.spot)
    if attempts:
        state.tried[spot] = attempts
    if behind:
        marks |= Mark.BEHIND
    if joined:
        marks |= Mark.JOINED
        if label.join is None:
            label = joined_at(label, Place(frame.unit, node), machine.sites(frame))
    return replace(label, spot=spot, risk=risk, marks=marks)


def _named_base(node: ast.expr) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return names_base(name) and not names_url(name)
        case _:
            return False


def _is_address(pieces: Sequence[Piece]) -> bool:
    """Whether the text is an address of a service rather than a path."""
    for piece in pieces:
        if piece.value.text is not None:
            if "://" in piece.value.text or "<" in piece.value.text:
                return True
            if piece.value.text.strip("/"):
                return False
            continue
        match piece.node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if names_url(name):
                return True
            case _:
                return False
    return False


def _reads_as_path(pieces: Sequence[Piece]) -> bool:
    first = pieces[0].value.text or ""
    whole = "".join(piece.value.text or "" for piece in pieces)
    if NOT_A_PATH.search(whole):
        return False
    return first.startswith(("./", "../", "~/", ".\\", "..\\"))


def text_sink(machine: "Machine", value: Value, node: ast.expr, state: "State", frame: "Frame") -> None:
    """A text that reads as a path is where a model's name does its harm, whoever opens it."""
    for label in value.labels:
        if label.marks & Mark.JOINED and "model" in label.origin.words:
            state.pending[label.content, label.spot] = Joined(label, Place(frame.unit, node), machine.sites(frame))
