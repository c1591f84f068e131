"""Checks that cannot fail: a path asked whether it lies below the very folder that its name was just put below.

`(base / name).relative_to(base)` compares texts: it is wrong for absolute names alone, and `..` passes, as it does
where `os.path.join(base, name).startswith(base)` decides. That is told wherever the name comes from, since nobody
writes it but to keep paths inside.
"""

import ast
from collections.abc import Iterator

from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.values import Attempt, Place

ASKING = ("is_relative_to", "relative_to", "startswith")
WRAPPERS = frozenset({"Path", "PurePath", "PosixPath", "PurePosixPath", "str", "fspath"})
"""Calls that make no other path of one."""
ONE_NAME = frozenset(
    """name stem suffix basename secure_filename safe_join resolve realpath abspath normpath absolute hexdigest uuid4
    iterdir glob rglob listdir scandir walk""".split()
)
"""Words for what is no path with steps in it: a plain name, a path that was resolved, a file that was found there."""
STEPS = ("..", "../", "..\\")


def futile_checks(unit: Unit) -> Iterator[Attempt]:
    """The checks of a file that ask a join for the folder with which it begins."""
    for word in ASKING:
        for call in unit.module.calls.get(word, ()):
            around = unit.module.function(call)
            if around is None or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
                continue
            if word == "relative_to" and not _is_statement(unit, call):
                continue
            base = call.args[0]
            if word == "startswith":
                if not _decides(unit, call):
                    continue
                base = _without_separator(base)
            parts = _joined(unit, call.func.value)
            if parts is None or not _same(unit, parts[0], base) or _looked_at(unit, around, parts[1]):
                continue
            shown = unit.module.segment(base).replace("\n", " ")
            yield Attempt(
                Place(unit, call),
                word,
                "it is asked of a path in which '..' is still there",
                f"{shown}/../../etc/passwd",
                telling=True,
            )


def _is_statement(unit: Unit, call: ast.Call) -> bool:
    """Whether nothing but its failure is wanted of a call: it stands for itself in a `try`."""
    statement = unit.module.parent(call)
    return isinstance(statement, ast.Expr) and isinstance(unit.module.parent(statement), ast.Try)


def _decides(unit: Unit, call: ast.Call) -> bool:
    """Whether a condition hangs on nothing but the answer of a call, so that one of its ways refuses."""
    node: ast.AST = call
    for above in unit.module.ancestors(call):
        match above:
            case ast.UnaryOp(op=ast.Not()):
                node = above
            case ast.If(test=test) | ast.Assert(test=test):
                return test is node
            case _:
                return False
    return False


def _without_separator(node: ast.expr) -> ast.expr:
    """A folder without the separator that a prefix ends with: `root + os.sep`."""
    match node:
        case ast.BinOp(op=ast.Add(), left=left, right=ast.Constant(value="/" | "\\") | ast.Attribute(attr="sep")):
            return left
        case _:
            return node


def _joined(unit: Unit, node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The folder and the name of an expression that puts one below the other, or of what was last assigned to it."""
    if isinstance(node, ast.Name):
        values = _assigned(unit, node)
        joins = [_joined(unit, value) for value in values if not isinstance(value, ast.Name)]
        return joins[0] if len(values) == 1 and joins else None
    match node:
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return left, right
        case ast.Call(func=ast.Attribute(attr="joinpath", value=left), args=[right]):
            return left, right
        case ast.Call(func=func, args=[left, right]) if last_name(func) in WRAPPERS:
            return left, right
        case ast.Call(func=func, args=[ast.BinOp() | ast.Call() | ast.Name() as inner]) if last_name(func) in WRAPPERS:
            return _joined(unit, inner)
        case ast.Call(func=ast.Attribute(attr="join"), args=[left, right]):
            return left, right
        case _:
            return None


def _assigned(unit: Unit, node: ast.Name) -> list[ast.expr]:
    """What the assignment before a use gives a name: the last one in the same block of statements, else all."""
    module = unit.module
    scope = module.scopes.binding_scope(node, node.id)
    found: list[ast.Assign] = []
    for target in module.scopes.bindings(scope).get(node.id, ()) if scope is not None else ():
        if getattr(target, "lineno", 0) > node.lineno:
            continue
        statement = module.parent(target)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return []
        found.append(statement)
    above = {module.parent(item) for item in (node, *module.ancestors(node))}
    near = [item for item in found if module.parent(item) in above]
    return [max(near, key=lambda item: item.lineno).value] if near else []


def _same(unit: Unit, first: ast.expr, second: ast.expr) -> bool:
    return _bare(unit, first) == _bare(unit, second)


def _bare(unit: Unit, node: ast.expr) -> str:
    """The text of an expression without what makes no other path of it."""
    while isinstance(node, ast.Call) and len(node.args) == 1 and last_name(node.func) in WRAPPERS:
        node = node.args[0]
    return "".join(unit.module.segment(node).split())


def _looked_at(unit: Unit, around: FunctionNode, name: ast.expr) -> bool:
    """Whether a name cannot hold a step up, or is looked at in another way as well."""
    if unit.module.constants.value(name) is not MISSING:
        return True
    for item in unit.module.index.own(around):
        match item:
            case ast.Constant(value=str(text)) if text in STEPS:
                return True
            case _:
                pass
    seen: set[str] = set()
    waiting: list[ast.AST] = [name]
    while waiting:
        for item in ast.walk(waiting.pop()):
            match item:
                case ast.Attribute(attr=word) if word in ONE_NAME:
                    return True
                case ast.Name(id=word) if word in ONE_NAME:
                    return True
                case ast.Name(id=word) if word not in seen:
                    seen.add(word)
                    waiting.extend(_given(unit, item))
                case _:
                    pass
    return False


def _given(unit: Unit, node: ast.Name) -> Iterator[ast.expr]:
    """The expressions from which a name of the function gets what it holds."""
    module = unit.module
    scope = module.scopes.binding_scope(node, node.id)
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    for target in module.scopes.bindings(scope).get(node.id, ()):
        for above in module.ancestors(target):
            match above:
                case ast.Assign(value=value) | ast.NamedExpr(value=value) | ast.AugAssign(value=value):
                    yield value
                case ast.For(iter=source) | ast.AsyncFor(iter=source) | ast.comprehension(iter=source):
                    yield source
                case ast.Tuple() | ast.List() | ast.Starred():
                    continue
                case _:
                    pass
            break
