"""What path functions and methods do to a value: `os.path` and `pathlib`."""

import ast
import posixpath
from collections.abc import Callable, Sequence

from valhalla_lint.core.frozen import replace
from valhalla_lint.core.regex import regex
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.index import children
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.checks import CONTENT, Base, contained, escapes
from valhalla_lint.flow.labels import PLACE, Kind, Mark, Risk, Use
from valhalla_lint.flow.machine import ASKED, Call, Frame, Machine, spelled_out
from valhalla_lint.flow.objects import PATH_TYPE, part_of
from valhalla_lint.flow.secrecy import without_secrets
from valhalla_lint.flow.state import Joined, State
from valhalla_lint.flow.strings import callers_folder, is_put_back, is_whole_name, text_sink
from valhalla_lint.flow.units import Unit, once_a_node
from valhalla_lint.flow.values import (
    CLEAN,
    EVERYTHING,
    Attempt,
    Facts,
    Instance,
    Label,
    Library,
    Place,
    Truth,
    Value,
    View,
    joined_at,
    merge_labels,
    stepped,
    union,
    with_labels,
)
from valhalla_lint.flow.words import OWNERS

PATH_PARTS = {
    "name": "name",
    "stem": "stem",
    "suffix": "suffix",
    "suffixes": "suffix",
    "parent": "parent",
    "parents": "parents",
    "parts": "parts",
}
PATH = (Instance(PATH_TYPE),)
PATH_CLASSES = (
    "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.WindowsPath", "pathlib.PurePosixPath",
    "pathlib.PureWindowsPath", "anyio.Path", "upath.UPath",
)  # fmt: skip
HOME = regex(r"(?:^|[.(])home(?:dir|_dir)?(?:\.path)?\)*$|\bhome\(\)$|expanduser\([\"']~[\"']\)$")
"""A person's home folder as the base of a join, by how it is written: where relative paths of that person begin."""
FRESH = frozenset({"mkdtemp", "TemporaryDirectory"})
"""Calls that make a folder with a random name."""
WRAPPERS = frozenset("str Path fspath abspath realpath normpath".split())
"""Calls that make the same folder of a folder."""
MAX_NAMES = 3
"""Names that are followed from a folder to the call that made it."""
TO_BYTES = frozenset("to_bytes fsencode force_bytes ensure_binary ensure_bytes bytes".split())
"""Calls that give a text as bytes."""


class Paths(Machine):
    """The part of the interpreter that knows paths."""

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
        things = PATH if typed else ()
        if _is_compared(node, frame):  # a text to compare others with, no path
            return Value(things=things)
        if self.secrets:  # what is joined to a path is the place of a secret
            values = [Value(without_secrets(value.labels), value.const, value.things, value.truth) for value in values]
        if all(value.text is not None for value in values) and not typed:
            return Value(const=posixpath.join(*(value.text or "" for value in values)))
        if not any(value.labels for value in values):
            return Value(things=things)
        while len(values) > 1 and values[-1].text == "":  # a separator at the end: the same place
            values = values[:-1]
        if len(values) == 1:
            return Value(values[0].labels, MISSING, things or values[0].things)
        if (whole := _put_together(self, values)) is not None:
            return Value(whole, MISSING, things or values[0].things)
        spot_parts = [self.operand(value, item, frame.unit) for value, item in zip(values, nodes, strict=False)]
        spot = self.token("join", *spot_parts)
        working = (
            nodes[0] is not None and not values[0].labels and _is_working_folder(self.segment(nodes[0], frame.unit))
        )
        owned = callers_folder(values[0])
        below = [self.left(label, state) for value in values[1:] for label in value.labels]
        plain = not any(map(escapes, below)) and not any(".." in (value.text or "") for value in values[1:])
        lost = Mark.RESOLVED if plain else Mark.NORMAL | Mark.RESOLVED
        found: tuple[Label, ...] = ()
        for index, value in enumerate(values):
            for label in value.labels:
                marks = label.marks & ~lost  # names put below a path without '..' bring none into it
                risk = label.risk
                for attempt in state.tried.get(label.spot, ()):  # those of the names come after those of the folder
                    state.attempt(spot, attempt)
                placed = label
                if (
                    index
                    and not is_put_back(label, values[:index])
                    and not (working and label.origin.kind is Kind.PARAMETER)
                ):
                    marks |= Mark.JOINED
                    if owned and is_whole_name(self, label):
                        marks |= owned
                    if label.join is None:
                        placed = joined_at(label, Place(frame.unit, node), self.sites(frame))
                if not index:
                    marks |= Mark.BASE
                    risk &= ~state.proven.get(label.spot, 0)
                    self.contents[spot] = -1  # a base holds whatever is below it
                else:
                    self.contents.setdefault(spot, label.content)
                found = merge_labels(found, (replace(placed, spot=spot, risk=risk, marks=marks),))
        result = Value(found, MISSING, things)
        self.join_sink(found, node, state, frame)
        return result

    def join_sink(self, labels: tuple[Label, ...], node: ast.expr, state: State, frame: Frame) -> None:
        """What is put below a folder is meant to be a path: judged where the function ends, whoever opens it."""
        for label in labels:
            if label.marks & Mark.JOINED:
                state.pending[label.content, label.spot] = Joined(label, Place(frame.unit, node), self.sites(frame))

    def normalised(self, value: Value, node: ast.AST, frame: Frame, name: str, *, resolved: bool) -> Value:
        """A path without `..` inside: the same place, better to be compared."""
        adds = Mark.NORMAL | (Mark.RESOLVED if resolved else Mark.NONE)
        labels = tuple(replace(label, marks=label.marks | adds) for label in value.labels)
        labels = stepped(labels, Place(frame.unit, node), f"{name} normalises it, which proves nothing by itself")
        return Value(labels, value.const if not labels else MISSING, value.things)

    def base_of(self, value: Value | None, node: ast.expr | None, frame: Frame) -> Base:
        """A base that a place is compared with."""
        text = value.text if value is not None else None
        if value is not None and text is None and isinstance(value.thing, Library):
            text = self.constant_of(value.thing.name, frame)
        shown = self.segment(node, frame.unit) if node is not None else "base"
        if text is not None:
            return Base(text, text.endswith(("/", "\\")), shown)
        contents = tuple(label.content for label in value.labels) if value is not None else ()
        resolved = value is not None and any(label.marks & Mark.NORMAL for label in value.labels)
        resolved = resolved or any(word in shown for word in ("resolve(", "realpath(", "abspath(", "canonical"))
        ends = ends_with_separator(node) or _was_ended(node, frame)
        return Base(None, ends, shown, resolved, contents, _is_fresh(node, frame.unit))

    def constant_of(self, name: str, frame: Frame) -> str | None:
        """The text of a constant of another file of the project."""
        if not self.loader.exists(frame.unit, name):
            return None
        found = self.loader.find(frame.unit, name)
        if isinstance(found, tuple) and isinstance(found[1], ast.expr):
            return found[0].module.constants.text(found[1])
        return None


def _put_together(machine: Machine, values: Sequence[Value]) -> tuple[Label, ...] | None:
    """The labels of a path that is its own folder with its own name below it, as where only the folder is resolved.

    That is the place that it was; a name that is `..` can only make it a folder.
    """
    if len(values) != 2 or any(len(value.labels) != 1 for value in values):  # noqa: PLR2004 -- the folder and the name
        return None
    (folder,), (name,) = (value.labels for value in values)
    match machine.parts(folder.spot), machine.parts(name.content):
        case ("parent", int(spot)), ("name", "name", content) if content == folder.content:
            return (replace(folder, spot=spot),)
        case _:
            return None


def gives_path(node: ast.expr) -> bool:
    """Whether nothing but a path has what an expression asks an object for: `anything.parent`, `anything.resolve()`.

    Objects of other kinds have a `parent` as well, but nothing is put below them with `/`.
    """
    match node:
        case ast.Attribute(attr="parent"):
            return True
        case ast.Call(func=ast.Attribute(attr="resolve" | "absolute" | "expanduser"), args=[]):
            return True
        case ast.Subscript(value=ast.Attribute(attr="parents")):
            return True
        case _:
            return False


def _is_working_folder(shown: str) -> bool:
    """Whether a base only makes a path absolute: the folder in which the caller works anyway, or that is its own."""
    return "getcwd(" in shown or "cwd(" in shown or HOME.search(shown) is not None


def _is_compared(node: ast.expr, frame: Frame) -> bool:
    """Whether a path is only compared with others: with those that are there, nothing is reached by it."""
    module = frame.unit.module
    match module.parent(node):
        case ast.Compare():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) if frame.node is not None:
            return name in _only_compared(frame.unit, frame.node)
        case _:
            return False


@once_a_node
def _only_compared(unit: Unit, function: ast.AST) -> frozenset[str]:
    """The names of a function, what is inside it included, that are read for nothing but comparisons."""
    compared: set[str] = set()
    used: set[str] = set()
    waiting = [function]
    while waiting:
        node = waiting.pop()
        if node.__class__ is ast.Name:
            assert isinstance(node, ast.Name)
            if node.ctx.__class__ is ast.Load:
                (compared if isinstance(unit.module.parent(node), ast.Compare) else used).add(node.id)
        else:
            waiting += children(node)
    return frozenset(compared - used)


def _is_fresh(node: ast.expr | None, unit: Unit, left: int = MAX_NAMES) -> bool:
    """Whether a folder was made just now with a name that nobody can know, as far as names and wrappers are followed.

    None lies beside it whose name begins with its own.
    """
    scopes = unit.module.scopes
    match node:
        case ast.Call(func=func) if last_name(func) in FRESH:
            return True
        case ast.Call(func=ast.Attribute(value=inner, attr="resolve" | "absolute")):
            return _is_fresh(inner, unit, left)
        case ast.Call(func=func, args=[inner]) if last_name(func) in WRAPPERS:
            return _is_fresh(inner, unit, left)
        case ast.Attribute(value=inner, attr="name"):  # of a `TemporaryDirectory`
            return _is_fresh(inner, unit, left)
        case ast.Name(id=name) if left > 0 and (scope := scopes.binding_scope(node, name)) is not None:
            bound = list(scopes.bindings(scope).get(name, ()))
            match unit.module.parent(bound[0]) if len(bound) == 1 else None:
                case ast.Assign(targets=[ast.Name()], value=value):
                    return _is_fresh(value, unit, left - 1)
                case ast.withitem(context_expr=value, optional_vars=ast.Name()):
                    return _is_fresh(value, unit, left - 1)
                case _:
                    return False
        case _:
            return False


def _was_ended(node: ast.expr | None, frame: Frame) -> bool:
    """Whether the function gave a name a separator at its end: in all its assignments, or by adding one.

    Of an attribute of the object, its class did so wherever it sets it.
    """
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in OWNERS and frame.node is not None:
            module = frame.unit.module
            given = module.attribute_values.get((module.scopes.class_of(frame.node), name), ())
            return bool(given) and all(map(ends_with_separator, given))
        case _:
            pass
    if not isinstance(node, ast.Name) or frame.node is None:
        return False
    module = frame.unit.module
    values: list[ast.expr] = []
    for target in module.scopes.bindings(frame.node).get(node.id, ()):
        match module.parent(target):
            case ast.AugAssign(value=value) if ends_with_separator(value):
                return True  # "unless it ends with one"
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(id=own), op=ast.Add(), right=more)
            ) if own == name and ends_with_separator(more):
                return True
            case ast.Assign(value=value):
                values.append(value)
            case _:
                pass
    return bool(values) and all(ends_with_separator(value) for value in values)


def ends_with_separator(node: ast.expr | None) -> bool:
    """Whether an expression surely ends with a separator: `base + os.sep`, `f"{base}/"`, `os.path.join(base, "")`."""
    match node:
        case ast.BinOp(op=ast.Add(), right=right):
            return ends_with_separator(right)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            last = right.elts[-1] if isinstance(right, ast.Tuple) and right.elts else right
            return text.endswith(("/", "\\")) or (text.endswith("%s") and ends_with_separator(last))
        case ast.IfExp(test=test, body=body, orelse=orelse):  # `base if base.endswith(os.sep) else base + os.sep`
            return (ends_with_separator(body) or _asks_for_separator(test, body)) and ends_with_separator(orelse)
        case ast.Constant(value=str(text)):
            return text.endswith(("/", "\\"))
        case ast.Constant(value=bytes(text)):
            return text.endswith((b"/", b"\\"))
        case ast.Call(func=ast.Attribute(attr="encode", value=inner)):
            return ends_with_separator(inner)
        case ast.Call(func=func, args=[inner, *_]) if last_name(func) in TO_BYTES:
            return ends_with_separator(inner)
        case ast.Attribute(attr="sep" | "altsep") | ast.Name(id="sep"):
            return True
        case ast.JoinedStr(values=[*_, last]):
            inner = last.value if isinstance(last, ast.FormattedValue) else last
            return ends_with_separator(inner)
        case ast.Call(func=ast.Attribute(attr="join"), args=[_, *_, ast.Constant(value="")]):
            return True
        case ast.Call(func=ast.Attribute(attr="format"), args=_):
            return False
        case _:
            return False


def _asks_for_separator(test: ast.expr, node: ast.expr) -> bool:
    """Whether a condition holds only where a name ends with a separator: `base.endswith(os.sep)`."""
    match test:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=asked), attr="endswith"), args=[end]):
            return isinstance(node, ast.Name) and node.id == asked and ends_with_separator(end)
        case _:
            return False


def named_separator(node: ast.expr | None, frame: Frame) -> bool:
    """As `ends_with_separator`, for a name that one assignment binds."""
    if ends_with_separator(node):
        return True
    return isinstance(node, ast.Name) and ends_with_separator(frame.unit.module.scopes.value_of(node))


# --- functions of os.path


def _first(call: Call) -> Value:
    return call.argument(0, "path") or call.argument(0, "p") or CLEAN


def on_join(machine: Paths, call: Call) -> Value:
    values = list(call.arguments)
    nodes: list[ast.expr | None] = list(spelled_out(call.node.args))
    if call.spread and call.extra is not None:
        values.append(call.extra)
        nodes.append(None)
    return machine.join(values, nodes, call.node, call.state, call.frame) if values else CLEAN


def on_normal(machine: Paths, call: Call) -> Value:
    value = _first(call)
    rooted = tuple(
        _stepped_down(machine, label, call) if _is_rooted(machine, label) else label for label in value.labels
    )
    if rooted != value.labels:
        value = replace(value, labels=rooted)
    return machine.normalised(value, call.node, call.frame, call.name, resolved=call.name.endswith("realpath"))


def _is_rooted(machine: Paths, label: Label) -> bool:
    """Whether a text is put below the root: `"/" + name`."""
    match machine.parts(label.spot):
        case ("text" | "join", ("const", "str", str(text)), *_):
            return text.strip("'\"") == "/"
        case _:
            return False


def _stepped_down(machine: Paths, label: Label, call: Call) -> Label:
    """A normalised text that begins at the root: no step up is left in it, as none leads above the root."""
    left = machine.left(label, call.state) & ~Risk.PARENT
    return replace(label, risk=left | Risk.SEPARATOR | Risk.ABSOLUTE)


def on_same(machine: Paths, call: Call) -> Value:
    del machine
    value = _first(call)
    return Value(value.labels, value.const if isinstance(value.const, str) else MISSING, value.things)


def on_basename(machine: Paths, call: Call) -> Value:
    value = _first(call)
    if value.text is not None:
        return Value(const=value.text.rpartition("/")[2])
    return part_of(machine, value, "name", call.state)


def on_dirname(machine: Paths, call: Call) -> Value:
    value = _first(call)
    return (
        replace(part_of(machine, value, "parent", call.state), things=(View("parent", value),))
        if value.labels
        else CLEAN
    )


def on_split(machine: Paths, call: Call) -> Value:
    value = _first(call)
    from valhalla_lint.flow.state import Cell

    name = part_of(machine, value, "name", call.state)
    return machine.allocate(Cell("list", {0: with_labels(value.labels), 1: name}), call.state)


def on_splitext(machine: Paths, call: Call) -> Value:
    value = _first(call)
    from valhalla_lint.flow.state import Cell

    tail = tuple(
        machine.derived(label, call.state, "ext", risk=machine.left(label, call.state) & ~(PLACE & ~Risk.BACKSLASH))
        for label in value.labels
    )
    return machine.allocate(Cell("list", {0: with_labels(value.labels), 1: with_labels(tail)}), call.state)


def on_splitdrive(machine: Paths, call: Call) -> Value:
    """`splitdrive(path)`: of a path without a drive nothing, and the path."""
    value = _first(call)
    from valhalla_lint.flow.state import Cell

    return machine.allocate(Cell("list", {0: CLEAN, 1: with_labels(value.labels)}), call.state)


def _listed(machine: Paths, call: Call) -> list[tuple[Value, ast.expr | None]]:
    """The paths of a list argument, with their expressions."""
    node = call.expression(0)
    found = machine.cell(call.arguments[0], call.state) if call.arguments else None
    if isinstance(node, ast.List | ast.Tuple):
        nodes: list[ast.expr | None] = list(node.elts)
        if found is not None:
            return [(found[1].items.get(index, CLEAN), item) for index, item in enumerate(nodes)]
        const = call.arguments[0].const
        if isinstance(const, tuple):
            return [(Value(const=value), item) for value, item in zip(const, nodes, strict=False)]
    if found is not None:
        return [(value, None) for value in found[1].items.values()]
    return [(value, None) for value in call.arguments]


def on_common(machine: Paths, call: Call) -> Value:
    listed = _listed(machine, call)
    if not any(value.labels for value, _ in listed):
        return CLEAN
    first = listed[0][0]
    second = next((value for value, _ in listed[1:]), CLEAN)
    kind = "characters" if call.name.endswith("commonprefix") else "common"
    return Value(things=(View(kind, first, second, Place(call.frame.unit, call.node)),))


def on_isabs(machine: Paths, call: Call) -> Value:
    subject = _first(call) if call.receiver is None else call.receiver
    return absolute_question(machine, subject, call)


def absolute_question(machine: Paths, subject: Value, call: Call) -> Value:
    """`isabs`: false means that it does not begin at the root; `..` is still there."""
    place = Place(call.frame.unit, call.node)
    bare = (label for label in subject.labels if not label.marks & Mark.JOINED)
    machine.anywhere.update((machine.entry, label.origin, ASKED) for label in bare)
    proven = {label.content: Risk.ABSOLUTE | Risk.DRIVE for label in subject.labels}
    attempt = Attempt(place, call.name, "'..' still passes", "../../etc/passwd", early=True)
    tried = {label.content: (attempt,) for label in subject.labels if not label.marks & Mark.JOINED}
    return Value(truth=Truth(holds=Facts(), fails=Facts(proven, tried)))


FILE_PROBES = frozenset({"is_file()", "isfile()", "os.path.isfile()"})


def probe(machine: Paths, subject: Value, call: Call) -> Value:
    """`exists` and kin: an answer about the file system that proves nothing about the place."""
    place = Place(call.frame.unit, call.node)
    attempt = Attempt(place, f"{call.name}()", "that something exists says nothing about where it lies", void=True)
    for label in subject.labels:
        call.state.attempt(label.spot, attempt)
        machine.reach(label, Use.PROBE, call.node, f"{call.name}()", call.state, call.frame)
    return CLEAN


def on_probe(machine: Paths, call: Call) -> Value:
    return probe(machine, _first(call), call)


def on_same_file(machine: Paths, call: Call) -> Value:
    """`samefile`: the file system compares two places itself, so that nothing need be resolved before.

    What lies in a folder that is another lies in that; where the path was not resolved, a last `..` is left, which no
    file is called.
    """
    method = call.receiver is not None
    one = call.receiver or CLEAN if method else _first(call)
    other = call.argument(0 if method else 1) or CLEAN
    proven: dict[int, int] = {}
    for mine, theirs in ((one, other), (other, one)):
        if not mine.labels or machine.is_chosen_outside(theirs, call.state):
            continue
        proven.update((label.spot, EVERYTHING) for label in mine.labels)
        for thing in mine.things:
            if isinstance(thing, View) and thing.kind == "parent":
                for label in thing.subject.labels:
                    is_file = any(item.check in FILE_PROBES for item in call.state.tried.get(label.spot, ()))
                    whole = is_file or label.marks & Mark.NORMAL
                    proven[label.spot] = CONTENT if whole else CONTENT & ~Risk.PARENT
    return Value(truth=Truth(Facts(proven), Facts())) if proven else CLEAN


def on_relpath(machine: Paths, call: Call) -> Value:
    """`relpath(path, start)`: begins with `..` unless the path lies below the start, as all do below the root."""
    value = _first(call)
    start = call.argument(1, "start")
    gone = Risk.ABSOLUTE | Risk.DRIVE
    if start is not None and start.text == "/":
        gone |= Risk.PARENT
    asked = (
        (View("relative", value, start),)
        if start is not None and not machine.is_chosen_outside(start, call.state)
        else ()
    )
    return with_labels(
        tuple(replace(label, risk=label.risk & ~gone, marks=label.marks | Mark.NORMAL) for label in value.labels),
        asked,
    )


def on_path(machine: Paths, call: Call) -> Value:
    """`Path(a, b)`."""
    if call.spread and call.extra is not None:
        return Value(on_join(machine, call).labels, MISSING, PATH)
    if not call.arguments:
        return Value(things=PATH)
    if len(call.arguments) == 1 and isinstance(call.arguments[0].thing, View):
        return call.arguments[0]  # what is asked about a path, asked of another kind of object
    nodes: list[ast.expr | None] = list(spelled_out(call.node.args))
    joined = machine.join(call.arguments, nodes, call.node, call.state, call.frame, typed=True)
    if len(call.arguments) == 1:  # of a text that begins with a folder: `Path(f"{base}/{name}")`
        machine.join_sink(joined.labels, call.node, call.state, call.frame)
    return Value(joined.labels, joined.const if len(call.arguments) == 1 else MISSING, PATH)


def on_home(machine: Paths, call: Call) -> Value:
    del machine, call
    return Value(things=PATH)


FUNCTIONS: dict[str, Callable[[Paths, Call], Value]] = {
    "os.path.join": on_join,
    "posixpath.join": on_join,
    "ntpath.join": on_join,
    "os.path.normpath": on_normal,
    "os.path.abspath": on_normal,
    "os.path.realpath": on_normal,
    "posixpath.normpath": on_normal,
    "posixpath.abspath": on_normal,
    "posixpath.realpath": on_normal,
    "ntpath.normpath": on_normal,
    "os.path.expanduser": on_same,
    "os.path.expandvars": on_same,
    "os.path.normcase": on_same,
    "os.fspath": on_same,
    "os.fsencode": on_same,
    "os.fsdecode": on_same,
    "os.path.basename": on_basename,
    "posixpath.basename": on_basename,
    "ntpath.basename": on_basename,
    "os.path.dirname": on_dirname,
    "posixpath.dirname": on_dirname,
    "os.path.split": on_split,
    "os.path.splitext": on_splitext,
    "posixpath.splitext": on_splitext,
    "os.path.splitdrive": on_splitdrive,
    "ntpath.splitdrive": on_splitdrive,
    "os.path.commonpath": on_common,
    "os.path.commonprefix": on_common,
    "posixpath.commonpath": on_common,
    "posixpath.commonprefix": on_common,
    "os.path.isabs": on_isabs,
    "posixpath.isabs": on_isabs,
    "os.path.exists": on_probe,
    "os.path.isfile": on_probe,
    "os.path.isdir": on_probe,
    "os.path.islink": on_probe,
    "os.path.lexists": on_probe,
    "os.path.relpath": on_relpath,
    "os.path.samefile": on_same_file,
    **dict.fromkeys(PATH_CLASSES, on_path),
    **{f"{name}.{method}": on_home for name in PATH_CLASSES[:1] for method in ("home", "cwd")},
}
"""Functions by qualified name."""


# --- methods of pathlib


def on_joinpath(machine: Paths, call: Call) -> Value:
    receiver = call.receiver or CLEAN
    func = call.node.func
    first = func.value if isinstance(func, ast.Attribute) else None
    values = [receiver, *call.arguments]
    nodes: list[ast.expr | None] = [first, *spelled_out(call.node.args)]
    if call.spread and call.extra is not None:
        values.append(call.extra)
        nodes.append(None)
    return machine.join(values, nodes, call.node, call.state, call.frame, typed=True)


def on_resolve(machine: Paths, call: Call) -> Value:
    receiver = call.receiver or CLEAN
    value = machine.normalised(receiver, call.node, call.frame, f"{call.name}()", resolved=call.name == "resolve")
    if call.name == "absolute":
        value = Value(receiver.labels, receiver.const, receiver.things)
    return Value(value.labels, MISSING, PATH)


def on_relative(machine: Paths, call: Call) -> Value:
    """`relative_to` raises and `is_relative_to` is false where the receiver does not lie below the argument."""
    receiver = call.receiver or CLEAN
    other = call.argument(0, "other") or CLEAN
    base = machine.base_of(other, call.expression(0, "other"), call.frame)
    if machine.is_chosen_outside(other, call.state) or not receiver.labels:
        return Value(receiver.labels, MISSING, PATH) if call.name == "relative_to" else CLEAN
    labels = tuple(_as_resolved(machine, label) for label in machine.unproven(receiver, call.state, other))
    truth = with_insides(contained(labels, Place(call.frame.unit, call.node), f"{call.name}()", base), receiver)
    if call.name == "relative_to":
        if truth.holds is not None:
            call.state.learn(truth.holds)
        labels = tuple(
            replace(
                label,
                risk=label.risk & ~(Risk.ABSOLUTE | Risk.DRIVE) & ~call.state.proven.get(label.spot, 0),
            )
            for label in receiver.labels
        )
        return Value(labels, MISSING, PATH)
    return Value(truth=truth)


def with_insides(truth: Truth, folder: Value) -> Truth:
    """What a check of a path's folder proves of the path as well: what lies in a folder lies where that does."""
    if truth.holds is None or not any(label.spot in truth.holds.proven for label in folder.labels):
        return truth
    inside = {
        label.spot: CONTENT
        for thing in folder.things
        if isinstance(thing, View) and thing.kind == "parent"
        for label in thing.subject.labels
        if label.marks & Mark.NORMAL
    }
    return replace(truth, holds=replace(truth.holds, proven={**truth.holds.proven, **inside})) if inside else truth


def _as_resolved(machine: Paths, label: Label) -> Label:
    """A label of what is asked for its place: it is a path, so what its method `resolve` gave was resolved."""
    if machine.parts(label.content)[:2] == ("method", "resolve"):
        return replace(label, marks=label.marks | Mark.NORMAL | Mark.RESOLVED)
    return label


def on_with(machine: Paths, call: Call) -> Value:
    """`with_name`, `with_stem`, `with_suffix`: names that hold a separator are refused by pathlib itself."""
    del machine
    receiver = call.receiver or CLEAN
    extra = tuple(
        replace(label, risk=label.risk & ~(Risk.SEPARATOR | Risk.ABSOLUTE | Risk.BACKSLASH | Risk.DRIVE))
        for value in call.arguments
        for label in value.labels
    )
    return Value(merge_labels(receiver.labels, extra), MISSING, PATH)


def on_path_probe(machine: Paths, call: Call) -> Value:
    return probe(machine, call.receiver or CLEAN, call)


def on_absolute_question(machine: Paths, call: Call) -> Value:
    return absolute_question(machine, call.receiver or CLEAN, call)


def on_receiver(machine: Paths, call: Call) -> Value:
    del machine
    receiver = call.receiver or CLEAN
    return Value(receiver.labels, MISSING, receiver.things)


def on_listing(machine: Paths, call: Call) -> Value:
    """`glob`, `iterdir`: what lies below; a pattern from outside names places itself."""
    receiver = call.receiver or CLEAN
    for label in receiver.labels:
        machine.reach(label, Use.LIST, call.node, f"{call.name}()", call.state, call.frame)
    for label in union(value.labels for value in call.arguments):
        machine.reach(label, Use.LIST, call.node, f"{call.name}()", call.state, call.frame, argument="pattern")
    return Value((), MISSING, (Instance(f"list[{PATH_TYPE}]"),))


METHODS: dict[str, Callable[[Paths, Call], Value]] = {
    "joinpath": on_joinpath,
    "resolve": on_resolve,
    "absolute": on_resolve,
    "relative_to": on_relative,
    "is_relative_to": on_relative,
    "with_name": on_with,
    "with_stem": on_with,
    "with_suffix": on_with,
    "is_absolute": on_absolute_question,
    "samefile": on_same_file,
    "as_posix": on_receiver,
    "expanduser": on_receiver,
    "__str__": on_receiver,
    "__fspath__": on_receiver,
    "exists": on_path_probe,
    "is_file": on_path_probe,
    "is_dir": on_path_probe,
    "is_symlink": on_path_probe,
    "glob": on_listing,
    "rglob": on_listing,
    "iterdir": on_listing,
}
"""Methods of paths."""

SINKS: dict[str, tuple[Use, tuple[int, ...]]] = {
    "open": (Use.OPEN, (-1,)),
    "read_text": (Use.OPEN, (-1,)),
    "read_bytes": (Use.OPEN, (-1,)),
    "write_text": (Use.WRITE, (-1,)),
    "write_bytes": (Use.WRITE, (-1,)),
    "unlink": (Use.DELETE, (-1,)),
    "rmdir": (Use.DELETE, (-1,)),
    "rename": (Use.WRITE, (-1, 0)),
    "replace": (Use.WRITE, (-1, 0)),
    "symlink_to": (Use.LINK, (-1, 0)),
    "hardlink_to": (Use.LINK, (-1, 0)),
    "link_to": (Use.LINK, (-1, 0)),
    "mkdir": (Use.WRITE, (-1,)),
    "touch": (Use.WRITE, (-1,)),
    "stat": (Use.PROBE, (-1,)),
    "lstat": (Use.PROBE, (-1,)),
    "chmod": (Use.WRITE, (-1,)),
}
"""Methods of paths that touch the file system; -1 is the path itself."""
_ = text_sink
