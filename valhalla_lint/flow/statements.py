"""Statements: how each changes the state, and where control goes."""

import ast
from collections.abc import Callable, Sequence

from valhalla_lint.core.frozen import replace
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.labels import Use
from valhalla_lint.flow.machine import COMPARED, MAX_NESTING, MAX_UNROLLED, Frame, Machine
from valhalla_lint.flow.pairs import secret_pairs
from valhalla_lint.flow.policies import keep_of, tested_object
from valhalla_lint.flow.refused import without_strangers
from valhalla_lint.flow.shown import answered, answers, has_own_init, readable
from valhalla_lint.flow.state import State, gained, held_by_some, keep_gates, meet, meet_all
from valhalla_lint.flow.units import ClassRef
from valhalla_lint.flow.values import (
    CLEAN,
    SOMETHING,
    Class,
    Function,
    Partial,
    Truth,
    Value,
    constant,
    merge,
    with_labels,
)
from valhalla_lint.flow.words import pieces

LOOP_ROUNDS = 2
"""Rounds of a loop: what the first round puts into variables, the second sees."""
REFUSALS = frozenset(
    """response error errors exception jsonify json abort fail failure redirect render reply problem bad invalid deny
    denied forbidden refuse reject message html""".split()
)
"""Words in the name of a function which say that it makes an error or a response, never nothing."""


class Statements(Machine):
    """The part of the interpreter that executes statements."""

    def block(self, statements: Sequence[ast.stmt], state: State | None, frame: Frame) -> State | None:
        """The state after statements; None where none of them lets control pass."""
        if self.nesting > MAX_NESTING:
            self.hit("nesting")
            return state
        self.nesting += 1
        try:
            for statement in statements:
                if statement in frame.idle:
                    continue
                if state is None or not self.tick():
                    return state
                handler = HANDLERS.get(statement.__class__)
                if handler is not None:
                    state = handler(self, statement, state, frame)
            return state
        finally:
            self.nesting -= 1
            more, self.current.compared = divmod(self.current.compared, COMPARED)
            self.total += more

    def on_expression(self, node: ast.Expr, state: State, frame: Frame) -> State | None:
        value = self.evaluate(node.value, state, frame)
        return None if value.const is NEVER else state

    def on_assign(self, node: ast.Assign, state: State, frame: Frame) -> State | None:
        value = self.evaluate(node.value, state, frame)
        if value.const is NEVER:
            return None
        if isinstance(node.value, ast.BoolOp) and value.const is MISSING and not value.labels and not value.things:
            holds, fails = self.refine(node.value, state.copy(), frame)  # an answer that is kept: `unsafe = a or b`
            value = replace(value, truth=Truth(gained(state, holds), gained(state, fails)))
        for target in node.targets:
            self.assign(target, value, state, frame, node.value)
        return state

    def on_annotated(self, node: ast.AnnAssign, state: State, frame: Frame) -> State | None:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value, state, frame), state, frame, node.value)
        return state

    def on_augmented(self, node: ast.AugAssign, state: State, frame: Frame) -> State | None:
        load: ast.expr
        match node.target:
            case ast.Name(id=name):
                load = ast.copy_location(ast.Name(id=name, ctx=ast.Load()), node.target)
            case ast.Attribute(value=value, attr=attr):
                load = ast.copy_location(ast.Attribute(value=value, attr=attr, ctx=ast.Load()), node.target)
            case ast.Subscript(value=value, slice=part):
                load = ast.copy_location(ast.Subscript(value=value, slice=part, ctx=ast.Load()), node.target)
        both = ast.copy_location(ast.BinOp(left=load, op=node.op, right=node.value), node)
        self.assign(node.target, self.evaluate(both, state, frame), state, frame)
        return state

    def on_return(self, node: ast.Return, state: State, frame: Frame) -> State | None:
        if node.value is None:
            frame.returns.append((constant(None), state))
            return None
        if isinstance(node.value, ast.Compare | ast.BoolOp | ast.UnaryOp):
            answer = CLEAN  # `a or b` gives one of its operands, not an answer
            if isinstance(node.value, ast.BoolOp):
                answer = self.evaluate(node.value, state.copy(), frame)
            holds, fails = self.refine(node.value, state, frame)
            for outcome, known in ((True, holds), (False, fails)):
                if known is not None:  # what is false holds nothing: an empty text, no match
                    kept = outcome and (answer.labels or answer.things)
                    value = replace(answer, truth=None) if kept else constant(outcome)
                    frame.returns.append((value, known))
            return None
        if isinstance(node.value, ast.IfExp) and not self.secrets:  # as if each branch were a return of its own
            branches = zip(
                self.refine(node.value.test, state, frame), (node.value.body, node.value.orelse), strict=True
            )
            for inside, branch in branches:
                if inside is not None:
                    self.on_return(ast.copy_location(ast.Return(branch), node), inside, frame)
            return None
        value = self.evaluate(node.value, state, frame)
        if self.secrets and answers(frame.node):
            answered(self, value, node, state, frame, "the answer to a request")
        if value.truth is not None and value.const is MISSING:
            for outcome, facts in ((True, value.truth.holds), (False, value.truth.fails)):
                known = state.knowing(facts)
                if known is not None:
                    frame.returns.append((replace(value, const=outcome, truth=None), known))
            return None
        if value.const is MISSING and is_something(node.value):
            value = replace(value, truth=SOMETHING)
        frame.returns.append((value, state))
        return None

    def on_raise(self, node: ast.Raise, state: State, frame: Frame) -> State | None:
        if node.exc is not None:
            self.evaluate(node.exc, state, frame)
            if self.secrets and isinstance(node.exc, ast.Call):
                self.shown_in(node.exc, node.exc.args, state, frame)
        self.raise_from(state, frame)
        return None

    def shown_in(self, node: ast.AST, arguments: Sequence[ast.expr], state: State, frame: Frame) -> None:
        """Note secrets in the text of an exception; an object of the file's own may keep them to itself."""
        name = last_name(node.func) if isinstance(node, ast.Call) else ""
        own = has_own_init(name, frame.unit) or name.lstrip("_")[:1].islower()  # a function that makes the exception
        for argument in arguments:
            if isinstance(argument, ast.JoinedStr | ast.BinOp | ast.Call) or (
                not own and isinstance(argument, ast.Name | ast.Attribute)
            ):
                found = readable(self, Value(self.evaluate(argument, state, frame).labels), state)
                for label in without_strangers(found, node, frame.unit):
                    self.reach(label, Use.LOG, node, "the text of an exception", state, frame)

    def on_if(self, node: ast.If, state: State, frame: Frame) -> State | None:
        holds, fails = self.refine(node.test, state, frame)
        first = self.block(node.body, holds, frame)
        second = self.block(node.orelse, fails, frame)
        together = meet(first, second)
        if first is not None and second is not None and together is not None:
            held_by_some(node.test, state, first, second, together)
            if (there := tested_object(node.test)) is not None:
                keep_of(first, together, {there})
                keep_of(second, together, {there})
        return together

    def on_assert(self, node: ast.Assert, state: State, frame: Frame) -> State | None:
        holds, fails = self.refine(node.test, state, frame)
        if self.secrets and node.msg is not None and fails is not None:
            self.shown_in(node, (node.msg,), fails, frame)
        return holds

    def on_for(self, node: ast.For | ast.AsyncFor, state: State, frame: Frame) -> State | None:
        iterated = self.evaluate(node.iter, state, frame)
        few = (
            tuple(constant(item) for item in self.few(iterated, state))
            or self._functions(node, iterated, state, frame)
            or secret_pairs(self, node, state, frame)
        )
        if few:
            return self._unrolled(node, few, state, frame)
        item = self.elements(iterated, state, node)
        breaks: list[State] = []
        begin: State | None = state
        end: State | None = None
        for _ in range(LOOP_ROUNDS):
            continues: list[State] = []
            frame.loops.append((breaks, continues))
            inside = begin.copy() if begin is not None else None
            if inside is not None:
                self.assign(node.target, item, inside, frame)
            end = self.block(node.body, inside, frame)
            frame.loops.pop()
            end = meet_all([end, *continues])
            if end is None:
                break
            later = meet(state.copy(), end)
            if later is None or (begin is not None and _settled(begin, later)):
                begin = later
                break
            begin = later
        after = meet(state, end)
        if after is not None and end is not None and isinstance(iterated.const, tuple) and iterated.const:
            keep_gates(end, after)  # a loop over a fixed list runs
        if after is not None and end is not None:
            self._keep_for_all(item, after, end)
        after = self.block(node.orelse, after, frame)
        return meet_all([after, *breaks])

    def _functions(
        self, node: ast.For | ast.AsyncFor, iterated: Value, state: State, frame: Frame
    ) -> tuple[Value, ...]:
        """The functions of a short sequence, in the function or at the file's top level; none where it has others."""
        if frame.loops:  # loops inside each other would use up all steps
            return ()
        found = self.cell(iterated, state)
        if found is None and isinstance(node.iter, ast.Name):
            module = frame.unit.module
            scope = module.scopes.binding_scope(node.iter, node.iter.id)
            listed = module.scopes.sole_value(module.tree, node.iter.id) if scope is module.tree else None
            if isinstance(listed, ast.Tuple | ast.List) and len(listed.elts) <= MAX_UNROLLED:
                found = self.cell(self.evaluate(listed, state, frame), state)
        if found is None or found[1].kind != "list" or found[1].rest is not None or len(found[1].items) > MAX_UNROLLED:
            return ()
        items = tuple(found[1].items.values())
        return items if all(isinstance(item.thing, Function | Partial) for item in items) else ()

    def _unrolled(
        self, node: ast.For | ast.AsyncFor, few: tuple[Value, ...], state: State, frame: Frame
    ) -> State | None:
        """A loop over a few constants, or functions: each check in it holds for all of them together."""
        breaks: list[State] = []
        current: State | None = state
        for item in few:
            if current is None:
                break
            continues: list[State] = []
            frame.loops.append((breaks, continues))
            inside = current.copy()
            self.assign(node.target, item, inside, frame)
            end = self.block(node.body, inside, frame)
            frame.loops.pop()
            current = meet_all([end, *continues])
        current = self.block(node.orelse, current, frame)
        return meet_all([current, *breaks])

    @staticmethod
    def _keep_for_all(item: Value, after: State, end: State) -> None:
        """What each round proves of the element holds for every element, and so for all of none."""
        for label in item.labels:
            for token in (label.content, label.spot):
                if token in end.proven:
                    after.proven[token] = end.proven[token]

    def on_while(self, node: ast.While, state: State, frame: Frame) -> State | None:
        breaks: list[State] = []
        begin: State | None = state
        exits: list[State | None] = []
        for _ in range(LOOP_ROUNDS):
            if begin is None:
                break
            holds, fails = self.refine(node.test, begin.copy(), frame)
            exits = [*exits, fails]
            continues: list[State] = []
            frame.loops.append((breaks, continues))
            end = self.block(node.body, holds, frame)
            frame.loops.pop()
            end = meet_all([end, *continues])
            if end is None:
                break
            later = meet(state.copy(), end)
            if later is None or _settled(begin, later):
                break
            begin = later
        after = self.block(node.orelse, meet_all(exits), frame)
        return meet_all([after, *breaks])

    def on_break(self, node: ast.Break, state: State, frame: Frame) -> State | None:
        del node
        if frame.loops:
            frame.loops[-1][0].append(state)
        return None

    def on_continue(self, node: ast.Continue, state: State, frame: Frame) -> State | None:
        del node
        if frame.loops:
            frame.loops[-1][1].append(state)
        return None

    def on_try(self, node: ast.Try, state: State, frame: Frame) -> State | None:
        collected: list[State] = [state.copy()]
        frame.raises.append(collected)
        end = self.watched(node.body, state, frame)
        frame.raises.pop()
        end = self.block(node.orelse, end, frame)
        ends = [end]
        caught = meet_all(collected)
        for handler in node.handlers:
            begin = caught.copy() if caught is not None else None
            if begin is not None and handler.name:
                begin.variables[handler.name] = CLEAN
            ends.append(self.block(handler.body, begin, frame))
        if node.finalbody:
            returned = len(frame.returns)
            if all(item is None for item in ends):
                self.block(node.finalbody, caught.copy() if caught is not None else None, frame)
                del frame.returns[returned:]
                return None
            return self.block(node.finalbody, meet_all(ends), frame)
        return meet_all(ends)

    def watched(self, statements: Sequence[ast.stmt], state: State, frame: Frame) -> State | None:
        """Statements of which each may be the last: what is known after each is kept for the handlers."""
        current: State | None = state
        for statement in statements:
            current = self.block((statement,), current, frame)
            if current is None:
                return None
            frame.raises[-1].append(current.copy())
        return current

    def on_with(self, node: ast.With | ast.AsyncWith, state: State, frame: Frame) -> State | None:
        suppresses = False
        for item in node.items:
            value = self.evaluate(item.context_expr, state, frame)
            suppresses = suppresses or value.type() == "contextlib.suppress"
            if item.optional_vars is not None:
                held = self.cell(value, state)
                if held is not None and held[1].kind == "list":  # of a `contextmanager`: what its generator yields
                    value = self.elements(value, state, item.context_expr)
                self.assign(item.optional_vars, value, state, frame)
        if not suppresses:
            return self.block(node.body, state, frame)
        collected: list[State] = [state.copy()]
        frame.raises.append(collected)
        end = self.watched(node.body, state, frame)
        frame.raises.pop()
        return meet_all([end, *collected])

    def on_match(self, node: ast.Match, state: State, frame: Frame) -> State | None:
        subject = self.evaluate(node.subject, state, frame)
        ends: list[State | None] = []
        rest: State | None = state
        for case in node.cases:
            if rest is None:
                break
            holds, fails = self.matches(case.pattern, subject, rest, frame)
            if case.guard is not None and holds is not None:
                holds, missed = self.refine(case.guard, holds, frame)
                fails = meet(fails, missed)
            ends.append(self.block(case.body, holds, frame))
            rest = fails
        return meet_all([*ends, rest])

    def matches(
        self, pattern: ast.pattern, subject: Value, state: State, frame: Frame
    ) -> tuple[State | None, State | None]:
        """The states in which a pattern fits and does not."""
        match pattern:
            case ast.MatchValue(value=expression):
                wanted = self.evaluate(expression, state, frame)
                return self.equal(subject, wanted, state)
            case ast.MatchSingleton(value=value):
                return self.equal(subject, constant(value), state)
            case ast.MatchOr(patterns=patterns):
                fits: list[State | None] = []
                rest: State | None = state
                for item in patterns:
                    if rest is None:
                        break
                    holds, rest = self.matches(item, subject, rest, frame)
                    fits.append(holds)
                return meet_all(fits), rest
            case ast.MatchAs(pattern=None, name=name):
                fitting = state.copy()
                if name:
                    fitting.variables[name] = subject
                return fitting, None
            case ast.MatchAs(pattern=ast.pattern() as inner, name=name):
                holds, fails = self.matches(inner, subject, state, frame)
                if holds is not None and name:
                    holds.variables[name] = subject
                return holds, fails
            case _:
                fitting = state.copy()
                for part in ast.walk(pattern):
                    if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
                        fitting.variables[part.name] = with_labels(subject.labels)
                return fitting, state.copy()

    def equal(self, first: Value, second: Value, state: State) -> tuple[State | None, State | None]:
        """The states in which two values are equal and are not; implemented where comparisons are."""
        raise NotImplementedError

    def on_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, state: State, frame: Frame) -> State | None:
        function = Function(frame.unit, node, closure=state.variables)
        for decorator in node.decorator_list:
            self.evaluate(decorator, state, frame)
        state.variables[node.name] = Value(things=(function,))
        frame.nested.append(function)
        return state

    def on_class(self, node: ast.ClassDef, state: State, frame: Frame) -> State | None:
        state.variables[node.name] = Value(things=(Class(ClassRef(frame.unit, node)),))
        return state

    def on_delete(self, node: ast.Delete, state: State, frame: Frame) -> State | None:
        for target in node.targets:
            match target:
                case ast.Name(id=name):
                    state.variables.pop(name, None)
                case ast.Subscript(value=base, slice=part):
                    key = self.evaluate(part, state, frame).const
                    found = self.cell(self.evaluate(base, state, frame), state)
                    if found is not None and key is not MISSING:
                        number, cell = found
                        items = {name: item for name, item in cell.items.items() if name != key}
                        state.heap[number] = replace(cell, items=items, exact=cell.kind != "list")
                case _:
                    pass
        return state

    def on_import(self, node: ast.Import | ast.ImportFrom, state: State, frame: Frame) -> State | None:
        del frame
        for item in node.names:
            name = item.asname or (item.name.partition(".")[0] if isinstance(node, ast.Import) else item.name)
            state.variables.pop(name, None)
        return state

    def on_global(self, node: ast.Global | ast.Nonlocal, state: State, frame: Frame) -> State | None:
        del node, frame
        return state


def _settled(before: State, after: State) -> bool:
    """Whether another round of a loop would see nothing new."""
    if before.proven != after.proven:
        return False
    for name, value in after.variables.items():
        known = before.variables.get(name)
        if known is None:
            return False
        if known is not value and (known.labels != value.labels or merge(known, value).things != known.things):
            return False
    return all(before.heap.get(number) is cell for number, cell in after.heap.items())


class _Never:
    """The type of `NEVER`."""

    __slots__ = ()


NEVER = _Never()
"""The "value" of a call that never returns (`sys.exit`, `abort`, a helper that always raises)."""


def is_something(node: ast.expr) -> bool:
    """Whether an expression is never false: an object that is made, an error or a response, a text with words."""
    match node:
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return bool(items)
        case ast.Dict(keys=keys):
            return bool(keys)
        case ast.JoinedStr(values=values):
            return any(isinstance(item, ast.Constant) and item.value for item in values)
        case ast.Call(func=func):
            last = last_name(func)
            return last[:1].isupper() or not REFUSALS.isdisjoint(pieces(last))
        case _:
            return False


HANDLERS: dict[type, Callable[..., State | None]] = {
    ast.Expr: Statements.on_expression,
    ast.Assign: Statements.on_assign,
    ast.AnnAssign: Statements.on_annotated,
    ast.AugAssign: Statements.on_augmented,
    ast.Return: Statements.on_return,
    ast.Raise: Statements.on_raise,
    ast.If: Statements.on_if,
    ast.Assert: Statements.on_assert,
    ast.For: Statements.on_for,
    ast.AsyncFor: Statements.on_for,
    ast.While: Statements.on_while,
    ast.Break: Statements.on_break,
    ast.Continue: Statements.on_continue,
    ast.Try: Statements.on_try,
    ast.TryStar: Statements.on_try,
    ast.With: Statements.on_with,
    ast.AsyncWith: Statements.on_with,
    ast.Match: Statements.on_match,
    ast.FunctionDef: Statements.on_function,
    ast.AsyncFunctionDef: Statements.on_function,
    ast.ClassDef: Statements.on_class,
    ast.Delete: Statements.on_delete,
    ast.Import: Statements.on_import,
    ast.ImportFrom: Statements.on_import,
    ast.Global: Statements.on_global,
    ast.Nonlocal: Statements.on_global,
}
