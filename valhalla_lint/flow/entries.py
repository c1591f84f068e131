"""Where outside values enter a function: parameters of handlers, fields of request bodies, request objects."""

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.frozen import replace
from valhalla_lint.core.regex import regex
from valhalla_lint.facts.calls import last_name
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import defaults, parameters
from valhalla_lint.flow.fields import accepted, annotated, proven_whole
from valhalla_lint.flow.labels import ANYTHING, GRADES, Grade, Handler, Kind, Mark, Origin, Risk
from valhalla_lint.flow.protocols import OUTSIDE, REQUESTS, RESPONDER, protocol_of, responder_route
from valhalla_lint.flow.registrations import decorates, made_tool, makes_tool, registered
from valhalla_lint.flow.routes import CONVERTERS, limits, refused
from valhalla_lint.flow.state import Cell, State, settle
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.values import (
    CLEAN,
    Body,
    Class,
    Function,
    Instance,
    Label,
    Library,
    Place,
    Trail,
    Value,
    constant,
    with_labels,
)
from valhalla_lint.flow.words import NOT_NAMES, OWNERS, names_choice, names_folder, pieces, words

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Frame, Machine

REQUEST_TYPE = "request"
"""The type of something that is only called `request`."""
REQUEST_NAMES = frozenset({"request", "req", "http_request", "flask_request"})
REQUEST_PARTS = frozenset(
    """args form files cookies values GET POST FILES COOKIES query_params path_params match_info view_args json query
    query_arguments body_arguments params matchdict rel_url path path_info query_string data""".split()
)
REQUEST_CALLS = frozenset(
    "get_json json form post body multipart get_data get_argument get_query_argument get_body_argument".split()
)
POSITIVE = frozenset(
    f"pydantic.{module}{name}"
    for module in ("", "types.")
    for name in ("PositiveInt", "NonNegativeInt", "PositiveFloat", "NonNegativeFloat")
)
NUMBERS = frozenset({"int", "float", "decimal.Decimal"}) | POSITIVE
CLOSED = frozenset(
    """bool uuid.UUID datetime.datetime datetime.date datetime.timedelta typing.Literal typing_extensions.Literal
    ipaddress.IPv4Address""".split()
) | {f"pydantic.{module}UUID{version}" for module in ("", "types.") for version in (1, 3, 4, 5, 6, 7, 8)}
TEXTS = frozenset({"str", "bytes", "pathlib.Path", "os.PathLike", "pathlib.PurePath"})
MANY = frozenset(
    """list List Sequence Iterable Iterator Collection MutableSequence set Set frozenset FrozenSet AbstractSet tuple
    Tuple deque""".split()
)
"""Annotations of what holds many of one type."""
OPEN = frozenset(
    """dict list tuple set object typing.Any typing.Dict typing.List typing.Mapping typing.MutableMapping
    typing.Tuple typing.Sequence typing.Iterable collections.abc.Mapping collections.abc.MutableMapping
    collections.abc.Sequence collections.abc.Iterable""".split()
)
"""Annotations that say nothing about the texts in a value."""
BUILTIN = "builtins."
BOUNDING = {
    ("Ge", 1): Risk.LOWER,
    ("Gt", 1): Risk.LOWER,
    ("Le", 1): Risk.UPPER,
    ("Lt", 1): Risk.UPPER,
    ("MaxLen", 1): Risk.LONG,
    ("Len", 2): Risk.LONG,
}
"""Annotations whose arguments are bounds, by their number: `Annotated[int, Ge(1), Le(4096)]`, `Len(0, 80)`."""
WRAPPERS = frozenset({"Optional", "Annotated", "Union", "Required", "ClassVar", "Final"})
ENUMS = frozenset("enum.Enum enum.IntEnum enum.StrEnum enum.Flag".split())
SEGMENT = regex(r"[<{](?:(?P<first>[A-Za-z_]\w*)(?:\([^)]*\))?:)?(?P<name>[A-Za-z_]\w*)(?::(?P<second>[^{}<>]+))?[>}]")
HANDLER_BASE = regex(r"Handler|View|Resource|Endpoint|Controller|Tool|Consumer|Namespace")
"""What the name of a base class says that may make methods of its subclasses handlers: such are read in other files."""
BODY_ENDS = ("Request", "RequestBody", "Body", "Payload", "RequestModel", "Req")
"""Ends of the names of classes that hold what a request brought."""
RECORDS = frozenset("dataclass define frozen attrs NamedTuple TypedDict".split())
"""Decorators and bases that make a class a plain record."""
UPLOADED = Instance("werkzeug.datastructures.FileStorage")
"""What an upload is, whichever framework gives it: they all have a `filename` that the sender chose."""
UPLOAD_WORDS = frozenset("upload uploads uploaded file image photo picture attachment document".split())
"""Words in the name of a parameter that may be an upload."""
UPLOAD_PARTS = frozenset("save stream chunks content_type mimetype".split())
"""What nothing but an upload has beside its `filename`."""
DEPENDING = frozenset({"Depends", "Security"})
"""What says that the framework fills a parameter by a call of its own (FastAPI)."""


def origin_of(kind: Kind, text: str, name: str = "") -> Origin:
    """An origin, with what its name says."""
    return Origin(kind, GRADES[kind], text, words(name) if name else frozenset())


class Typed(NamedTuple):
    """What an annotation says about a value: class of the project, library type, risks it cannot have.

    many: it is a list of objects of that class.
    """

    ref: ClassRef | None = None
    many: ClassRef | None = None
    library: str = ""
    gone: int = Risk.NONE
    closed: bool = False
    depends: ast.expr | None = None


def annotation_of(machine: "Machine", node: ast.expr | None, unit: Unit, depth: int = 4, *, load: bool = True) -> Typed:
    """What an annotation says; load: classes of other files are looked up."""
    if node is None or depth <= 0:
        return Typed()
    match node:
        case ast.Constant(value=str(text)):
            try:
                parsed = ast.parse(text, mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return Typed()
            return Typed(library=text) if isinstance(parsed, ast.Name) and text in TEXTS else Typed()
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            first = annotation_of(machine, left, unit, depth - 1, load=load)
            second = annotation_of(machine, right, unit, depth - 1, load=load)
            if isinstance(right, ast.Constant) and right.value is None:
                return first
            return first if first.ref or first.library else second
        case ast.Subscript(value=head, slice=inner):
            name = last_name(head)
            if name == "Literal":
                return Typed(closed=True)
            if name in WRAPPERS:
                parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                found = annotation_of(machine, parts[0], unit, depth - 1, load=load)
                for extra in parts[1:]:
                    if isinstance(extra, ast.Call):
                        if last_name(extra.func) in DEPENDING:
                            found = found._replace(depends=extra)
                        elif last_name(extra.func) == "Dependency":
                            found = found._replace(closed=True)  # Litestar hands it over, nobody outside
                        else:
                            found = found._replace(gone=found.gone | constraints(machine, extra, unit))
                return found
            if name in MANY:
                inner = inner.elts[0] if name in ("tuple", "Tuple") and isinstance(inner, ast.Tuple) else inner
                found = annotation_of(machine, inner, unit, depth - 1, load=load)
                return (
                    found._replace(library=f"list[{found.library}]" if found.library else "", ref=None, many=found.ref)
                    if not found.closed
                    else found
                )
            return Typed()
        case ast.Call(func=func):
            name = last_name(func)
            gone = constraints(machine, node, unit)
            if name in ("conint", "confloat"):
                return Typed(library="int", gone=gone | (ANYTHING & ~(Risk.UPPER | Risk.LOWER)))
            return Typed(gone=gone)
        case ast.Name() | ast.Attribute():
            return _named(machine, node, unit, load=load)
        case _:
            return Typed()


def _builtin(machine: "Machine", unit: Unit, name: str) -> str:
    """The plain name of a builtin that the project has under another: `from builtins import dict as Context`."""
    start = machine.loader.names_of(unit, name)
    where = machine.loader.at(start.location) if start is not None and len(start.names) == 1 else None
    found = where.module.names.imports.get(start.names[0]) if where is not None and start is not None else None
    target = found[0].target if found else name
    return target.removeprefix(BUILTIN) if target.startswith(BUILTIN) else name


def _named(machine: "Machine", node: ast.Name | ast.Attribute, unit: Unit, *, load: bool) -> Typed:
    name = unit.module.name(node)
    local = unit.classes.get(node.id) if isinstance(node, ast.Name) else None
    if local is not None and (name is None or name not in TEXTS):
        return _class(machine, ClassRef(unit, local))
    if name is None:
        if isinstance(node, ast.Name):
            value = unit.module.scopes.value_of(node)
            if value is not None and not isinstance(value, ast.Name):
                return annotation_of(machine, value, unit, 2)
        return Typed()
    name = _builtin(machine, unit, name) if load else name
    if name in NUMBERS:
        below = Risk.LOWER if name not in POSITIVE else Risk.NONE
        return Typed(library=name, gone=ANYTHING & ~(Risk.UPPER | below))
    if name in CLOSED:
        return Typed(library=name, closed=True)
    if name in TEXTS:
        return Typed(library=name)
    if name in OPEN:
        return Typed()
    if machine.catalogue.types and name in machine.catalogue.types:
        return Typed(library=name)
    found = machine.loader.find(unit, name) if load else None
    if isinstance(found, ClassRef):
        return _class(machine, found)
    if isinstance(found, tuple) and isinstance(found[1], ast.expr):
        return annotation_of(machine, found[1], found[0], 2)
    return Typed(library=name)


def _class(machine: "Machine", ref: ClassRef) -> Typed:
    for item in machine.loader.lineage(ref):
        if isinstance(item, str) and (item in ENUMS or item.endswith("Enum")):
            return Typed(closed=True)
    return Typed(ref=ref)


def constraints(machine: "Machine", node: ast.Call, unit: Unit) -> int:
    """The risks that `Field(...)`, `Query(...)`, `constr(...)` take away."""
    gone = BOUNDING.get((last_name(node.func), len(node.args)), Risk.NONE)
    for keyword in node.keywords:
        match keyword.arg:
            case "le" | "lt":
                gone |= Risk.UPPER
            case "ge" | "gt":
                gone |= Risk.LOWER
            case "max_length" | "max_items":
                gone |= Risk.LONG
            case "pattern" | "regex":
                gone |= accepted(unit, keyword.value, "search" if keyword.arg == "pattern" else "match")
            case _:
                pass
    del machine
    return gone


def fresh(
    machine: "Machine",
    kind: Kind,
    text: str,
    name: str,
    place: Place,
    gone: int = Risk.NONE,
    grade: Grade | None = None,
) -> Label:
    """A label of a value that enters here."""
    origin = Origin(kind, GRADES[kind] if grade is None else grade, text, words(name))
    content = machine.token("source", kind, text, id(place.node) if kind is Kind.PARAMETER else 0)
    return Label(
        origin,
        content,
        machine.token("spot", content),
        ANYTHING & ~gone,
        trail=Trail(place, f"{text} {ENTERS[kind]}"),
    )


ENTERS = {
    Kind.REQUEST: "comes from outside",
    Kind.HANDLER: "comes with the request",
    Kind.UPLOAD: "is chosen by whoever uploads",
    Kind.MEMBER: "is chosen by whoever made the archive",
    Kind.CHECKPOINT: "is chosen by whoever made the checkpoint",
    Kind.TOOL: "is chosen by a language model",
    Kind.REMOTE: "comes from another machine",
    Kind.INTERFACE: "is typed by a user",
    Kind.PARAMETER: "is chosen by the caller",
    Kind.FILE: "is read from a file",
    Kind.ENVIRONMENT: "comes from the environment",
    Kind.ARGUMENT: "comes from the command line",
    Kind.SECRET: "is a secret",
}


WHOLE_BODY = frozenset({"copy", "dict", "json", "model_copy", "model_dump", "model_dump_json"})
"""Methods of a body that give all of it."""


def field_value(
    machine: "Machine", ref: ClassRef | None, origin: Origin, name: str, place: Place, base: Value
) -> Value:
    """A field of a request body."""
    del base
    text = f"{origin.text}.{name}" if name and name not in WHOLE_BODY else origin.text
    label = fresh(machine, origin.kind, text, name, place)
    if ref is None or name in WHOLE_BODY:
        return Value((label,))
    for item in machine.loader.lineage(ref):
        if not isinstance(item, ClassRef):
            continue
        for statement in item.node.body:
            if (
                isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and statement.target.id == name
            ):
                return _field(machine, ref, item, statement, label, place, origin)
        method = item.unit.methods.get(item.node, {}).get(name)
        if method is not None:
            return Value(things=(Function(item.unit, method, bound=Value(things=(Body(ref, origin),)), owner=item),))
    return Value((label,))


def _field(
    machine: "Machine",
    ref: ClassRef,
    owner: ClassRef,
    statement: ast.AnnAssign,
    label: Label,
    place: Place,
    origin: Origin,
) -> Value:
    assert isinstance(statement.target, ast.Name)
    typed = annotation_of(machine, statement.annotation, owner.unit)
    if typed.closed or (isinstance(statement.value, ast.Call) and last_name(statement.value.func) in DEPENDING):
        return CLEAN
    gone = typed.gone
    if isinstance(statement.value, ast.Call):
        gone |= constraints(machine, statement.value, owner.unit)
    if typed.ref is not None:
        return Value(things=(Body(typed.ref, label.origin),))
    if typed.many is not None:
        return Value(things=(Body(typed.many, label.origin, many=True),))
    label = replace(label, risk=label.risk & ~gone)
    value = Value((label,))
    for function in (
        *annotated(machine, owner.unit, statement.annotation),
        *validators(machine, ref, statement.target.id),
    ):
        value = validated(machine, function, value, place)
    proven = proven_whole(machine, ref, origin, place)
    return settle(value, proven) if proven else value


def validators(machine: "Machine", ref: ClassRef, name: str) -> Iterator[Function]:
    """The methods of a body's class that check a field."""
    for item in machine.loader.lineage(ref):
        if not isinstance(item, ClassRef):
            continue
        for method in item.unit.methods.get(item.node, {}).values():
            for decorator in method.decorator_list:
                if isinstance(decorator, ast.Call) and last_name(decorator.func) in ("validator", "field_validator"):
                    named = [argument.value for argument in decorator.args if isinstance(argument, ast.Constant)]
                    if name in named or "*" in named:
                        yield Function(item.unit, method, bound=CLEAN, owner=item)


def validated(machine: "Machine", function: Function, value: Value, place: Place) -> Value:
    """What a validator lets through."""
    from valhalla_lint.flow.machine import Call, Frame

    node = ast.Call(func=ast.Name(id="validator", ctx=ast.Load()), args=[], keywords=[])
    ast.copy_location(node, place.node)
    state = State()
    call = Call(node, [value], {}, state, Frame(place.unit, None), name="validator")
    result = machine.call_function(function, call)
    return settle(result, state.proven) if result.labels else settle(value, state.proven)


# --- functions that are called from outside


class Entry(NamedTuple):
    """A function with what calls it from outside, if anything does."""

    unit: Unit
    node: FunctionNode
    owner: ClassRef | None
    handler: Handler | None
    route: str = ""


def handler_of(
    machine: "Machine", unit: Unit, node: FunctionNode, owner: ClassRef | None
) -> tuple[Handler | None, str]:
    """What calls a function from outside, and the path template that it is registered under."""
    for decorator in node.decorator_list:
        found = decorates(unit, machine.catalogue, decorator)
        if found is not None and not (found[0].kind is Kind.TOOL and makes_tool(unit, node)):
            return found
        if isinstance(decorator, ast.Call) and (shown := _templated(unit, node, decorator)) is not None:
            return shown
    handed = registered(unit, machine.catalogue).get(node) or made_tool(unit, machine.catalogue, node)
    if handed is not None:
        return handed
    arguments = node.args
    if (arguments.defaults or arguments.kw_defaults) and any(
        isinstance(given, ast.Call) and unit.module.name(given.func) in COMMAND_LINE for _, given in defaults(node)
    ):
        return Handler("typer", Kind.ARGUMENT), ""
    if _is_tool(unit, node):
        return Handler("tool", Kind.TOOL), ""
    if owner is not None:
        load = node.name in machine.catalogue.handled and any(
            HANDLER_BASE.search(last_name(base)) for base in owner.node.bases
        )
        for item in machine.loader.lineage(owner, load=load):
            if isinstance(item, str):
                base = machine.catalogue.base(item)
                if base is not None and (node.name in base.methods if base.methods else not node.name.startswith("_")):
                    return base, ""
    called = protocol_of(node)
    return called, responder_route(unit, node) if called is RESPONDER else ""


def _templated(unit: Unit, node: FunctionNode, call: ast.Call) -> tuple[Handler, str] | None:
    """The handler that a decorator of no known framework makes: its path template names parameters of the function.

    Only those come from outside: `@expose("/files/<name>")`.
    """
    route = unit.module.constants.text(call.args[0]) if call.args else None
    if route is None or not route.startswith("/"):
        return None
    names = template(route)
    own = {arg.arg for arg in parameters(node)}
    if own.isdisjoint(names):
        return None
    return Handler("route", skips=frozenset(own - names.keys())), route


def _is_tool(unit: Unit, node: FunctionNode) -> bool:
    """Whether a function is written for a server of tools, wherever it is registered.

    One parameter is the server's context, which it fills in, and another is described to the language model by a field.
    """
    annotated = [arg.annotation for arg in parameters(node) if arg.annotation is not None]
    if not any(unit.module.name(item) in TOOL_CONTEXTS for item in annotated):
        return False
    said = [inner for item in annotated if isinstance(item, ast.Subscript) for inner in ast.walk(item.slice)]
    said.extend(given for _, given in defaults(node))
    return any(isinstance(item, ast.Call) and unit.module.name(item.func) == DESCRIBED for item in said)


TOOL_CONTEXTS = frozenset(
    {"mcp.server.fastmcp.Context", "mcp.server.fastmcp.server.Context", "fastmcp.Context", "fastmcp.server.Context"}
)
"""Annotations of the parameter with which a server of tools hands itself to a tool."""
DESCRIBED = "pydantic.Field"
COMMAND_LINE = frozenset({"typer.Argument", "typer.Option"})
"""Defaults of parameters that the command line fills, wherever the command is registered."""


@lru_cache(maxsize=4096)
def template(route: str) -> dict[str, str]:
    """The parameters of a path template with their converters: "" for one segment, "path" for any text."""
    found: dict[str, str] = {}
    for match in SEGMENT.finditer(route):
        first, name, second = match["first"], match["name"], match["second"]
        swapped = name in CONVERTERS and first not in CONVERTERS  # Sanic, Bottle: `<name:int>`
        if first and not second and (route[match.start()] == "{" or swapped):
            found[first] = name
        else:
            found[name] = (second or first or "").strip()
    return found


def enter(machine: "Machine", entry: Entry, state: State, frame: "Frame") -> None:
    """Give a function's parameters their values as it begins."""
    decoded = entry.handler is not None and entry.handler.kind is Kind.TOOL  # after the template has been matched
    segments = {} if decoded else template(entry.route)
    given = {arg.arg: default for arg, default in defaults(entry.node)}
    for index, arg in enumerate(parameters(entry.node)):
        place = Place(entry.unit, arg)
        if index == 0 and arg.arg in OWNERS and entry.owner is not None:
            value = machine.allocate(Cell("object", ref=entry.owner), state)
            frame.receiver = value
            frame.owner = entry.owner
            state.variables[arg.arg] = value
            continue
        if entry.handler is RESPONDER and arg.annotation is None and arg.arg in REQUESTS:
            state.variables[arg.arg] = Value(things=(Instance(REQUESTS[arg.arg]),))
            continue
        if arg.arg in OUTSIDE and entry.handler is not None and entry.handler is protocol_of(entry.node):
            state.variables[arg.arg] = _request(machine, entry.handler, arg.arg, place, state)
            continue
        state.variables[arg.arg] = _parameter(machine, entry, arg, given.get(arg.arg), segments, place, state, frame)


def _request(machine: "Machine", handler: Handler, name: str, place: Place, state: State) -> Value:
    """The dictionary in which a server hands over a request: some of it comes from outside."""
    items: dict[object, Value] = {}
    for key in OUTSIDE[name]:
        items[key] = Value((fresh(machine, handler.kind, f"{name}['{key}']", "", place),))
    return machine.allocate(Cell("dict", items, exact=False), state)


def _parameter(
    machine: "Machine",
    entry: Entry,
    arg: ast.arg,
    default: ast.expr | None,
    segments: dict[str, str],
    place: Place,
    state: State,
    frame: "Frame",
) -> Value:
    typed = annotation_of(machine, arg.annotation, entry.unit, load=entry.handler is not None)
    const = entry.unit.module.constants.value(default) if default is not None else MISSING
    depends = typed.depends or (
        default if isinstance(default, ast.Call) and last_name(default.func) in DEPENDING else None
    )
    if isinstance(depends, ast.Call):
        return _dependency(machine, depends, typed, state, frame)
    if typed.closed or isinstance(const, bool):
        return CLEAN
    name = arg.arg
    if entry.handler is not None and name in _injected(entry.unit):
        return CLEAN
    if entry.handler is not None and name not in entry.handler.skips:
        return _from_outside(machine, entry, name, typed, default, segments, place)
    if entry.handler is not None and name in entry.handler.skips and not typed.library:
        if takes_messages(machine, entry.owner.node if entry.owner is not None else None):
            return Value(things=(Instance("grpc.ServicerContext"),))
        return Value(things=(Instance(REQUEST_TYPE),)) if name in REQUEST_NAMES else CLEAN
    if not typed.library and typed.ref is None and entry.handler is None and _is_upload(entry, name):
        return Value(things=(UPLOADED,))
    if typed.ref is None and entry.handler is None and (body := _body(machine, arg, entry)) is not None:
        return Value(things=(Body(body, origin_of(Kind.HANDLER, name, "")),))
    if typed.library and typed.library not in TEXTS and not typed.gone:
        kind = typed.library
        if name in REQUEST_NAMES and not _known(machine, kind):
            own = machine.loader.find(entry.unit, kind)
            if isinstance(own, ClassRef) and _is_record(own):
                rest = Value((fresh(machine, Kind.PARAMETER, f"parameter {name}", "", place),))
                return machine.allocate(Cell("object", ref=own, rest=rest), state)
            kind = REQUEST_TYPE
        label = fresh(machine, Kind.PARAMETER, f"parameter {name}", "", place)
        return Value(() if _known(machine, kind) or kind == REQUEST_TYPE else (label,), MISSING, (Instance(kind),))
    if name in REQUEST_NAMES and typed.ref is None:
        return Value(things=(Instance(REQUEST_TYPE),))
    things = (Instance("pathlib.Path"),) if typed.library == "pathlib.Path" else ()
    near = called_around(entry)
    public = is_public(entry) and not near
    text = f"parameter {name}"
    named = public and not typed.ref and not isinstance(const, int | float)
    label = fresh(machine, Kind.PARAMETER, text, name if named else "", place, typed.gone)
    if named:
        grade = Grade.NAMED if names_choice(name) else Grade.ANY
        usable = NOT_NAMES.isdisjoint(pieces(name)) and not names_folder(name)
        label = replace(label, origin=replace(label.origin, grade=grade, open=usable))
    elif near:
        label = replace(label, origin=replace(label.origin, near=True))
    if typed.ref is not None:
        return machine.allocate(Cell("object", ref=typed.ref, rest=Value((replace(label, risk=label.risk),))), state)
    return Value((label,), MISSING, things)


def _is_upload(entry: Entry, name: str) -> bool:
    """Whether a parameter is an upload by what is asked of it: its `filename`, and what nothing else has as well."""
    if UPLOAD_WORDS.isdisjoint(pieces(name)) or ".filename" not in entry.unit.module.text:
        return False
    asked = {
        item.attr
        for item in entry.unit.module.index.own(entry.node)
        if isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name) and item.value.id == name
    }
    return "filename" in asked and not asked.isdisjoint(UPLOAD_PARTS)


def _body(machine: "Machine", arg: ast.arg, entry: Entry) -> ClassRef | None:
    """The class of a parameter that is a request's body by its name and its bases, in whatever function."""
    node = arg.annotation
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
        node = ast.Name(id=node.value, ctx=ast.Load())
    if node is None or not last_name(node).endswith(BODY_ENDS):
        return None
    name = entry.unit.module.name(node)
    local = entry.unit.classes.get(last_name(node))
    found: object = (
        ClassRef(entry.unit, local) if local is not None else machine.loader.find(entry.unit, name) if name else None
    )
    if not isinstance(found, ClassRef):
        return None
    if any(isinstance(item, str) and item in machine.catalogue.body_bases for item in machine.loader.lineage(found)):
        return found
    return None


def _injected(unit: Unit) -> frozenset[str]:
    """The parameters of handlers that the application fills with its own: `dependencies={"name": Provide(lambda: x)}`.

    What a function provides may come out of the request.
    """
    found: set[str] = set()
    for call in unit.module.calls.get("Provide", ()):
        given = unit.module.parent(call)
        own = bool(call.args) and isinstance(call.args[0], ast.Lambda) and not list(parameters(call.args[0]))
        if own and isinstance(given, ast.Dict):
            keys = (key for key, value in zip(given.keys, given.values, strict=True) if value is call)
            found.update(key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str))
    return frozenset(found)


def _is_record(ref: ClassRef) -> bool:
    """Whether a class of the project is a plain record: what a function is asked to do, not what came by network."""
    said = (*ref.node.decorator_list, *ref.node.bases)
    return any(last_name(item.func if isinstance(item, ast.Call) else item) in RECORDS for item in said)


def _known(machine: "Machine", kind: str) -> bool:
    return kind in machine.catalogue.types


def takes_messages(machine: "Machine", owner: ast.ClassDef | None) -> bool:
    """Whether the methods of a class get messages that came as a whole from outside, whatever they are called."""
    return owner is not None and any(
        last_name(base).endswith(suffix) for suffix, _ in machine.catalogue.suffixes for base in owner.bases
    )


def is_public(entry: Entry) -> bool:
    """Whether other code may call a function with whatever it likes: no leading underscore on it or its class."""
    if entry.node.name.startswith("_") and entry.node.name != "__call__":
        return False
    return entry.owner is None or not entry.owner.node.name.startswith("_")


def called_around(entry: Entry) -> bool:
    """Whether a function stands inside another one that calls it: its arguments are in sight there."""
    module = entry.unit.module
    around = module.function(entry.node)
    if around is None or entry.node.decorator_list:
        return False
    return any(
        isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id == entry.node.name
        for item in module.index.own(around)
    )


def _from_outside(
    machine: "Machine",
    entry: Entry,
    name: str,
    typed: Typed,
    default: ast.expr | None,
    segments: dict[str, str],
    place: Place,
) -> Value:
    assert entry.handler is not None
    if takes_messages(machine, entry.owner.node if entry.owner is not None else None):
        return Value((fresh(machine, entry.handler.kind, name, name, place, typed.gone),))
    gone = typed.gone
    if isinstance(default, ast.Call):
        gone |= constraints(machine, default, entry.unit)
    kind = entry.handler.kind
    if typed.ref is not None:
        return Value(things=(Body(typed.ref, origin_of(kind, name, name)),))
    if typed.many is not None:
        return Value(things=(Body(typed.many, origin_of(kind, name, name), many=True),))
    if typed.library and typed.library not in TEXTS and not typed.gone:
        if typed.library.startswith("list[str"):
            return Value((fresh(machine, kind, name, name, place, gone),))
        return Value(things=(Instance(typed.library),))
    if name in REQUEST_NAMES and not typed.library:
        return Value(things=(Instance(REQUEST_TYPE),))
    kept_out, marks = kept_out_by_route(entry, name, segments)
    label = fresh(machine, kind, name, name, place, gone | kept_out)
    things = (Instance("pathlib.Path"),) if typed.library == "pathlib.Path" else ()
    return Value((replace(label, marks=marks),), MISSING, things)


def kept_out_by_route(entry: Entry, name: str, segments: Mapping[str, str]) -> tuple[int, int]:
    """The risks that the route of a handler takes from one of its parameters, and the marks that it gives."""
    gone, marks = limits(segments[name]) if name in segments else (Risk.NONE, Mark.NONE)
    owner = entry.owner if entry.handler is not None and entry.handler.route == "tornado" else None
    if owner is not None and owner.unit is entry.unit:
        gone |= refused(entry.unit, owner.node, entry.node).get(name, Risk.NONE)
    return gone, marks


def _dependency(machine: "Machine", depends: ast.Call, typed: Typed, state: State, frame: "Frame") -> Value:
    """`Depends(f)`: what the dependency returns; `Depends()` makes an object of the annotated class."""
    from valhalla_lint.flow.machine import Call

    if not depends.args:
        return _made_for(machine, typed.ref, depends, state, frame) if typed.ref is not None else CLEAN
    target = machine.evaluate(depends.args[0], state, frame)
    match target.thing:
        case Library(name=name):  # of another file
            match machine.loader.find(frame.unit, name) if machine.loader.exists(frame.unit, name) else None:
                case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as node):
                    target = Value(things=(Function(where, node),))
                case ClassRef() as ref:
                    target = Value(things=(Class(ref),))
                case _:
                    pass
        case _:
            pass
    for thing in target.things:
        if isinstance(thing, Function) and not isinstance(thing.node, ast.Lambda):
            inner = State(heap=state.heap)
            owner = None
            entry = Entry(thing.unit, thing.node, owner, Handler("Depends"))
            enter(machine, entry, inner, frame)
            call = Call(depends, [], dict(inner.variables), state, frame, name=thing.node.name)
            return machine.call_function(thing, call)
        if isinstance(thing, Class):
            return _made_for(machine, thing.ref, depends, state, frame)
    return CLEAN


def _made_for(machine: "Machine", ref: ClassRef, depends: ast.Call, state: State, frame: "Frame") -> Value:
    """An object that the framework makes for a request: it takes the arguments out of the request, as for a handler."""
    from valhalla_lint.flow.machine import Call, Frame

    init = machine.loader.method(ref, "__init__")
    if init is None:
        is_body = _is_record(ref) or any(item in machine.catalogue.body_bases for item in machine.loader.lineage(ref))
        name = ref.node.name
        return Value(things=(Body(ref, origin_of(Kind.HANDLER, name, "")),)) if is_body else _plain(machine, ref, state)
    if frame.depth >= machine.bounds.calls or frame.node is init[1]:  # it needs an object of its own kind
        return _plain(machine, ref, state)
    inner = State(heap=state.heap)
    within = Frame(init[0], init[1], frame, depth=frame.depth + 1)
    enter(machine, Entry(init[0], init[1], None, Handler("Depends")), inner, within)
    given = {name: value for name, value in inner.variables.items() if name not in OWNERS}
    return machine.construct(ref, Call(depends, [], given, state, frame, name=ref.node.name))


def _plain(machine: "Machine", ref: ClassRef, state: State) -> Value:
    return machine.allocate(Cell("object", ref=ref), state)


_ = (constant, with_labels)
