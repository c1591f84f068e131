"""Fields of forms and serializers, and checks of a whole body: what a framework has asked before a value is used."""

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from valhalla_lint.facts.regexes import judge
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.checks import CONTENT
from valhalla_lint.flow.labels import ANYTHING, RISK_NAMES, Grade, Kind, Origin, Risk
from valhalla_lint.flow.receivers import meant
from valhalla_lint.flow.state import Cell, State, settle
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.values import CLEAN, Body, Function, Place, Value

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Machine

CLOSED = frozenset(
    """BooleanField ChoiceField DateField DateTimeField DurationField FilePathField GenericIPAddressField IPAddressField
    ModelChoiceField ModelMultipleChoiceField MultipleChoiceField NullBooleanField PrimaryKeyRelatedField
    SlugRelatedField TimeField TypedChoiceField TypedMultipleChoiceField UUIDField""".split()
)
"""Fields whose value is an object, or one of the texts that the program listed."""
NUMBERS = frozenset({"DecimalField", "FloatField", "IntegerField"})
SLUGS = frozenset({"validate_slug", "validate_unicode_slug"})
PLACES = ("separator", "backslash", "parent", "absolute", "drive", "nul", "newline")
AFTER = frozenset({"__post_init__", "__attrs_post_init__", "model_post_init"})
"""Methods that look at a record as a whole once it is filled."""
VALIDATING = frozenset({"model_validate", "model_validate_json", "parse_obj", "parse_raw"})
"""Methods that a class of pydantic has to make a record of what came."""
PASSED = frozenset({"AfterValidator", "BeforeValidator", "PlainValidator"})
"""What an annotation of pydantic wraps a function in that gives what the field holds."""
MAX_ALIASES = 3
"""Names of annotations that are followed from one to the next."""
WHOLE = frozenset({"model_validator", "root_validator"})
"""Decorators of methods that do."""


def accepted(unit: Unit, node: ast.expr | None, method: str = "search") -> int:
    """The risks that no text has which a pattern accepts; of a pattern that is not known here, none of a place."""
    text = unit.module.constants.text(node)
    if text is None:
        return CONTENT & ~(Risk.NUL | Risk.NEWLINE) if node is not None else Risk.NONE
    verdict = judge(text, 0, method)
    if not verdict.understood:
        return Risk.NONE
    may = verdict.may - ({"newline"} if verdict.trailing_newline_only else set())
    gone = Risk.FREE if verdict.anchored else Risk.NONE
    for word in PLACES:
        if word not in may:
            gone |= RISK_NAMES[word]
    return gone


def kept_out(machine: "Machine", ref: ClassRef, name: str) -> int:
    """The risks that the field of a form or serializer takes away from what came under its name."""
    for item in machine.loader.lineage(ref):
        if not isinstance(item, ClassRef):
            continue
        for statement in item.node.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=found)], value=ast.Call() as made) if found == name:
                    return _of_field(item.unit, made)
                case _:
                    pass
    return Risk.NONE


def _of_field(unit: Unit, made: ast.Call) -> int:
    kind = last_name(made.func)
    given = {keyword.arg: keyword.value for keyword in made.keywords if keyword.arg is not None}
    if kind in CLOSED or "choices" in given:
        return ANYTHING
    gone = Risk.NONE
    if kind in NUMBERS:
        gone |= ANYTHING & ~(Risk.UPPER | Risk.LOWER)
    if "max_value" in given:
        gone |= Risk.UPPER
    if "min_value" in given:
        gone |= Risk.LOWER
    if "max_length" in given:
        gone |= Risk.LONG
    if kind == "SlugField":
        gone |= CONTENT
    if kind == "RegexField":
        gone |= accepted(unit, given.get("regex") or (made.args[0] if made.args else None))
    validators = given.get("validators")
    for check in validators.elts if isinstance(validators, ast.List | ast.Tuple) else ():
        if last_name(check) in SLUGS:
            gone |= CONTENT
        if isinstance(check, ast.Call) and last_name(check.func) == "RegexValidator":
            pattern = next((item.value for item in check.keywords if item.arg == "regex"), None)
            gone |= accepted(unit, pattern or (check.args[0] if check.args else None))
    return gone


def cleaned(machine: "Machine", ref: ClassRef, name: str, value: Value, place: Place) -> Value:
    """What a form's or serializer's own method for a field makes of it: `clean_name`, `validate_name`."""
    for last, takes in ((f"clean_{name}", False), (f"validate_{name}", True)):
        found = machine.loader.method(ref, last)
        if found is None or (ref.node, name) in machine.validating:
            continue
        machine.validating.add((ref.node, name))
        state = State()
        made = machine.allocate(Cell("object", ref=ref), state)
        function = Function(found[0], found[1], bound=made, owner=ref)
        result = _run(machine, function, [value] if takes else [], state, place)
        machine.validating.discard((ref.node, name))
        return settle(result if result.labels else value, state.proven)
    return value


def annotated(
    machine: "Machine", unit: Unit, annotation: ast.expr | None, left: int = MAX_ALIASES
) -> Iterator[Function]:
    """The functions that an annotation has every value pass: `Annotated[str, AfterValidator(check)]`, also by alias."""
    match annotation:
        case ast.Subscript(value=func, slice=ast.Tuple(elts=[held, *more])) if last_name(func) == "Annotated":
            yield from annotated(machine, unit, held, left)
            for item in more:
                if isinstance(item, ast.Call) and last_name(item.func) in PASSED and len(item.args) == 1:
                    yield from _function(machine, unit, item.args[0])
        case ast.Subscript(value=func, slice=held) if last_name(func) == "Optional":
            yield from annotated(machine, unit, held, left)
        case ast.BinOp(op=ast.BitOr(), left=held, right=ast.Constant(value=None)):
            yield from annotated(machine, unit, held, left)
        case ast.Name() | ast.Attribute() if left > 0:
            match meant(machine, unit, annotation):
                case (Unit() as where, ast.Subscript() as alias):
                    yield from annotated(machine, where, alias, left - 1)
                case _:
                    pass
        case _:
            pass


def _function(machine: "Machine", unit: Unit, node: ast.expr) -> Iterator[Function]:
    """The function that an expression of a module names, or is."""
    if isinstance(node, ast.Lambda):
        yield Function(unit, node)
        return
    match meant(machine, unit, node):
        case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as found):
            yield Function(where, found)
        case _:
            pass


def from_outside(value: Value | None) -> Origin | None:
    """Where a value stems from that certainly comes from outside as it stands, None where it is not so."""
    if value is None or len({label.origin for label in value.labels}) != 1:
        return None
    origin = value.labels[0].origin
    return origin if origin.grade is Grade.CERTAIN and origin.kind is not Kind.SECRET else None


def demanded(unit: Unit, given: ast.expr | None) -> int:
    """The risks that the validators of an attrs field take away: `field(validator=matches_re("[a-z]+"))`."""
    if not isinstance(given, ast.Call):
        return Risk.NONE
    checks = [item.value for item in given.keywords if item.arg == "validator"]
    gone = Risk.NONE
    while checks:
        check = checks.pop()
        match check:
            case ast.List(elts=more) | ast.Tuple(elts=more):
                checks += more
            case ast.Call(func=func, args=[first, *_]):
                match last_name(func):
                    case "and_":
                        checks += check.args
                    case "matches_re":
                        gone |= accepted(unit, first, "fullmatch")
                    case "in_":
                        gone |= ANYTHING
                    case "instance_of" if last_name(first) in ("int", "float", "bool", "UUID"):
                        gone |= ANYTHING & ~(Risk.UPPER | Risk.LOWER)
                    case "le" | "lt":
                        gone |= Risk.UPPER
                    case "ge" | "gt":
                        gone |= Risk.LOWER
                    case "max_len":
                        gone |= Risk.LONG
                    case _:
                        pass
            case _:
                pass
    return gone


def proven_whole(machine: "Machine", ref: ClassRef, origin: Origin, place: Place) -> Mapping[int, int]:
    """What methods of a body's class that look at all its fields at once prove of them."""
    key = (ref.node, origin.text)
    if key in machine.validating:
        return {}
    known = machine.proven_whole.get(key)
    if known is None:
        machine.validating.add(key)
        state = State()
        body = Value(things=(Body(ref, origin),))
        for function, takes in whole_checks(machine, ref):
            bound = CLEAN if takes else body
            _run(machine, Function(function[0], function[1], bound=bound, owner=ref), [body], state, place)
        machine.validating.discard(key)
        known = machine.proven_whole[key] = dict(state.proven)
    return known


def whole_checks(
    machine: "Machine", ref: ClassRef
) -> Iterator[tuple[tuple[Unit, ast.FunctionDef | ast.AsyncFunctionDef], bool]]:
    """Those methods; each with whether it is given the fields rather than the object."""
    for item in machine.loader.lineage(ref):
        if not isinstance(item, ClassRef):
            continue
        for name, method in item.unit.methods.get(item.node, {}).items():
            if name in AFTER:
                yield (item.unit, method), False
                continue
            for decorator in method.decorator_list:
                if last_name(decorator) in WHOLE:
                    first = method.args.args[0].arg if method.args.args else ""
                    yield (item.unit, method), first != "self"


def _run(machine: "Machine", function: Function, given: list[Value], state: State, place: Place) -> Value:
    from valhalla_lint.flow.machine import Call, Frame

    node = ast.Call(func=ast.Name(id="validator", ctx=ast.Load()), args=[], keywords=[])
    ast.copy_location(node, place.node)
    call = Call(node, given, {}, state, Frame(place.unit, None), name="validator")
    return machine.call_function(function, call)
