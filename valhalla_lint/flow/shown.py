"""Where secrets are shown to people: logs, the terminal, exceptions, answers; and objects that are shown as a whole."""

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from valhalla_lint.facts.scopes import FUNCTIONS, parameters
from valhalla_lint.facts.words import last_name, words
from valhalla_lint.flow.labels import Kind, Risk, Use
from valhalla_lint.flow.secrecy import label_of, secret_name
from valhalla_lint.flow.units import ClassRef, Unit, once_a_unit
from valhalla_lint.flow.values import BoundMethod, Instance, Label, Made, Reference, Value, all_labels, merge_labels

if TYPE_CHECKING:
    from valhalla_lint.flow.catalogue import Catalogue
    from valhalla_lint.flow.machine import Call, Frame, Machine
    from valhalla_lint.flow.state import State

LEVELS = frozenset("debug info warning warn error exception critical fatal log trace success notice".split())
LOGGERS = frozenset("log logger logging".split())
BINDERS = frozenset("bind new opt contextualize patch unbind getChild".split())
"""Methods of a logger that give one like it."""
MAKERS = frozenset("getLogger get_logger LoggerAdapter".split())
"""Functions that give a logger."""
SETTINGS = frozenset("settings config conf cfg".split())
"""Words in the names of objects that hold the program's settings."""
FIELD_BASES = frozenset({"pydantic.BaseSettings", "pydantic_settings.BaseSettings", "pydantic.BaseModel"})


def note(machine: "Machine", call: "Call", name: str, target: Value) -> None:
    """Note secrets that a call of a target shows to people."""
    if name in ANSWERS:
        for value in call.everything:
            answered(machine, value, call.node, call.state, call.frame, f"{name.rpartition('.')[2]}()")
        return
    shown = shown_name(call, name)
    if not shown and shown_by_row(machine.catalogue, name, call.name):
        shown = f"{'.'.join(name.split('.')[-2:])}()"
    shown = shown or _shown_by_type(machine.catalogue, target)
    if not shown:
        return
    for value in (*call.everything, *_put_off(machine, call)):
        for label in readable(machine, value, call.state):
            machine.reach(label, Use.LOG, call.node, shown, call.state, call.frame)
        for field in plain_fields(machine, value, call.state):
            label = label_of(machine, field, call.node, call.frame)
            machine.reach(label, Use.LOG, call.node, shown, call.state, call.frame)
    for argument in (*call.node.args, *(item.value for item in call.node.keywords)):
        for whole in wholes(machine, argument, call):
            label = label_of(machine, whole, call.node, call.frame)
            machine.reach(label, Use.LOG, call.node, shown, call.state, call.frame)


def _shown_by_type(catalogue: "Catalogue", target: Value) -> str:
    """What a method is called whose class shows its arguments (`logger.bind(…).info`), "" for others."""
    for thing in target.things:
        if isinstance(thing, BoundMethod):
            for owner in thing.receiver.things:
                row = catalogue.method(owner.type, thing.name) if isinstance(owner, Instance) else None
                if row is not None and any(sink.use is Use.LOG for sink in row.sinks):
                    return f"{row.name.rpartition('.')[0].rpartition('.')[2]}.{thing.name}()"
    return ""


def _put_off(machine: "Machine", call: "Call") -> Iterator[Value]:
    """What arguments come to that are only asked for when they are shown (`log.debug("{}", lambda: token)`)."""
    for argument in call.node.args:
        if isinstance(argument, ast.Lambda) and not any(parameters(argument)):
            yield machine.evaluate(argument.body, call.state, call.frame)


def readable(machine: "Machine", value: Value, state: "State") -> Iterator[Label]:
    """The labels of the secrets that can be read from a value."""
    for label in visible(machine, value, state):
        if label.origin.kind is Kind.SECRET and machine.left(label, state) & Risk.PLAIN:
            yield label


MAX_HELD = 3
"""Objects in objects that are looked into."""


def visible(machine: "Machine", value: Value, state: "State", depth: int = MAX_HELD) -> tuple[Label, ...]:
    """The labels of what can be read where a value is shown: of an object, those of the fields that its text has."""
    labels = value.labels
    if depth <= 0:
        return labels
    for thing in value.things:
        cell = state.heap.get(thing.number) if isinstance(thing, Reference) else None
        if cell is None:
            rest = tuple(item for item in value.things if not isinstance(item, Reference))
            labels = merge_labels(labels, all_labels(Value(things=rest), state, depth))
            continue
        fields = told_fields(machine, cell.ref) if cell.ref is not None else None
        for name, item in cell.items.items():
            if fields is None or name in fields:
                labels = merge_labels(labels, visible(machine, item, state, depth - 1))
        if cell.rest is not None and fields is None:
            labels = merge_labels(labels, visible(machine, cell.rest, state, depth - 1))
    return labels


def told_fields(machine: "Machine", ref: ClassRef) -> frozenset[str] | None:
    """The fields that the text of a class's objects shows; None where it may show any."""
    for item in machine.loader.lineage(ref):
        if isinstance(item, str):
            if item.rpartition(".")[2] in PLAIN_BASES:
                continue
            return None
        if _keeps_fields(item):
            return None
        methods = item.unit.methods.get(item.node, {})
        asked = [name for name in TEXTS if name in methods]
        if asked:
            return _fields_in(asked, methods)
    return frozenset()


TEXTS = ("__str__", "__repr__", "__format__")
TELLING = frozenset("str repr string text format describe description summary show to as json".split())
"""Words of methods that make a part of an object's text; what others do with its fields is not shown."""
PLAIN_BASES = frozenset({"object", "ABC", "Generic", "Protocol"})
"""Classes of libraries whose objects show their address and nothing else."""
RECORDS = frozenset({"dataclass", "define", "frozen", "mutable", "attrs", "attributes", "s", "total_ordering"})
WHOLE = frozenset({"__dict__", "vars", "asdict", "super", "astuple", "fields"})
"""What reads all fields of an object."""


def _keeps_fields(ref: ClassRef) -> bool:
    """Whether a decorator may give a class's objects a text that shows their fields."""
    return any(
        last_name(item.func if isinstance(item, ast.Call) else item) in RECORDS for item in ref.node.decorator_list
    )


def _fields_in(
    asked: list[str], methods: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef]
) -> frozenset[str] | None:
    """The fields that methods read, and the methods that they call; None where they may read any."""
    found: set[str] = set()
    queue = list(asked)
    for method in queue:  # which grows
        for item in ast.walk(methods[method]):
            name = item.attr if isinstance(item, ast.Attribute) else item.id if isinstance(item, ast.Name) else ""
            if name in WHOLE:
                return None
            if isinstance(item, ast.Attribute):
                found.add(name)
                if name in methods and name not in queue and not TELLING.isdisjoint(words(name)):
                    queue.append(name)
    return frozenset(found)


def answered(machine: "Machine", value: Value, node: ast.AST, state: "State", frame: "Frame", shown: str) -> None:
    """Note the program's own secrets in an answer to a request: what it gives out under other names is meant to be."""
    for label in readable(machine, value, state):
        if label.origin.text.isupper() or _is_setting(label):  # a variable of the environment, a constant, a setting
            machine.reach(label, Use.LOG, node, shown, state, frame)


def _is_setting(label: Label) -> bool:
    """Whether a secret was read out of the program's settings: `settings.openai_api_key`."""
    first = label.trail
    while first is not None and first.before is not None:
        first = first.before
    match first.place.node if first is not None else None:
        case ast.Attribute(value=owner):
            return not SETTINGS.isdisjoint(words(last_name(owner)))
        case _:
            return False


def answers(node: ast.AST | None) -> bool:
    """Whether what a function returns is the answer to a request."""
    return (
        isinstance(node, FUNCTIONS)
        and bool(node.decorator_list)
        and any(
            isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute) and item.func.attr in VERBS
            for item in node.decorator_list
        )
    )


def has_own_init(name: str, unit: Unit) -> bool:
    """Whether a class of the file decides by itself what its objects keep of their arguments."""
    node = unit.classes.get(name)
    return node is not None and "__init__" in unit.methods.get(node, {})


MAX_PARTS = 40
"""Parts of an argument that are looked at for whole objects."""


def wholes(machine: "Machine", argument: ast.expr, call: "Call") -> Iterator[str]:
    """Objects in an argument that show a secret when they are shown as a whole: headers, the environment, settings."""
    module = call.frame.unit.module
    queue: list[ast.expr] = [argument]
    for node in islice(queue, MAX_PARTS):  # which grows
        match node:
            case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts):
                queue += parts
            case ast.FormattedValue(value=inner) | ast.Starred(value=inner):
                queue.append(inner)
            case ast.BinOp(left=left, right=right):
                queue += (left, right)
            case ast.Attribute(attr="environ"):
                if module.name(node) == "os.environ":
                    yield "os.environ"
            case ast.Attribute(value=owner, attr="headers"):
                if last_name(owner) in REQUESTS:
                    yield f"{last_name(owner)}.headers"
            case ast.Name(id=name):
                yield from _of_parameter(machine, name, call)
            case ast.Call(func=ast.Attribute(attr=method), keywords=given) if method in DUMPS and any(
                item.arg in CHOOSING for item in given
            ):
                pass  # whoever chooses fields does so to leave the secret ones out
            case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[]) if method in DUMPS:
                value = machine.evaluate(owner, call.state, call.frame)
                yield from plain_fields(machine, value, call.state)
                queue.append(owner)
            case ast.Call(func=function, args=arguments):
                if last_name(function) in COPIES:
                    queue += arguments
            case _:
                pass


def _of_parameter(machine: "Machine", name: str, call: "Call") -> Iterator[str]:
    unit, node = call.frame.unit, call.frame.node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            known = unit.classes.get(last_name(argument.annotation)) if argument.annotation is not None else None
            if argument.arg == name and known is not None:
                yield from _plain_fields_of(machine, ClassRef(unit, known))


REQUESTS = frozenset({"request", "req", "http_request"})
DUMPS = frozenset({"model_dump", "model_dump_json", "dict", "json", "copy"})
"""Methods that give an object's fields."""
CHOOSING = frozenset({"include", "exclude"})
"""Keywords of these methods by which fields are chosen."""
COPIES = frozenset({"dict", "str", "repr", "asdict", "vars", "dumps", "pformat", "format"})
"""Functions that show what they are given."""
VERBS = frozenset("get post put patch delete route api_route".split())
ANSWERS = frozenset(
    """flask.jsonify flask.make_response flask.Response django.http.HttpResponse django.http.JsonResponse
    starlette.responses.JSONResponse starlette.responses.PlainTextResponse starlette.responses.HTMLResponse
    starlette.responses.Response fastapi.responses.JSONResponse fastapi.responses.PlainTextResponse
    fastapi.responses.HTMLResponse fastapi.Response fastapi.responses.ORJSONResponse aiohttp.web.json_response
    aiohttp.web.Response sanic.response.json sanic.response.text sanic.json sanic.text""".split()
)
"""Functions that make an answer to a request of their arguments."""


def shown_by_row(catalogue: "Catalogue", name: str, method: str = "") -> bool:
    """Whether the tables say that a function, by its qualified name, or a method, by its own, shows its arguments."""
    row = catalogue.behaviour(name) if name else None
    if row is None and method:
        row = catalogue.any_method(method)
    return row is not None and any(sink.use is Use.LOG for sink in row.sinks)


@lru_cache(maxsize=16)
def showing_methods(catalogue: "Catalogue") -> Mapping[str, frozenset[str]]:
    """The methods of libraries that show their arguments, by name, with the packages of their classes."""
    found: dict[str, set[str]] = {}
    for (kind, name), row in catalogue.methods.items():
        if any(sink.use is Use.LOG for sink in row.sinks):
            found.setdefault(name, set()).add(kind.partition(".")[0])
    return {name: frozenset(packages) for name, packages in found.items()}


def shown_name(call: "Call", name: str) -> str:
    """What a call that shows its arguments is called, "" for other calls."""
    func = call.node.func
    if isinstance(func, ast.Attribute):
        last = _logger_name(func.value, call.frame.unit)
        if last and (func.attr in LEVELS or func.attr.rpartition("_")[2] in LEVELS):
            return f"{last}.{func.attr}()"
    return (
        f"{name.rpartition('.')[2]}()"
        if name in ("print", "pprint.pprint", "pprint.pp", "warnings.warn", "sys.stderr.write", "sys.stdout.write")
        else ""
    )


def _logger_name(base: ast.expr, unit: Unit) -> str:
    """What the logger is called whose method is called, also behind what binds something to it; "" for no logger."""
    while isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute) and base.func.attr in BINDERS:
        base = base.func.value
    if not isinstance(base, ast.Attribute | ast.Name):
        return ""
    last = base.attr if isinstance(base, ast.Attribute) else base.id
    return last if (words(last) or ("",))[-1] in LOGGERS or last in _loggers(unit) else ""


@once_a_unit
def _loggers(unit: Unit) -> frozenset[str]:
    """The names and attributes of a file that are bound to what gives a logger: `self._audit = getLogger("audit")`."""
    found: set[str] = set()
    for node in unit.module.nodes(ast.Assign):
        value: ast.expr = node.value
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in BINDERS:
            value = value.func.value
        if isinstance(value, ast.Call) and last_name(value.func) in MAKERS:
            found.update(last_name(target) for target in node.targets)
    return frozenset(found - {""})


def plain_fields(machine: "Machine", value: Value, state: "State") -> list[str]:
    """The secret fields that the text of an object shows: plain texts of a dataclass or a settings class."""
    for thing in value.things:
        ref = thing.ref if isinstance(thing, Made) else None
        if isinstance(thing, Reference) and (cell := state.heap.get(thing.number)) is not None:
            ref = cell.ref
        if ref is not None and (found := _plain_fields_of(machine, ref)):
            return found
    return []


def _plain_fields_of(machine: "Machine", ref: ClassRef) -> list[str]:
    """The first of a class's fields that is a secret in plain text, if its objects show their fields."""
    if not _shows_fields(machine, ref):
        return []
    for statement in ref.node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            if (
                secret_name(name, ref.unit)
                and "Secret" not in ast.unparse(statement.annotation)
                and not _hidden(statement.value)
            ):
                return [f"{ref.node.name}.{name}"]
    return []


def _hidden(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and any(
        keyword.arg == "repr" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in value.keywords
    )


def _shows_fields(machine: "Machine", ref: ClassRef) -> bool:
    if any(name in ref.unit.methods.get(ref.node, {}) for name in ("__repr__", "__str__")):
        return False
    for decorator in ref.node.decorator_list:
        func = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (
            func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        ) == "dataclass":
            return True
    return any(
        isinstance(item, str) and item in FIELD_BASES | machine.catalogue.body_bases
        for item in machine.loader.lineage(ref)
    )
