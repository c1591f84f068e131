"""Calls: what is called, and what the call does to its values."""

import ast
from functools import lru_cache

from valhalla_lint.core.frozen import replace
from valhalla_lint.core.regex import regex
from valhalla_lint.core.settings import Preset
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.hub import BUILDERS
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.flow import generation, paths, secrecy, texts
from valhalla_lint.flow.containers import asked_by_set, container_method, letters_asked
from valhalla_lint.flow.entries import REQUEST_CALLS, REQUEST_TYPE
from valhalla_lint.flow.fields import VALIDATING, from_outside
from valhalla_lint.flow.inlining import Inlining, replace_call
from valhalla_lint.flow.keys import is_table
from valhalla_lint.flow.labels import Behaviour, Grade, Kind, Mark, Sink, Use
from valhalla_lint.flow.machine import HANDED_ON, Call, Frame, spelled_out
from valhalla_lint.flow.objects import element_type
from valhalla_lint.flow.policies import asked, is_question
from valhalla_lint.flow.receivers import class_of
from valhalla_lint.flow.shown import note
from valhalla_lint.flow.special import SPECIAL
from valhalla_lint.flow.state import Cell, Joined, State, meet_all, settle
from valhalla_lint.flow.statements import NEVER
from valhalla_lint.flow.tables import TASKS, Pick, picked
from valhalla_lint.flow.units import ClassRef, Unit, takes_class
from valhalla_lint.flow.values import (
    CLEAN,
    EVERYTHING,
    NOTHING,
    Body,
    BoundMethod,
    Class,
    Facts,
    Function,
    Instance,
    Label,
    Library,
    Members,
    Partial,
    Place,
    Reference,
    Regex,
    Truth,
    Value,
    View,
    all_labels,
    constant,
    instance,
    merge,
    merge_all,
    reads_as,
    stepped,
    union,
    with_labels,
)
from valhalla_lint.flow.words import HEADER_LOOK_UPS, pieces, who_names_files

NEVER_RETURNS = frozenset(
    """sys.exit exit quit os._exit os.abort flask.abort werkzeug.exceptions.abort werkzeug.abort bottle.abort
    quart.abort flask_restful.abort flask_restx.abort flask_smorest.abort sanic.exceptions.abort streamlit.stop
    streamlit.rerun grpc.ServicerContext.abort grpc.ServicerContext.abort_with_status grpc.aio.ServicerContext.abort
    argparse.ArgumentParser.error argparse.ArgumentParser.exit""".split()
)
"""Functions and methods after which nothing of the caller runs."""
CALLERS = {
    "run_in_executor": 2,
    "submit": 1,
    "apply_async": 1,
    "add_task": 1,
    "call_soon": 1,
    "call_soon_threadsafe": 1,
    "start_soon": 1,
    "run_sync": 1,
    "run_in_threadpool": 1,
}
"""Methods that call one of their arguments with those behind it: which argument, counted from 1."""
FILE_DEEDS = frozenset(
    "open read write stat load save download unlink remove mkdir makedirs file serve send exists".split()
)
"""Words in the name of a function that nobody has read which say that it does something with a file."""
PLACE_DEEDS = frozenset("copy delete execute extract import list move rename replace run symlink touch unpack".split())
"""Further words of that kind, which by themselves are said of much else: they count for what was put together."""
DECODING = frozenset("convert decode deserialize loads parse structure unmarshal unpack".split())
"""Words in the name of a function that nobody has read which say that it makes an object out of a message."""
WORK_DEEDS = frozenset(
    """build compile create deploy download eval evaluate execute export fetch finetune generate infer install launch
    load make predict process render run sample save start submit synthesize train transcribe translate
    upload""".split()
)
"""Words in the name of a function that nobody has read which say that what comes back is what it made."""
STORING = frozenset({"persist", "put", "save", "store", "upload", "write"})
"""Verbs of functions that keep something, and give back what they called it."""
HASHES = frozenset("hash hashed digest md5 sha sha1 sha256 uuid uid id".split())
"""Words in the name of such a function which say that it makes a name of its own."""
NO_FILES = frozenset({"url", "uri", "presigned", "kv", "key", "blob", "db"})
"""Words which say that it is about something else all the same: an address, a key of a store."""
LOOKING = frozenset({"fetch", "find", "get", "lookup", "query", "select"})
"""Verbs of functions that find something by what they are given."""
CONTENT_DEEDS = frozenset({"write", "send"})
"""Names of functions that nobody has read, among those, which are given what is written and not where."""
SHOWN = frozenset(
    """log logger logging debug info warn warning error exception critical print echo append add extend insert
    isinstance len repr hash quote escape render jsonify dumps emit format startswith endswith""".split()
)
"""Words in the name of a function that nobody has read which say that it shows or keeps what it is given."""
TEMPLATE_LOADERS = frozenset({"get_template", "render_template", "select_template"})
"""Methods of template engines, which look for a name in folders of their own and refuse what leads out of them."""
TEXT_DEEDS = frozenset(
    """parse decode encode quote unquote escape unescape split strip trim clean sanitize sanitise normalize normalise
    canonicalize format join expand substitute replace lower upper str text path paths file filename name names
    part parts segment basename prefix suffix secure safe validate check""".split()
)
"""Words in the name of such a function which say that what comes back is the text that it was given, or of it."""
FILLS = ".format"
FIELD = regex(r"\{[^{}]*\}")
"""What is filled in into a template."""
READERS = frozenset("copy get items pop setdefault values".split())
"""Methods of containers that hand out what they hold."""
LOOK_UPS = frozenset({"get", "pop"})
"""Methods of something unknown whose first argument is a key: what comes back was stored, and is not the key."""
MAX_TARGETS = 4
"""Methods of one name that are tried where the receiver is not known."""
COMMON_METHODS = frozenset(
    """get set add append extend insert pop remove clear update keys values items copy close read write open join split
    strip format encode decode lower upper replace find index count sort send recv start stop run put start save load
    delete create filter all first""".split()
)
"""Names that too many classes share for the name alone to say which is meant."""


class Calls(Inlining):
    """The part of the interpreter that knows calls."""

    def called(self, node: ast.Call, state: State, frame: Frame) -> Value:
        """The value of a call."""
        target = self.evaluate(node.func, state, frame)
        call = self.arguments(node, state, frame)
        if isinstance(node.func, ast.Attribute):
            call.name = node.func.attr
        elif isinstance(node.func, ast.Name):
            call.name = node.func.id
            if call.name == "super" and not state.variables.get("super"):
                return self._super(frame)
        last = call.name
        if self.secrets:
            name = dotted_of(target) or last
            note(self, call, name, target)
            return secrecy.given(self, call, name, self.call(target, call))
        if "generation" in self.topics and (call.keywords or last in generation.ENGINES):
            generation.note(self, call, last)
        return self.call(target, call)

    def arguments(self, node: ast.Call, state: State, frame: Frame) -> Call:
        """The evaluated arguments of a call."""
        values: list[Value] = []
        keywords: dict[str, Value] = {}
        spread = False
        extra: Value | None = None
        named: set[str] = set()
        for item in spelled_out(node.args):
            if isinstance(item, ast.Starred):
                every = self.evaluate(item.value, state, frame)
                given = self._handed_on(item, every, state, frame) if not spread else None
                if given is not None:
                    values.extend(given)
                    continue
                spread = True
                view = reads_as(every, "split") or reads_as(every, "parts")
                many = Value(view.subject.labels) if view is not None else self.elements(every, state, item)
                extra = many if extra is None else merge(extra, many)
            else:
                values.append(self.evaluate(item, state, frame))
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, state, frame)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
                continue
            found = self.cell(value, state)
            if found is not None and found[1].kind == "dict":
                keywords.update({str(key): item for key, item in found[1].items.items()})
                named.update(str(key) for key in found[1].items)
                value = found[1].rest or CLEAN
            if value.labels:
                extra = value if extra is None else merge(extra, value)
        return Call(node, values, keywords, state, frame, spread=spread, extra=extra, spread_names=frozenset(named))

    def _handed_on(self, item: ast.Starred, every: Value, state: State, frame: Frame) -> list[Value] | None:
        """What a function hands on of what it was given by place (`*args`), where that is known."""
        node = frame.node
        vararg = node.args.vararg if node is not None else None
        if vararg is None or not isinstance(item.value, ast.Name) or item.value.id != vararg.arg:
            return None
        found = self.cell(every, state)
        if found is None or found[1].kind != "list" or not found[1].exact or found[1].rest is not None:
            return None
        return list(found[1].items.values())

    def _super(self, frame: Frame) -> Value:
        """`super()`: the same object, methods of the bases."""
        if frame.owner is None or frame.receiver is None:
            return CLEAN
        bases = [base for base in self.loader.bases(frame.owner) if isinstance(base, ClassRef)]
        if not bases:
            return CLEAN
        return Value(things=(View("super", frame.receiver), Class(bases[0])))

    def call(self, target: Value, call: Call) -> Value:
        """The value of a call of a known target."""
        if not target.things:
            several = picked(self, call.frame.unit, call.node.func) if self._matters(call) or self._asks(call) else ()
            return self._one_of(several, call) if several else self.unknown(call, target)
        results = [self._call_thing(thing, target, call) for thing in target.things]
        return merge_all(results) if len(results) > 1 else results[0]

    def _one_of(self, several: tuple[Pick, ...], call: Call) -> Value:
        """A call of one of some functions: what one of them proves is not proven after the call."""
        values: list[Value] = []
        states: list[State] = []
        for pick in several:
            inner = replace_call(call)
            inner.state = call.state.copy()
            bound = None
            if pick.owner is not None:
                mine = call.frame.owner
                bound = call.frame.receiver if mine is not None and mine.node is pick.owner.node else None
                bound = bound or self.allocate(Cell("object", ref=pick.owner), inner.state)
            value = self.call_function(Function(pick.unit, pick.node, bound=bound, owner=pick.owner), inner)
            if value.const is not NEVER:
                values.append(settle(value, inner.state.proven))
                states.append(inner.state)
        if not values:
            return constant(NEVER)
        together = meet_all(states)
        assert together is not None
        call.state.take_effects(together)
        return merge_all(values)

    def _call_thing(self, thing: object, target: Value, call: Call) -> Value:
        match thing:
            case Function():
                return self.call_function(thing, call)
            case Class(ref=ref):
                return self.construct(ref, call)
            case Library(name=name):
                return self.call_library(name, call)
            case BoundMethod(receiver=receiver, name=name):
                call.receiver = receiver
                call.name = name
                return self.call_method(receiver, name, call)
            case Partial(target=inner, arguments=arguments, keywords=keywords):
                joined = replace(call, arguments=[*arguments, *call.arguments], keywords={**keywords, **call.keywords})
                return self.call(inner, joined)
            case Members(unit=unit):
                return Value(
                    things=tuple(Class(ClassRef(unit, node)) for node in list(unit.classes.values())[:MAX_TARGETS])
                )
            case _:
                return self.unknown(call, target)

    # -- libraries ----------------------------------------------------------------------------------------------

    def call_library(self, name: str, call: Call) -> Value:
        """A call of a library's function or class."""
        call.name = name
        if name in NEVER_RETURNS:
            return self.never(call)
        special = SPECIAL.get(name)
        if special is not None:
            return special(self, call)
        row = self.catalogue.behaviour(name)
        if row is not None:
            self.sinks(row, call, name)
        path_function = paths.FUNCTIONS.get(name)
        if path_function is not None:
            return path_function(self, call)
        function = texts.FUNCTIONS.get(name)
        if function is not None:
            value = function(self, call)
            told = value.labels or any(item.const is not MISSING for item in call.everything)
            if row is None or row.source is None or told:
                return value
        if row is not None:
            return self.by_row(row, call, name)
        owner, _, last = name.rpartition(".")
        if last in texts.REGEX_METHODS and self._matters(call) and (pattern := self.pattern_of(owner, call.frame)):
            call.receiver, call.name = Value(things=(pattern,)), last
            return texts.REGEX_METHODS[last](self, call)
        resolved = self.resolve(name, call)
        if resolved is not None:
            return self.call(resolved, call)
        if name.endswith(FILLS) and self._matters(call):  # a template that another file of the project keeps
            text = self.constant_of(name.removesuffix(FILLS), call.frame)
            if text is not None and any(map(str.isalnum, FIELD.sub("", text))):
                call.receiver, call.name = constant(text), FILLS[1:]
                return texts.text_method(self, call) or CLEAN
        if last[:1].isupper() and not self._matters(call) and "." in name:
            return instance(name)
        row = self.catalogue.any_method(last) if "." in name else None
        if row is not None:
            self.sinks(row, call, name)
            return self.by_row(row, call, name)
        return self.unknown(call, CLEAN, name)

    def never(self, call: Call) -> Value:
        """A call that does not come back."""
        self.raise_from(call.state, call.frame)
        return constant(NEVER)

    def resolve(self, name: str, call: Call) -> Value | None:
        """A function or class of another file of the project, read only where the call can matter."""
        unit = call.frame.unit
        if not self.loader.exists(unit, name):
            return None
        if not self._matters(call) and not self._asks(call):
            return None
        match self.loader.find(unit, name):
            case ClassRef() as ref:
                return Value(things=(Class(ref),))
            case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as node):
                return Value(things=(_of_class(where, node),))
            case (Unit() as where, ast.expr()):
                value = self.module_value(where, name.rpartition(".")[2])
                return value if value.things and not isinstance(value.thing, Library) else None
            case _:
                owner, _, last = name.rpartition(".")
                if last in TASKS and owner:
                    return self.resolve(owner, call)
                return self._of_made(name, call) or self._method_of_project(last, call)

    def pattern_of(self, name: str, frame: Frame) -> Regex | None:
        """The compiled pattern that another file of the project keeps under a name."""
        if not self.loader.exists(frame.unit, name):
            return None
        found = self.loader.find(frame.unit, name)
        if not (isinstance(found, tuple) and isinstance(found[1], ast.expr)):
            return None
        thing = self.module_value(found[0], name.rpartition(".")[2]).thing
        return thing if isinstance(thing, Regex) else None

    def _of_made(self, name: str, call: Call) -> Value | None:
        """A method of an object that another module of the project made: `core.settings.path_of`."""
        parts = name.split(".")
        for size in range(len(parts) - 1, 1, -1):
            found = self.loader.find(call.frame.unit, ".".join(parts[:size]))
            if not (isinstance(found, tuple) and isinstance(found[1], ast.expr)):
                continue
            value = self.module_value(found[0], parts[size - 1])
            for part in parts[size:]:
                value = self.attribute(value, part, call.node, call.state, call.frame)
            return value if any(isinstance(thing, Function) for thing in value.things) else None
        return None

    def _asks(self, call: Call) -> bool:
        """Whether a call without outside values may still give one: the request goes in, or the entry asks for one."""
        return self.asks or any(self.hands_on(value, call.state) for value in call.everything)

    def by_row(self, row: Behaviour, call: Call, name: str) -> Value:
        """What the tables say that a call gives."""
        value = instance(row.returns)
        if row.source is not None:
            text = self.segment(call.node, call.frame.unit)
            value = merge(value, self.source(row.source, text, call.node, call.frame, _named_key(call)))
        if row.passes is None and not (
            row.clears or row.adds or row.drops or row.returns or row.source or row.sinks or row.guard
        ):
            return self.unknown(call, CLEAN, name)
        labels = self._passed(row, call)
        if row.clears:
            labels = tuple(
                replace(self.derived(label, call.state, "clean", name), risk=self.left(label, call.state) & ~row.clears)
                for label in labels
            )
        if row.adds or row.drops:
            labels = tuple(replace(label, marks=(label.marks | row.adds) & ~row.drops) for label in labels)
        if row.guard:
            guarded = self.guarded(row, call)
            if guarded is not None:
                return guarded
        return Value((*value.labels, *labels), value.const, value.things)

    def _passed(self, row: Behaviour, call: Call) -> tuple[Label, ...]:
        if row.passes is None:
            if row.sinks or (row.returns and not row.clears) or row.source is not None:
                return ()
            values = [*call.everything, *([call.receiver] if call.receiver is not None else [])]
        else:
            values = [self.chosen(item, call) for item in row.passes]
        return union(all_labels(value, call.state) for value in values)

    def chosen(self, item: int | str, call: Call) -> Value:
        """An argument by what a row calls it."""
        if item == -1:
            return call.receiver or CLEAN
        if isinstance(item, int):
            return call.argument(item) or CLEAN
        return call.keywords.get(item, CLEAN)

    def guarded(self, row: Behaviour, call: Call) -> Value | None:
        """A call that proves something where it is true, or returns."""
        subject = call.receiver if call.receiver is not None and call.receiver.labels else call.argument(0)
        if subject is None or not subject.labels:
            return None
        facts = Facts({label.content: row.clears for label in subject.labels})
        match row.guard:
            case "validates":
                call.state.learn(facts)
                return with_labels(subject.labels)
            case "checks":
                return Value(truth=Truth(facts, Facts()))
            case _:
                return None

    def sinks(self, row: Behaviour, call: Call, name: str) -> None:
        """Note what reaches the dangerous arguments of a call."""
        for sink in row.sinks:
            self.sink(sink, call, name)

    def sink(self, sink: Sink, call: Call, name: str) -> None:
        """Note what reaches one dangerous argument."""
        shown = f"{short(name)}()"
        local = sink.use is Use.MODEL and (call.argument(0, "path") or CLEAN).text in BUILDERS
        for item in sink.arguments:
            value = self.chosen(item, call)
            labels = value.labels if sink.use is not Use.PROCESS else all_labels(value, call.state)
            use = Use.OPEN if local and item in ("data_files", "data_dir") else sink.use  # read, and no code with it
            for label in labels:
                self.reach(label, use, call.node, shown, call.state, call.frame, argument=str(item))

    # -- methods ------------------------------------------------------------------------------------------------

    def call_method(self, receiver: Value, name: str, call: Call) -> Value:
        """A call of a method of something that is not an object of the project."""
        value = self._call_method(receiver, name, call)
        key = call.argument(0)
        if name == "get" and key is not None and key.labels and len(call.arguments) == 1 and _asks_table(call):
            proven = {label.content: EVERYTHING for label in key.labels}
            return replace(value, truth=Truth(Facts(proven), NOTHING))
        return value

    def _call_method(self, receiver: Value, name: str, call: Call) -> Value:
        if isinstance(receiver.const, str | bytes):
            found = texts.text_method(self, call)
            return found if found is not None else CLEAN
        if isinstance(receiver.const, frozenset) and call.arguments:
            truth = asked_by_set(receiver, name, call.arguments[0], Place(call.frame.unit, call.node))
            if truth is not None:
                return Value(truth=truth)
        if name in HEADER_LOOK_UPS and who_names_files((call.argument(0) or CLEAN).const):
            return self.item(receiver, call.argument(0) or CLEAN, call.node, call.state, call.frame)
        for thing in receiver.things:
            match thing:
                case View(kind="super"):
                    method = next(
                        (
                            self.class_attribute(item.ref, name, thing.subject, call.state, call.frame)
                            for item in receiver.things
                            if isinstance(item, Class)
                        ),
                        None,
                    )
                    return self.call(method, call) if method is not None else CLEAN
                case Regex() if name in texts.REGEX_METHODS:
                    call.name = f"re.{name}"
                    return texts.REGEX_METHODS[name](self, call)
                case View(kind="letters"):
                    truth = letters_asked(receiver, name, call.argument(0) or CLEAN, Place(call.frame.unit, call.node))
                    if truth is not None:
                        return Value(truth=truth)
                case Reference():
                    found = container_method(self, call, name)
                    if found is not None and receiver.labels and name in READERS:
                        call.receiver = with_labels(receiver.labels)
                        found = merge(found, self._labelled_method(call.receiver, name, call, None))
                    if found is None:
                        found = self._inherited(receiver, name, call)
                    if found is not None:
                        return found
                case Instance(type=kind):
                    found = self._instance_method(kind, receiver, name, call)
                    if found is not None:
                        return found
                case Class(ref=ref) if name in VALIDATING and call.arguments:
                    return self.made_of(ref, call.arguments[0], call)
                case Body() if name in LOOK_UPS and call.arguments:
                    return self.item(receiver, call.arguments[0], call.node, call.state, call.frame)
                case Body():
                    return self.attribute(receiver, name, call.node.func, call.state, call.frame)
                case Function() if name in TASKS or name == "__wrapped__":
                    return self.call_function(thing, call)
                case View(kind="split" | "parts" | "parent", subject=subject) if (
                    name in texts.METHODS or name in paths.METHODS
                ):
                    if thing.kind == "split":
                        return self.elements(receiver, call.state, call.node)
                    receiver = Value(receiver.labels or subject.labels, MISSING, ())
                case _:
                    pass
        if name in CALLERS and len(call.arguments) >= CALLERS[name]:
            function = call.arguments[CALLERS[name] - 1]
            if any(isinstance(thing, Function | Partial | Library) for thing in function.things):
                inner = replace_call(call)
                inner.arguments = call.arguments[CALLERS[name] :]
                return self.call(function, inner)
        if not receiver.labels and (self._matters(call) or self._asks(call)):
            method = self._method_of_project(name, call)
            if method is not None:
                return self.call(method, replace_call(call))
        row = self.catalogue.any_method(name)
        if row is not None:
            self.sinks(row, call, name)
        if receiver.labels:
            return self._labelled_method(receiver, name, call, row)
        if row is not None:
            return self.by_row(row, call, name)
        return self._unknown_method(receiver, name, call)

    def made_of(self, ref: ClassRef, given: Value, call: Call) -> Value:
        """A record that a class makes of a dictionary or a text."""
        whole = from_outside(with_labels(given.labels))
        if whole is not None:
            return Value(things=(Body(ref, whole),))
        inner = replace_call(call)
        inner.arguments, inner.keywords, inner.extra = [], {}, with_labels(given.labels) if given.labels else None
        found = self.cell(given, call.state)
        if found is not None and found[1].kind == "dict":
            inner.keywords = {str(key): item for key, item in found[1].items.items()}
            inner.extra = found[1].rest
        return self.construct(ref, inner)

    def _instance_method(self, kind: str, receiver: Value, name: str, call: Call) -> Value | None:
        if kind.startswith("pathlib.") or kind in paths.PATH_CLASSES:
            return self.path_method(receiver, name, call)
        if kind == REQUEST_TYPE and name in REQUEST_CALLS:
            return self.source(
                Kind.REQUEST, self.segment(call.node, call.frame.unit), call.node, call.frame, _named_key(call)
            )
        if f"{kind}.{name}" in NEVER_RETURNS:
            return self.never(call)
        row = self.catalogue.method(kind, name)
        if row is not None:
            self.sinks(row, call, f"{kind}.{name}")
            return self.by_row(row, call, f"{kind}.{name}")
        if (
            kind not in self.catalogue.types
            and self.loader.exists(call.frame.unit, kind)
            and (self._matters(call) or self._asks(call))
        ):
            found = self.loader.find(call.frame.unit, kind)
            if isinstance(found, ClassRef):
                method = self.class_attribute(
                    found, name, self.allocate(Cell("object", ref=found), call.state), call.state, call.frame
                )
                if method is not None and method.things:
                    return self.call(method, replace_call(call))
        if name in (
            "get",
            "pop",
            "getlist",
            "get_all",
            "getall",
            "get_argument",
            "setdefault",
            "values",
            "items",
            "keys",
        ):
            inner = element_type(kind) if kind.startswith("dict[") else ""
            if inner and name in ("getlist", "getall", "get_all", "values"):
                return Value(receiver.labels, MISSING, (Instance(f"list[{inner}]"),))
            if inner and name == "items":
                pair = self.allocate(Cell("list", {0: CLEAN, 1: self.typed(inner, receiver)}), call.state)
                return self.allocate(Cell("list", {}, pair, exact=False), call.state)
            got = self.item(receiver, call.argument(0) or CLEAN, call.node, call.state, call.frame)
            if got.labels or got.things:
                return got
        return None

    def _inherited(self, receiver: Value, name: str, call: Call) -> Value | None:
        """A method that a class of the project has from a library: `self.get_argument("name")` of a handler."""
        found = self.cell(receiver, call.state)
        if found is None or found[1].ref is None:
            return None
        for base in self.loader.lineage(found[1].ref):
            row = self.catalogue.method(base, name) if isinstance(base, str) else None
            if row is not None:
                self.sinks(row, call, name)
                return self.by_row(row, call, name)
        return None

    def _method_of_project(self, name: str, call: Call) -> Value | None:
        """A method of an object that was made elsewhere, where annotations and assignments tell its class."""
        func = call.node.func
        if not isinstance(func, ast.Attribute) or func.attr != name:
            return None
        ref = class_of(self, call.frame.unit, func.value)
        if ref is None:
            return None
        made = self.allocate(Cell("object", ref=ref), call.state)
        method = self.class_attribute(ref, name, made, call.state, call.frame)
        return method if method is not None and any(isinstance(thing, Function) for thing in method.things) else None

    def path_method(self, receiver: Value, name: str, call: Call) -> Value | None:
        """A method of a path."""
        sink = paths.SINKS.get(name)
        if sink is not None and (name != "replace" or len(call.arguments) < 2):  # noqa: PLR2004 -- with two it is of a text
            use, positions = sink
            for position in positions:
                value = receiver if position == -1 else call.argument(position) or CLEAN
                for label in value.labels:
                    self.reach(label, use, call.node, f"{name}()", call.state, call.frame)
            if name in ("rename", "replace", "open"):
                return instance("io.TextIOWrapper") if name == "open" else call.argument(0) or CLEAN
            if name in ("read_text", "read_bytes") and self.settings.preset is Preset.AUDIT:
                return self.source(Kind.FILE, self.segment(call.node, call.frame.unit), call.node, call.frame)
            return CLEAN
        handler = paths.METHODS.get(name)
        return handler(self, call) if handler is not None else None

    def _labelled_method(self, receiver: Value, name: str, call: Call, row: Behaviour | None) -> Value:
        """A method of a value from outside."""
        is_path = any(label.marks & (Mark.JOINED | Mark.NORMAL) for label in receiver.labels)
        if name == "temporary_file_path":
            return CLEAN  # where Django itself put an upload
        if name == "exists" and not is_path and all(label.marks & Mark.INDIRECT for label in receiver.labels):
            return CLEAN  # what a call that nobody has read gave may as well be a query of a database
        of_path = (name in paths.SINKS and name not in ("replace", "rename")) or (
            name in paths.METHODS and name not in texts.METHODS
        )
        if of_path and (is_path or name not in ("open", "stat", "touch", "resolve", "glob")):
            found = self.path_method(receiver, name, call)
            if found is not None:
                return found
        if self.secrets and name == "decode" and not secrecy.gives_text(call.node, name):
            return with_labels(secrecy.without_secrets(receiver.labels))
        text = texts.text_method(self, call)
        if text is not None:
            return text
        if row is not None and row.sinks:
            return CLEAN
        if name in ("get", "pop", "getlist", "getall", "get_all", "getfirst", "get_argument", "setdefault", "getone"):
            key = call.argument(0) or CLEAN
            found = self.item(receiver, key, call.node, call.state, call.frame)
            default = call.argument(1) or call.keywords.get("default")
            return with_labels(found.labels) if default is None else merge(with_labels(found.labels), default)
        if name == "items":
            keys = with_labels(secrecy.without_secrets(receiver.labels))  # a key is the name of a secret
            pair = Cell("list", {0: keys, 1: with_labels(receiver.labels)})
            item = self.allocate(pair, call.state)
            return self.allocate(Cell("list", {}, item, exact=False), call.state)
        if name == "keys":
            return with_labels(secrecy.without_secrets(receiver.labels))
        if name in (
            "values",
            "read",
            "json",
            "form",
            "text",
            "readline",
            "copy",
            "to_dict",
            "dict",
            "model_dump",
        ):
            return with_labels(receiver.labels)
        kept = receiver.labels
        if self.secrets and not secrecy.gives_text(call.node, name):
            kept = secrecy.without_secrets(kept)
        return with_labels(tuple(self.derived(label, call.state, "method", name) for label in kept))

    def _unknown_method(self, receiver: Value, name: str, call: Call) -> Value:
        """A method of something unknown: where few classes in sight have one of this name, those are meant."""
        if name not in COMMON_METHODS and not name.startswith("__") and not receiver.labels:
            candidates = call.frame.unit.methods_by_name.get(name, ())
            if 0 < len(candidates) <= MAX_TARGETS and self._matters(call):
                unit = call.frame.unit
                results: list[Value] = []
                for owner, node in candidates:
                    ref = ClassRef(unit, owner)
                    bound = self.allocate(Cell("object", ref=ref), call.state)  # its own methods are those of its class
                    results.append(self.call_function(Function(unit, node, bound=bound, owner=ref), replace_call(call)))
                return merge_all(results)
        if name == "joinpath":  # nothing but a path has it
            return paths.METHODS[name](self, call)
        return self.unknown(call, receiver, name)

    def unknown(self, call: Call, receiver: Value, name: str = "", *, ours: bool = False) -> Value:
        """A call that nothing is known about: labels go through, marked as having gone through the unknown.

        ours: of a function of the project that was not followed.
        """
        for value in call.everything:
            for thing in value.things:
                if isinstance(thing, Function) and thing.closure is not None:
                    self.callback(thing, call)
        given = call.everything[1:] if name in LOOK_UPS and call.arguments else call.everything
        labels = union(all_labels(value, call.state) for value in given)
        if self.secrets and name not in secrecy.HANDS_ON:
            labels = secrecy.without_secrets(labels)
        if not labels and not receiver.labels:
            return CLEAN
        shown = name or call.name or "a call"
        last = shown.rpartition(".")[2]
        question = not self.secrets and is_question(call)
        if (
            not question
            and not FILE_DEEDS.isdisjoint(pieces(last))
            and NO_FILES.isdisjoint(pieces(last))
            and last not in CONTENT_DEEDS
            and not last.endswith(("Error", "Exception"))
        ):
            for value in call.arguments[:2]:
                for label in value.labels:
                    if label.marks & Mark.JOINED:
                        use = Use.PROBE if pieces(last)[-1] == "exists" else Use.OPEN
                        said = f"{short(shown)}()"
                        self.reach(label, use, call.node, said, call.state, call.frame, argument="unread")
        if not ours and not question:
            self.hand_on(call, last)
        how = "call" if DECODING.isdisjoint(pieces(last)) else "decode"
        first, more = _distances(last)
        if _is_handed_over(call):
            first |= Mark.VAGUE
            more |= Mark.VAGUE
        self.total += len(labels) // HANDED_ON
        through = tuple(
            self.derived(label, call.state, how, name or call.name).marked(
                (label.marks | (more if label.marks & Mark.INDIRECT else first)) & ~(Mark.NORMAL | Mark.RESOLVED)
            )
            for label in labels
        )
        through = stepped(
            through, Place(call.frame.unit, call.node), f"through {short(shown)}(), whose body was not read"
        )
        value = with_labels((*receiver.labels, *through))
        return asked(self, call, value) if question else value

    def hand_on(self, call: Call, last: str) -> None:
        """Judge what was put below a folder and is given to a call that nobody has read: it is used there."""
        shows = last in CONTENT_DEEDS or last.endswith(("Error", "Exception"))
        shows = shows or not (SHOWN | NO_FILES).isdisjoint(pieces(last))
        if self.secrets or shows or last in TEMPLATE_LOADERS:
            return
        for value in call.everything:
            for label in value.labels:
                joined = call.state.pending.get((label.content, label.spot))
                if joined is not None and label.origin.grade is Grade.CERTAIN and label.origin.kind is not Kind.MEMBER:
                    if not (FILE_DEEDS | PLACE_DEEDS).isdisjoint(pieces(last)):
                        self.used.add(joined.place.node)
                    self.reach_join(joined, call.state)

    def reach_join(self, joined: Joined, state: State) -> None:
        """Note a value below a folder that is handed on; implemented where functions are entered."""
        raise NotImplementedError

    def callback(self, function: Function, call: Call) -> None:
        """A function handed to something unknown is called by it, with arguments that are not known."""
        if isinstance(function.node, ast.Lambda) or function.node in call.frame.called:
            return
        call.frame.called.add(function.node)
        inner = Call(call.node, [], {}, call.state.copy(), call.frame)
        self.call_function(function, inner)


@lru_cache(maxsize=8192)
def _distances(name: str) -> tuple[int, int]:
    """What going through a call that nobody has read says of a value, the first time, and once more.

    A second one gives something else. So does the first where it looks something up: a record, a type, a setting that
    is found by the value.
    """
    looks = name == "resolve" or (name not in LOOK_UPS and not LOOKING.isdisjoint(pieces(name)[:1]))
    said = pieces(name)
    stores = not STORING.isdisjoint(said[:1])
    if stores:
        said = tuple(word for word in said if word not in ("file", "files"))  # it gives back where it put the file
    works = name[:1].isupper() or stores or not WORK_DEEDS.isdisjoint(said)
    made = not HASHES.isdisjoint(said) or (works and (TEXT_DEEDS | DECODING).isdisjoint(said))
    vague = Mark.VAGUE if made else Mark.NONE
    more = Mark.INDIRECT | Mark.FAR | vague
    return more if looks else Mark.INDIRECT | vague, more


def _is_handed_over(call: Call) -> bool:
    """Whether what is called is a parameter: a handler or a callback that somebody gave, with an outcome of its own."""
    function = call.node.func
    if not isinstance(function, ast.Name):
        return False
    scopes = call.frame.unit.module.scopes
    scope = scopes.binding_scope(function, function.id)
    bound = scopes.bindings(scope).get(function.id, ()) if scope is not None else ()
    return len(bound) == 1 and isinstance(bound[0], ast.arg)


def _asks_table(call: Call) -> bool:
    """Whether a call looks something up in a dictionary that is written out: `KNOWN.get(name)`."""
    func = call.node.func
    return isinstance(func, ast.Attribute) and is_table(func.value, call.frame.unit)


def _of_class(unit: Unit, node: FunctionNode) -> Function:
    """A function of another file; a class method, called on its class, with that in its first place."""
    if node.args.args and takes_class(node):
        owner = unit.module.scopes.class_of(node)
        if owner is not None:
            ref = ClassRef(unit, owner)
            return Function(unit, node, bound=Value(things=(Class(ref),)), owner=ref)
    return Function(unit, node)


def dotted_of(target: Value) -> str:
    """The qualified name of a library function, "" for other things."""
    thing = target.thing
    return thing.name if isinstance(thing, Library) else ""


def short(name: str) -> str:
    """A name as messages show it: its last two parts."""
    parts = name.split(".")
    return ".".join(parts[-2:]) if len(parts) > 1 else name


def _named_key(call: Call) -> str:
    first = call.argument(0)
    return first.text or "" if first is not None else ""
