"""VH205 torn-checkpoint."""

import ast
from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.calls import RUNNERS, arguments, calls_named, calls_to, last_name
from valhalla_lint.facts.files import MODE, key
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.name_checks import local_function, mentions
from valhalla_lint.facts.reaching import values_at
from valhalla_lint.facts.saves import (
    SAVERS,
    WEIGHTS,
    Rename,
    Saves,
    Write,
    is_temporary,
    made_elsewhere,
    saver,
    saves,
)
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.words import mentioned, words

OPENED = frozenset({"open", "GFile"})
WRITTEN = frozenset({"write_bytes", "write_text"})
SAVED = frozenset({*RUNNERS, *(name.rpartition(".")[2] for name in SAVERS)})
CHECKPOINT_WORDS = frozenset(
    {"checkpoint", "checkpoints", "checkpointer", "checkpointing", "ckpt", "ckpts", "optimizer", "resume"}
)
"""Words that say by themselves that a checkpoint is written."""
STATE_WORDS = CHECKPOINT_WORDS | {"snapshot", "state", "states", "weight", "weights"}
"""Words of which one says that what is written is the state of a run; but for those above a function that is named for
saving must speak too."""
MODEL_WORDS = STATE_WORDS | {"model", "models", "lora", "adapter", "adapters", "embedding", "embeddings"}
"""The same for files that are written as bytes."""
OTHER_WORDS = frozenset({"card", "config", "configuration", "csv", "html", "index", "info", "license", "log", "logs",
                         "markdown", "md", "metadata", "metrics", "readme", "report", "schema", "stats",
                         "summary"})  # fmt: skip
"""Words that say that a file tells about a model and is none."""
ARGUMENT_WORDS = frozenset({"self", "args", "arguments", "training", "cfg", "hparams"})
"""What is saved beside a checkpoint and can be had again."""
PLAIN_NAMES = frozenset({"save", "dump", "write", "store", "persist", "export", "flush", "close", "run", "commit"})
"""Functions whose name says nothing without the class around them."""
CONVERTING_WORDS = frozenset({"convert", "converter", "conversion", "merge", "migrate", "repack", "strip", "upgrade"})
"""Words in the name of a function that makes one file of another, which can be made again."""
SAVING_WORDS = frozenset({"save", "saves", "write", "store", "persist"})
CHECKPOINT, STATE, MODEL, OWN = "a checkpoint", "the state", "a model", "its own state"
"""What is written. Weights on their own may be an export, which nobody reads after a crash: they are reported where a
function that is named for saving writes them, elsewhere by the preset audit only."""
MAX_INSIDE = 20
"""How many writes to one open file are looked at to learn what it holds."""
ATOMIC_WORDS = frozenset({"atomic", "atomically", "transaction"})

IN_PLACE = "{what} writes {about} under its final name: a crash half way leaves a torn file and no older one"
IN_PLACE_SYNCED = "{what} writes {about} under its final name and syncs it there: a crash half way leaves a torn file"
NO_SYNC = "{what} gives {about} its final name before the bytes are on the disk: nothing syncs them (fsync)"
LATE_SYNC = "{what} gives {about} its final name first and syncs it afterwards: the sync must come before the rename"
NO_FLUSH = "{what} follows an fsync of a file that Python still buffers: without flush() its tail is not on the disk"
ELSEWHERE = (
    "{what} puts {about} into the system's temporary folder first: from there {move} to another file system is a copy, "
    "not a rename"
)
HELPER = "{what} has {about} written under its final name: a crash half way leaves a torn file and no older one"


def check(module: Module, options: None) -> Iterator[Hit]:
    scopes = {module.scopes.scope(call): None for call in _candidates(module)}
    if not scopes:
        return
    done = {scope: saves(module, scope) for scope in scopes}
    told: set[ast.AST] = set()
    for scope, found in done.items():
        for write in found.writes:
            for hit in _in_place(module, scope, found, write):
                told.add(scope)
                yield hit
        for rename in found.renames:
            yield from _renamed(module, scope, found, rename)
    yield from _through_helpers(module, {scope: found for scope, found in done.items() if scope not in told}, done)


def _candidates(module: Module) -> Iterator[ast.Call]:
    """The calls that may write a file, told cheaply."""
    yield from calls_named(module, WRITTEN)
    for call in calls_named(module, OPENED):
        if _may_write(call):
            yield call
    for call in calls_to(module, SAVED):
        if len(call.args) + len(call.keywords) > 1 and saver(module, call):
            yield call


def _may_write(call: ast.Call) -> bool:
    """Whether a mode for writing stands among the arguments of an open (or flags of `os.open` do)."""
    for item in (*call.args, *(keyword.value for keyword in call.keywords)):
        match item:
            case ast.Constant(value=str(mode)) if MODE.fullmatch(mode) and {"w", "x"} & set(mode):
                return True
            case ast.BinOp(op=ast.BitOr()) | ast.Attribute(attr="O_WRONLY" | "O_RDWR" | "O_CREAT"):
                return True
            case _:
                continue
    return False


def _in_place(module: Module, scope: ast.AST, found: Saves, write: Write) -> Iterator[Hit]:
    if write.handle is not None or not _is_path(module, write) or _put_aside(module, found, write):
        return
    inside = (
        [other for other in found.by_file[write.file] if other.handle is not None][:MAX_INSIDE] if write.opens else []
    )
    about = _about(module, scope, found, write, inside)
    if not about or _atomic_around(module, write.node) or _called_with_temporary(module, scope, write):
        return
    synced = found.synced_after(_names(write, inside), write.place)
    sure = write.saver in WEIGHTS or any(other.saver in WEIGHTS for other in inside)
    if about == CHECKPOINT:
        confidence, quiet = Confidence.HIGH if sure else Confidence.MEDIUM, False
    else:
        said = _saves(module, scope, sure=sure, about=about) or any(_is_state(item) for item in (write, *inside))
        confidence = Confidence.LOW
        quiet = not said and about != OWN
    yield Hit(
        at=write.node,
        message=IN_PLACE_SYNCED if synced else IN_PLACE,
        values={"what": _what(module, write.node), "about": about},
        confidence=confidence,
        audit=quiet or not CONVERTING_WORDS.isdisjoint(_function_words(module, scope)),
    )


def _saves(module: Module, scope: ast.AST, *, sure: bool, about: str) -> bool:
    """Whether a function says that it saves what it writes; for a model it must say that too."""
    said = _function_words(module, scope)
    if SAVING_WORDS.isdisjoint(said):
        return False
    return about == STATE or (sure and not MODEL_WORDS.isdisjoint(said))


def _is_state(write: Write) -> bool:
    """Whether `torch.save` writes what `state_dict()` gives."""
    return write.saver == "torch.save" and write.written is not None and "state_dict" in _called(write.written)


def _called(value: ast.expr) -> set[str]:
    return {last_name(node.func) for node in ast.walk(value) if isinstance(node, ast.Call)}


def _names(write: Write, inside: list[Write]) -> set[str]:
    return {write.file, *(other.handle.name for other in inside if other.handle is not None)}


def _is_path(module: Module, write: Write) -> bool:
    """Whether a write goes to a path; a parameter that is named like a handle may be either and is left alone."""
    if write.opens is not None or write.saver in ("write_bytes", "write_text"):
        return True
    if not isinstance(write.path, ast.Name):
        return True
    if not {"f", "file", "fp", "fh", "fd", "handle", "buffer", "buf", "stream", "out", "writer", "fileobj", "io"} & {
        *words(write.path.id)
    }:
        return values_at(module, write.path) is None or not _from_manager(module, write.path)
    return False


def _from_manager(module: Module, name: ast.Name) -> bool:
    """Whether a name is what a `with` statement gave: an open file of some kind that is not known here."""
    scope = module.scopes.binding_scope(name, name.id)
    nodes = module.scopes.bindings(scope).get(name.id, []) if scope is not None else []
    return any(isinstance(module.parent(node), ast.withitem) for node in nodes)


def _put_aside(module: Module, found: Saves, write: Write) -> bool:
    """Whether what is written is not the final file: temporary, renamed later, or removed later."""
    return found.put_aside(write) or is_temporary(module, write.path)


def _about(module: Module, scope: ast.AST, found: Saves, write: Write, inside: list[Write]) -> str:
    """What is written, in a word or two; "" where it is nothing of this rule's business."""
    said = mentioned(write.path) | _texts(write.path)
    for other in (write, *inside):
        if other.written is not None:
            said |= _words_of(found, other.written)
    function = _function_words(module, scope)
    savers = {write.saver, *(other.saver for other in inside)}
    if not OTHER_WORDS.isdisjoint(said | function):
        return ""
    if write.written is not None and mentioned(write.written) <= ARGUMENT_WORDS:
        return ""
    if savers & WEIGHTS:
        return CHECKPOINT if CHECKPOINT_WORDS & (said | function) else STATE if STATE_WORDS & said else MODEL
    binary = "b" in write.opens.mode if write.opens is not None else write.handle is None or write.handle.binary
    if write.saver == "write_text" or savers & {"json.dump", "yaml.dump"}:
        binary = False
    if not binary:  # text beside a checkpoint may only speak of it
        said = mentioned(write.path) | _texts(write.path)
    if STATE_WORDS & (said | function):
        return CHECKPOINT if CHECKPOINT_WORDS & (said | function) else STATE
    if binary and MODEL_WORDS & (said | function):
        return MODEL
    return OWN if _writes_itself(module, scope, [write, *inside]) else ""


def _writes_itself(module: Module, scope: ast.AST, writes: list[Write]) -> bool:
    """Whether a method named for saving writes its own object (`self.to_json()`, `vars(self)`) to a path."""
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) or SAVING_WORDS.isdisjoint(words(scope.name)):
        return False
    given = {argument.arg for argument in parameters(scope)}
    if "self" not in given or not any(mentions(item.path, frozenset(given)) for item in writes):
        return False
    return any(item.written is not None and _is_self(item.written) for item in writes)


def _is_self(written: ast.expr) -> bool:
    match written:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self")), args=[]) | ast.Attribute(attr="__dict__"):
            return True
        case ast.Call(args=[first, *_]):
            return (isinstance(first, ast.Name) and first.id == "self") or _is_self(first)
        case _:
            return False


def _words_of(found: Saves, written: ast.expr) -> frozenset[str]:
    """The words of what is written; a buffer's are those of what was saved into it."""
    said = mentioned(written)
    for node in ast.walk(written):
        if isinstance(node, ast.Name) and node.id in found.saved:
            said |= mentioned(found.saved[node.id][0]) | {"weights"}
    return said


def _texts(value: ast.expr) -> frozenset[str]:
    return frozenset(
        word
        for node in ast.walk(value)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for word in words(node.value)
    )


def _function_words(module: Module, scope: ast.AST) -> frozenset[str]:
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return frozenset()
    said = frozenset(words(scope.name))
    if said <= PLAIN_NAMES | {"to", "file", "disk", "all"}:
        owner = module.scopes.class_of(scope)
        said |= frozenset(words(owner.name)) if owner is not None else frozenset()
    return said


def _atomic_around(module: Module, node: ast.AST) -> bool:
    """Whether a `with` around a write is named like a transaction (`with fs.transaction:`)."""
    return any(
        isinstance(above, ast.With | ast.AsyncWith)
        and any(not ATOMIC_WORDS.isdisjoint(mentioned(item.context_expr)) for item in above.items)
        for above in module.ancestors(node)
    )


def _called_with_temporary(module: Module, scope: ast.AST, write: Write) -> bool:
    """Whether the path is a parameter for which every caller in the file gives something temporary."""
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) or not isinstance(write.path, ast.Name):
        return False
    if write.path.id not in {argument.arg for argument in parameters(scope)}:
        return False
    given = [
        _given(module, call, scope, write.path.id)
        for call in module.calls.get(scope.name, ())
        if local_function(module, call.func) is scope
    ]
    return bool(given) and all(value is not None and is_temporary(module, value) for value in given)


def _given(
    module: Module, call: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef, parameter: str
) -> ast.expr | None:
    """What a call hands to a parameter of a function of the same file."""
    names = [argument.arg for argument in parameters(function)]
    position = names.index(parameter) - (names[0] in ("self", "cls"))
    return arguments(module, call).get(parameter, position)


def _renamed(module: Module, scope: ast.AST, found: Saves, rename: Rename) -> Iterator[Hit]:
    writes = [write for write in found.by_file.get(rename.file, ()) if write.place < rename.place][-MAX_INSIDE:]
    opened_by = [write for write in writes if write.handle is None]
    if not writes:
        return
    about = next(filter(None, (_about(module, scope, found, write, writes) for write in opened_by or writes)), "")
    about = about or (CHECKPOINT if CHECKPOINT_WORDS & (mentioned(rename.target) | _texts(rename.target)) else "")
    if not about:
        return
    audit = about == MODEL and not _saves(module, scope, sure=True, about=about)
    move = _what(module, rename.node)
    if (made := made_elsewhere(module, rename.source)) is not None:  # told where it is mended: a `dir` is missing there
        values = {"what": _what(module, made), "about": about, "move": move}
        yield Hit(at=made, message=ELSEWHERE, values=values, confidence=Confidence.MEDIUM, audit=audit)
        return
    message, confidence = _order(found, rename, writes)
    if message:
        values = {"what": move, "about": about}
        yield Hit(at=rename.node, message=message, values=values, confidence=confidence, audit=audit)


def _order(found: Saves, rename: Rename, writes: list[Write]) -> tuple[str, Confidence]:
    """What is wrong with the order of writes, flush, sync and rename; "" where nothing is."""
    handles = {write.handle.name for write in writes if write.handle is not None}
    last = max(write.place for write in writes)
    known = {rename.file, *handles}
    synced = found.sync_between(last, rename.place)
    if synced is None:
        late = found.synced_after(known, rename.place)
        return (LATE_SYNC, Confidence.MEDIUM) if late else (NO_SYNC, Confidence.LOW)
    if _unflushed(found, writes, synced, handles):
        return NO_FLUSH, Confidence.LOW
    return "", Confidence.LOW


def _unflushed(found: Saves, writes: list[Write], synced: tuple[int, int], handles: set[str]) -> bool:
    """Whether bytes written through a buffering handle are synced while it is open, with no flush between."""
    through = [write for write in writes if write.handle is not None]
    if not through:
        return False
    handle = through[-1].handle
    if handle is None or (handle.made is not None and not handle.made.buffered):
        return False
    if synced in found.flushing or (handle.end is not None and synced[0] > handle.end):
        return False
    return not found.flushed_between(handles, through[-1].place, synced)


def _through_helpers(module: Module, silent: dict[ast.AST, Saves], done: dict[ast.AST, Saves]) -> Iterator[Hit]:
    """Writers of the same file that know nothing of models, called by functions that save one."""
    writers: dict[ast.AST, str] = {}
    for scope, found in silent.items():
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        names = {argument.arg for argument in parameters(scope)}
        for write in found.writes:
            plain = write.handle is None and isinstance(write.path, ast.Name) and write.path.id in names
            if plain and not _about(module, scope, found, write, []) and not _put_aside(module, found, write):
                writers[scope] = write.path.id  # type: ignore[attr-defined]  # a name: see `plain`
    if not writers:
        return
    named = frozenset(scope.name for scope in writers if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef))
    for call in calls_to(module, named):
        helper = local_function(module, call.func)
        if helper is None or helper not in writers:
            continue
        scope = module.scopes.scope(call)
        path = _given(module, call, helper, writers[helper])
        if path is None or is_temporary(module, path):
            continue
        if STATE_WORDS.isdisjoint(_function_words(module, scope) | mentioned(path) | _texts(path)):
            continue
        found_here = done.setdefault(scope, saves(module, scope)) if scope not in done else done[scope]
        wanted = key(path)
        if wanted in found_here.last_rename:
            continue
        yield Hit(
            at=call,
            message=HELPER,
            values={"what": _what(module, call), "about": "the state"},
            confidence=Confidence.MEDIUM,
        )


def _what(module: Module, call: ast.Call) -> str:
    name = module.name(call.func)
    return f"{name or last_name(call.func)}()"


RULE = Rule(
    code="VH205",
    name="torn-checkpoint",
    message="a checkpoint can be torn by a crash",
    why="A checkpoint is read after a crash, so it must survive one. Written in place, it is half a file when the "
    "process dies in the middle, and the last good one is gone. The order that holds: write a temporary file in the "
    "same folder, flush it, fsync it, then os.replace it over the final name. A rename before the sync can leave an "
    "empty file under the good name. Order is read inside one function, writers of the same file included; libraries "
    "that write atomically, buffers in memory and files that are removed again are silent; a model that is merely "
    "exported is for the preset audit.",
    remedy="write to a temporary file in the same folder, flush(), os.fsync(), then os.replace() it to the final name",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.LOW},
    cwe=(362, 459),
    check=check,
    bad=(
        Bad(
            """
            import os
            import tempfile

            import torch

            def save_checkpoint(model, path):
                torch.save(model.state_dict(), path)  # VH205

            def save_bytes_checkpoint(path, data):
                with open(path, "wb") as handle:  # VH205
                    handle.write(data)

            def save_synced_checkpoint(path, data):
                with open(path, "wb") as handle:  # VH205
                    handle.write(data)
                    handle.flush()
                    os.fsync(handle.fileno())

            def save_renamed_checkpoint(path, data):
                aside = f"{path}.tmp"
                with open(aside, "wb") as handle:
                    handle.write(data)
                os.replace(aside, path)  # VH205

            def save_late_checkpoint(path, data):
                aside = f"{path}.tmp"
                with open(aside, "wb", buffering=0) as handle:
                    handle.write(data)
                    os.replace(aside, path)  # VH205
                    os.fsync(handle.fileno())

            def save_unflushed_checkpoint(path, data):
                aside = f"{path}.tmp"
                with open(aside, "wb") as handle:
                    handle.write(data)
                    os.fsync(handle.fileno())
                os.replace(aside, path)  # VH205

            def save_moved_checkpoint(model, path):
                aside = tempfile.NamedTemporaryFile(delete=False)  # VH205
                torch.save(model, aside)
                aside.flush()
                os.fsync(aside.fileno())
                os.rename(aside.name, path)
            """
        ),
        Bad(
            """
            import asyncio

            import torch

            class Checkpointer:
                def _write(self, state, path):
                    torch.save(state, path)  # VH205

            async def save_checkpoint(model, path):
                await asyncio.to_thread(torch.save, model.state_dict(), path)  # VH205
            """,
        ),
        Bad(
            """
            def write(path, data):
                with open(path, "wb") as handle:
                    handle.write(data)

            def save_optimizer(optimizer, path):
                write(path, optimizer.to_bytes())  # VH205
            """,
            note="The writer knows nothing of optimizers; the function that calls it does.",
        ),
        Bad(
            """
            import os
            import pickle
            import shutil
            import tempfile
            from pathlib import Path

            import torch

            def train(model, optimizer, epochs):
                for epoch in range(epochs):
                    torch.save({"model": model, "optimizer": optimizer}, f"run/{epoch}.pt")  # VH205

            def save_state(state, path):
                Path(path).write_bytes(pickle.dumps(state))  # VH205
                pickle.dump(state, open(path, "wb"))  # VH205

            def write_checkpoint(data, path):
                place = os.open(path, os.O_WRONLY | os.O_CREAT)  # VH205
                os.write(place, data)
                os.close(place)

            def move_checkpoint(model, path):
                with tempfile.TemporaryDirectory() as folder:  # VH205
                    aside = os.path.join(folder, "checkpoint.pt")
                    torch.save(model.state_dict(), aside)
                    shutil.move(aside, path)
            """
        ),
    ),
    good=(
        Good(
            """
            import io
            import os
            import tempfile

            import torch
            from atomicwrites import atomic_write

            def save_checkpoint(model, path):
                aside = path.with_suffix(".partial")
                with open(aside, "wb") as handle:
                    torch.save(model.state_dict(), handle)
                    handle.flush()
                    os.fsync(handle.fileno())
                os.replace(aside, path)

            def settled(handle):
                handle.flush()
                os.fsync(handle.fileno())

            def save_checkpoint_by_helper(model, path):
                aside = f"{path}.partial"
                with open(aside, "wb") as handle:
                    torch.save(model.state_dict(), handle)
                    settled(handle)
                os.replace(aside, path)

            def save_by_library(model, path):
                with atomic_write(path, mode="wb") as handle:
                    torch.save(model.state_dict(), handle)

            def send_checkpoint(model, bucket):
                buffer = io.BytesIO()
                torch.save(model.state_dict(), buffer)
                with tempfile.TemporaryDirectory() as folder:
                    torch.save(model.state_dict(), f"{folder}/weights.pt")
                    bucket.upload(folder, buffer)

            def write_report(path, text):
                with open(path, "w") as handle:
                    handle.write(text)
            """
        ),
        Good(
            """
            import io
            import os
            import tempfile

            import torch

            def save_checkpoint(model, path):
                place, aside = tempfile.mkstemp(dir=path.parent)
                with os.fdopen(place, "wb") as handle:
                    torch.save(model.state_dict(), handle)
                    handle.flush()
                    os.fsync(handle.fileno())
                os.replace(aside, path)

            def save_checkpoint_reopened(model, path):
                aside = f"{path}.tmp"
                torch.save(model.state_dict(), aside)
                place = os.open(aside, os.O_RDONLY)
                os.fsync(place)
                os.close(place)
                os.replace(aside, path)

            def save_checkpoint_remote(model, path, fs):
                with fs.transaction, fs.open(path, "wb") as handle:
                    torch.save(model.state_dict(), handle)

            class Best:
                def __init__(self):
                    self.buffer = io.BytesIO()

                def save_checkpoint(self, model):
                    torch.save(model.state_dict(), self.buffer)

            def publish_checkpoint(model, hub):
                torch.save(model.state_dict(), "checkpoint.pt")
                hub.upload("checkpoint.pt")
                os.remove("checkpoint.pt")
            """
        ),
        Good(
            """
            import torch

            def convert_checkpoint(model, path):
                torch.save(model, path)  # missed VH205

            def keep(model, path):
                torch.save(model, path)  # missed VH205

            def save_checkpoint(trainer, path):
                trainer.save_checkpoint(path)  # missed VH205
            """,
            note="An export is for the preset audit; what a library's own method does is not known here.",
        ),
    ),
)
