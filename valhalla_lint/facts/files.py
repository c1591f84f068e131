"""Opened files: which path a handle stands for, how it was opened, and what was written to a path before."""

import ast
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.calls import arguments, last_name
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.reaching import alike, values_at

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

MODE = regex(r"[rwxabtU+]{1,4}")
OPENERS = frozenset({"open", "GFile", "xopen", "smart_open", "fdopen"})
"""Last names of functions that open a file and return its handle."""
BUFFERS = frozenset({"BytesIO", "StringIO"})
PLAIN = frozenset({"as_posix", "absolute", "resolve", "expanduser"})
"""Methods that give the same file's path again."""
DUMPERS: dict[str, int] = {"save": 1, "save_file": 1, "savez": 0, "savez_compressed": 0, "dump": 1, "to_pickle": 0}
"""Last names of functions that write an object to a path or handle, with the place of that argument.

`numpy.save(path, array)` and `savez(path, ...)` take the path first.
"""


class Opened(NamedTuple):
    """One call that opens a file. mode: as a constant, "r" where none is given, "" where it cannot be told."""

    node: ast.Call
    path: ast.expr
    mode: str
    buffered: bool = True

    @property
    def writes(self) -> bool:
        """Whether the file is made anew or emptied."""
        return bool({"w", "x"} & set(self.mode))


def opened(module: "Module", call: ast.expr | None) -> Opened | None:
    """What a call opens; None where it opens no file by path (a buffer, a socket, a descriptor)."""
    if not isinstance(call, ast.Call) or last_name(call.func) not in OPENERS:
        return None
    given = arguments(module, call)
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    path: ast.expr | None
    if module.name(call.func) == "os.open":
        return _opened_descriptor(call)
    if receiver is not None and module.name(call.func) is None and _is_mode(given.get("mode", 0), call):
        path, mode, buffering = receiver, given.get("mode", 0), given.get("buffering", 1)
    else:
        path, mode, buffering = (
            given.get("file", 0) or given.get("path"),
            given.get("mode", 1),
            given.get("buffering", 2),
        )
    if path is None or last_name(call.func) == "fdopen":
        return None
    constant = "r" if mode is None else module.constants.text(mode) or ""
    return Opened(call, path, constant, buffered=module.constant(buffering) != 0)


def _opened_descriptor(call: ast.Call) -> Opened | None:
    """What `os.open(path, flags)` opens."""
    if not call.args:
        return None
    flags = {node.attr for item in call.args[1:] for node in ast.walk(item) if isinstance(node, ast.Attribute)}
    return Opened(call, call.args[0], "wb" if flags & {"O_WRONLY", "O_RDWR", "O_CREAT"} else "rb", buffered=False)


def _is_mode(value: ast.expr | None, call: ast.Call) -> bool:
    """Whether the first argument of a method `open` is a mode, so that the receiver is the path."""
    match value:
        case ast.Constant(value=str(text)):
            return MODE.fullmatch(text) is not None
        case None:
            return not call.args
        case _:
            return isinstance(value, ast.Name) and value.id == "mode"


def place_of_file(module: "Module", value: ast.expr) -> tuple[ast.expr, Opened | None]:
    """The path behind an expression that may be a handle: the path and how it was opened, or the expression itself."""
    direct = opened(module, value)
    if direct is not None:
        return direct.path, direct
    if isinstance(value, ast.Attribute) and value.attr in ("file", "buffer"):
        value = value.value
    if isinstance(value, ast.Name):
        reaching = values_at(module, value) or ()
        for found in reaching:
            made = opened(module, found)
            if made is not None:
                return made.path, made
    return value, None


def is_buffer(module: "Module", value: ast.expr) -> bool:
    """Whether an expression is a buffer in memory (`io.BytesIO()`)."""
    match value:
        case ast.Call(func=function):
            return last_name(function) in BUFFERS
        case ast.Attribute(attr=attr, value=ast.Name(id="self" | "cls")):
            owner = next((above for above in module.ancestors(value) if isinstance(above, ast.ClassDef)), None)
            given = module.attribute_values.get((owner, attr), ())
            return any(isinstance(item, ast.Call) and is_buffer(module, item) for item in given)
        case ast.Name():
            reaching = values_at(module, value)
            return bool(reaching) and any(
                isinstance(item, ast.Call) and is_buffer(module, item) for item in reaching or ()
            )
        case _:
            return False


def key(value: ast.expr) -> str:
    """A text that is equal for expressions that mean the same file: `str(p)` and `p.as_posix()` are `p`."""
    while isinstance(value, ast.Call):
        match value:
            case ast.Call(func=ast.Name(id="str" | "Path"), args=[inner], keywords=[]):
                value = inner
            case ast.Call(func=ast.Attribute(attr=attribute, value=inner), args=[]) if attribute in PLAIN:
                value = inner
            case ast.Call(func=ast.Attribute(attr="fspath" | "abspath"), args=[inner]):
                value = inner
            case _:
                break
    return alike(value)


def files_written(module: "Module", function: FunctionNode) -> dict[str, tuple[int, int]]:
    """The files that a function writes, by their keys, each with the first place where it does."""
    found: dict[str, tuple[int, int]] = {}
    for node in module.index.own(function):
        if isinstance(node, ast.Call) and (target := written(module, node)) is not None:
            where = (node.lineno, node.col_offset)
            name = key(place_of_file(module, target)[0])
            found[name] = min(where, found.get(name, where))
    return found


def written(module: "Module", call: ast.Call) -> ast.expr | None:
    """The path or handle that a call writes an object to, or None."""
    name = last_name(call.func)
    place = DUMPERS.get(name)
    if place is None:
        made = opened(module, call)
        return made.path if made is not None and made.writes else None
    if name == "save" and (module.name(call.func) or "").startswith("numpy."):
        place = 0
    given = arguments(module, call)
    return given.get("f") or given.get("file") or given.get("", place)
