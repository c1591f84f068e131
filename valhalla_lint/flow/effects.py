"""What statements do to names, as far as their form tells: what they evaluate, bind and read, and if they may leave."""

import ast
from collections.abc import Callable, Iterable, Iterator

from valhalla_lint.facts.index import children
from valhalla_lint.flow.words import OWNERS


def targets(node: ast.expr) -> Iterator[str]:
    """The names that an assignment to a target changes; `self.x` counts as a name."""
    stack: list[ast.expr] = [node]
    while stack:
        match stack.pop():
            case ast.Name(id=name):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                yield f"self.{name}"
            case ast.Attribute(value=value) | ast.Subscript(value=value) | ast.Starred(value=value):
                stack.append(value)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                stack.extend(elements)
            case _:
                pass


LEAVING = frozenset({"_exit", "abort", "error", "exit", "fail", "quit"})
"""Names of calls that never come back."""
REFUSING = ("abort", "assert", "check", "ensure", "fail", "raise", "require", "validate", "verify")
"""How the names of functions begin that may raise instead of coming back."""


def heads(statement: ast.stmt) -> list[ast.expr] | None:
    """The expressions that a statement evaluates itself; None for a statement that always has to be interpreted."""
    match statement:
        case ast.Assign() | ast.AugAssign() | ast.Expr():
            return [statement.value]
        case ast.AnnAssign():
            return [statement.value] if statement.value is not None else []
        case ast.If() | ast.While():
            return [statement.test]
        case ast.For() | ast.AsyncFor():
            return [statement.iter]
        case ast.With() | ast.AsyncWith():
            return [item.context_expr for item in statement.items]
        case ast.Try() | ast.TryStar() | ast.Pass():
            return []
        case _:
            return None


def inside(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements directly inside a compound one."""
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(statement, name, ())
    for handler in getattr(statement, "handlers", ()):
        yield from handler.body


def binds(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement itself binds or changes."""
    match statement:
        case ast.Assign():
            for target in statement.targets:
                yield from targets(target)
        case ast.AnnAssign() | ast.AugAssign() | ast.For() | ast.AsyncFor():
            yield from targets(statement.target)
        case ast.With() | ast.AsyncWith():
            for item in statement.items:
                if item.optional_vars is not None:
                    yield from targets(item.optional_vars)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver))):
            yield from targets(receiver)
        case _:
            pass
    for head in heads(statement) or ():
        for part in ast.walk(head):
            if isinstance(part, ast.NamedExpr):
                yield from targets(part.target)


def reads(node: ast.expr) -> Iterator[str]:
    """The names that an expression reads; `self.x` counts as a name."""
    stack: list[ast.AST] = [node]
    while stack:
        part = stack.pop()
        kind = part.__class__
        if kind is ast.Name:
            yield part.id  # type: ignore[attr-defined]  # the class was compared
            continue
        if kind is ast.Attribute:
            base = part.value  # type: ignore[attr-defined]  # as above
            if base.__class__ is ast.Name and base.id in OWNERS:
                yield f"self.{part.attr}"  # type: ignore[attr-defined]  # as above
        stack.extend(children(part))


def may_leave(statement: ast.stmt) -> bool:
    """Whether a statement is a call after which control may not go on, or waits for a value."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))):
            return name in LEAVING or name.lstrip("_").startswith(REFUSING)
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            return True
        case _:
            return False


def inner_first(statement: ast.stmt) -> tuple[int, int]:
    """A key that puts inner statements before those that hold them."""
    return -statement.lineno, -statement.col_offset


Link = tuple[tuple[str, ...], ast.expr]


def close(needed: set[str], links: list[Link], read: Callable[[ast.expr], Iterable[str]]) -> list[Link]:
    """Add every name that flows into a needed one; returns the links that did not take part. read: see `reads`."""
    before = -1
    while before != len(needed):
        before = len(needed)
        rest = []
        for link in links:
            if needed.isdisjoint(link[0]):
                rest.append(link)
            else:
                needed.update(read(link[1]))
        links = rest
    return links


def reads_itself(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement that is always interpreted reads, without those of statements inside it."""
    match statement:
        case ast.Match():
            yield from reads(statement.subject)
            for case in statement.cases:
                if case.guard is not None:
                    yield from reads(case.guard)
        case ast.Assert():
            yield from reads(statement.test)
        case ast.Delete():
            for target in statement.targets:
                yield from reads(target)
        case ast.Raise() if statement.exc is not None:
            yield from reads(statement.exc)
        case _:
            pass
