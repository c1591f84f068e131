"""Functions of the project: interpreted with the values of a call; what holds at their ends holds after it."""

import ast
from collections.abc import Mapping

from valhalla_lint.core.frozen import replace
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.checks import escapes
from valhalla_lint.flow.conditions import Conditions
from valhalla_lint.flow.entries import REQUEST_TYPE
from valhalla_lint.flow.fields import from_outside
from valhalla_lint.flow.gatekeepers import given_to, keeps_inside, lets_through, note_gate, proves
from valhalla_lint.flow.labels import Grade
from valhalla_lint.flow.machine import Call, Frame
from valhalla_lint.flow.policies import is_left_open, keep_behind
from valhalla_lint.flow.records import record
from valhalla_lint.flow.secrecy import handed_as, rest_at, secret_name, without_secrets
from valhalla_lint.flow.state import Cell, State, gained, meet_all, settle
from valhalla_lint.flow.statements import NEVER, Statements
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.values import (
    CLEAN,
    SOMETHING,
    Body,
    BoundMethod,
    Facts,
    Function,
    Instance,
    Label,
    Partial,
    Place,
    Reference,
    Truth,
    Value,
    View,
    all_labels,
    constant,
    merge_all,
    stepped,
)
from valhalla_lint.flow.words import OWNERS

ENUMS = frozenset("enum.Enum enum.IntEnum enum.StrEnum enum.Flag enum.IntFlag django.db.models.TextChoices".split())
LONG_FUNCTION = 400
"""Nodes of a function beyond which it is read for its sinks only: checks and cleaners are short."""
MAX_HELD = 3
"""Objects inside objects in which something from outside is looked for."""
MAX_INLINED = 400
"""How often one function is interpreted for calls in one file."""


class Inlining(Conditions, Statements):
    """The part of the interpreter that follows calls into the project's own functions and classes."""

    def unknown(self, call: Call, receiver: Value, name: str = "", *, ours: bool = False) -> Value:
        """The value of a call that nothing is known about; implemented where calls are."""
        raise NotImplementedError

    def _matters(self, call: Call) -> bool:
        return any(all_labels(value, call.state) for value in call.everything)

    def tells(self, labels: tuple[Label, ...], unit: Unit, node: ast.AST) -> bool:
        """Whether values of these labels are worth following into a function.

        What any caller may choose, and files and the environment, are for an audit. Otherwise they tell something only
        where they are checked, and the check is no good.
        """
        if self.audit or any(label.origin.grade is not Grade.ANY for label in labels):
            return bool(labels)
        return bool(labels) and self.guards(unit, node)

    def construct(self, ref: ClassRef, call: Call) -> Value:
        """An object of a class of the project."""
        lineage = list(self.loader.lineage(ref))
        if any(item in ENUMS for item in lineage if isinstance(item, str)):
            for value in call.arguments:
                call.state.learn(Facts({label.content: -1 for label in value.labels}))
            return CLEAN
        value = self.allocate(Cell("object", {}, ref=ref), call.state)
        init = self.loader.method(ref, "__init__")
        if init is not None and not any(self.hands_on(item, call.state) for item in call.everything):
            return value
        if init is not None:
            owner = next(
                (
                    item
                    for item in lineage
                    if isinstance(item, ClassRef)
                    and item.unit is init[0]
                    and init[1] in item.unit.methods.get(item.node, {}).values()
                ),
                ref,
            )
            self.call_function(Function(init[0], init[1], bound=value, owner=owner), replace_call(call))
            return value
        names = [
            statement.target.id
            for statement in ref.node.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        ]
        items = dict[object, Value]((*zip(names, call.arguments, strict=False), *call.keywords.items()))
        found = self.cell(value, call.state)
        if found is not None:
            unknown_base = any(isinstance(item, str) for item in lineage)
            rest = merge_all(call.everything) if unknown_base and call.everything and not names else call.extra
            call.state.heap[found[0]] = replace(found[1], items=items, rest=rest)
            if self._matters(call):
                whole = from_outside(call.extra)
                if whole is not None and not items:
                    return Value(things=(Body(ref, whole),))
                record(self, ref, value, call)
        return value

    def call_function(self, function: Function, call: Call) -> Value:
        """Interpret a function of the project with given arguments."""
        if is_left_open(function) and self._matters(call):
            return self.unknown(call, CLEAN, getattr(function.node, "name", ""), ours=True)
        given = given_to(self, call) if not self.secrets else ()
        tried, self.looked = call.state.tried, False
        value = self._entered(function, call)
        if self.looked and value.const is not NEVER and not lets_through(value, call.state, tried):
            note_gate(self, function, call, (*given, *value.labels))
        return value

    def _entered(self, function: Function, call: Call) -> Value:
        node = function.node
        if node is self.calls_of:  # its decorator calls it: what it is given, and what holds by then
            given = {*call.keywords, *[arg.arg for arg in parameters(node)][: len(call.arguments)]}
            bound = self.bind(function, call).items()
            self.seen_calls.append((call.state.copy(), {name: value for name, value in bound if name in given}))
            return CLEAN
        depth = call.frame.depth + 1
        if not self._worth_reading(function, call):
            return self._passed_by(function, call) if self._matters(call) else CLEAN
        files = call.frame.files + (function.unit is not call.frame.unit)
        if depth > self.bounds.calls or files > self.bounds.files or self._recursive(node, call.frame):
            if not self._recursive(node, call.frame):
                self.hit("depth")
            return self._passed_by(function, call)
        if (wrapper := self.wrapped(function, call)) is not None:
            return self.call_function(wrapper, call)
        if self._too_long(function):
            return self._passed_by(function, call)
        if self.inlined.get(node, 0) >= MAX_INLINED:
            self.hit("calls")
            return self._passed_by(function, call)
        self.inlined[node] = self.inlined.get(node, 0) + 1
        call.frame.called.add(node)
        variables = self.bind(function, call)
        if self.judged_there(function, variables, call.state):
            return CLEAN
        inside = call.state.inside(variables)
        frame = Frame(
            function.unit,
            node,
            caller=call.frame,
            site=Place(call.frame.unit, call.node),
            depth=depth,
            files=files,
            owner=function.owner,
            receiver=function.bound,
            closure=dict(function.closure) if function.closure else {},
        )
        if isinstance(node, ast.Lambda):
            self.on_return(ast.copy_location(ast.Return(node.body), node.body), inside, frame)
            return self.finish(frame, None, call)
        frame.idle = self.idle(frame, {**variables, **(function.closure or {})}, call.state)
        outer = self.limit
        self.limit = min(outer, self.steps + self.bounds.of_call[depth])
        end = self.block(node.body, inside, frame)
        cut = self.steps > self.limit
        self.limit = outer
        if cut:  # what it does after that is not known
            return self._passed_by(function, call)
        return self.finish(frame, end, call)

    def _passed_by(self, function: Function, call: Call) -> Value:
        """The value of a call of a function of the project that is not followed, which may look where a path lies."""
        value = self.unknown(call, CLEAN, getattr(function.node, "name", "lambda"), ours=True)
        self.looked = not self.secrets and keeps_inside(self, function.unit, function.node)
        return value

    def wrapped(self, function: Function, call: Call) -> Function | None:
        """What a call of a decorated function calls first; implemented where decorators are read."""
        raise NotImplementedError

    def _worth_reading(self, function: Function, call: Call) -> bool:
        """Whether a call can matter at all: something from outside goes in, or its body can hold a source."""
        into = (function.unit, function.node)
        if call.frame.node is not None and self.guards(call.frame.unit, call.frame.node):
            into = (call.frame.unit, call.frame.node)  # what it calls makes what it checks
        if any(self.hands_on(value, call.state, into) for value in call.everything):
            return True
        if function.bound is not None and self.hands_on(function.bound, call.state, into):
            return True
        if function.closure and any(self.tells(value.labels, *into) for value in function.closure.values()):
            return True
        return self.may_begin(function.unit, function.node)

    def _too_long(self, function: Function) -> bool:
        """Whether a function is too long for a check or a cleaner, and holds no sink either."""
        size = function.unit.module.index.size(function.node)
        return size > LONG_FUNCTION and not self.may_end(function.unit, function.node)

    def idle(self, frame: Frame, variables: Mapping[str, Value], state: State) -> frozenset[ast.stmt]:
        """The statements of a function that need not be interpreted; implemented where that is found out."""
        raise NotImplementedError

    def judged_there(self, function: Function, variables: Mapping[str, Value], state: State) -> bool:
        """Whether a function of another file is judged in that file; implemented where that is found out."""
        raise NotImplementedError

    def may_end(self, unit: Unit, node: ast.AST) -> bool:
        """Whether a function's body can lead to a sink; implemented where demand is."""
        raise NotImplementedError

    def hands_on(
        self, value: Value, state: State, into: tuple[Unit, ast.AST] | None = None, depth: int = MAX_HELD
    ) -> bool:
        """Whether a value holds something from outside, or the request itself; into: that is worth following there."""
        if value.labels and (into is None or self.tells(value.labels, *into)):
            return True
        for thing in value.things:
            match thing:
                case Instance(type=kind):
                    if kind == REQUEST_TYPE or kind in self.request_types:
                        return True
                case Body():
                    return True
                case Reference(number=number) if depth > 0:
                    cell = state.heap.get(number)
                    if cell is not None and (
                        any(self.hands_on(item, state, into, depth - 1) for item in cell.items.values())
                        or (cell.rest is not None and self.hands_on(cell.rest, state, into, depth - 1))
                    ):
                        return True
                case View(kind=kind, subject=subject) if depth > 0 and kind not in ("length", "find"):
                    if self.hands_on(subject, state, into, depth - 1):
                        return True
                case Function(closure=closure) if closure:
                    if any(item.labels for item in closure.values()):
                        return True
                case Partial(arguments=arguments):
                    if any(self.hands_on(item, state, into, depth - 1) for item in arguments):
                        return True
                case _:
                    pass
        return False

    def may_begin(self, unit: Unit, node: ast.AST) -> bool:
        """Whether a function's body can hold a source; implemented where demand is."""
        raise NotImplementedError

    def _recursive(self, node: ast.AST, frame: Frame) -> bool:
        above: Frame | None = frame
        while above is not None:
            if above.node is node:
                return True
            above = above.caller
        return False

    def finish(self, frame: Frame, end: State | None, call: Call) -> Value:
        """The value and the effects of a function that was interpreted: what holds at all of its ends."""
        self.looked = False
        outcomes: list[tuple[Value, State]] = list(frame.returns)
        if end is not None:
            outcomes.append((constant(None), end))
        if frame.yields:
            item = merge_all(frame.yields)
            if end is not None:
                call.state.take_effects(end)
            return self.allocate(Cell("list", {}, item, exact=False), call.state)
        if not outcomes:
            self.raise_from(call.state, call.frame)
            return constant(NEVER)
        before = call.state
        self.looked = proves(outcomes, before)
        truth = None
        if any(value.truth is SOMETHING for value, _ in outcomes):
            refusing = all(value.truth is SOMETHING or value.const is None for value, _ in outcomes)
            known = outcomes
            outcomes = [(replace(value, truth=None) if value.truth is SOMETHING else value, at) for value, at in known]
            if refusing:  # an error, or None where there is none
                true = meet_all(state for value, state in known if value.truth is SOMETHING)
                false = meet_all(state for value, state in known if value.truth is not SOMETHING)
                truth = Truth(gained(before, true), gained(before, false)) if true and false else None
        if truth is None and len(outcomes) > 1:
            true = meet_all(state for value, state in outcomes if may_be(value, wanted=True))
            false = meet_all(state for value, state in outcomes if may_be(value, wanted=False))
            truth = Truth(gained(before, true), gained(before, false))
        value = merge_all(settle(value, state.proven) for value, state in outcomes)
        answers = self._answers(outcomes, before)
        together = meet_all(state for _, state in outcomes)
        assert together is not None
        if len(outcomes) > 1:
            keep_behind(frame.node, [state for _, state in outcomes], together)
        before.take_effects(together)
        if answers is not None:
            return self.allocate(Cell("list", answers), before)
        if truth is not None and value.const is MISSING:
            value = replace(value, truth=truth)
        return value

    def _answers(self, outcomes: list[tuple[Value, State]], before: State) -> dict[object, Value] | None:
        """The elements of a tuple in which a function gives an answer and something beside it (`False, "blocked"`).

        The answer tells what it would alone. None where not every end gives such a tuple.
        """
        rows = [(self._elements(value, state), state) for value, state in outcomes]
        if len({len(row) for row, _ in rows}) != 1:
            return None
        found: dict[object, Value] = {}
        told = False
        for index in range(len(rows[0][0])):
            items = [(row[index], state) for row, state in rows]
            value = merge_all(settle(item, state.proven) for item, state in items)
            if value.const is MISSING and all(isinstance(item.const, bool) for item, _ in items):
                told = True
                true, false = (
                    meet_all(state for item, state in items if item.const is wanted) for wanted in (True, False)
                )
                value = replace(value, truth=Truth(gained(before, true), gained(before, false)))
            found[index] = value
        return found if told else None

    def _elements(self, value: Value, state: State) -> list[Value]:
        """The elements of a tuple or list that is known whole; none where it is not."""
        if isinstance(value.const, tuple):
            return [constant(item) for item in value.const]
        found = self.cell(value, state)
        if found is None or found[1].kind != "list" or found[1].rest is not None or not found[1].exact:
            return []
        return list(found[1].items.values())

    def property_value(self, function: Function, state: State, frame: Frame, node: ast.AST) -> Value:
        """What a property returns."""
        place = node
        call = Call(ast.Call(func=ast.Name(id="property", ctx=ast.Load()), args=[], keywords=[]), [], {}, state, frame)
        ast.copy_location(call.node, place)
        return self.call_function(function, call)

    def bind(self, function: Function, call: Call) -> dict[str, Value]:
        """The parameters of a function with the values that a call gives them."""
        args = function.node.args
        positional = [*args.posonlyargs, *args.args]
        variables: dict[str, Value] = {}
        values = list(call.arguments)
        if function.bound is not None and positional and not isinstance(function.node, ast.Lambda):
            values.insert(0, function.bound)
        elif (
            function.owner is not None
            and positional
            and positional[0].arg in OWNERS
            and function.bound is None
            and len(values) < len(positional)
            and not call.spread
        ):
            kinds = {_decorator(item) for item in getattr(function.node, "decorator_list", ())}
            if "staticmethod" not in kinds:
                values.insert(0, CLEAN)
        for arg, value in zip(positional, values, strict=False):
            variables[arg.arg] = as_annotated(arg, self._step(value, arg.arg, call, function), function.unit)
        rest = values[len(positional) :]
        if args.vararg is not None:
            variables[args.vararg.arg] = self.allocate(
                Cell("list", dict(enumerate(rest)), call.extra, exact=call.extra is None), call.state
            )
        skipped = 1 if function.bound is not None and len(values) > len(call.arguments) else 0
        placed = {arg.arg for arg, _ in zip(positional[skipped:], call.arguments, strict=False)}
        names = {arg.arg for arg in (*positional, *args.kwonlyargs)}
        extra: dict[object, Value] = {}
        for name, value in call.keywords.items():
            if name in names:
                if name in placed and name in call.spread_names:
                    continue  # given by place: a spread dictionary cannot hold it as well
                variables[name] = self._step(value, name, call, function)
            else:
                extra[name] = value
        if args.kwarg is not None:
            variables[args.kwarg.arg] = self.allocate(Cell("dict", extra, call.extra), call.state)
        inner = Frame(function.unit, None, depth=call.frame.depth)
        defaults = [*zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True)]
        defaults += [
            (arg, item) for arg, item in zip(args.kwonlyargs, args.kw_defaults, strict=True) if item is not None
        ]
        for arg, default in defaults:
            if arg.arg not in variables:
                variables[arg.arg] = (
                    rest_at(self, call.extra, arg.arg, function.unit)
                    if call.extra is not None
                    else self.evaluate(default, State(), inner)
                )
        for arg in (*positional, *args.kwonlyargs):
            if arg.arg not in variables:
                variables[arg.arg] = (
                    rest_at(self, call.extra, arg.arg, function.unit) if call.extra is not None else CLEAN
                )
        return variables

    def _step(self, value: Value, name: str, call: Call, function: Function) -> Value:
        if self.secrets:
            value = handed_as(value, name)
            if function.unit is not self.main and secret_name(name, function.unit):
                value = Value(without_secrets(value.labels), value.const, value.things, value.truth)  # told there
        if not value.labels:
            return value
        reach = (
            self.open_calls if any(escapes(self.left(label, call.state)) for label in value.labels) else self.safe_calls
        )
        reach.add(function.node)
        shown = getattr(function.node, "name", "a lambda")
        labels = stepped(value.labels, Place(call.frame.unit, call.node), f"into {shown}() as {name}")
        return Value(labels, value.const, value.things, value.truth)


def as_annotated(arg: ast.arg, value: Value, unit: Unit) -> Value:
    """A value of which nobody knows what it is, as the parameter that takes it says: a path."""
    said = arg.annotation
    if said is None or value.const is not MISSING or last_name(said) != "Path":
        return value
    if any(not isinstance(thing, BoundMethod) for thing in value.things):
        return value
    if unit.module.name(said) != "pathlib.Path":
        return value
    return Value(value.labels, MISSING, (Instance("pathlib.Path"),), value.truth)


def may_be(value: Value, *, wanted: bool) -> bool:
    """Whether a value may be true (or false)."""
    if value.const is not MISSING:
        return bool(value.const) is wanted
    return True


def replace_call(call: Call) -> Call:
    """A call that may be bound anew."""
    return Call(
        call.node,
        list(call.arguments),
        dict(call.keywords),
        call.state,
        call.frame,
        None,
        call.name,
        call.spread,
        call.extra,
        call.spread_names,
    )


def _decorator(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
