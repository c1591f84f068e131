"""Which expressions a name may stand for at one place, by order of statements inside one scope.

An approximation that needs no flow engine: the last assignment on the straight way to the place counts, and beside it
those after it that stand in a branch, and in a loop around the place those below it.
"""

import ast
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

LOOPS = (ast.For, ast.AsyncFor, ast.While)
WHOLE = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.With, ast.AsyncWith)
"""Owners of a single list of statements (no need to look into it)."""
MAX_NODES = 400
"""How many nodes are looked at to learn where a value comes from."""
MAX_BINDINGS = 40
"""Names that are bound more often than this in one scope are not followed."""


def values_at(module: "Module", name: ast.Name) -> tuple[ast.expr, ...] | None:
    """The expressions that may be bound to a name where it is read; None where one of the bindings is out of sight.

    Parameters, loop targets, imports and unpacked tuples are out of sight; `with X as name` gives X.
    """
    scope = module.scopes.binding_scope(name, name.id)
    if scope is None:
        return None
    nodes = module.scopes.bindings(scope).get(name.id, [])
    if not 0 < len(nodes) <= MAX_BINDINGS:
        return None
    if module.scopes.scope(name) is not scope or len(nodes) == 1:
        found = [bound_value(module, node) for node in nodes]
    else:
        found = [bound_value(module, node) for node in _reaching(module, nodes, name)]
    if not found:
        return None
    values = [value for value in found if value is not None]
    return tuple(values) if len(values) == len(found) else None


def sources(module: "Module", value: ast.expr) -> Iterator[ast.AST]:
    """Every node of an expression, and of the expressions that the names in it may stand for; at most `MAX_NODES`."""
    seen: set[tuple[str, ast.AST | None]] = set()
    queue: deque[ast.AST] = deque([value])
    for _ in range(MAX_NODES):
        if not queue:
            return
        node = queue.popleft()
        yield node
        queue.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Name):
            mark = (node.id, module.statement(node))
            if mark not in seen:
                seen.add(mark)
                queue.extend(values_at(module, node) or ())


def alike(value: ast.expr) -> str:
    """A text that is equal for expressions that are written alike (up to `MAX_NODES` nodes of them)."""
    parts: list[str] = []
    queue: deque[ast.AST] = deque([value])
    while queue and len(parts) < MAX_NODES:
        node = queue.popleft()
        match node:
            case ast.Name(id=text) | ast.Attribute(attr=text):
                parts.append(f"{node.__class__.__name__} {text}")
            case ast.Constant(value=constant):
                parts.append(f"Constant {constant!r:.200}")
            case ast.expr_context() | ast.operator():
                continue
            case _:
                parts.append(node.__class__.__name__)
        queue.extend(ast.iter_child_nodes(node))
    return "\x1f".join(parts)


def always_before(module: "Module", statement: ast.stmt, use: ast.expr) -> bool:
    """Whether a statement of the same scope is always passed before a use (branches and loops around it are not)."""
    return _place(statement) < _place(use) and _straight(module, statement, _blocks(module, use))


def bound_value(module: "Module", node: ast.AST) -> ast.expr | None:
    """The expression that one binding of a name gives it, None where it is no plain one."""
    match module.parent(node):
        case ast.Assign(targets=targets, value=value) if node in targets:
            return value
        case ast.AnnAssign(target=target, value=ast.expr() as value) if target is node:
            return value
        case ast.NamedExpr(target=target, value=value) if target is node:
            return value
        case ast.withitem(optional_vars=target, context_expr=value) if target is node:
            return value
        case _:
            return None


def _reaching(module: "Module", nodes: list[ast.AST], use: ast.Name) -> list[ast.AST]:
    """The bindings that may still hold at a use in the same scope."""
    blocks = _blocks(module, use)
    loops = [above for above in module.ancestors(use) if isinstance(above, LOOPS)]
    place = (use.lineno, use.col_offset)
    own = module.statement(use)
    reaching: list[ast.AST] = []
    for node in nodes:
        statement = module.statement(node)
        if statement is own and not isinstance(own, ast.With | ast.AsyncWith | ast.If | ast.While):
            continue  # `x = f(x)`: the right side is read first
        before = _place(node) < place
        if before and _straight(module, statement, blocks):
            reaching = [node]
        elif before or any(above in loops for above in module.ancestors(node)):
            reaching.append(node)
    return reaching


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _blocks(module: "Module", node: ast.AST) -> set[tuple[ast.AST | None, str]]:
    """The statement lists around a node, each as its owner and the owner's field."""
    found: set[tuple[ast.AST | None, str]] = set()
    below: ast.AST = node
    for above in module.ancestors(node):
        if isinstance(below, ast.stmt):
            found.add((above, _field(above, below)))
        below = above
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            break
    return found


def _field(owner: ast.AST, statement: ast.stmt) -> str:
    if isinstance(owner, WHOLE):
        return "body"
    for name in ("body", "orelse", "finalbody"):
        if statement in getattr(owner, name, ()):
            return name
    return "handlers"


def _straight(module: "Module", statement: ast.stmt | None, blocks: set[tuple[ast.AST | None, str]]) -> bool:
    """Whether a statement is always passed on the way to a place whose blocks are given (`with` bodies are)."""
    while statement is not None:
        above = module.parent(statement)
        if above is None:
            return True
        if isinstance(above, ast.arguments | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module):
            return True
        if (above, _field(above, statement)) in blocks:
            return True
        if not isinstance(above, ast.With | ast.AsyncWith):
            return False
        statement = above
    return True
