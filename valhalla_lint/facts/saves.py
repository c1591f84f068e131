"""What one function does to files, in order: writes, flushes, syncs and renames, and under which names.

Order is the order in the text: branches are not told apart, which is right for code that writes one file.
"""

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.facts.calls import RUNNERS, Arguments, arguments, called, last_name
from valhalla_lint.facts.files import Opened, is_buffer, key, opened
from valhalla_lint.facts.name_checks import local_function
from valhalla_lint.facts.reaching import sources
from valhalla_lint.facts.words import words

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

Place = tuple[int, int]
START: Place = (0, 0)

SAVERS: dict[str, tuple[int, int]] = {
    "torch.save": (0, 1),
    "torch.jit.save": (0, 1),
    "safetensors.torch.save_file": (0, 1),
    "safetensors.torch.save_model": (0, 1),
    "safetensors.numpy.save_file": (0, 1),
    "safetensors.flax.save_file": (0, 1),
    "joblib.dump": (0, 1),
    "pickle.dump": (0, 1),
    "dill.dump": (0, 1),
    "cloudpickle.dump": (0, 1),
    "json.dump": (0, 1),
    "yaml.dump": (0, 1),
    "numpy.save": (1, 0),
    "numpy.savez": (1, 0),
    "numpy.savez_compressed": (1, 0),
}
"""Functions that write an object to a path or handle: the positions of the object and of the path."""
TARGET_KEYWORDS = ("f", "file", "filename", "fp", "stream")
WEIGHTS = frozenset(name for name in SAVERS if name.startswith(("torch.", "safetensors.")))
"""Those that write models and what belongs to them, whatever the names around say."""
RENAMES = frozenset({"os.replace", "os.rename", "os.renames", "shutil.move"})
RENAME_METHODS = frozenset({"replace", "rename", "mv", "move"})
SYNCS = frozenset({"fsync", "fdatasync", "sync"})
PLAIN_SYNCS = frozenset({"fsync", "fdatasync"})
"""Those of the operating system, which know nothing of what Python still buffers."""
TEMPORARY_WORDS = frozenset({"tmp", "temp", "temporary", "tempdir", "tempfile", "tmpdir", "tmpfile", "tmpdirname",
                             "tmppath", "partial", "part", "staging", "scratch", "incomplete"})  # fmt: skip
TEMPORARY_MAKERS = frozenset({"TemporaryDirectory", "NamedTemporaryFile", "TemporaryFile", "mkdtemp", "mkstemp",
                              "gettempdir", "SpooledTemporaryFile"})  # fmt: skip
REMOVERS = frozenset({"remove", "unlink", "rmtree", "removedirs", "rmdir"})


class Handle(NamedTuple):
    """An open file by the name of its variable. file: the key of its path. end: where its `with` block ends."""

    name: str
    file: str
    made: Opened | None
    end: int | None
    binary: bool = True


class Write(NamedTuple):
    """One call that writes. file: the key of the path. written: the object or bytes, where the call names it.

    opens: the call itself opens the final file (`open(path, "wb")`); such a write is followed by those to its handle.
    handle: the handle that is written to, for writes through one.
    """

    node: ast.Call
    file: str
    path: ast.expr
    saver: str
    written: ast.expr | None = None
    opens: Opened | None = None
    handle: Handle | None = None

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.node.lineno, self.node.col_offset


class Rename(NamedTuple):
    """One call that moves a file under another name."""

    node: ast.Call
    source: ast.expr
    file: str
    target: ast.expr

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.node.lineno, self.node.col_offset


class Saves:
    """Everything that one scope does to files, in the order of the text.

    by_file: the writes by the key of the file. saved: what was saved into a name (a buffer), by that name.
    The rest tells places: of the last rename, removal and sync by file or handle, of all syncs, of those that flush
    first, of flushes by handle.
    """

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.writes: list[Write] = []
        self.renames: list[Rename] = []
        self.by_file: dict[str, list[Write]] = {}
        self.saved: dict[str, list[ast.expr]] = {}
        self.last_rename: dict[str, Place] = {}
        self.last_removal: dict[str, Place] = {}
        self.last_sync: dict[str, Place] = {}
        self.syncs: list[Place] = []
        self.flushing: set[Place] = set()
        self.flushes: dict[str, list[Place]] = {}

    def put_aside(self, write: Write) -> bool:
        """Whether the file that is written is renamed or removed later."""
        return max(self.last_rename.get(write.file, START), self.last_removal.get(write.file, START)) > write.place

    def synced_after(self, names: Iterable[str], place: Place) -> bool:
        """Whether a sync of one of these files or handles stands after a place."""
        return any(self.last_sync.get(name, START) > place for name in names)

    def sync_between(self, first: Place, last: Place) -> Place | None:
        """The first sync, of whatever file, between two places."""
        number = bisect_right(self.syncs, first)
        return self.syncs[number] if number < len(self.syncs) and self.syncs[number] < last else None

    def flushed_between(self, names: Iterable[str], first: Place, last: Place) -> bool:
        """Whether one of these handles is flushed or closed between two places."""
        for name in names:
            places = self.flushes.get(name, [])
            number = bisect_right(places, first)
            if number < len(places) and places[number] < last:
                return True
        return False


def saves(module: "Module", scope: ast.AST) -> Saves:
    """The file operations of a scope's own code; linear in it."""
    calls = sorted(
        (node for node in module.index.own(scope) if isinstance(node, ast.Call)),
        key=lambda node: (node.lineno, node.col_offset),
    )
    handles = dict(_handles(module, calls))
    found = Saves()
    for call in calls:
        name = last_name(call.func)
        place = (call.lineno, call.col_offset)
        if name in ("flush", "close"):
            for key_ in _about(module, call, handles):
                found.flushes.setdefault(key_, []).append(place)
        elif call.args and (not SYNCS.isdisjoint(words(name)) or _syncs(module, call, handles)):
            found.syncs.append(place)
            if name not in PLAIN_SYNCS and _flushes(module, call):
                found.flushing.add(place)
            found.last_sync.update(dict.fromkeys(_about(module, call, handles), place))
        elif name in REMOVERS:
            found.last_removal.update(dict.fromkeys(_about(module, call, handles), place))
        elif (renamed := _rename(module, call, handles)) is not None:
            found.renames.append(renamed)
            found.last_rename[renamed.file] = place
        elif (write := _write(module, call, handles)) is not None:
            found.writes.append(write)
            found.by_file.setdefault(write.file, []).append(write)
        elif name in ("save", "save_file", "dump") and module.name(call.func) in WEIGHTS:
            target = call.args[1] if len(call.args) > 1 else None
            if isinstance(target, ast.Name):
                found.saved.setdefault(target.id, []).append(call.args[0])
    return found


def _syncs(module: "Module", call: ast.Call, handles: dict[str, Handle]) -> bool:
    """Whether an open file is handed to a helper of the same module that syncs, whatever it is called."""
    if PLAIN_SYNCS.isdisjoint(module.calls) or not any(
        isinstance(item, ast.Name) and item.id in handles for item in call.args
    ):
        return False
    helper = local_function(module, call.func)
    return helper is not None and any(
        isinstance(node, ast.Call) and last_name(node.func) in PLAIN_SYNCS for node in module.index.own(helper)
    )


def _flushes(module: "Module", call: ast.Call) -> bool:
    """Whether a helper that syncs what it is given flushes it too: its body says so, or is out of sight."""
    helper = local_function(module, call.func)
    return helper is None or any(isinstance(node, ast.Attribute) and node.attr == "flush" for node in ast.walk(helper))


def _handles(module: "Module", calls: list[ast.Call]) -> Iterator[tuple[str, Handle]]:
    for call in calls:
        name = last_name(call.func)
        made = opened(module, call)
        if made is None and name not in ("NamedTemporaryFile", "fdopen"):
            continue
        above = module.parent(call)
        end = None
        target: ast.expr | None = None
        match above:
            case ast.withitem(optional_vars=target):
                block = module.parent(above)
                end = getattr(block, "end_lineno", None)
            case ast.Assign(targets=[target]):
                pass
            case _:
                pass
        if not isinstance(target, ast.Name):
            continue
        if made is not None:
            yield target.id, Handle(target.id, key(made.path), made, end, binary="b" in made.mode)
        elif name == "NamedTemporaryFile":
            yield target.id, Handle(target.id, f"temporary {target.id}", None, end)
        elif call.args and isinstance(call.args[0], ast.Name):
            mode = module.constants.text(call.args[1]) if len(call.args) > 1 else "r"
            yield target.id, Handle(target.id, f"descriptor {call.args[0].id}", None, end, binary="b" in (mode or "b"))


def file_key(module: "Module", path: ast.expr, handles: dict[str, Handle]) -> str:
    """The key of a path; the name of an open file (`handle.name`) is the file itself, as is the pair of `mkstemp`."""
    match path:
        case ast.Attribute(attr="name" | "file", value=ast.Name(id=name)) if name in handles:
            return handles[name].file
        case ast.Name(id=name):
            if name in handles:
                return handles[name].file
            descriptor = _mkstemp_partner(module, path)
            if descriptor:
                return f"descriptor {descriptor}"
    return key(path)


def _mkstemp_partner(module: "Module", name: ast.Name) -> str:
    """The descriptor beside a path that `fd, path = tempfile.mkstemp()` gave, or ""."""
    scope = module.scopes.binding_scope(name, name.id)
    for node in module.scopes.bindings(scope).get(name.id, ()) if scope is not None else ():
        pair = module.parent(node)
        if (
            isinstance(pair, ast.Tuple)
            and isinstance(pair.elts[0], ast.Name)
            and mkstemp_call(module, name) is not None
        ):
            return pair.elts[0].id
    return ""


def mkstemp_call(module: "Module", name: ast.Name) -> ast.Call | None:
    """The `mkstemp` call that a name was unpacked from, or None."""
    scope = module.scopes.binding_scope(name, name.id)
    for node in module.scopes.bindings(scope).get(name.id, ()) if scope is not None else ():
        pair = module.parent(node)
        if not isinstance(pair, ast.Tuple):
            continue
        match module.parent(pair):
            case ast.Assign(value=ast.Call(func=function) as call) if last_name(function) == "mkstemp":
                return call
            case _:
                continue
    return None


def _about(module: "Module", call: ast.Call, handles: dict[str, Handle]) -> frozenset[str]:
    """The files and handles that a call's receiver and arguments name."""
    found: set[str] = set()
    parts: list[ast.expr] = [*call.args]
    if isinstance(call.func, ast.Attribute):
        parts.append(call.func.value)
    for part in parts:
        found.add(file_key(module, part, handles))
        for node in ast.walk(part):
            if isinstance(node, ast.Name):
                found.add(node.id)
                if node.id in handles:
                    found.add(handles[node.id].file)
    return frozenset(found)


def _rename(module: "Module", call: ast.Call, handles: dict[str, Handle]) -> Rename | None:
    name = module.name(call.func)
    if name in RENAMES and len(call.args) > 1:
        return Rename(call, call.args[0], file_key(module, call.args[0], handles), call.args[1])
    if name is not None or not isinstance(call.func, ast.Attribute) or call.func.attr not in RENAME_METHODS:
        return None
    if len(call.args) == 1 and not isinstance(call.args[0], ast.Constant):
        source = call.func.value
        return Rename(call, source, file_key(module, source, handles), call.args[0])
    if len(call.args) > 1 and call.func.attr in ("mv", "rename", "move"):
        return Rename(call, call.args[0], file_key(module, call.args[0], handles), call.args[1])
    return None


def _write(module: "Module", call: ast.Call, handles: dict[str, Handle]) -> Write | None:
    name = last_name(call.func)
    made = opened(module, call)
    if made is not None:
        return Write(call, key(made.path), made.path, "open", opens=made) if made.writes else None
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    if name in ("write_bytes", "write_text") and receiver is not None and call.args:
        return Write(call, file_key(module, receiver, handles), receiver, name, written=call.args[0])
    if name in ("write", "writelines") and isinstance(receiver, ast.Name) and receiver.id in handles and call.args:
        handle = handles[receiver.id]
        return Write(call, handle.file, receiver, name, written=call.args[0], handle=handle)
    dotted, given = _run(module, call)
    if (
        dotted == "os.write"
        and len(call.args) > 1
        and isinstance(call.args[0], ast.Name)
        and call.args[0].id in handles
    ):
        handle = handles[call.args[0].id]
        return Write(call, handle.file, call.args[0], "write", written=call.args[1], handle=handle)
    if dotted not in SAVERS:
        return None
    given = given or arguments(module, call)
    first, second = SAVERS[dotted]
    target = next((given.keywords[word] for word in TARGET_KEYWORDS if word in given.keywords), None)
    target = target or given.get("", second)
    if target is None or is_buffer(module, target):
        return None
    inner = opened(module, target)
    if inner is not None:  # `pickle.dump(state, open(path, "wb"))`: the open is the write under the final name
        nameless = Handle("", key(inner.path), inner, None, binary="b" in inner.mode)
        return Write(call, nameless.file, target, dotted, written=given.get("obj", first), handle=nameless)
    base = target.value if isinstance(target, ast.Attribute) and target.attr == "file" else target
    handle_of = handles.get(base.id) if isinstance(base, ast.Name) else None
    return Write(
        call, file_key(module, target, handles), target, dotted, written=given.get("obj", first), handle=handle_of
    )


def saver(module: "Module", call: ast.Call) -> bool:
    """Whether a call saves something by one of `SAVERS`, also one that it hands to a thread."""
    return _run(module, call)[0] in SAVERS


def _run(module: "Module", call: ast.Call) -> tuple[str | None, Arguments | None]:
    """The dotted name of what a call runs, and its arguments where it is handed to what runs it."""
    if last_name(call.func) in RUNNERS and (found := called(module, call)) is not None:
        return found.name, found.arguments
    return module.name(call.func), None


def is_temporary(module: "Module", path: ast.expr) -> bool:
    """Whether a path is named like, or made by, something temporary."""
    for node in sources(module, path):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                if not TEMPORARY_WORDS.isdisjoint(words(name)):
                    return True
                if isinstance(node, ast.Name) and mkstemp_call(module, node) is not None:
                    return True
            case ast.Call(func=function) if last_name(function) in TEMPORARY_MAKERS:
                return True
            case _:
                continue
    return False


def made_elsewhere(module: "Module", path: ast.expr) -> ast.Call | None:
    """The call that put a path into the system's folder for temporary files, because no `dir` was given."""
    for node in sources(module, path):
        made: ast.Call | None = None
        if isinstance(node, ast.Call) and last_name(node.func) in TEMPORARY_MAKERS:
            made = node
        elif isinstance(node, ast.Name):
            made = mkstemp_call(module, node)
        if made is not None:
            place = {"mkstemp": 2, "mkdtemp": 2, "TemporaryDirectory": 2}.get(last_name(made.func))
            given = arguments(module, made)
            if not given.unknown("dir") and given.get("dir", place) is None:
                return made
    return None
