"""Path checks that can be made whole, and joins that can be given one."""

import ast
import os
from typing import NamedTuple

from valhalla_lint.facts.mending.calls import inside_text
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.words import last_name

COMMON = "os.path.commonprefix"
PURE = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.BinOp, ast.Div, ast.Add, ast.expr_context)
"""What can be evaluated a second time without a thought."""


class Check(NamedTuple):
    """A check that lets something through, and what would make it whole.

    kind: "prefix", "relative", "common", "match" or "dots". asked: what is asked about. base: what it is asked of.
    """

    kind: str
    node: ast.expr
    asked: ast.expr | None = None
    base: ast.expr | None = None


def check_at(module: Module, node: ast.AST) -> Check | None:
    """The check that a node is, where it can be mended; else None."""
    if not isinstance(node, ast.expr) or inside_text(module, node):
        return None
    match node:
        case ast.Call(func=ast.Attribute(attr="startswith", value=asked), args=[base], keywords=[]):
            plain = not isinstance(base, ast.Tuple | ast.Starred) and not isinstance(
                module.constant(base), bytes | tuple
            )
            return Check("prefix", node, asked, base) if plain and module.constant(base) not in ("", "/") else None
        case ast.Call(func=ast.Attribute(attr="is_relative_to" | "relative_to", value=asked), args=[base], keywords=[]):
            return Check("relative", node, asked, base) if not isinstance(base, ast.Starred) else None
        case ast.Compare(
            left=ast.Constant(value=".."), ops=[ast.In() | ast.NotIn()], comparators=[ast.Name() as asked]
        ):
            return Check("dots", node, asked)
        case ast.Compare(left=left, comparators=[right]):
            return _common(module, left, right) or _common(module, right, left)
        case ast.Call() if (above := module.parent(node)) is not None and module.name(node.func) == COMMON:
            return check_at(module, above) if isinstance(above, ast.Compare) else None
        case ast.Call(func=ast.Attribute(attr="match"), args=[_, *_]):
            return Check("match", node)
        case _:
            return None


def _common(module: Module, call: ast.expr, other: ast.expr) -> Check | None:
    """A comparison of a common prefix with a folder that does not end with a separator."""
    match call:
        case ast.Call(func=ast.Attribute() as function) if module.name(function) == COMMON:
            text = module.constant(other)
            ends = isinstance(text, str) and text.endswith(("/", os.sep))
            return None if ends else Check("common", call, call)
        case _:
            return None


def check_can_be_mended(module: Module, node: object) -> bool:
    """Whether a node is a check that can be made whole."""
    return isinstance(node, ast.AST) and check_at(module, node) is not None


class Join(NamedTuple):
    """A path that is put together and kept in a variable: a question about it can follow.

    base: the folder, an expression that can be evaluated again, or its text.
    """

    statement: ast.Assign | ast.AnnAssign
    variable: str
    base: ast.expr | str


def join_at(module: Module, node: ast.AST) -> Join | None:
    """The statement that keeps a path which is joined at a node, where a question can follow it; else None."""
    statement = module.statement(node)
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=variable)], value=value)
            | ast.AnnAssign(target=ast.Name(id=variable), value=value)
        ):
            pass
        case _:
            return None
    if value is None:
        return None
    base = _base(module, node)
    if base is None or not _wraps(value, node) or not _stands_alone(module, statement):
        return None
    return Join(statement, variable, base)


def _base(module: Module, node: ast.AST) -> ast.expr | str | None:
    """The folder that something is joined to at a node."""
    match node:
        case ast.BinOp(op=ast.Div(), left=left):
            return left if _is_pure(left) else None
        case ast.Call(func=function, args=[first, _, *_]) if module.name(function) in (
            "os.path.join",
            "posixpath.join",
        ):
            return first if _is_pure(first) and module.constant(first) != "" else None
        case ast.Call(func=ast.Attribute(attr="joinpath", value=owner), args=[_, *_]):
            return owner if _is_pure(owner) else None
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            folder = text.rpartition("/")[0]
            return folder or None
        case ast.JoinedStr(
            values=[ast.FormattedValue(value=inner, conversion=-1, format_spec=None), ast.Constant(value=str(text)), *_]
        ):
            return inner if text.startswith("/") and _is_pure(inner) else None
        case _:
            return None


def _is_pure(node: ast.expr) -> bool:
    return all(isinstance(part, PURE) for part in ast.walk(node))


WRAPPERS = frozenset(
    {"Path", "PurePath", "str", "fspath", "abspath", "realpath", "normpath", "resolve", "absolute", "expanduser"}
)
"""Calls that give back the same path in another form."""


def _wraps(value: ast.expr, node: ast.AST) -> bool:
    """Whether an expression is a node, or the same path in another form."""
    inner: ast.expr = value
    while inner is not node:
        match inner:
            case ast.Call(func=ast.Attribute(attr=name, value=owner), args=[], keywords=[]) if name in WRAPPERS:
                inner = owner
            case ast.Call(func=function, args=[only], keywords=[]) if last_name(function) in WRAPPERS:
                inner = only
            case _:
                return False
    return True


def _stands_alone(module: Module, statement: ast.stmt) -> bool:
    """Whether a statement has its lines for itself."""
    span = module.span(statement)
    before = module.lines[span.line - 1][: span.column]
    behind = module.lines[span.end_line - 1][span.end_column :].strip()
    return not before.strip() and (not behind or behind.startswith("#"))


def join_can_be_mended(module: Module, node: object) -> bool:
    """Whether a question about the joined path can follow a node's statement."""
    return isinstance(node, ast.AST) and join_at(module, node) is not None
