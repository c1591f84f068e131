"""The state of a program at one point: variables, objects, and what checks have proven so far."""

import ast
from collections.abc import Iterable, Mapping

from valhalla_lint.core.frozen import field, frozen, replace
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.flow.checks import escapes
from valhalla_lint.flow.labels import ANYTHING, PLACE
from valhalla_lint.flow.units import ClassRef
from valhalla_lint.flow.values import EVERYTHING, Attempt, Body, Facts, Label, Place, Truth, Value, merge

UNSAID = Facts()
"""Of a value whose truth tells nothing."""
MAX_ATTEMPTS = 4
"""Checks that are remembered for one value."""


@frozen(eq=False)
class Cell:
    """The contents of one object: attributes, items of a dictionary, or elements of a list.

    rest: what unknown keys may hold. exact: the elements of a list and their order are known.
    """

    kind: str
    items: Mapping[object, Value] = field(default_factory=dict)
    rest: Value | None = None
    exact: bool = True
    ref: ClassRef | None = None


@frozen()
class Joined:
    """A value that was put below a folder: judged where the function that did it ends."""

    label: Label
    place: Place
    sites: tuple[Place, ...]

    def without(self, risk: int) -> "Joined":
        """The same with risks taken away."""
        return replace(self, label=replace(self.label, risk=self.label.risk & ~risk))


class Run:
    """What all states of one entry share.

    ever: tokens that some check in sight proves, on whatever branch. compared: how much was compared where ways met.
    """

    __slots__ = ("compared", "ever")

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.ever: set[int] = set()
        self.compared = 0


class State:
    """Variables, heap and proofs. Copied at branches, merged where they meet; cells and values never change.

    pending: what was put below a folder so far.
    """

    __slots__ = ("heap", "pending", "proven", "run", "tried", "variables")

    def __init__(
        self,
        variables: dict[str, Value] | None = None,
        heap: dict[int, Cell] | None = None,
        proven: dict[int, int] | None = None,
        tried: dict[int, tuple[Attempt, ...]] | None = None,
        pending: dict[tuple[int, int], Joined] | None = None,
        run: Run | None = None,
    ) -> None:
        """Take the dictionaries over."""
        self.run = Run() if run is None else run
        self.pending = {} if pending is None else pending
        self.variables = {} if variables is None else variables
        self.heap = {} if heap is None else heap
        self.proven = {} if proven is None else proven
        self.tried = {} if tried is None else tried

    @property
    def size(self) -> int:
        """How much there is to compare where this way meets another."""
        return len(self.variables) + len(self.heap) + len(self.proven) + len(self.tried) + len(self.pending)

    def copy(self) -> "State":
        """An independent copy."""
        return State(
            dict(self.variables), dict(self.heap), dict(self.proven), dict(self.tried), dict(self.pending), self.run
        )

    def learn(self, facts: Facts) -> None:
        """Add what a condition tells."""
        for token, risk in facts.proven.items():
            self.proven[token] = self.proven.get(token, 0) | risk
            if risk != EVERYTHING and risk & PLACE and not escapes(ANYTHING & ~risk):
                self.run.ever.add(token)
        for token, attempts in facts.tried.items():
            self.tried[token] = _together(self.tried.get(token, ()), attempts)

    def attempt(self, token: int, attempt: Attempt) -> None:
        """Remember a check that was not enough, once."""
        self.tried[token] = _together(self.tried.get(token, ()), (attempt,))

    def knowing(self, facts: Facts | None) -> "State | None":
        """A copy that knows more; None where the condition cannot be."""
        if facts is None:
            return None
        state = self.copy()
        state.learn(facts)
        return state

    def inside(self, variables: dict[str, Value]) -> "State":
        """The state in which a called function begins: its own variables, the caller's objects and proofs."""
        return State(variables, dict(self.heap), dict(self.proven), dict(self.tried), dict(self.pending), self.run)

    def take_effects(self, other: "State") -> None:
        """After a call: objects and proofs of the called function's end."""
        self.heap = other.heap
        self.proven = other.proven
        self.tried = other.tried
        self.pending = other.pending


def _together(first: tuple[Attempt, ...], second: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
    if not second or first is second:
        return first
    new = tuple(item for item in second if all(item.place.node is not old.place.node for old in first))
    every = (*first, *new)
    if len(every) > MAX_ATTEMPTS:  # what stops nothing anyway is forgotten first
        every = (*(item for item in every if not item.void), *(item for item in every if item.void))
    return every[:MAX_ATTEMPTS]


def _of_both(first: tuple[Attempt, ...], second: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
    """Checks on which both ways depend, and all that stop nothing anyway."""
    if first is second:
        return first
    gate = any(item.gate for item in second)
    kept = tuple(
        item
        for item in first
        if item.void or (item.gate and gate) or any(item.place.node is other.place.node for other in second)
    )
    return _together(kept, tuple(item for item in second if item.void))


def meet(first: State | None, second: State | None) -> State | None:
    """The state where two ways meet: proofs hold only if both ways have them."""
    if first is None or first is second:
        return second
    if second is None:
        return first
    run = first.run
    run.compared += second.size
    lost = {token: risk for token, risk in first.proven.items() if risk & ~second.proven.get(token, 0)}
    if lost:
        first = settled(first, lost)
        run.compared += first.size
    lost = {token: risk for token, risk in second.proven.items() if risk & ~first.proven.get(token, 0)}
    if lost:
        second = settled(second, lost)
        run.compared += second.size
    variables = dict(first.variables)
    for name, value in second.variables.items():
        known = variables.get(name)
        if known is not value:  # most are the same on both ways
            variables[name] = value if known is None else _either(known, value, first, second)
    heap = dict(first.heap)
    for number, cell in second.heap.items():
        other = heap.get(number)
        if other is not cell:
            heap[number] = cell if other is None else _merge_cells(other, cell)
    proven = {token: risk & second.proven[token] for token, risk in first.proven.items() if token in second.proven}
    pending, alone = first.pending, set[int]()
    if second.pending is not pending and second.pending != pending:
        pending = {**first.pending, **second.pending}
        for one, two in ((first, second), (second, first)):  # what one way never made needs no proof there
            for key in [key for key in one.pending if key not in two.pending]:
                alone.add(key[1])
                joined = one.pending[key]
                for token in key:
                    if gone := one.proven.get(token, 0) & ~proven.get(token, 0):
                        joined = pending[key] = joined.without(gone)
    return State(variables, heap, proven, _tried_on_both(first, second, alone), pending, run)


def _tried_on_both(first: State, second: State, alone: set[int]) -> dict[int, tuple[Attempt, ...]]:
    """What was looked at on two ways; most is what both knew when they parted.

    alone: spots of what one of the ways never made.
    """
    tried: dict[int, tuple[Attempt, ...]] = {}
    proven = first.proven.keys() | second.proven.keys()
    for token, attempts in first.tried.items():
        if second.tried.get(token) is attempts and token not in proven:
            tried[token] = attempts
        elif known := _attempts_on_both(token, first, second, alone):
            tried[token] = known
    for token in second.tried:
        if token not in first.tried and (known := _attempts_on_both(token, first, second, alone)):
            tried[token] = known
    return tried


def _attempts_on_both(token: int, first: State, second: State, alone: set[int]) -> tuple[Attempt, ...]:
    """What was looked at of one token. alone: spots of what one of the ways never made."""
    if token in alone:  # of what one way never made that way asks nothing
        return first.tried.get(token) or second.tried.get(token, ())
    attempts = _of_both(first.tried.get(token, ()), second.tried.get(token, ()))
    for one, two in ((first, second), (second, first)):
        items = one.tried.get(token, ())
        told = tuple(item for item in items if item.telling)
        if told and token not in two.tried and _only_in(one, two, token):
            attempts = _together(attempts, told)
        looked = tuple(item for item in items if item.gate or item.telling)
        if looked and not escapes(ANYTHING & ~two.proven.get(token, 0)):
            attempts = _together(attempts, looked)  # looked at on one way, proven on the other
    return attempts


def _only_in(one: State, other: State, token: int) -> bool:
    """Whether a variable of one way holds what a check was about, and none of the other way does."""
    return _holds(one, token) and not _holds(other, token)


def _holds(state: State, token: int) -> bool:
    return any(token in (label.spot, label.content) for value in state.variables.values() for label in value.labels)


def _either(known: Value, value: Value, first: State, second: State) -> Value:
    """What a variable is after two ways: an answer that both keep in it tells what each told of its own way."""
    merged = merge(known, value)
    if merged.const is not MISSING or (known.truth is None and value.truth is None):
        return merged
    told: list[Facts | None] = []
    for wanted in (True, False):
        one, two = _where(known, first, wanted=wanted), _where(value, second, wanted=wanted)
        if one is UNSAID or two is UNSAID:
            return merged
        told.append(_both(one, two))
    return replace(merged, truth=Truth(*told))


def _where(value: Value, state: State, *, wanted: bool) -> Facts | None:
    """What is known at the end of a way if a value is true (or false) there; None where it cannot be."""
    if isinstance(value.const, bool | None):
        return Facts(state.proven, state.tried) if bool(value.const) is wanted else None
    if value.truth is None or value.const is not MISSING:
        return UNSAID
    facts = value.truth.holds if wanted else value.truth.fails
    if facts is None:
        return None
    proven = dict(state.proven)
    for token, risk in facts.proven.items():
        proven[token] = proven.get(token, 0) | risk
    return Facts(proven, {**state.tried, **facts.tried})


def _both(one: Facts | None, two: Facts | None) -> Facts | None:
    """What is known on both of two ways, of which one may not be."""
    if one is None or two is None:
        return two if one is None else one
    proven = {token: risk & two.proven[token] for token, risk in one.proven.items() if token in two.proven}
    tried = {
        token: _of_both(one.tried.get(token, ()), two.tried.get(token, ()))
        for token in one.tried.keys() | two.tried.keys()
    }
    return Facts(proven, tried)


def held_by_some(test: ast.expr, before: State, first: State, second: State, together: State) -> None:
    """Keep what one branch of a condition looked at, where the condition is about nothing that came from outside.

    `if is_managed(account): check(path)`: who need not be checked is the program's own decision. A switch
    (`if self.strict`) asks nothing of anybody.
    """
    asks = any(isinstance(item, ast.Call) for item in ast.walk(test))
    if not asks or any(isinstance(item, ast.Name) and _is_outside(before, item.id) for item in ast.walk(test)):
        return
    keep_gates(first, together)
    keep_gates(second, together)


def keep_gates(way: State, together: State) -> None:
    """Keep what one way had looked at."""
    for token, attempts in way.tried.items():
        for attempt in attempts:
            if attempt.gate:
                together.attempt(token, attempt)


def _is_outside(state: State, name: str) -> bool:
    value = state.variables.get(name)
    return value is not None and (bool(value.labels) or any(isinstance(thing, Body) for thing in value.things))


def take_joins(state: State, inside: State) -> None:
    """Take over what was put below a folder in a scope of its own (a comprehension), with what was proven there."""
    for key, joined in inside.pending.items():
        if key in state.pending:
            continue
        for token in key:
            joined = joined.without(inside.proven.get(token, 0) & ~state.proven.get(token, 0))  # noqa: PLW2901 -- both
            if token in inside.tried:
                state.tried[token] = inside.tried[token]
        state.pending[key] = joined


def meet_all(states: Iterable[State | None]) -> State | None:
    """The state where several ways meet; None where none arrives."""
    result: State | None = None
    for state in states:
        result = meet(result, state)
    return result


def settled(state: State, proven: Mapping[int, int]) -> State:
    """A state whose values carry these proofs themselves, so that they outlive the branch."""
    variables = {name: settle(value, proven) for name, value in state.variables.items()}
    heap = {number: _settled_cell(cell, proven) for number, cell in state.heap.items()}
    return State(variables, heap, state.proven, state.tried, state.pending, state.run)


def _settled_cell(cell: Cell, proven: Mapping[int, int]) -> Cell:
    """The same cell where nothing in it depends on these proofs: ways that meet compare only what is another."""
    changed = {key: new for key, item in cell.items.items() if (new := settle(item, proven)) is not item}
    rest = cell.rest if cell.rest is None else settle(cell.rest, proven)
    if not changed and rest is cell.rest:
        return cell
    return Cell(cell.kind, {**cell.items, **changed}, rest, cell.exact, cell.ref)


def settle(value: Value, proven: Mapping[int, int]) -> Value:
    """A value whose labels no longer depend on what is proven elsewhere; the same where they do not."""
    for label in value.labels:
        if (proven.get(label.content, 0) | proven.get(label.spot, 0)) & label.risk:
            break
    else:
        return value
    labels = tuple(
        label.risking(label.risk & ~gone)
        if (gone := proven.get(label.content, 0) | proven.get(label.spot, 0)) & label.risk
        else label
        for label in value.labels
    )
    return Value(labels, value.const, value.things, value.truth)


def _merge_cells(first: Cell, second: Cell) -> Cell:
    items = dict(first.items)
    for key, value in second.items.items():
        known = items.get(key)
        if known is not value:
            items[key] = value if known is None else merge(known, value)
    rest = first.rest if second.rest is None else second.rest if first.rest is None else merge(first.rest, second.rest)
    exact = first.exact and second.exact and len(first.items) == len(second.items)
    return Cell(first.kind, items, rest, exact, first.ref or second.ref)


def gained(before: State, after: State | None) -> Facts | None:
    """What a state knows beyond an earlier one; None where there is no such state."""
    if after is None:
        return None
    proven = {token: risk for token, risk in after.proven.items() if risk & ~before.proven.get(token, 0)}
    tried = {token: items for token, items in after.tried.items() if items != before.tried.get(token)}
    return Facts(proven, tried)
