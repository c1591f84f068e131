"""Objects: names bound, attributes, items, elements; classes of the project and values of libraries."""

import ast
import string

from valhalla_lint.core.frozen import replace
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.flow.borrowed import PROPERTIES
from valhalla_lint.flow.entries import REQUEST_CALLS, REQUEST_PARTS, REQUEST_TYPE, field_value, origin_of, template
from valhalla_lint.flow.fields import VALIDATING, cleaned, kept_out
from valhalla_lint.flow.fronts import is_of_settings, only_converter
from valhalla_lint.flow.labels import ANYTHING, PLACE, Grade, Kind, Mark, Origin, Risk
from valhalla_lint.flow.machine import Frame, Machine
from valhalla_lint.flow.messages import is_taken_apart
from valhalla_lint.flow.routes import limits
from valhalla_lint.flow.secrecy import (
    bound_as,
    of_record,
    rest_at,
    several,
    taken_apart,
    without_schemes,
    without_secrets,
)
from valhalla_lint.flow.state import Cell, State
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.values import (
    CLEAN,
    Body,
    BoundMethod,
    Class,
    Facts,
    Function,
    Instance,
    Label,
    Library,
    Made,
    Place,
    Reference,
    Thing,
    Truth,
    Value,
    View,
    all_labels,
    constant,
    instance,
    marked,
    merge,
    merge_all,
    reads_as,
    with_labels,
)
from valhalla_lint.flow.words import who_names_files

PATH_TYPE = "pathlib.Path"
LETTERS = "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable".split()
LIBRARY_CONSTANTS = {
    "os.sep": "/",
    "os.path.sep": "/",
    "os.altsep": "\\",
    "os.path.altsep": "\\",
    "os.pardir": "..",
    "os.path.pardir": "..",
    "os.curdir": ".",
    "os.path.curdir": ".",
    **{f"string.{name}": getattr(string, name) for name in LETTERS},
}
"""Constants of the standard library that checks use, as they are on POSIX; `altsep` is the other separator."""
BEGINNINGS = {"anchor": Risk.ABSOLUTE | Risk.DRIVE, "root": Risk.ABSOLUTE, "drive": Risk.DRIVE}
"""Attributes of a path that are empty where it does not begin so."""
PATH_FIELDS = ("match_info", "path_params", "view_args")
"""Parts of requests that hold what the fields of the path template matched."""
UPLOADS = (Instance("dict[werkzeug.datastructures.FileStorage]"),)
DJANGO_REQUEST = "rest_framework.request.Request"
DJANGO_UPLOADS = "dict[django.core.files.uploadedfile.UploadedFile]"
STREAMS = ("file", "stream")
"""Attributes of an upload, the one kind of field of a form that has attributes, which hold what was sent, opened."""
VALIDATED = ("cleaned_data", "validated_data")
"""Attributes of forms and serializers that hold what came, as objects of the types that the fields say."""
UPLOAD_FIELDS = ("FileField", "ImageField")
"""How the classes of fields are called that hold uploads, those of a project as well (`LimitedFileField`)."""
ADDRESSED = {
    "scheme": PLACE,
    "netloc": Risk.SEPARATOR | Risk.ABSOLUTE,
    "hostname": Risk.SEPARATOR | Risk.ABSOLUTE,
}
"""What the parts of a parsed address cannot hold; a backslash is no separator there."""
MAX_MODULE_VALUES = 3
"""Module-level bindings of one name that are looked at."""


class Objects(Machine):
    """The part of the interpreter that knows objects."""

    # -- binding ------------------------------------------------------------------------------------------------

    def assign(
        self, target: ast.expr, value: Value, state: State, frame: Frame, source: ast.expr | None = None
    ) -> None:
        """Bind a value to a target of any form."""
        match target:
            case ast.Name(id=name):
                if name in self.dotted:
                    for key in [key for key in state.variables if key.startswith(name + ".")]:
                        del state.variables[key]
                state.variables[name] = bound_as(value, name) if self.secrets else value
            case ast.Attribute(value=base, attr=attr):
                value = bound_as(value, attr) if self.secrets else value
                self._assign_attribute(base, attr, target, value, state, frame)
            case ast.Subscript(value=base, slice=part):
                self._assign_item(base, part, value, state, frame)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpack(targets, value, state, frame, source)
            case ast.Starred(value=inner):
                self.assign(inner, value, state, frame)
            case _:
                pass

    def _assign_attribute(
        self, base: ast.expr, attr: str, target: ast.Attribute, value: Value, state: State, frame: Frame
    ) -> None:
        owner = self.evaluate(base, state, frame)
        found = self.cell(owner, state)
        if found is not None:
            number, cell = found
            state.heap[number] = replace(cell, items={**cell.items, attr: value})
            return
        dotted = _dotted(target)
        if dotted is not None:
            state.variables[dotted] = value
            self.dotted.add(dotted.partition(".")[0])

    def _assign_item(self, base: ast.expr, part: ast.expr, value: Value, state: State, frame: Frame) -> None:
        owner = self.evaluate(base, state, frame)
        key = self.evaluate(part, state, frame).const
        found = self.cell(owner, state)
        if found is None:
            if isinstance(base, ast.Name) and value.labels:
                if owner.labels or owner.things:
                    state.variables[base.id] = merge(owner, with_labels(value.labels))
                else:  # something unknown that has items: this one is from outside, and nothing else of it
                    known = key is not MISSING and not isinstance(part, ast.Slice) and _plain_key(key)
                    made = Cell("dict", {key: value}) if known else Cell("dict", {}, value)
                    state.variables[base.id] = self.allocate(made, state)
            return
        number, cell = found
        if cell.kind == "config" and isinstance(key, str):
            return
        if key is MISSING or isinstance(part, ast.Slice) or not _plain_key(key):
            state.heap[number] = replace(cell, rest=value if cell.rest is None else merge(cell.rest, value))
        else:
            state.heap[number] = replace(cell, items={**cell.items, key: value})

    def _unpack(
        self, targets: list[ast.expr], value: Value, state: State, frame: Frame, source: ast.expr | None
    ) -> None:
        if (
            isinstance(source, ast.Tuple | ast.List)
            and len(source.elts) == len(targets)
            and not any(isinstance(item, ast.Starred) for item in (*source.elts, *targets))
        ):
            found = self.cell(value, state)
            for index, target in enumerate(targets):
                item = found[1].items.get(index, CLEAN) if found is not None else CLEAN
                if found is None and isinstance(value.const, tuple) and index < len(value.const):
                    item = constant(value.const[index])
                self.assign(target, item, state, frame)
            return
        starred = any(isinstance(target, ast.Starred) for target in targets)
        for index, target in enumerate(targets):
            if starred:
                item = self.elements(value, state, target)
            else:
                item = self.item(value, constant(index), target, state, frame)
            if self.secrets:
                item = taken_apart(item, _last_name(target), [_last_name(other) for other in targets], frame.unit)
            self.assign(target, item, state, frame)

    # -- attributes ---------------------------------------------------------------------------------------------

    def attribute(self, base: Value, name: str, node: ast.expr, state: State, frame: Frame) -> Value:
        """The value of an attribute."""
        found: Value | None = None
        if name == "request" and not base.labels and not any(isinstance(thing, Library) for thing in base.things):
            value = self._attribute_of(base.things[0], base, name, node, state, frame) if base.things else None
            if value is None or isinstance(value.thing, BoundMethod):
                return instance(REQUEST_TYPE)
            return value
        for thing in base.things:
            if base.labels and isinstance(thing, BoundMethod):
                continue  # an attribute of an outside value, used as a value
            if isinstance(thing, View) and (base.labels or len(base.things) > 1):
                continue  # what else it is says what the attribute is
            value = self._attribute_of(thing, base, name, node, state, frame)
            if value is not None:
                found = value if found is None else merge(found, value)
        if base.labels and not any(isinstance(thing, Library) for thing in base.things):
            value = self._of_labelled(base, name, node, state, frame)
            found = value if found is None or not found.things else merge(found, value)
        if found is not None:
            return found
        if isinstance(base.const, str | bytes | int | float | tuple | frozenset):
            return Value(things=(BoundMethod(base, name),))
        return Value(things=(BoundMethod(base, name),)) if not base.things else CLEAN

    def _attribute_of(
        self, thing: Thing, base: Value, name: str, node: ast.expr, state: State, frame: Frame
    ) -> Value | None:
        match thing:
            case Library(name=dotted):
                return self.library_read(f"{dotted}.{name}", node, frame)
            case Instance(type=kind):
                return self._of_instance(kind, base, name, node, frame)
            case Reference(number=number):
                return self._of_object(number, base, name, state, frame)
            case Body(many=False) if name in ("get", "pop"):  # of a dictionary of a known class
                return Value(things=(BoundMethod(base, name),))
            case Body(ref=ref, origin=origin, many=False):
                return field_value(self, ref, origin, name, Place(frame.unit, node), base)
            case Class(ref=ref):
                value = self.class_attribute(ref, name, None, state, frame)
                if value is None and name in VALIDATING:
                    return Value(things=(BoundMethod(base, name),))
                return value
            case Made(ref=ref):
                made = self.allocate(Cell("object", ref=ref), state)
                assert isinstance(made.things[0], Reference)
                return self._of_object(made.things[0].number, made, name, state, frame)
            case View() | Function():
                return Value(things=(BoundMethod(base, name),))
            case _:
                return Value(things=(BoundMethod(Value(things=(thing,)), name),))

    def _of_instance(self, kind: str, base: Value, name: str, node: ast.expr, frame: Frame) -> Value:
        if kind.startswith("pathlib.") and base.labels:
            return CLEAN
        row = self.catalogue.attribute(kind, name)
        if row is not None:
            value = instance(row.returns)
            if row.source is not None:
                text = self.segment(node, frame.unit)
                return merge(value, self.source(row.source, text, node, frame, name))
            return value
        if kind == REQUEST_TYPE:
            if name == "FILES":  # of no framework but Django
                return instance(DJANGO_UPLOADS)
            if name in REQUEST_PARTS and not is_taken_apart(node, name, frame.unit):
                method = (BoundMethod(base, name),) if name in REQUEST_CALLS else ()
                found = self.source(Kind.REQUEST, self.segment(node, frame.unit), node, frame, name)
                return replace(found, things=(*method, *(UPLOADS if name == "files" else ())))
            return Value(things=(BoundMethod(base, name),))
        return Value(things=(BoundMethod(base, name),))

    def source(self, kind: Kind, text: str, node: ast.AST, frame: Frame, name: str = "", risk: int = ANYTHING) -> Value:
        """A fresh value from outside."""
        origin = origin_of(kind, text, name)
        content = self.token("source", kind, text)
        place = Place(frame.unit, node)
        from valhalla_lint.flow.values import Trail

        return Value(
            (
                Label(
                    origin, content, self.token("spot", content), risk, trail=Trail(place, f"{text} comes from outside")
                ),
            )
        )

    def _of_object(self, number: int, base: Value, name: str, state: State, frame: Frame) -> Value | None:
        cell = state.heap.get(number)
        if cell is None:
            return None
        if name in cell.items and cell.kind in ("object", "namespace"):
            return cell.items[name]
        if cell.kind != "object":
            return Value(things=(BoundMethod(base, name),))
        if cell.ref is not None:
            value = self.class_attribute(cell.ref, name, Value(things=(Reference(number),)), state, frame)
            if value is not None:
                return value
        return cell.rest if cell.rest is not None else Value(things=(BoundMethod(base, name),))

    def class_attribute(
        self, ref: ClassRef, name: str, receiver: Value | None, state: State, frame: Frame
    ) -> Value | None:
        """A method, property or class variable; for an object also what its `__init__` sets."""
        for item in self.loader.lineage(ref):
            if not isinstance(item, ClassRef):
                if receiver is not None:
                    handler = self.catalogue.base(item)
                    if handler is not None and name in handler.attributes:
                        if handler.route == "django" and name == "request":  # what a middleware puts there is its own
                            return instance(DJANGO_REQUEST)
                        return self.source(handler.kind, f"self.{name}", item_node(ref), frame, name)
                    row = self.catalogue.attribute(item, name)
                    if row is not None:
                        value = instance(row.returns)
                        if row.source is not None:
                            value = merge(value, self.source(row.source, f"self.{name}", item_node(ref), frame, name))
                        if name in VALIDATED:
                            fields = View("fields", Value(things=(Class(ref),)))
                            value = replace(value, things=(*value.things, fields))
                        return value
                continue
            method = item.unit.methods.get(item.node, {}).get(name)
            if method is not None:
                kinds = {_last_name(decorator) for decorator in method.decorator_list}
                function = Function(item.unit, method, bound=None if "staticmethod" in kinds else receiver, owner=item)
                if "classmethod" in kinds:
                    function = replace(function, bound=Value(things=(Class(ref),)))
                value = Value(things=(function,))
                if kinds & PROPERTIES and receiver is not None:
                    return self.property_value(function, state, frame, method)
                return value
            assigned = self._class_variable(item, name, receiver, frame)
            if assigned is not None:
                return assigned
        return None

    def property_value(self, function: Function, state: State, frame: Frame, node: ast.AST) -> Value:
        """What a property returns; implemented where calls are."""
        raise NotImplementedError

    def wrapped_method(self, ref: ClassRef, value: ast.expr, frame: Frame) -> Function | None:
        """What a class makes of one of its methods; implemented where decorators are read."""
        raise NotImplementedError

    def _class_variable(self, ref: ClassRef, name: str, receiver: Value | None, frame: Frame) -> Value | None:
        for statement in ref.node.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                    made = self.wrapped_method(ref, value, frame)
                    if made is not None:
                        return Value(things=(replace(made, bound=receiver, owner=ref),))
                    return self.outside_value(value, ref.unit, frame)
                case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if found == name:
                    return self.outside_value(value, ref.unit, frame)
                case _:
                    pass
        if receiver is None:
            return None
        init = ref.unit.methods.get(ref.node, {}).get("__init__")
        if init is None:
            return None
        for node in ref.unit.module.index.own(init):
            match node:
                case (
                    ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=found)], value=value)
                    | ast.AnnAssign(
                        target=ast.Attribute(value=ast.Name(id="self"), attr=found), value=ast.expr() as value
                    )
                ) if found == name:
                    return self._init_value(value, init, ref)
                case _:
                    pass
        return None

    def _init_value(self, value: ast.expr, init: ast.FunctionDef | ast.AsyncFunctionDef, ref: ClassRef) -> Value:
        """What `__init__` gives an attribute, where the object was made elsewhere: its parameters are the maker's."""
        variables: dict[str, Value] = {}
        for arg in parameters(init):
            kind = ref.unit.module.name(arg.annotation) if arg.annotation is not None else None
            variables[arg.arg] = instance(kind or "")
        if isinstance(value, ast.Call | ast.Constant | ast.Name | ast.Attribute | ast.BinOp | ast.JoinedStr):
            state = State(variables)
            return made_elsewhere(self.evaluate(value, state, Frame(ref.unit, init, depth=99)), state)
        return CLEAN

    def outside_value(self, value: ast.expr, unit: Unit, frame: Frame) -> Value:
        """The value of an expression at module or class level."""
        const = unit.module.constants.value(value)
        if const is not MISSING:
            return constant(const)
        inside = Frame(unit, None, depth=frame.depth)
        state = State()
        return made_elsewhere(self.evaluate(value, state, inside), state)

    def _of_labelled(self, base: Value, name: str, node: ast.expr, state: State, frame: Frame) -> Value:
        """An attribute of a value from outside; of a path, one of its parts."""
        from valhalla_lint.flow.paths import PATH_PARTS

        part = PATH_PARTS.get(name)
        is_path = base.type().startswith("pathlib.") or any(
            label.marks & (Mark.JOINED | Mark.NORMAL) for label in base.labels
        )
        if part is not None and (is_path or part != "name"):
            return part_of(self, base, part, state)
        if is_path and name in BEGINNINGS:  # nothing of them where it is empty
            begins = {label.content: BEGINNINGS[name] for label in base.labels}
            return Value(truth=Truth(holds=Facts(), fails=Facts(begins)))
        if is_path:
            return Value(things=(BoundMethod(base, name),))
        if self.secrets:  # what a token is called, or when it ends, is no secret
            return Value((), MISSING, (BoundMethod(base, name),))
        if name in STREAMS and all(self.parts(label.content)[:1] == ("item",) for label in base.labels):
            return CLEAN
        labels = tuple(
            replace(found, marks=found.marks | Mark.FAR)
            if label.marks & Mark.INDIRECT and self.parts(label.content)[:1] != ("decode",)
            else found
            for label, found in ((label, self._attribute(label, name, state)) for label in base.labels)
        )
        extra = origin_words(labels, name, self.segment(node, frame.unit))
        return Value(extra, MISSING, (BoundMethod(base, name),))

    def _attribute(self, label: Label, name: str, state: State) -> Label:
        """An attribute of a value from outside: of a parsed address, the part that a separator of paths ends."""
        gone = ADDRESSED.get(name, Risk.NONE) if self.parts(label.content)[:1] == ("address",) else Risk.NONE
        return self.derived(label, state, "attribute", name, risk=self.left(label, state) & ~gone if gone else None)

    # -- items and elements -------------------------------------------------------------------------------------

    def item(self, base: Value, key: Value, node: ast.AST, state: State, frame: Frame) -> Value:
        """`base[key]`."""
        chosen = who_names_files(key.const) if not self.secrets else None
        if chosen is Kind.REMOTE or (chosen is not None and self.cell(base, state) is None):  # of no index that is made
            return self.source(chosen, self.segment(node, frame.unit), node, frame, "filename")
        if (
            isinstance(base.const, str | bytes | tuple)
            and isinstance(key.const, int)
            and not isinstance(key.const, bool)
        ):
            try:
                return constant(base.const[key.const])
            except IndexError:
                return CLEAN
        found = self.cell(base, state)
        if found is not None and base.labels:  # `given.get("names", [])`: what came from outside, or the default
            outside = self.item(with_labels(base.labels), key, node, state, frame)
            return merge(outside, self._cell_item(found[1], key))
        if found is not None:
            value = self._cell_item(found[1], key)
            if isinstance(key.const, int):
                value = self.one_part(value, state)
            return rest_at(self, value, key.const, frame.unit) if value is found[1].rest else value
        for thing in base.things:
            match thing:
                case Instance(type=kind):
                    row = self.catalogue.attribute(kind, "[]")
                    if row is not None and row.source is not None:
                        return self.source(row.source, self.segment(node, frame.unit), node, frame, _key_name(key))
                    inner = element_type(kind)
                    if inner:
                        return Value(base.labels, MISSING, (Instance(inner),))
                case View(kind="parents", subject=subject):
                    return part_of(self, subject, "parent", state)
                case View(kind="parts", subject=subject):
                    return with_labels(self.piece_labels(subject, state, key))
                case View(kind="split", subject=subject):
                    if self.secrets and key.const == 0:
                        subject = with_labels(without_schemes(self, subject.labels, state))
                    return with_labels(self.piece_labels(subject, state, key, base))
                case Body(ref=ref, origin=origin, many=True):
                    return Value(things=(Body(ref, origin),))
                case Body(ref=_, origin=origin):
                    return field_value(self, None, origin, str(_key_name(key)), Place(frame.unit, node), base)
                case _:
                    pass
        if not base.labels:
            return CLEAN
        if isinstance(node, ast.Subscript) and isinstance(key.const, int) and key.const in (0, -1):
            return Value(
                tuple(self.derived(label, state, "item", key.const) for label in base.labels),
                MISSING,
                (View("edge", base, key),),
            )
        name = _key_name(key)
        kept = of_record(base.labels, key.const, frame.unit) if self.secrets else base.labels
        kept = tuple(label for label in kept if not keeps_upload(label, name, frame.unit, node))
        if name:
            kept = tuple(self.as_routed(label, name, frame) for label in kept)
        labels = tuple(self.derived(label, state, "item", name or self.segment(node, frame.unit)) for label in kept)
        if not name and labels and is_of_settings(node, frame.unit):
            labels = marked(labels, Mark.NAMED)
        value = with_labels(origin_words(labels, name, self.segment(node, frame.unit)) if name else labels)
        return self.as_field(base, name, value, Place(frame.unit, node)) if name else value

    def as_field(self, base: Value, name: str, value: Value, place: Place) -> Value:
        """A value of a form or serializer, as its field and the class's own methods let it through."""
        view = reads_as(base, "fields")
        if view is None or not isinstance(view.subject.thing, Class):
            return value
        ref = view.subject.thing.ref
        gone = kept_out(self, ref, name)
        limited = with_labels(tuple(replace(label, risk=label.risk & ~gone) for label in value.labels))
        return cleaned(self, ref, name, limited, place)

    def as_routed(self, label: Label, name: str, frame: Frame) -> Label:
        """A field of the path, read out of the request: its converter says what it can hold."""
        if not label.origin.text.endswith(PATH_FIELDS):
            return label
        converter = template(self.route).get(name)
        if converter is None:
            converter = only_converter(frame.unit, name)
        if converter is None:
            return label
        gone, mark = limits(converter, decoded=label.origin.text.endswith("match_info"))  # by aiohttp
        return replace(label, risk=label.risk & ~gone, marks=label.marks | mark)

    def piece_labels(self, subject: Value, state: State, key: Value, view: Value | None = None) -> tuple[Label, ...]:
        """Labels of one segment of a path or a split text."""
        separator = "/"
        if view is not None and isinstance(view.thing, View) and view.thing.other is not None:
            separator = view.thing.other.text or ""
        gone = Risk.NONE
        if separator in ("/", "\\"):
            gone = Risk.ABSOLUTE | Risk.DRIVE
            if key.const is not MISSING:  # one part; parts put together in a loop can go up again and again
                gone |= Risk.SEPARATOR | Risk.BACKSLASH
        elif separator == ":":
            gone = Risk.DRIVE
        elif separator == "." and key.const == -1:
            gone = Risk.PARENT  # what stands behind the last dot holds none
        return tuple(
            self.derived(label, state, "part", separator, risk=self.left(label, state) & ~gone)
            for label in subject.labels
        )

    def one_part(self, value: Value, state: State) -> Value:
        """One of the parts of a split path (`next(part for part in path.split("/"))`), which holds no separator."""
        if not any(self.parts(label.content)[:2] == ("part", "/") for label in value.labels):
            return value
        return replace(
            value,
            labels=tuple(
                label.risking(self.left(label, state) & ~(Risk.SEPARATOR | Risk.BACKSLASH))
                if self.parts(label.content)[:2] == ("part", "/")
                else label
                for label in value.labels
            ),
        )

    @staticmethod
    def _cell_item(cell: Cell, key: Value) -> Value:
        if cell.kind == "list" and isinstance(key.const, int) and cell.exact:
            index = key.const if key.const >= 0 else len(cell.items) + key.const
            return cell.items.get(index, CLEAN)
        if key.const is not MISSING and _plain_key(key.const) and cell.kind != "list":
            found = cell.items.get(key.const)
            if found is not None:
                return found
            return cell.rest if cell.rest is not None else CLEAN
        values = list(cell.items.values())
        if cell.rest is not None:
            values.append(cell.rest)
        return merge_all(values)

    def elements(self, value: Value, state: State, node: ast.AST) -> Value:
        """What iterating over a value yields."""
        if isinstance(value.const, tuple | frozenset):
            return merge_all(constant(item) for item in value.const) if value.const else CLEAN
        if isinstance(value.const, str):
            return CLEAN
        found = self.cell(value, state)
        if found is not None and value.labels:  # as for one item
            bare = Value(things=tuple(thing for thing in value.things if isinstance(thing, Reference)))
            outside = self.elements(with_labels(value.labels), state, node)
            return merge(outside, self.elements(bare, state, node))
        if found is not None:
            cell = found[1]
            if cell.kind == "dict":
                return CLEAN if cell.rest is None else with_labels(without_secrets(all_labels(cell.rest, state)))
            values = list(cell.items.values())
            if cell.rest is not None:
                values.append(cell.rest)
            return merge_all(values)
        for thing in value.things:
            match thing:
                case Instance(type=kind):
                    inner = element_type(kind)
                    if inner:
                        return self.typed(inner, value)
                    row = self.catalogue.method(kind, "__iter__") or self.catalogue.method(kind, "__aiter__")
                    if row is not None and (inner := element_type(row.returns)):
                        return self.typed(inner, value)
                case Body(ref=ref, origin=origin, many=True):
                    return Value(things=(Body(ref, origin),))
                case View(kind="split" | "parts", subject=subject):
                    return Value(self.piece_labels(subject, state, CLEAN, value))
                case View(kind="parents", subject=subject):
                    return part_of(self, subject, "parent", state)
                case _:
                    pass
        labels = several(value.labels) if self.secrets else value.labels  # of one secret a single character
        return Value(tuple(self.derived(label, state, "character") for label in labels)) if labels else CLEAN

    def typed(self, kind: str, value: Value) -> Value:
        """A value of a type; `str:member` is a text from such a source."""
        if kind.startswith("str"):
            return with_labels(value.labels)
        return Value(value.labels, MISSING, (Instance(kind),))

    # -- libraries and modules ----------------------------------------------------------------------------------

    def library(self, dotted: str) -> Value:
        """What a dotted name of another module means: of the project, a known object, or of a library."""
        if dotted in LIBRARY_CONSTANTS:
            return constant(LIBRARY_CONSTANTS[dotted])
        kind = self.catalogue.instance(dotted)
        if kind:
            return instance(kind)
        if self.catalogue.behaviour(dotted) is not None:
            return Value(things=(Library(dotted),))
        return Value(things=(Library(dotted),))

    def library_read(self, dotted: str, node: ast.expr, frame: Frame) -> Value:
        """A dotted name of another module where it is read: some hold what comes from outside (`os.environ`)."""
        value = self.library(dotted)
        owner, _, last = dotted.rpartition(".")
        row = self.catalogue.attributes.get((owner, last))
        if row is None or row.source is None or not isinstance(value.thing, Library):
            return value
        found = self.source(row.source, self.segment(node, frame.unit), node, frame, last)
        return replace(found, things=value.things)

    def module_value(self, unit: Unit, name: str) -> Value:
        """The value of a module-level name: what its assignments give it."""
        key = (unit, name)
        if key in self.module_values:
            return self.module_values[key]
        self.module_values[key] = CLEAN  # a definition that needs itself
        module = unit.module
        values: list[Value] = []
        bound = module.scopes.bindings(module.tree).get(name, ())
        for target in bound[:MAX_MODULE_VALUES]:
            match module.parent(target):
                case ast.Assign(targets=[only], value=value) if only is target:
                    values.append(self.outside_value(value, unit, Frame(unit, None)))
                case ast.AnnAssign(target=only, value=ast.expr() as value) if only is target:
                    values.append(self.outside_value(value, unit, Frame(unit, None)))
                case _:
                    values.append(CLEAN)
        if not any(value.things for value in values):
            values.extend(self._set_in_functions(unit, name))
        result = merge_all(values)
        if len(bound) > 1:
            result = replace(result, const=MISSING)
        self.module_values[key] = result
        return result

    def _set_in_functions(self, unit: Unit, name: str) -> list[Value]:
        """What functions that declare a name global assign to it."""
        module = unit.module
        values: list[Value] = []
        for node in module.nodes(ast.Global):
            if name not in node.names:
                continue
            function = module.function(node)
            if function is None:
                continue
            for item in module.index.own(function):
                match item:
                    case ast.Assign(targets=[ast.Name(id=found)], value=ast.Call() as value) if found == name:
                        values.append(self.outside_value(value, unit, Frame(unit, None)))
                    case _:
                        pass
        return values

    @property
    def module_values(self) -> dict[tuple[Unit, str], Value]:
        """Values of module-level names computed so far."""
        try:
            return self._module_values
        except AttributeError:
            self._module_values: dict[tuple[Unit, str], Value] = {}
            return self._module_values


def made_elsewhere(value: Value, state: State) -> Value:
    """A value where the state in which it was made is gone: of its objects only the classes are known."""
    if not any(isinstance(thing, Reference) for thing in value.things):
        return value
    things: list[Thing] = []
    for thing in value.things:
        if not isinstance(thing, Reference):
            things.append(thing)
        elif (cell := state.heap.get(thing.number)) is not None and cell.ref is not None:
            things.append(Made(cell.ref))
    return Value(value.labels, value.const, tuple(things))


def part_of(machine: Machine, base: Value, part: str, state: State) -> Value:
    """A part of a path: `name`, `stem`, `suffix`, `parent`, `parents`, `parts`."""
    match part:
        case "name" | "stem" | "suffix":
            labels = tuple(
                machine.derived(label, state, "name", part, risk=machine.left(label, state) & ~(PLACE & ~Risk.PARENT))
                for label in base.labels
            )
            return Value(tuple(replace(label, marks=label.marks & ~Mark.JOINED, join=None) for label in labels))
        case "parent":
            above = []
            for label in base.labels:
                spot = machine.token("parent", label.spot)
                above.append(replace(label, spot=spot, risk=machine.left(label, state)))
                for attempt in state.tried.get(label.spot, ()):  # a check of the file was one of its folder
                    state.attempt(spot, attempt)
            return Value(tuple(above), MISSING, (Instance(PATH_TYPE), View("parent", base)))
        case _:
            return Value((), MISSING, (View(part, base),))


def element_type(kind: str) -> str:
    """The type that iterating over `list[X]`, `iter[X]`, `dict[X]` yields, or ""."""
    if kind.endswith("]") and "[" in kind:
        return kind.partition("[")[2][:-1]
    return ""


def keeps_upload(label: Label, name: str, unit: Unit, node: ast.AST) -> bool:
    """Whether a part of what was sent is an upload that the framework has kept: an object, or a path of its own.

    Django's forms and serializers say so by their fields, the messages of a chat by the key; else what is asked of the
    part says so. node: where the part is read.
    """
    if label.origin.kind is Kind.INTERFACE:
        return name == "files"
    if not label.origin.text.endswith(VALIDATED):
        return False
    fields = (call for last, calls in unit.module.calls.items() if last.endswith(UPLOAD_FIELDS) for call in calls)
    return _is_read_as_upload(node, unit) or any(
        isinstance(target, ast.Name) and target.id == name
        for call in fields
        if isinstance(binding := unit.module.parent(call), ast.Assign)
        for target in binding.targets
    )


def _is_read_as_upload(node: ast.AST, unit: Unit) -> bool:
    """Whether the variable that a part is kept in is asked for its chunks: `for chunk in file.chunks()`."""
    function = unit.module.function(node)
    match unit.module.parent(node):
        case ast.Assign(targets=[ast.Name(id=name)]) if function is not None:
            return len(unit.module.scopes.bindings(function).get(name, ())) == 1 and any(
                isinstance(call.func, ast.Attribute)
                and isinstance(call.func.value, ast.Name)
                and call.func.value.id == name
                and unit.module.function(call) is function
                for call in (*unit.module.calls.get("chunks", ()), *unit.module.calls.get("multiple_chunks", ()))
            )
        case _:
            return False


def origin_words(labels: tuple[Label, ...], name: str, shown: str = "") -> tuple[Label, ...]:
    """Labels whose origin also says what the attribute or key that was read says, and shows it.

    What an attribute of a plain parameter is called says little: configuration objects have a `model_path` too.
    """
    from valhalla_lint.flow.words import words

    found = words(name)
    result = []
    for label in labels:
        origin = label.origin
        more = found if origin.kind is not Kind.PARAMETER else frozenset()
        text = shown if shown.startswith(origin.text) else origin.text
        if text != origin.text or not more <= origin.words:
            origin = Origin(origin.kind, origin.grade, text, origin.words | more, near=origin.near)
        result.append(replace(label, origin=origin))
    return tuple(result)


def item_node(ref: ClassRef) -> ast.AST:
    """The node of a class."""
    return ref.node


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _key_name(key: Value) -> str:
    return key.const if isinstance(key.const, str) else ""


def _plain_key(key: object) -> bool:
    return isinstance(key, str | int | bytes | bool | float) or key is None


def _dotted(node: ast.expr) -> str | None:
    from valhalla_lint.flow.expressions import dotted_text

    return dotted_text(node)


_ = Grade
