"""Expressions: the value of each, by the form of its node."""

import ast
from collections.abc import Callable

from valhalla_lint.core.frozen import replace
from valhalla_lint.facts.constants import BINARY, MISSING, UNARY
from valhalla_lint.facts.names import BUILTINS
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.containers import letters_asked
from valhalla_lint.flow.keys import is_table
from valhalla_lint.flow.labels import Mark, Risk
from valhalla_lint.flow.machine import MAX_NESTING, Frame, Machine
from valhalla_lint.flow.meanings import is_cut, is_in_mask
from valhalla_lint.flow.objects import Objects
from valhalla_lint.flow.paths import gives_path
from valhalla_lint.flow.secrecy import as_secret, is_password, is_section, key_is_secret, label_of, secret, shortened
from valhalla_lint.flow.shown import visible
from valhalla_lint.flow.state import Cell, State, gained, meet_all, settle, take_joins
from valhalla_lint.flow.strings import Piece, built
from valhalla_lint.flow.values import (
    CLEAN,
    EVERYTHING,
    Class,
    Facts,
    Function,
    Instance,
    Library,
    Place,
    Reference,
    Truth,
    Value,
    View,
    all_labels,
    constant,
    merge,
    merge_all,
    reads_as,
    together,
    union,
    with_labels,
)
from valhalla_lint.flow.words import names_base

SETS = {ast.BitAnd: "intersection", ast.Sub: "difference"}
"""Operators of sets by the methods that do the same."""
MAX_CONSTANT = 10_000
"""Characters (or items) up to which constants are folded here."""


class Expressions(Objects):
    """The part of the interpreter that evaluates expressions."""

    def evaluate(self, node: ast.expr | None, state: State, frame: Frame) -> Value:
        """The value of an expression; the state changes with its effects."""
        if node is None:
            return CLEAN
        handler = HANDLERS.get(node.__class__)
        if handler is None or not self.tick():
            return CLEAN
        if self.nesting > MAX_NESTING:
            self.hit("nesting")
            return CLEAN
        self.nesting += 1
        try:
            return handler(self, node, state, frame)
        finally:
            self.nesting -= 1

    def on_constant(self, node: ast.Constant, state: State, frame: Frame) -> Value:
        del state, frame
        return Value(const=node.value)

    def on_name(self, node: ast.Name, state: State, frame: Frame) -> Value:
        value = self.named(node, state, frame)
        return as_secret(self, value, node.id, node, frame) if self.secrets else value

    def named(self, node: ast.Name, state: State, frame: Frame) -> Value:
        """The value that a name holds."""
        found = state.variables.get(node.id)
        if found is not None:
            return found
        above: Frame | None = frame
        while above is not None:
            found = above.closure.get(node.id)
            if found is not None:
                return found
            above = None
        return self.global_name(node, frame)

    def global_name(self, node: ast.Name, frame: Frame) -> Value:
        """A name that no variable of the function holds: a definition, an import, a constant, a builtin."""
        unit = frame.unit
        module = unit.module
        scope = module.scopes.binding_scope(node, node.id)
        if isinstance(scope, ast.ClassDef):
            held = module.scopes.sole_value(scope, node.id)
            if held is not None and held.lineno < node.lineno:
                return self.outside_value(held, unit, frame)
            if held is node:  # `PATTERN = PATTERN`: the module's own name, made one of the class
                scope = module.tree
        if scope is None:
            if node.id in BUILTINS:
                return Value(things=(Library(node.id),))
            dotted = module.names.name(node)
            return self.library_read(dotted, node, frame) if dotted else CLEAN
        for item in module.names.imports.get(node.id, ()):
            if item.scope is scope:
                return self.library_read(item.target, node, frame)
        if scope is module.tree:
            if node.id in unit.functions:
                return Value(things=(Function(unit, unit.functions[node.id]),))
            if node.id in unit.classes:
                from valhalla_lint.flow.units import ClassRef

                return Value(things=(Class(ClassRef(unit, unit.classes[node.id])),))
            return self.module_value(unit, node.id)
        const = module.constants.value(node)
        if const is not MISSING:
            return constant(const)
        for bound in module.scopes.bindings(scope).get(node.id, ()):
            if isinstance(bound, ast.FunctionDef | ast.AsyncFunctionDef):
                return Value(things=(Function(unit, bound),))
        return CLEAN

    def on_attribute(self, node: ast.Attribute, state: State, frame: Frame) -> Value:
        dotted = dotted_text(node)
        if dotted is not None:
            stored = state.variables.get(dotted)
            if stored is not None:
                return stored
        base = self.evaluate(node.value, state, frame)
        value = self.attribute(base, node.attr, node, state, frame)
        return as_secret(self, value, node.attr, node, frame) if self.secrets else value

    def on_subscript(self, node: ast.Subscript, state: State, frame: Frame) -> Value:
        base = self.evaluate(node.value, state, frame)
        if isinstance(node.slice, ast.Slice):
            for part in (node.slice.lower, node.slice.upper, node.slice.step):
                self.evaluate(part, state, frame)
            return self.sliced(base, node, state, frame)
        key = self.evaluate(node.slice, state, frame)
        if self.secrets and isinstance(key.const, int) and is_in_mask(node, frame.unit):
            return CLEAN
        value = self.item(base, key, node, state, frame)
        if key.labels and is_table(node.value, frame.unit):  # it ends here for any other key
            state.learn(Facts({label.content: EVERYTHING for label in key.labels}))
        if (
            self.secrets
            and key_is_secret(key.const, frame.unit)
            and value.const is MISSING
            and not secret(value)
            and not is_section(key.const, last_name(node.value))
            and not any(isinstance(thing, Function | Class) for thing in value.things)
        ):
            return Value((label_of(self, str(key.const), node, frame),))
        return value

    def sliced(self, base: Value, node: ast.Subscript, state: State, frame: Frame) -> Value:
        """`value[a:b]`: of a text, a part of it; of a list, some of its elements."""
        if isinstance(base.const, str | bytes | tuple) and isinstance(node.slice, ast.Slice):
            bounds = [
                self.evaluate(part, state, frame).const if part is not None else None
                for part in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            lower, upper, step = (bound if isinstance(bound, int) else None for bound in bounds)
            if all(bound is None or isinstance(bound, int) for bound in bounds):
                try:
                    return constant(base.const[lower:upper:step])
                except (TypeError, ValueError):
                    return CLEAN
        if self.cell(base, state) is not None:
            return base
        parts = reads_as(base, "parts")
        if parts is not None and isinstance(node.slice, ast.Slice) and node.slice.lower is None:
            return Value(things=(View("leading", parts.subject, base),))
        labels = base.labels
        if self.secrets and isinstance(node.slice, ast.Slice) and shortened(node.slice, self, frame.unit):
            labels = tuple(replace(label, risk=label.risk & ~Risk.PLAIN) for label in labels)
        elif self.secrets and is_cut(node, frame.unit):
            labels = tuple(
                label if is_password(label) else replace(label, risk=label.risk & ~Risk.PLAIN) for label in labels
            )
        if isinstance(node.slice, ast.Slice) and node.slice.upper is not None:
            labels = tuple(replace(label, risk=label.risk & ~Risk.LONG) for label in labels)
        part = self.segment(node, frame.unit)  # what is proven of a part says nothing about the whole
        labels = tuple(self.derived(label, state, "slice", part) for label in labels)
        return with_labels(labels, tuple(thing for thing in base.things if isinstance(thing, Instance)))

    def on_joined(self, node: ast.JoinedStr, state: State, frame: Frame) -> Value:
        pieces: list[Piece] = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                pieces.append(Piece(constant(part.value), part))
            elif isinstance(part, ast.FormattedValue):
                value = self.evaluate(part.value, state, frame)
                if part.format_spec is not None:
                    self.evaluate(part.format_spec, state, frame)
                pieces.append(Piece(self.as_text(value, state), part.value))
        return built(self, pieces, node, state, frame)

    def as_text(self, value: Value, state: State) -> Value:
        """A value as `str` shows it."""
        if isinstance(value.const, bool | int | float):
            return constant(str(value.const))
        if value.const is not MISSING and not isinstance(value.const, str):
            return CLEAN
        if self.secrets and value.things:
            plain = tuple(thing for thing in value.things if not isinstance(thing, Reference))
            return replace(value, labels=visible(self, value, state), things=plain)
        if value.things and not value.labels:
            return replace(value, labels=all_labels(value, state))
        return value

    def on_binary(self, node: ast.BinOp, state: State, frame: Frame) -> Value:
        if isinstance(node.op, ast.Add):
            return self.added(node, state, frame)
        left = self.evaluate(node.left, state, frame)
        right = self.evaluate(node.right, state, frame)
        if isinstance(node.op, ast.Div) and self.is_path(left, node.left, right):
            return self.join([left, right], [node.left, node.right], node, state, frame, typed=True)
        if isinstance(node.op, ast.Mod) and (left.text is not None or left.labels):
            return self.percent(left, right, node, state, frame)
        folded = _fold(BINARY.get(node.op.__class__), left.const, right.const)
        if folded is not MISSING:
            return constant(folded)
        asked = SETS.get(node.op.__class__)
        if asked is not None:
            place = Place(frame.unit, node)
            truth = letters_asked(left, asked, right, place)
            if truth is None and asked == "intersection":
                truth = letters_asked(right, asked, left, place)
            if truth is not None:
                return Value(truth=truth)
        return with_labels(union([left.labels, right.labels]))

    def is_path(self, left: Value, node: ast.expr, right: Value) -> bool:
        """Whether `/` joins paths here: one side is a path, or the left one is named so and the right is outside."""
        if left.type().startswith("pathlib.") or right.type().startswith("pathlib."):
            return True
        if isinstance(left.const, int | float) or isinstance(right.const, int | float):
            return False
        if isinstance(right.const, str) and not isinstance(left.const, str):
            return True
        if not right.labels:
            return False
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)) or gives_path(node):
            return True
        return names_base(name) and all(label.marks & Mark.FAR for label in left.labels)  # also one looked up by a key

    def added(self, node: ast.BinOp, state: State, frame: Frame) -> Value:
        """A chain of `+`, without going down one level a term."""
        terms: list[ast.expr] = []
        current: ast.expr = node
        while isinstance(current, ast.BinOp) and isinstance(current.op, ast.Add):
            terms.append(current.right)
            current = current.left
        terms.append(current)
        terms.reverse()
        pieces = [Piece(self.evaluate(term, state, frame), term) for term in terms]
        values = [piece.value for piece in pieces]
        if all(value.const is not MISSING for value in values):
            total = values[0].const
            for value in values[1:]:
                total = _fold(BINARY[ast.Add], total, value.const)
            if total is not MISSING:
                return constant(total)
        if any(isinstance(thing, Reference) for value in values for thing in value.things):
            return self.concatenated(values, state)
        if any(isinstance(value.const, int | float) for value in values):
            return with_labels(union(value.labels for value in values))
        return built(self, pieces, node, state, frame)

    def concatenated(self, values: list[Value], state: State) -> Value:
        """Lists added to each other."""
        rest = merge_all(self.elements(value, state, ast.Pass()) for value in values)
        return self.allocate(Cell("list", {}, rest, exact=False), state)

    def percent(self, left: Value, right: Value, node: ast.BinOp, state: State, frame: Frame) -> Value:
        """`template % values`."""
        found = self.cell(right, state)
        values = [right]
        if found is not None and found[1].kind != "object":
            values = list(found[1].items.values())
        elif isinstance(right.const, tuple):
            values = [constant(item) for item in right.const]
        pieces: list[Piece] = []
        if left.text is None:
            return with_labels(union([left.labels, *(all_labels(value, state) for value in values)]))
        parts = left.text.split("%")
        pieces.append(Piece(constant(parts[0]), node.left))
        index = 0
        for part in parts[1:]:
            tail = part.lstrip("0123456789.#-+ ")
            if tail.startswith("("):
                tail = tail.partition(")")[2]
            if index < len(values):
                pieces.append(Piece(self.as_text(values[index], state), node.right))
                index += 1
            pieces.append(Piece(constant(tail[1:]), node.left))
        return built(self, pieces, node, state, frame)

    def on_unary(self, node: ast.UnaryOp, state: State, frame: Frame) -> Value:
        value = self.evaluate(node.operand, state, frame)
        if isinstance(node.op, ast.Not) and value.truth is not None:
            return Value(truth=replace(value.truth, holds=value.truth.fails, fails=value.truth.holds))
        folded = _fold(UNARY.get(node.op.__class__), value.const)
        if folded is not MISSING:
            return constant(folded)
        return with_labels(value.labels) if not isinstance(node.op, ast.Not) else CLEAN

    def on_boolean(self, node: ast.BoolOp, state: State, frame: Frame) -> Value:
        """`a or b`: either, as a value; each later operand is evaluated knowing that the earlier ones let it be."""
        known: Value | None = None
        current: State | None = state
        for operand in node.values:
            if current is None:
                break
            value = self.evaluate(operand, current, frame)
            last = operand is node.values[-1]
            falsy = value.const is not MISSING and not value.const
            truthy = value.const is not MISSING and bool(value.const)
            stops = truthy if isinstance(node.op, ast.Or) else falsy
            skipped = not last and (falsy if isinstance(node.op, ast.Or) else truthy)
            if not skipped:
                known = value if known is None else merge(known, value)
            if stops:
                break
            if not last:
                holds, fails = self.refine(operand, current.copy(), frame)
                current = fails if isinstance(node.op, ast.Or) else holds
                if isinstance(node.op, ast.And) and not skipped and not value.labels:
                    known = None if value.truth is None and known is value else known
        return known if known is not None else CLEAN

    def on_conditional(self, node: ast.IfExp, state: State, frame: Frame) -> Value:
        holds, fails = self.refine(node.test, state, frame)
        values: list[Value] = []
        states: dict[bool, list[State]] = {True: [], False: []}
        for inside, branch in ((holds, node.body), (fails, node.orelse)):
            if inside is not None:
                value = self.evaluate(branch, inside, frame)
                values.append(settle(value, inside.proven))
                for answer, known in states.items():
                    if value.const is MISSING or bool(value.const) is answer:
                        known.append(inside)
        value = merge_all(values)
        if value.truth is not None or value.const is not MISSING:
            return value
        true, false = (meet_all(states[answer]) for answer in (True, False))
        return replace(value, truth=Truth(gained(state, true), gained(state, false)))

    def on_walrus(self, node: ast.NamedExpr, state: State, frame: Frame) -> Value:
        value = self.evaluate(node.value, state, frame)
        self.assign(node.target, value, state, frame, node.value)
        return value

    def on_sequence(self, node: ast.List | ast.Tuple | ast.Set, state: State, frame: Frame) -> Value:
        values: list[Value] = []
        exact = not isinstance(node, ast.Set)
        rest: Value | None = None
        for element in node.elts:
            if isinstance(element, ast.Starred):
                spread = self.elements(self.evaluate(element.value, state, frame), state, node)
                rest = spread if rest is None else merge(rest, spread)
                exact = False
            else:
                values.append(self.evaluate(element, state, frame))
        if rest is None and all(value.const is not MISSING for value in values):
            folded = tuple(value.const for value in values)
            if isinstance(node, ast.Set):
                try:
                    return constant(frozenset(folded))
                except TypeError:
                    return CLEAN
            if isinstance(node, ast.Tuple):
                return constant(folded)
        items: dict[object, Value] = dict(enumerate(values))
        return self.allocate(Cell("list", items, rest, exact=exact), state)

    def on_dict(self, node: ast.Dict, state: State, frame: Frame) -> Value:
        items: dict[object, Value] = {}
        rest: Value | None = None
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.evaluate(item, state, frame)
            if key is None:
                found = self.cell(value, state)
                if found is not None:
                    items.update(found[1].items)
                    rest = found[1].rest if rest is None else rest
                elif value.labels:  # what stands before it may be another value by then
                    items = {name: merge(item, value) for name, item in items.items()}
                    rest = value if rest is None else merge(rest, value)
                continue
            name = self.evaluate(key, state, frame).const
            if name is MISSING or not _hashable(name):
                rest = value if rest is None else merge(rest, value)
            else:
                items[name] = value
        return self.allocate(Cell("dict", items, rest), state)

    def on_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, state: State, frame: Frame
    ) -> Value:
        inside: State | None = state.copy()
        left_out: Facts | None = None
        for generator in node.generators:
            if inside is None:
                return CLEAN
            item = self.elements(self.evaluate(generator.iter, inside, frame), inside, node)
            self.assign(generator.target, item, inside, frame)
            for test in generator.ifs:
                if inside is not None:
                    before = inside
                    inside, refused = self.refine(test, before, frame)
                    if len(node.generators) == len(generator.ifs) == 1:
                        left_out = gained(before, refused)
        if inside is None:
            return CLEAN
        if isinstance(node, ast.DictComp):
            self.evaluate(node.key, inside, frame)
            item = settle(self.evaluate(node.value, inside, frame), inside.proven)
            return self.allocate(Cell("dict", {}, item), state)
        item = self.evaluate(node.elt, inside, frame)
        truth = None if left_out is None else Truth(Facts(), left_out)  # no element is one of those that are looked for
        if not isinstance(node, ast.SetComp) and isinstance(
            node.elt, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Call
        ):
            few = self.few(self.evaluate(node.generators[0].iter, state, frame), state)
            if few and len(node.generators) == 1:
                truth = self._each(node, few, state, frame)
            elif isinstance(node.elt, ast.BoolOp):  # the value of `a or b` is one of them; its truth is both's
                holds, fails = self.refine(node.elt, inside.copy(), frame)
                truth = Truth(gained(inside, holds), gained(inside, fails))
            else:
                truth = item.truth
        state.heap.update({number: cell for number, cell in inside.heap.items() if number not in state.heap})
        take_joins(state, inside)
        value = self.allocate(Cell("list", {}, settle(item, inside.proven), exact=False), state)
        return value if truth is None else replace(value, truth=truth)

    def _each(
        self, node: ast.GeneratorExp | ast.ListComp, few: tuple[object, ...], state: State, frame: Frame
    ) -> Truth:
        """`(x in name for x in FEW)`: what the answers together prove where all are true, and where all are false."""
        truths = self.each(node, few, state, frame)
        return Truth(
            together(truth.holds or Facts() for truth in truths), together(truth.fails or Facts() for truth in truths)
        )

    def each(
        self, node: ast.GeneratorExp | ast.ListComp, few: tuple[object, ...], state: State, frame: Frame
    ) -> list[Truth]:
        """What each of the answers would prove."""
        truths: list[Truth] = []
        for const in few:
            begin = state.copy()
            self.assign(node.generators[0].target, constant(const), begin, frame)
            inside: State | None = begin
            for test in node.generators[0].ifs:
                inside = self.refine(test, inside, frame)[0] if inside is not None else None
            if inside is None:
                continue
            truths.append(self.evaluate(node.elt, inside, frame).truth or Truth())
        return truths

    def on_lambda(self, node: ast.Lambda, state: State, frame: Frame) -> Value:
        return Value(things=(Function(frame.unit, node, closure=state.variables),))

    def on_await(self, node: ast.Await | ast.YieldFrom, state: State, frame: Frame) -> Value:
        return self.evaluate(node.value, state, frame)

    def on_yield(self, node: ast.Yield, state: State, frame: Frame) -> Value:
        if node.value is not None:
            frame.yields.append(settle(self.evaluate(node.value, state, frame), state.proven))
        return CLEAN

    def on_starred(self, node: ast.Starred, state: State, frame: Frame) -> Value:
        return self.evaluate(node.value, state, frame)

    def on_compare(self, node: ast.Compare, state: State, frame: Frame) -> Value:
        return self.compared(node, state, frame)

    def compared(self, node: ast.Compare, state: State, frame: Frame) -> Value:
        """The value of a comparison; implemented where conditions are."""
        raise NotImplementedError

    def on_call(self, node: ast.Call, state: State, frame: Frame) -> Value:
        return self.called(node, state, frame)

    def called(self, node: ast.Call, state: State, frame: Frame) -> Value:
        """The value of a call; implemented where calls are."""
        raise NotImplementedError


def dotted_text(node: ast.expr) -> str | None:
    """The text of a chain of plain names ("a.b.c"), or None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _fold(function: Callable[..., object] | None, *values: object) -> object:
    if function is None or any(value is MISSING for value in values):
        return MISSING
    for value in values:
        if isinstance(value, str | bytes | tuple) and len(value) > MAX_CONSTANT:
            return MISSING
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_CONSTANT**2:
            return MISSING
    if function is BINARY[ast.Pow] or function is BINARY[ast.LShift]:
        return MISSING
    if function is BINARY[ast.Mult] and not all(isinstance(value, int | float) for value in values):
        return MISSING
    try:
        return function(*values)
    except (ArithmeticError, TypeError, ValueError, MemoryError):
        return MISSING


HANDLERS: dict[type, Callable[..., Value]] = {
    ast.Constant: Expressions.on_constant,
    ast.Name: Expressions.on_name,
    ast.Attribute: Expressions.on_attribute,
    ast.Subscript: Expressions.on_subscript,
    ast.JoinedStr: Expressions.on_joined,
    ast.BinOp: Expressions.on_binary,
    ast.UnaryOp: Expressions.on_unary,
    ast.BoolOp: Expressions.on_boolean,
    ast.IfExp: Expressions.on_conditional,
    ast.NamedExpr: Expressions.on_walrus,
    ast.List: Expressions.on_sequence,
    ast.Tuple: Expressions.on_sequence,
    ast.Set: Expressions.on_sequence,
    ast.Dict: Expressions.on_dict,
    ast.ListComp: Expressions.on_comprehension,
    ast.SetComp: Expressions.on_comprehension,
    ast.GeneratorExp: Expressions.on_comprehension,
    ast.DictComp: Expressions.on_comprehension,
    ast.Lambda: Expressions.on_lambda,
    ast.Await: Expressions.on_await,
    ast.Yield: Expressions.on_yield,
    ast.YieldFrom: Expressions.on_await,
    ast.Starred: Expressions.on_starred,
    ast.Compare: Expressions.on_compare,
    ast.Call: Expressions.on_call,
}
_ = Machine
