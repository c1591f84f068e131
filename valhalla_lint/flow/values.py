"""What the engine knows of a value: its labels, its constant, what it is, what its truth would prove."""

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from valhalla_lint.core.frozen import field, frozen, replace
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.flow.labels import Grade, Mark, Origin, Risk

if TYPE_CHECKING:
    from valhalla_lint.flow.state import State
    from valhalla_lint.flow.units import ClassRef, Unit

MAX_LABELS = 12
"""Labels that one value carries; more say nothing new to a reader."""
MAX_CHOICES = 4
"""Different things that one value may be at once."""


@frozen(eq=False)
class Place:
    """A node in a file."""

    unit: "Unit"
    node: ast.AST


@frozen(eq=False)
class Trail:
    """The way of a value up to here, last step first."""

    place: Place
    text: str
    before: "Trail | None" = None


@frozen(eq=False)
class Attempt:
    """A check that did not prove enough: what it is, why it fails, and a text that passes it.

    void: it stops nothing of what matters (`exists`, `normpath` alone, a check before decoding).
    early: it would do if the value came in already resolved.
    telling: nobody writes it but to keep paths inside a folder, so it is worth a word even if no use is in sight.
    unread: it looks for something in the value that is not known here. It is never told itself, but whoever calls
    another check weak cannot be sure of it.
    gate: a function of the project that looks where a path lies, and of which nobody knows whether it does so here.
    bases: tokens of the texts of the folder with which it compares, which is not what it checks.
    """

    place: Place
    check: str
    reason: str
    example: str = ""
    void: bool = False
    telling: bool = False
    early: bool = False
    unread: bool = False
    gate: bool = False
    bases: tuple[int, ...] = ()


@frozen()
class Label:
    """That a value stems from an origin, and what may still be wrong with it.

    content: token of its text, shared by all values whose text holds it unchanged; proofs about content go there.
    spot: token of the place in the file system that it names; proofs of containment go there.
    risk: see `Risk`. marks: see `Mark`. join: where it was first put below a base;
    sites: the calls that led there, outermost first.
    """

    origin: Origin
    content: int
    spot: int
    risk: int
    marks: int = Mark.NONE
    join: Place | None = field(default=None, compare=False)
    sites: tuple[Place, ...] = field(default=(), compare=False)
    trail: Trail | None = field(default=None, compare=False)

    @property
    def key(self) -> tuple[Origin, int, int]:
        """What tells labels of one value apart."""
        return (self.origin, self.content, self.spot)

    def risking(self, risk: int) -> "Label":
        """The same with other risks; half the time of `dataclasses.replace`, as are the next three."""
        return Label(
            self.origin, self.content, self.spot, risk, self.marks, join=self.join, sites=self.sites, trail=self.trail
        )

    def marked(self, marks: int) -> "Label":
        """The same with other marks."""
        return Label(
            self.origin, self.content, self.spot, self.risk, marks, join=self.join, sites=self.sites, trail=self.trail
        )

    def about(self, content: int, spot: int, risk: int) -> "Label":
        """The same about another text and place."""
        return Label(self.origin, content, spot, risk, self.marks, join=self.join, sites=self.sites, trail=self.trail)

    def after(self, trail: "Trail") -> "Label":
        """The same one step further."""
        return Label(
            self.origin, self.content, self.spot, self.risk, self.marks, join=self.join, sites=self.sites, trail=trail
        )


@frozen()
class Library:
    """A function, class, module or object of a library (or a builtin), by its qualified name."""

    name: str


@frozen()
class Instance:
    """An instance of a library's class, by qualified name; `list[X]` for something that yields X."""

    type: str


@frozen(eq=False)
class Function:
    """A function of the project, with the variables around it and the object that it is bound to.

    bare: the function itself, as its decorators call it.
    """

    unit: "Unit"
    node: "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"
    closure: "Mapping[str, Value] | None" = None
    bound: "Value | None" = None
    owner: "ClassRef | None" = None
    bare: bool = False


@frozen()
class Class:
    """A class of the project."""

    ref: "ClassRef"


@frozen()
class Reference:
    """An object, dictionary or list whose contents stand in the state's heap."""

    number: int


@frozen()
class Body:
    """A request body (or tool arguments) of a project's class: its fields come from outside. many: a list of them."""

    ref: "ClassRef"
    origin: Origin
    many: bool = False


@frozen(eq=False)
class Partial:
    """`functools.partial`."""

    target: "Value"
    arguments: "tuple[Value, ...]"
    keywords: "Mapping[str, Value]"


@frozen()
class Regex:
    """A compiled regular expression."""

    pattern: str
    flags: int


@frozen(eq=False)
class Members:
    """Some class of a module, chosen by a name that is not known here."""

    unit: "Unit"


@frozen(eq=False)
class BoundMethod:
    """A method of a value that is not of the project."""

    receiver: "Value"
    name: str


@frozen(eq=False)
class View:
    """A question asked of a value whose answer will be compared: `parent`, `parents`, `common`, `prefix`, `length`, ….

    subject: the value asked. other: what it was asked against. place: where it was asked.
    """

    kind: str
    subject: "Value"
    other: "Value | None" = None
    place: Place | None = None


@frozen()
class Made:
    """An object of a class of the project that was made somewhere else; what it holds is not known."""

    ref: "ClassRef"


Thing = Library | Instance | Function | Class | Reference | Body | Made | Partial | Regex | Members | BoundMethod | View


@frozen(eq=False)
class Facts:
    """What becomes known where a condition holds: risks taken away by token, checks that were not enough by token."""

    proven: Mapping[int, int] = field(default_factory=dict)
    tried: Mapping[int, tuple[Attempt, ...]] = field(default_factory=dict)


NOTHING = Facts()


def together(facts: Iterable[Facts]) -> Facts:
    """What is known where all of these are."""
    proven: dict[int, int] = {}
    tried: dict[int, tuple[Attempt, ...]] = {}
    for item in facts:
        for token, risk in item.proven.items():
            proven[token] = proven.get(token, 0) | risk
        for token, attempts in item.tried.items():
            tried[token] = (*tried.get(token, ()), *attempts)
    return Facts(proven, tried)


@frozen(eq=False)
class Truth:
    """What the truth of a value would tell; None where it cannot be so."""

    holds: Facts | None = NOTHING
    fails: Facts | None = NOTHING


SOMETHING = Truth(fails=None)
"""Of what a function gives back where it refuses: an error, a response."""


@frozen(eq=False)
class Value:
    """What is known of one value."""

    labels: tuple[Label, ...] = ()
    const: object = MISSING
    things: tuple[Thing, ...] = ()
    truth: Truth | None = None

    @property
    def thing(self) -> Thing | None:
        """The only thing that it can be, or None."""
        return self.things[0] if len(self.things) == 1 else None

    @property
    def text(self) -> str | None:
        """The string that it must be, or None; for bytes what they spell, since paths may be either."""
        if isinstance(self.const, bytes):
            return self.const.decode("latin-1")
        return self.const if isinstance(self.const, str) else None

    def type(self) -> str:
        """The qualified name of the library class that it is an instance of, or ""."""
        for thing in self.things:
            if isinstance(thing, Instance):
                return thing.type
        return ""


CLEAN = Value()


def constant(value: object) -> Value:
    """A value that must be this constant."""
    return Value(const=value)


def instance(name: str) -> Value:
    """A clean instance of a library class."""
    return Value(things=(Instance(name),)) if name else CLEAN


def merge_labels(first: tuple[Label, ...], second: tuple[Label, ...]) -> tuple[Label, ...]:
    """The union: where both know a label, its risks add up, and marks hold only if earned on both ways."""
    if not second or first is second:
        return first
    if not first:
        return second
    found = {label.key: label for label in first}
    for label in second:
        known = found.get(label.key)
        if known is None:
            if len(found) < MAX_LABELS:
                found[label.key] = label
        elif known.risk != label.risk or known.marks != label.marks:
            both = known.marks & label.marks | (known.marks | label.marks) & (
                Mark.INDIRECT | Mark.JOINED | Mark.FAR | Mark.BESIDE | Mark.BELOW
            )
            found[label.key] = replace(known, risk=known.risk | label.risk, marks=both, join=known.join or label.join)
    return tuple(found.values())


def merge(first: Value, second: Value) -> Value:
    """A value that may be either."""
    if first is second:
        return first
    things = first.things
    for thing in second.things:
        if thing not in things and len(things) < MAX_CHOICES:
            things = (*things, thing)
    const: object = MISSING
    if first.const is second.const or _same(first.const, second.const):
        const = first.const
    return Value(merge_labels(first.labels, second.labels), const, things)


def _same(first: object, second: object) -> bool:
    if first is MISSING or second is MISSING or first.__class__ is not second.__class__:
        return False
    try:
        return bool(first == second)
    except Exception:  # noqa: BLE001 -- constants of any kind are compared; a failure means "not known to be equal"
        return False


def merge_all(values: Iterable[Value]) -> Value:
    """A value that may be any of these; clean where there is none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else merge(result, value)
    return result if result is not None else CLEAN


def with_labels(labels: tuple[Label, ...], things: tuple[Thing, ...] = ()) -> Value:
    """A value with labels and no known constant."""
    return Value(labels, MISSING, things) if labels or things else CLEAN


def without(labels: tuple[Label, ...], risk: int) -> tuple[Label, ...]:
    """The labels with risks taken away."""
    return tuple(label.risking(label.risk & ~risk) if label.risk & risk else label for label in labels)


def marked(labels: tuple[Label, ...], adds: int, drops: int = Mark.NONE) -> tuple[Label, ...]:
    """The labels with marks earned and lost."""
    return tuple(
        label if (label.marks & ~drops) | adds == label.marks else replace(label, marks=(label.marks & ~drops) | adds)
        for label in labels
    )


def stepped(labels: tuple[Label, ...], place: Place, text: str) -> tuple[Label, ...]:
    """The labels with one more step on their way."""
    return tuple(label.after(Trail(place, text, label.trail)) for label in labels)


BELOW = "is put below a folder"
"""What a trail says of a join."""


def joined_at(label: Label, place: Place, sites: tuple[Place, ...]) -> Label:
    """The label of what was put below a folder here, for the first time."""
    return replace(label, join=place, sites=sites, trail=Trail(place, BELOW, label.trail))


def reads_as(value: Value, kind: str) -> View | None:
    """The view of a kind that a value is, if it is one."""
    thing = value.thing
    return thing if isinstance(thing, View) and thing.kind == kind else None


def all_labels(value: Value, state: "State", depth: int = 3) -> tuple[Label, ...]:
    """The labels of a value and of what it holds."""
    labels = value.labels
    if depth <= 0:
        return labels
    for thing in value.things:
        if isinstance(thing, Reference) and (cell := state.heap.get(thing.number)) is not None:
            for item in cell.items.values():
                labels = merge_labels(labels, all_labels(item, state, depth - 1))
            if cell.rest is not None:
                labels = merge_labels(labels, all_labels(cell.rest, state, depth - 1))
        elif isinstance(thing, View) and thing.kind not in ("length", "find"):
            labels = merge_labels(labels, all_labels(thing.subject, state, depth - 1))
    return labels


def chosen_outside(value: Value) -> bool:
    """Whether somebody outside chooses a value: as a base to compare with it is worth nothing then.

    What was looked up by an outside key was put there by the program.
    """
    return any(label.origin.grade is Grade.CERTAIN and not label.marks & Mark.FAR for label in value.labels)


def same_place(first: Value, second: Value) -> bool:
    """Whether two values surely name the same place."""
    if first.labels or second.labels:
        return {label.spot for label in first.labels} == {label.spot for label in second.labels}
    return first.const is not MISSING and _same(first.const, second.const)


def union(labels: Iterable[tuple[Label, ...]]) -> tuple[Label, ...]:
    """The union of several sets of labels."""
    found: tuple[Label, ...] = ()
    for some in labels:
        found = merge_labels(found, some)
    return found


EVERYTHING = Risk.PLAIN * 2 - 1
"""All risks: what equality with a known value takes away."""
