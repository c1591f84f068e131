"""What kind of archive `shutil.unpack_archive` is handed, told by the format, the file's name or a condition around.

Its unpackers differ (CPython, `Lib/shutil.py`): those of tar archives take `filter` and follow '..' without one before
Python 3.14; that of zip archives takes no `filter` (a TypeError) and leaves out members with '..' or a leading slash.
"""

import ast
from typing import TYPE_CHECKING

from valhalla_lint.facts.archives import Archive
from valhalla_lint.facts.calls import Arguments, last_name
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.reaching import values_at

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

TAR_FORMATS = ("tar", "gztar", "bztar", "xztar", "zstdtar")
TAR_ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst")
TAR_SUFFIXES = (*TAR_ENDINGS, ".gz", ".bz2", ".xz", ".zst")
"""What `Path.suffix` gives of them, too."""
ZIP_ENDINGS = (".zip", ".whl", ".egg", ".jar")
TAR, ZIP = Archive(tar=True), Archive(zip=True)
HOLDERS = frozenset({"Path", "PurePath", "PosixPath", "str", "fspath", "abspath", "realpath", "resolve", "absolute"})
"""Calls that give the path that they are handed."""
MAX_DEPTH = 6
"""How many expressions are followed to the end of a name."""


def unpacked(module: "Module", call: ast.Call, given: Arguments) -> Archive | None:
    """The archive that a call unpacks; None where nothing tells its kind."""
    form = given.get("format", 2)
    if form is not None and module.constant(form) is not None:
        named = module.constant(form)
        return TAR if named in TAR_FORMATS else ZIP if named == "zip" else None
    file = given.get("filename", 0)
    ending = "" if file is None else _ending(module, file, MAX_DEPTH)
    return _by_ending(ending.lower()) or _by_condition(module, call)


def _by_ending(ending: str) -> Archive | None:
    return TAR if ending.endswith(TAR_ENDINGS) else ZIP if ending.endswith(ZIP_ENDINGS) else None


def _ending(module: "Module", value: ast.expr, depth: int) -> str:
    """The constant text in which a path ends; "" where none is known, or where it may be one of several."""
    constant = module.constant(value)
    if isinstance(constant, str):
        return constant
    if depth <= 0:
        return ""
    match value:
        case ast.JoinedStr(values=[*_, last]):
            return _ending(module, last, depth - 1)
        case ast.BinOp(op=ast.Add() | ast.Div(), right=last):
            return _ending(module, last, depth - 1)
        case ast.Call(func=ast.Attribute(attr="with_suffix"), args=[last]):
            return _ending(module, last, depth - 1)
        case ast.Call(func=function, args=[*_, last]) if last_name(function) in ("join", "joinpath"):
            return _ending(module, last, depth - 1)
        case ast.Call(func=function, args=[first]) if last_name(function) in HOLDERS:
            return _ending(module, first, depth - 1)
        case ast.Call(func=ast.Attribute(attr=attr, value=inner), args=[]) if attr in HOLDERS:
            return _ending(module, inner, depth - 1)
        case ast.Name():
            endings = {_ending(module, item, depth - 1) for item in values_at(module, value) or ()}
            kinds = {_by_ending(item.lower()) for item in endings}
            return endings.pop() if len(kinds) == 1 and endings else ""
        case _:
            return ""


def _by_condition(module: "Module", call: ast.Call) -> Archive | None:
    """What the conditions around a call say of the file's ending, or of what kind it is."""
    below: ast.AST = call
    for above in module.ancestors(call):
        if isinstance(above, ast.If) and below is not above.test and below in above.body:
            said = _asked(module, above.test)
            if said is not None:
                return said
        below = above
    return None


def _asked(module: "Module", test: ast.expr) -> Archive | None:
    """The kind of archive for which a condition holds, None where it asks something else."""
    match test:
        case ast.Call(func=function, args=[_, *_]) if last_name(function) in ("is_zipfile", "is_tarfile"):
            return ZIP if last_name(function) == "is_zipfile" else TAR
        case ast.Call(func=ast.Attribute(attr="endswith"), args=[endings]):
            return _all_of(module.constant(endings))
        case ast.Compare(left=left, ops=[ast.Eq() | ast.In()], comparators=[right]) if "suffix" in last_name(left):
            return _all_of(module.constant(right))
        case ast.BoolOp(op=ast.And(), values=parts):
            return next((said for said in (_asked(module, part) for part in parts) if said is not None), None)
        case ast.BoolOp(op=ast.Or(), values=parts):
            kinds = {_asked(module, part) for part in parts}
            return kinds.pop() if len(kinds) == 1 else None
        case _:
            return None


def _all_of(endings: object) -> Archive | None:
    """The kind of archive that ends in each of some texts."""
    if endings is MISSING:
        return None
    found = endings if isinstance(endings, tuple | list | set | frozenset) else (endings,)
    texts = [item.lower() for item in found if isinstance(item, str)]
    if not texts or len(texts) != len(found):
        return None
    if all(text.endswith(TAR_SUFFIXES) for text in texts):
        return TAR
    return ZIP if all(text.endswith(ZIP_ENDINGS) for text in texts) else None
