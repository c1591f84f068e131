"""Conditions: what is known where they hold and where they fail."""

import ast
import operator
from collections.abc import Callable

from valhalla_lint.core.frozen import replace
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.flow.catalogue import WEAK
from valhalla_lint.flow.checks import CONTENT, charset, common_prefix, contained, holds_text, lacking
from valhalla_lint.flow.containers import letters_asked
from valhalla_lint.flow.expressions import Expressions
from valhalla_lint.flow.folders_given import folder_given
from valhalla_lint.flow.foreseen import of_version, switch_of
from valhalla_lint.flow.labels import PLACE, Kind, Mark, Risk
from valhalla_lint.flow.left_out import left_out_by_operator
from valhalla_lint.flow.machine import Frame
from valhalla_lint.flow.paths import Paths, named_separator
from valhalla_lint.flow.policies import keep_where_there
from valhalla_lint.flow.secrecy import spaced
from valhalla_lint.flow.state import State, meet, meet_all
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.values import (
    CLEAN,
    EVERYTHING,
    NOTHING,
    Attempt,
    Facts,
    Label,
    Place,
    Reference,
    Truth,
    Value,
    View,
    constant,
    reads_as,
    same_place,
)

COMPARE: dict[type, Callable[..., object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda first, second: first in second,
    ast.NotIn: lambda first, second: first not in second,
}
SENT = frozenset({Kind.REMOTE, Kind.MEMBER})
"""What another side sends of which a caller may ask for one."""
SEPARATOR_NAMES = frozenset({"sep", "separator", "pathsep", "path_sep"})
SWAPPED: dict[type, type] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def opposite(truth: Truth) -> Truth:
    """The truth of the negation."""
    return Truth(truth.fails, truth.holds)


def _known(label: Label) -> int:
    """What is proven of a value that is one of those that the program has: a secret stays one."""
    return EVERYTHING & ~Risk.PLAIN if label.origin.kind is Kind.SECRET else EVERYTHING


class Conditions(Expressions, Paths):
    """The part of the interpreter that reads conditions."""

    def guards(self, unit: Unit, node: ast.AST) -> bool:
        """Whether a function may check where a path leads; implemented where demand is."""
        raise NotImplementedError

    def refine(self, test: ast.expr, state: State, frame: Frame) -> tuple[State | None, State | None]:
        """The states in which a condition holds and fails; None where that cannot be."""
        match test:
            case ast.BoolOp(op=ast.And(), values=values):
                failed: list[State | None] = []
                current: State | None = state
                for value in values:
                    if current is None:
                        break
                    current, fails = self.refine(value, current, frame)
                    failed.append(fails)
                together = meet_all(failed)
                keep_where_there(values, failed, together)
                return current, together
            case ast.BoolOp(op=ast.Or(), values=values):
                held: list[State | None] = []
                current = state
                for value in values:
                    if current is None:
                        break
                    holds, current = self.refine(value, current, frame)
                    held.append(holds)
                together = meet_all(held)
                keep_where_there(values, held, together)
                return together, current
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                holds, fails = self.refine(operand, state, frame)
                return fails, holds
            case ast.IfExp():
                yes, no = self.refine(test.test, state, frame)
                first = self.refine(test.body, yes, frame) if yes is not None else (None, None)
                second = self.refine(test.orelse, no, frame) if no is not None else (None, None)
                return meet(first[0], second[0]), meet(first[1], second[1])
            case _:
                return self._answered(test, state, frame)

    def _answered(self, test: ast.expr, state: State, frame: Frame) -> tuple[State | None, State | None]:
        """A condition that is no combination of others, also one whose answer is known beforehand."""
        known = of_version(test, frame.unit) if isinstance(test, ast.Compare | ast.Name | ast.Attribute) else None
        if known is not None:
            return (state, None) if known else (None, state)
        value = self.evaluate(test, state, frame)
        if value.const is MISSING and value.truth is None:
            foreseen = self._foreseen(test, value, frame)
            if foreseen is not None:
                return (state, None) if foreseen else (None, state)
        return self.split(value, state)

    def _foreseen(self, test: ast.expr, value: Value, frame: Frame) -> bool | None:
        """What a condition that decides whether a check is made is unless somebody says otherwise; None in audits."""
        if isinstance(test, ast.Name | ast.Attribute) and all(
            label.origin.kind is Kind.PARAMETER for label in value.labels
        ):
            switch = switch_of(self, test, frame)
            if switch is not None:
                self.switches[self.entry] = switch.name
                return None if self.audit else switch.on
        if frame.node is None or not self.guards(frame.unit, frame.node):
            return None
        if (
            all(label.marks & Mark.JOINED for label in value.labels)
            and (given := folder_given(self, test, frame)) is not None
        ):
            return None if self.audit else given
        if any(label.origin.kind not in WEAK for label in value.labels):
            return None
        setting = left_out_by_operator(self, test, frame.unit)
        if setting is None:
            return None
        self.switches[self.entry] = setting
        return None if self.audit else False

    def split(self, value: Value, state: State) -> tuple[State | None, State | None]:
        """The states in which a value is true and false."""
        if value.const is not MISSING:
            return (state, None) if value.const else (None, state)
        if value.truth is not None:
            self.note_checked(value.truth)
            return state.knowing(value.truth.holds), state.knowing(value.truth.fails)
        holds, fails = state.copy(), state.copy()
        if value.labels:  # an empty text holds nothing
            fails.learn(Facts({label.content: EVERYTHING for label in value.labels}))
        return holds, fails

    def compared(self, node: ast.Compare, state: State, frame: Frame) -> Value:
        """The value of a comparison, with what it would prove."""
        values = [self.evaluate(item, state, frame) for item in (node.left, *node.comparators)]
        nodes = [node.left, *node.comparators]
        truths: list[Truth] = []
        for index, op in enumerate(node.ops):
            result = self.pair(
                values[index], op, values[index + 1], (nodes[index], nodes[index + 1]), node, state, frame
            )
            if len(node.ops) == 1:
                return result
            if result.const is not MISSING:
                if not result.const:
                    return constant(False)  # noqa: FBT003 -- the value of the comparison
                continue
            truths.append(result.truth or Truth())
        proven: dict[int, int] = {}
        tried: dict[int, tuple[Attempt, ...]] = {}
        for truth in truths:
            if truth.holds is None:
                return constant(False)  # noqa: FBT003 -- as above
            for token, risk in truth.holds.proven.items():
                proven[token] = proven.get(token, 0) | risk
            tried.update(truth.holds.tried)
        return Value(truth=Truth(Facts(proven, tried), NOTHING))

    def pair(
        self,
        left: Value,
        op: ast.cmpop,
        right: Value,
        nodes: tuple[ast.expr, ast.expr],
        node: ast.Compare,
        state: State,
        frame: Frame,
    ) -> Value:
        """One comparison of two values."""
        if left.const is not MISSING and right.const is not MISSING:
            try:
                return constant(bool(COMPARE[op.__class__](left.const, right.const)))
            except Exception:  # noqa: BLE001 -- constants of any kind; what cannot be compared is not known
                return CLEAN
        kind = op.__class__
        if kind in (ast.Eq, ast.Is):
            return _truth(self.equality(left, right, nodes, state, frame))
        if kind in (ast.NotEq, ast.IsNot):
            found = self.equality(left, right, nodes, state, frame)
            return _truth(opposite(found) if found is not None else None)
        if kind in (ast.In, ast.NotIn):
            found = self.membership(left, right, nodes, node, state, frame)
            return _truth(opposite(found) if found is not None and kind is ast.NotIn else found)
        return _truth(self.order(left, kind, right, node, frame))

    # -- equality -----------------------------------------------------------------------------------------------

    def equal(self, first: Value, second: Value, state: State) -> tuple[State | None, State | None]:
        """The states in which two values are equal and are not."""
        if first.const is not MISSING and second.const is not MISSING:
            return (state, None) if first.const == second.const else (None, state)
        truth = self._equal_values(first, second, state)
        if truth is None:
            return state.copy(), state.copy()
        return state.knowing(truth.holds), state.knowing(truth.fails)

    def equality(
        self, left: Value, right: Value, nodes: tuple[ast.expr, ast.expr], state: State, frame: Frame
    ) -> Truth | None:
        """`left == right`."""
        for value, other, node in ((left, right, nodes[1]), (right, left, nodes[0])):
            if other.const is None:
                if value.truth is not None:  # `re.match(…) is None`
                    return opposite(value.truth)
                return (
                    Truth(Facts({label.content: EVERYTHING for label in value.labels}), NOTHING)
                    if value.labels
                    else None
                )
            if value.truth is not None and other.const in (True, False):
                return value.truth if other.const else opposite(value.truth)
            view = (
                value.thing
                if isinstance(value.thing, View)
                else next((thing for thing in value.things if isinstance(thing, View)), None)
            )
            if view is not None:
                found = self._equal_view(view, other, node, frame, state)
                if found is not None and found.holds is not None and view.kind == "parent":
                    itself = {label.spot: CONTENT for label in value.labels}
                    return replace(found, holds=Facts({**found.holds.proven, **itself}))
                if found is not None:
                    return found
        return self._equal_values(left, right, state)

    def _equal_view(self, view: View, other: Value, node: ast.expr, frame: Frame, state: State) -> Truth | None:
        subject = view.subject
        match view.kind:
            case "common" | "characters" if view.other is not None and view.place is not None:
                if same_place(view.subject, other) or (not view.subject.labels and view.other.labels):
                    subject = view.other
                if self.is_chosen_outside(other, state) or not subject.labels:
                    return None
                base = self.base_of(other, node, frame)
                if base.text is None and named_separator(node, frame):
                    base = base._replace(ends=True)
                labels = self.unproven(subject, state, other)
                if view.kind == "characters":
                    return common_prefix(labels, view.place, base)
                return contained(labels, view.place, "os.path.commonpath", base)
            case "parent":
                if self.is_chosen_outside(other, state):
                    return None
                labels = self.unproven(subject, state, other)
                return Truth(Facts({label.spot: _right_below(label) for label in labels}), NOTHING)
            case "find" if view.other is not None and view.other.text is not None:
                gone = lacking(view.other.text)
                if other.const in (-1, 0) and gone:
                    return Truth(Facts({label.content: gone for label in subject.labels}), NOTHING)
                return None
            case "edge" if isinstance(other.const, str) and view.other is not None and view.other.const == 0:
                if other.const in ("/", "\\"):
                    return Truth(NOTHING, Facts({label.content: Risk.ABSOLUTE for label in subject.labels}))
                return Truth(Facts({label.content: Risk.ABSOLUTE | Risk.DRIVE for label in subject.labels}), NOTHING)
            case "leading" if isinstance(node, ast.Attribute) and node.attr == "parts":
                whole = reads_as(other, "parts")
                if whole is not None and self.is_chosen_outside(whole.subject, state):
                    return None
                labels = self.unproven(subject, state, whole.subject if whole is not None else None)
                base = self.base_of(other, node.value, frame)
                return contained(labels, Place(frame.unit, node), "the comparison of `parts`", base)
            case "length" if other.const == 1 and reads_as(subject, "parts") is not None:
                return Truth(_one_part(subject), NOTHING)
            case "length" if isinstance(other.const, int):
                return Truth(Facts({label.content: Risk.LONG for label in subject.labels}), NOTHING)
            case _:
                return None

    def _equal_values(self, left: Value, right: Value, state: State) -> Truth | None:
        proven: dict[int, int] = {}
        refuted: dict[int, int] = {}
        if left.labels and right.labels:
            for mine, others in ((left.labels, right.labels), (right.labels, left.labels)):
                least = 0
                for label in others:
                    least |= self.left(label, state)
                for label in mine:
                    gone = self.left(label, state) & ~least
                    if label.origin.kind in SENT and all(item.origin.kind is Kind.PARAMETER for item in others):
                        gone = self.left(label, state)  # what was asked for, whoever else said it
                    if gone:
                        proven[label.content] = gone
                    if label.marks & Mark.NORMAL and not self.is_chosen_outside(
                        right if mine is left.labels else left, state
                    ):
                        proven[label.spot] = EVERYTHING  # it is the caller's own folder
        else:
            value, other = (left, right) if left.labels else (right, left)
            if not value.labels:
                return None
            if other.const == "":
                return Truth(Facts({label.content: EVERYTHING for label in value.labels}), NOTHING)
            for label in value.labels:  # the place that the program itself named
                proven[label.content] = proven[label.spot] = _known(label) if other.const is MISSING else EVERYTHING
                for token, risk in self.about_part(label, other):
                    refuted[token] = refuted.get(token, 0) | risk
        return Truth(Facts(proven), Facts(refuted))

    def about_part(self, label: Label, other: Value) -> list[tuple[int, int]]:
        """What is known of a whole where each of its parts is known not to be this text."""
        text = other.text
        parts = self.parts(label.content)
        if text is None or len(parts) != 3 or parts[0] not in ("part", "character"):  # noqa: PLR2004 -- (kind, separator, whole)
            return []
        gone = lacking(text, segments=parts[0] == "part")
        if text == "" and parts[:2] == ("part", "/"):
            gone = Risk.ABSOLUTE  # what begins at the root has an empty first part
        whole = parts[2]
        return [(label.content, gone), (whole, gone)] if gone and isinstance(whole, int) else []

    # -- membership ---------------------------------------------------------------------------------------------

    def membership(
        self,
        left: Value,
        right: Value,
        nodes: tuple[ast.expr, ast.expr],
        node: ast.Compare,
        state: State,
        frame: Frame,
    ) -> Truth | None:
        """`left in right`."""
        place = Place(frame.unit, node)
        above = self._places_above(right, nodes[1], state, frame)
        if above is not None:
            if self.is_chosen_outside(left, state):
                return None
            return contained(
                self.unproven(above, state, left), place, "`in parents`", self.base_of(left, nodes[0], frame)
            )
        pieces = next(
            (thing for thing in right.things if isinstance(thing, View) and thing.kind in ("parts", "split")), None
        )
        relative = reads_as(right, "relative") or (pieces is not None and reads_as(pieces.subject, "relative")) or None
        if left.text == ".." and relative is not None:
            return Truth(NOTHING, Facts({label.spot: CONTENT for label in relative.subject.labels}))
        if left.text is not None and pieces is not None:
            return self._holds(pieces.subject.labels, left.text, place, segments=True)
        if left.text is not None and right.labels:
            return self._holds(right.labels, left.text, place, segments=False)
        if right.labels and _is_separator(nodes[0], frame):
            return self._holds(right.labels, "/", place, segments=False)
        if not left.labels:
            return self._unread(left, right, nodes[0], place)
        if isinstance(right.const, str):
            return self._made_of(left, right.const)
        if right.labels:
            given = any(label.marks & Mark.INDIRECT for label in left.labels)  # by a call that nobody has read
            return self._unread(left, right, nodes[0], place) if given else None
        if isinstance(right.const, tuple | frozenset):
            characters = [item for item in right.const if isinstance(item, str)]
            if any(self.parts(label.content)[:1] == ("character",) for label in left.labels):
                return self._made_of(left, "".join(characters))
            refuted: dict[int, int] = {}
            for label in left.labels:
                for item in characters:
                    for token, risk in self.about_part(label, constant(item)):
                        refuted[token] = refuted.get(token, 0) | risk
            return Truth(Facts({label.content: EVERYTHING for label in left.labels}), Facts(refuted))
        if any(isinstance(thing, Reference) for thing in right.things) and self._holds_labels(right, state):
            return None
        return Truth(Facts({label.content: _known(label) for label in left.labels}), NOTHING)

    def _unread(self, left: Value, right: Value, node: ast.expr, place: Place) -> Truth | None:
        """`unknown in value`: nothing is proven, but the value was looked through for something."""
        if left.const is not MISSING or not right.labels:
            return None
        shown = self.segment(node, place.unit)
        attempt = Attempt(place, f"the test for {shown}", "what it looks for is not known here", unread=True)
        return Truth(NOTHING, Facts(tried={label.content: (attempt,) for label in right.labels}))

    def _places_above(self, value: Value, node: ast.expr, state: State, frame: Frame) -> Value | None:
        """The place whose parents a value is: `path.parents`, `[path, *path.parents]`."""
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            spread = [item.value for item in node.elts if isinstance(item, ast.Starred)]
            if len(spread) != 1:
                return None
            value = self.evaluate(spread[0], state, frame)
        parents = reads_as(value, "parents")
        return parents.subject if parents is not None else None

    def _holds_labels(self, value: Value, state: State) -> bool:
        found = self.cell(value, state)
        if found is None:
            return False
        cell = found[1]
        if cell.kind == "dict":
            return False
        return any(item.labels for item in cell.items.values()) or bool(cell.rest and cell.rest.labels)

    def _holds(self, labels: tuple[Label, ...], text: str, place: Place, *, segments: bool) -> Truth | None:
        if self.secrets and text == " ":
            return Truth(spaced(self, labels), Facts())
        return holds_text(labels, text, place, segments=segments)

    def _made_of(self, left: Value, characters: str) -> Truth:
        """Each character is one of these: of one character, and of the text whose characters are looked at."""
        gone = charset(characters)
        proven: dict[int, int] = {}
        for label in left.labels:
            parts = self.parts(label.content)
            proven[label.content] = gone
            if parts[:1] == ("character",) and isinstance(parts[-1], int):
                proven[parts[-1]] = gone
        return Truth(Facts(proven), NOTHING)

    # -- order --------------------------------------------------------------------------------------------------

    def order(self, left: Value, kind: type, right: Value, node: ast.Compare, frame: Frame) -> Truth | None:
        """`left < right` and kin: bounds of numbers and lengths."""
        place = Place(frame.unit, node)
        for subject, other, subset in ((left, right, (ast.Lt, ast.LtE)), (right, left, (ast.Gt, ast.GtE))):
            if kind in subset and (found := letters_asked(subject, "issubset", other, place)) is not None:
                return found
        if right.labels and not left.labels:
            left, right, kind = right, left, SWAPPED[kind]
        view = reads_as(left, "length")
        if view is None and reads_as(right, "length") is not None:
            left, right, kind = right, left, SWAPPED[kind]
            view = reads_as(left, "length")
        find = reads_as(left, "find")
        if find is not None and find.other is not None and find.other.text is not None:
            gone = {label.content: lacking(find.other.text) for label in find.subject.labels}
            return Truth(Facts(gone), NOTHING) if kind in (ast.Lt, ast.LtE) else Truth(NOTHING, Facts(gone))
        subject = view.subject if view is not None else left
        if view is not None and reads_as(subject, "parts") is not None:
            holds_one = (kind, right.const) in ((ast.Lt, 2), (ast.LtE, 1))
            fails_one = (kind, right.const) in ((ast.Gt, 1), (ast.GtE, 2))
            one = _one_part(subject)
            return Truth(one if holds_one else NOTHING, one if fails_one else NOTHING)
        if not subject.labels or right.labels:
            return None
        above = Risk.LONG if view is not None else Risk.UPPER
        below = Risk.NONE if view is not None else Risk.LOWER
        holds, fails = (above, below) if kind in (ast.Lt, ast.LtE) else (below, above)
        return Truth(
            Facts({label.content: holds for label in subject.labels} if holds else {}),
            Facts({label.content: fails for label in subject.labels} if fails else {}),
        )


def _right_below(label: Label) -> int:
    """What is proven of a path whose folder is the one that was meant: also unresolved, only a last `..` is left."""
    return CONTENT if label.marks & Mark.NORMAL else CONTENT & ~Risk.PARENT


def _truth(truth: Truth | None) -> Value:
    return Value(truth=truth) if truth is not None else CLEAN


def _one_part(parts: Value) -> Facts:
    """What is known of a path that has one part only."""
    view = reads_as(parts, "parts")
    labels = view.subject.labels if view is not None else ()
    return Facts({label.content: PLACE & ~Risk.PARENT for label in labels})


def _is_separator(node: ast.expr, frame: Frame) -> bool:
    """Whether an expression is `os.sep`, or a name of a separator that was made of it (as bytes)."""
    if isinstance(node, ast.Name) and node.id in SEPARATOR_NAMES:
        module = frame.unit.module
        value = module.scopes.value_of(node)
        return value is not None and any(_is_sep(item) for item in ast.walk(value))
    return _is_sep(node)


def _is_sep(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "sep"


_ = (Mark, replace)
