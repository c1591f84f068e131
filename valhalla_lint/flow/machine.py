"""What all parts of the interpreter share: bounds, tokens, frames, and what was found."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.frozen import changing, field, frozen, replace
from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.disk import Answers
from valhalla_lint.facts.reading import ModuleReader
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.checks import escapes
from valhalla_lint.flow.labels import ANYTHING, PLACE, Mark, Origin, Use
from valhalla_lint.flow.noted import Noted
from valhalla_lint.flow.provenance import Provenance
from valhalla_lint.flow.questions import Questions
from valhalla_lint.flow.state import Cell, Run, State, meet
from valhalla_lint.flow.units import ClassRef, Loader, Unit
from valhalla_lint.flow.values import (
    EVERYTHING,
    Attempt,
    Function,
    Label,
    Place,
    Reference,
    Regex,
    Truth,
    Value,
    chosen_outside,
)

if TYPE_CHECKING:
    from valhalla_lint.flow.borrowed import Abroad
    from valhalla_lint.flow.catalogue import Catalogue
    from valhalla_lint.flow.demand import Guarding


class Bounds(NamedTuple):
    """How far one entry function is followed.

    steps: statements and expressions that are interpreted, those of called functions included.
    own: the same where nothing is certain to come from outside: a caller's own parameters, and secrets by their names.
    of_call: steps that one call may take, by its depth: a long callee must not use up what its caller needs.
    calls: calls inside calls. files: other files that one chain of calls leads through.
    """

    steps: int
    own: int
    of_call: tuple[int, ...]
    calls: int
    files: int


USUAL = Bounds(steps=4_000, own=2_000, of_call=(4_000, 1_200, 500, 300, 200, 100), calls=5, files=2)
SECOND_LOOK = Bounds(
    steps=32_000, own=16_000, of_call=(32_000, 9_600, 4_000, 2_400, 1_600, 800, 800, 800, 800), calls=8, files=4
)
"""For entries of which something would be told though a bound was hit: a check may lie behind it. In 329 findings of
packages that nobody had learnt from, eight times the steps took back five wrong ones and no right one."""
MAX_TOTAL = 250_000
"""Steps for one file, with what else takes time beside them, and as many for its second look."""
SCANT = 200
"""Steps that a function has still where those of its file are used up."""
COMPARED = 64
"""What is compared where ways meet in the time of one step: variables, objects, proofs and checks."""
HANDED_ON = 2
"""Labels that a call of which nothing is known hands on in the time of one step."""
MAX_NESTING = 90
"""Statements and expressions inside each other; each costs up to four frames of Python's own thousand."""
MAX_UNROLLED = 5
"""Constants up to which a loop over them is followed one by one."""
SAME = frozenset({"Path", "PurePath", "PosixPath", "PurePosixPath", "str", "fspath"})
"""Calls whose path is the one that they are given."""
MAX_SEGMENT = 60
"""Characters of source text that a step or message shows."""

SPELLINGS = frozenset({"urllib.parse.unquote", "urllib.parse.unquote_plus", "character"})
"""What makes another spelling of a text, in which a check sees all that the text itself holds."""
SHORTENED = frozenset({"strip", "slice"})
"""What takes a piece off the end of a text, which leads nowhere else than the text."""

ASKED, USED, MADE = "asked", "used", "made"

FunctionLike = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@changing
class Frame:
    """One function being interpreted."""

    unit: Unit
    node: FunctionLike | None
    caller: "Frame | None" = None
    site: Place | None = None
    depth: int = 0
    files: int = 0
    owner: ClassRef | None = None
    receiver: Value | None = None
    closure: "dict[str, Value]" = field(default_factory=dict)
    returns: list[tuple[Value, State]] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    raises: list[list[State]] = field(default_factory=list)
    loops: list[tuple[list[State], list[State]]] = field(default_factory=list)
    nested: list[Function] = field(default_factory=list)
    called: set[ast.AST] = field(default_factory=set)
    idle: frozenset[ast.stmt] = frozenset()


@frozen(eq=False)
class Reached:
    """An outside value that arrived at a sink with something left to object to."""

    label: Label
    left: int
    use: Use
    place: Place
    name: str
    sites: tuple[Place, ...]
    attempts: tuple[Attempt, ...]
    entry: ast.AST | None
    argument: str = ""
    held: bool = False
    """Whether the same text was proven to stay inside when it was put below another folder."""


class Machine:
    """Shared by the parts of the interpreter; those parts are mixed into one class in `analysis`."""

    reached: "list[Reached]"
    checks: list[Attempt]
    bounds_hit: set[tuple[ast.AST | None, str]]
    """Entries, and which of their bounds were hit, None for the file."""
    checked: set[tuple[ast.AST | None, int]]
    asked: set[tuple[ast.AST | None, Origin, int]]
    safe_calls: set[ast.AST]
    open_calls: set[ast.AST]
    switches: dict[ast.AST | None, str]
    """Of entries, what switches a check in them on or off."""
    anywhere: set[tuple[ast.AST | None, Origin, object]]
    """Of entries, values that are asked whether they begin at the root (`ASKED`), and those that reach a sink as they
    stand, absolute names included (the sink's node; `USED` where more is done than to ask whether it is there); `MADE`
    where folders are made of them."""
    used: set[ast.AST]
    """Joins whose path somebody asks about, or is handed to do something with."""

    bases: Answers[ast.expr, tuple[Unit, ast.expr]]
    """Of what is put below folders, the folders."""

    allowed: int
    """Steps up to which the file's entries may go so far."""
    current: Run
    """What the states of the entry share that is interpreted."""

    bounds = USUAL
    second: frozenset[ast.AST] = frozenset()
    """Entries that are followed further, as something would be told of them though a bound was hit."""

    def __init__(
        self, main: Unit, settings: Settings, catalogue: "Catalogue", topics: frozenset[str], read: ModuleReader
    ) -> None:
        """Nothing is interpreted here. read: gives the texts of other modules."""
        self.main = main
        self.settings = settings
        self.catalogue = catalogue
        self.topics = topics
        self.loader = Loader(main, settings, read)
        self.provenance = Provenance(self)
        Noted().note_in(self)
        self.inlined, self.dotted = dict[ast.AST, int](), set[str]()
        """How often each function was followed; variables of whose attributes something is known under its own name."""
        self.bases = Answers()
        self.things: set[ast.AST] = set()  # functions that are looked at for the names of things alone
        self.entry: ast.AST | None = None
        self.route = ""
        """The path template under which the entry is registered."""
        self.asks = False
        self.secrets = False
        self.request_types = catalogue.outside_types
        self.validating: set[tuple[ast.AST, str]] = set()
        self.proven_whole: dict[tuple[ast.AST, str], Mapping[int, int]] = {}
        self.visited: set[ast.AST] = set()
        self.calls_of: ast.AST | None = None
        self.seen_calls: list[tuple[State, dict[str, Value]]] = []
        self.beginning: Answers[Unit, set[ast.AST]] = Answers()
        self.borrowing: Answers[tuple[ast.AST, int], bool] = Answers()
        self.lending, self.lenders = Answers[tuple[Unit, str], bool](), Answers[tuple[Unit, str], bool]()
        self.abroad: Answers[Unit, Abroad] = Answers()
        self.classes: Answers[ast.expr, ClassRef | None] = Answers()
        self.classing: set[ast.expr] = set()
        self.ending: Answers[Unit, set[ast.AST]] = Answers()
        self.looked = False
        """Whether the function that was called last looked where a path lies, if only on one of its ways."""
        self.gates: Answers[tuple[ast.AST, int], bool] = Answers()
        self.guarding: dict[Unit, Guarding] = {}
        self.audit = settings.preset is Preset.AUDIT
        self.view = (catalogue, topics, self.audit, self.loader.world)
        """What else than the files of the project answers depend on."""
        self.questions = Questions(self)
        self._tokens: dict[tuple[object, ...], int] = {}
        self._parts: dict[int, tuple[object, ...]] = {}
        self.changed: set[int] = set()
        """Texts that others were made to say something else: what a function asked of those says nothing of them."""
        self.contents: dict[int, int] = {}
        """Of places, the text that was put below a folder there."""
        self._cells = self.nesting = self.steps = self.total = 0
        self.limit, self.allowed, self.current = USUAL.steps, MAX_TOTAL, Run()

    # -- implemented by the parts -------------------------------------------------------------------------------

    def evaluate(self, node: ast.expr | None, state: State, frame: Frame) -> Value:
        """The value of an expression; the state changes with its effects."""
        raise NotImplementedError

    def refine(self, test: ast.expr, state: State, frame: Frame) -> tuple[State | None, State | None]:
        """The states in which a condition holds and fails; None where that cannot be."""
        raise NotImplementedError

    def block(self, statements: Sequence[ast.stmt], state: State | None, frame: Frame) -> State | None:
        """The state after statements; None where none of them lets control pass."""
        raise NotImplementedError

    def call(self, target: Value, call: "Call") -> Value:
        """The value of a call of a known target."""
        raise NotImplementedError

    def assign(
        self, target: ast.expr, value: Value, state: State, frame: Frame, source: ast.expr | None = None
    ) -> None:
        """Bind a value to a target of any form."""
        raise NotImplementedError

    def attribute(self, base: Value, name: str, node: ast.expr, state: State, frame: Frame) -> Value:
        """The value of an attribute."""
        raise NotImplementedError

    def elements(self, value: Value, state: State, node: ast.AST) -> Value:
        """What iterating over a value yields."""
        raise NotImplementedError

    def one_part(self, value: Value, state: State) -> Value:
        """One of the elements; implemented where objects are."""
        raise NotImplementedError

    def join(
        self,
        values: Sequence[Value],
        nodes: Sequence[ast.expr | None],
        node: ast.expr,
        state: State,
        frame: Frame,
        *,
        typed: bool = False,
    ) -> Value:
        """A path put together: the first part is the base, what follows is put below it."""
        raise NotImplementedError

    def constant_of(self, name: str, frame: Frame) -> str | None:
        """The text of a constant of another file of the project."""
        raise NotImplementedError

    def pattern_of(self, name: str, frame: Frame) -> Regex | None:
        """The compiled pattern that another file of the project keeps under a name."""
        raise NotImplementedError

    def call_function(self, function: Function, call: "Call") -> Value:
        """Interpret a function of the project with given arguments."""
        raise NotImplementedError

    def construct(self, ref: ClassRef, call: "Call") -> Value:
        """An object of a class of the project."""
        raise NotImplementedError

    def bind(self, function: Function, call: "Call") -> dict[str, Value]:
        """The parameters of a function with the values that a call gives them."""
        raise NotImplementedError

    # -- shared -------------------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """Count one step; False where the bound is hit."""
        steps = self.steps = self.steps + 1
        if steps > self.limit or self.total + steps > self.allowed:
            self.hit("steps")
            return False
        return True

    def begin(self, entry: ast.AST, limit: int) -> None:
        """Begin to count the steps of an entry; where those of the file are used up, it still has a few."""
        self.total += self.steps
        self.steps = 0
        self.entry = entry
        self.limit = limit
        self.allowed = max(MAX_TOTAL, self.total + SCANT)

    def beginning_state(self, variables: dict[str, Value] | None = None) -> State:
        """The state in which an entry begins."""
        state = State(variables)
        self.current = state.run
        return state

    def hit(self, bound: str) -> None:
        """Note that the entry was not followed to its end."""
        self.bounds_hit.add((self.entry, bound))

    def token(self, *parts: object) -> int:
        """A number for a combination of parts; equal parts give the same number."""
        known = self._tokens.get(parts)
        if known is None:
            known = len(self._tokens) + 1
            self._tokens[parts] = known
            self._parts[known] = parts
        return known

    def parts(self, token: int) -> tuple[object, ...]:
        """What a token was made of."""
        return self._parts.get(token, ())

    def makings(self, token: object) -> Iterator[tuple[object, ...]]:
        """What a token was made of, what that was made of, and so on."""
        while isinstance(token, int) and (parts := self.parts(token)):
            yield parts
            token = parts[-1]

    def place(self, node: ast.AST, frame: Frame) -> Place:
        """A node as a place."""
        return Place(frame.unit, node)

    def allocate(self, cell: Cell, state: State) -> Value:
        """A new object."""
        self._cells += 1
        state.heap[self._cells] = cell
        return Value(things=(Reference(self._cells),))

    def cell(self, value: Value, state: State) -> tuple[int, Cell] | None:
        """The object that a value is, with its number."""
        for thing in value.things:
            if isinstance(thing, Reference) and (found := state.heap.get(thing.number)) is not None:
                return thing.number, found
        return None

    def few(self, value: Value, state: State) -> tuple[object, ...]:
        """The elements of a short sequence of constants, which is better followed one by one; else none."""
        if isinstance(value.const, tuple):
            return value.const if len(value.const) <= MAX_UNROLLED else ()
        found = self.cell(value, state)
        if found is None or found[1].kind != "list" or found[1].rest is not None or len(found[1].items) > MAX_UNROLLED:
            return ()
        items = tuple(item.const for item in found[1].items.values())
        return items if all(item is not MISSING for item in items) else ()

    def left(self, label: Label, state: State) -> int:
        """The risks of a label that nothing has taken away yet."""
        proven = state.proven
        return label.risk & ~proven.get(label.content, 0) & ~proven.get(label.spot, 0)

    def is_chosen_outside(self, value: Value, state: State) -> bool:
        """Whether somebody outside chooses a value freely: as a base to compare with it is worth nothing then.

        That also holds of what was put below it: who chooses the base with `..` chooses where both lie.
        """
        return chosen_outside(value) and any(escapes(self.left(label, state)) for label in value.labels)

    def unproven(self, value: Value, state: State, base: Value | None = None) -> tuple[Label, ...]:
        """The labels of a value that a check of its place is about: not proven yet, and not of the base itself.

        What stems from where the base stems from, and was put below nothing, is the base in another spelling.
        """
        contents, origins = set(), set()
        if base is not None:
            contents = {label.content for label in base.labels}
            origins = {label.origin for label in base.labels}
        return tuple(
            label
            for label in value.labels
            if label.content not in contents
            and (label.marks & Mark.JOINED or label.origin not in origins)
            and escapes(self.left(label, state))
        )

    def tried(self, label: Label, state: State) -> tuple[Attempt, ...]:
        """The checks of a label that were not enough."""
        content = state.tried.get(label.content, ())
        spot = state.tried.get(label.spot, ())
        return content + tuple(item for item in spot if item not in content and label.content not in item.bases)

    def tried_so_far(self, label: Label, state: State) -> tuple[Attempt, ...]:
        """The same, with what looked at the texts that it was made of, whichever way made it of them."""
        attempts = self.tried(label, state)
        token: object = label.content
        while isinstance(token, int) and not any(item.gate for item in attempts):
            attempts += tuple(item for item in state.tried.get(token, ()) if item.gate and item not in attempts)
            token = self._parts.get(token, (None,))[-1] if token not in self.changed else None
        return attempts

    def derived(
        self, label: Label, state: State, *parts: object, risk: int | None = None, decoded: bool = False
    ) -> Label:
        """A label of a new text made from the old one: what is proven so far is baked in."""
        content = self.token(*parts, label.content)
        spot = self.token("spot", content)
        attempts = self.tried(label, state)
        if decoded or is_changed(parts):
            self.changed.add(content)
            attempts = tuple(item for item in attempts if not item.gate)
        if attempts:
            if decoded:
                attempts = tuple(
                    replace(item, void=True, reason="it comes before the text is decoded") for item in attempts
                )
            state.tried[content] = attempts
        return label.about(content, spot, self.left(label, state) if risk is None else risk)

    def segment(self, node: ast.AST, unit: Unit) -> str:
        """The source text of a node, on one line, shortened."""
        text = " ".join(unit.module.segment(node).split())
        return text if len(text) <= MAX_SEGMENT else text[: MAX_SEGMENT - 1] + "…"

    def operand(self, value: Value, node: ast.AST | None, unit: Unit) -> object:
        """Something that is equal for equal operands, to make tokens of."""
        if value.labels:
            return tuple(label.spot for label in value.labels)
        if value.const is not MISSING:
            return ("const", value.const.__class__.__name__, repr(value.const))
        if node is None:
            return ("node", id(value))
        inner = _same_place(node)
        const = unit.module.constants.value(inner) if inner is not node else MISSING
        if const is not MISSING:  # `Path(BASE)`, whatever it is written as elsewhere
            return ("const", const.__class__.__name__, repr(const))
        return ("text", unit.module.segment(inner))

    def sites(self, frame: Frame) -> tuple[Place, ...]:
        """The calls that led here, outermost first."""
        found: list[Place] = []
        above: Frame | None = frame
        while above is not None:
            if above.site is not None:
                found.append(above.site)
            above = above.caller
        return tuple(reversed(found))

    def reach(
        self, label: Label, use: Use, node: ast.AST, name: str, state: State, frame: Frame, argument: str = ""
    ) -> None:
        """Note that a label arrived at a sink; what is left of its risks is judged when flows are told."""
        if self.secrets and use is not Use.LOG:
            return  # where paths lead is asked of every function alike, whether it names a secret or not
        self.reached.append(
            Reached(
                label=label,
                left=self.left(label, state),
                use=use,
                place=Place(frame.unit, node),
                name=name,
                sites=self.sites(frame),
                attempts=self.tried_so_far(label, state),
                entry=self.entry,
                argument=argument,
                held=self.holds(label, state),
            )
        )

    def holds(self, label: Label, state: State) -> bool:
        """Whether a label's text is proven to stay inside at another place than its own, or in another spelling."""
        return any(
            token not in (label.spot, label.content)
            and not escapes(ANYTHING & ~risk)
            and self._is_of(token, label.content)
            for token, risk in state.proven.items()
        )

    def _is_of(self, token: int, content: int) -> bool:
        """Whether a token is of a place at which a text was put, or of another spelling of it."""
        token = self.contents.get(token, token)
        while (parts := self._parts.get(content, ())) and parts[0] in SHORTENED and isinstance(parts[-1], int):
            if token == content:
                return True
            content = parts[-1]
        while token != content:
            parts = self._parts.get(token, ())
            if not parts or parts[0] not in SPELLINGS or not isinstance(parts[-1], int):
                return False
            token = parts[-1]
        return True

    def note_checked(self, truth: Truth) -> None:
        """Remember what this entry checks at all, whole or in part, wherever the answer is acted on."""
        for facts in (truth.holds, truth.fails):
            if facts is not None:
                for token, attempts in facts.tried.items():
                    if any(not attempt.void and not attempt.unread for attempt in attempts):
                        self.checked.add((self.entry, token))
                for token, risk in facts.proven.items():
                    if risk != EVERYTHING and risk & PLACE and not escapes(ANYTHING & ~risk):
                        self.checked.add((self.entry, token))

    def raise_from(self, state: State, frame: Frame) -> None:
        """An exception leaves here: the handlers around may start with this state."""
        if frame.raises:
            frame.raises[-1].append(state)


def is_changed(parts: tuple[object, ...]) -> bool:
    """Whether a text made so may name another place than the one that it was made of."""
    match parts:
        case ("strip", str(characters), *ends):
            return not characters.isspace() and not (ends and not characters.strip("/\\"))  # `a/` is `a`
        case ("replace", "\\" | "/", "/" | "\\"):
            return False
        case (kind, *_):
            return kind in ("slice", "replace", "sub", "decode")
        case _:
            return False


def _same_place(node: ast.AST) -> ast.AST:
    """An expression without the calls around it that make the same path of a path."""
    match node:
        case ast.Call(func=ast.Name() | ast.Attribute() as func, args=[inner], keywords=[]) if last_name(func) in SAME:
            return _same_place(inner) if not isinstance(inner, ast.Starred) else node
        case _:
            return node


@changing
class Call:
    """One call with its evaluated arguments."""

    node: ast.Call
    arguments: list[Value]
    keywords: dict[str, Value]
    state: State
    frame: Frame
    receiver: Value | None = None
    name: str = ""
    spread: bool = False
    extra: Value | None = None
    spread_names: frozenset[str] = frozenset()

    def argument(self, position: int, keyword: str = "") -> Value | None:
        """An argument by position or keyword; None where it is not given."""
        if 0 <= position < len(self.arguments):
            return self.arguments[position]
        return self.keywords.get(keyword) if keyword else None

    def expression(self, position: int, keyword: str = "") -> ast.expr | None:
        """The expression of an argument."""
        given = list(spelled_out(self.node.args))
        if 0 <= position < len(given):
            return given[position]
        for item in self.node.keywords:
            if keyword and item.arg == keyword:
                return item.value
        return None

    @property
    def everything(self) -> list[Value]:
        """All arguments."""
        return [*self.arguments, *self.keywords.values(), *([self.extra] if self.extra is not None else [])]


def spelled_out(given: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """Arguments, with those that a spread list begins with as arguments of their own: `join(*[base] + parts)`."""
    for item in given:
        match item:
            case ast.Starred(value=ast.List(elts=elements) | ast.Tuple(elts=elements)):
                yield from elements
            case ast.Starred(value=ast.BinOp(left=ast.List(elts=elements), op=ast.Add(), right=rest)):
                yield from elements
                yield ast.copy_location(ast.Starred(value=rest, ctx=ast.Load()), item)
            case _:
                yield item


def both(first: State | None, second: State | None) -> State | None:
    """Short for `meet`."""
    return meet(first, second)
