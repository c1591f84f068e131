"""The head of a module: where a constant or an import can be put so that it is there before anything may need it.

The place is after the docstring, `from __future__` and the imports, and before the first statement that defines a
function or class or uses what is defined: no code of the module that could need the name can run earlier.
"""

import ast
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.fix import Constant, Edit
from valhalla_lint.fixes.refusals import beside_import
from valhalla_lint.fixes.text import Places

DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
IMPORTS = (ast.Import, ast.ImportFrom)
BLANK_LINES = {True: 2, False: 1}
"""Blank lines before what follows new constants: two before a definition."""


@dataclass(frozen=True, slots=True)
class Head:
    """What is put at the head: the edit, the statements as a tree, and before which statement of the body it stands."""

    edit: Edit
    statements: tuple[ast.stmt, ...]
    index: int


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a first statement is the module's docstring."""
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False


def head_index(tree: ast.Module, uses: Iterable[ast.AST]) -> int:
    """Before which statement of the body new names are put; `uses` are the nodes that will need them."""
    body = tree.body
    wanted = set(uses)
    first = 1 if body and is_docstring(body[0]) else 0
    while first < len(body) and isinstance(body[first], ast.ImportFrom) and body[first].module == "__future__":  # type: ignore[attr-defined]  # just tested
        first += 1
    index = position = first
    while position < len(body) and _is_inert(body[position], wanted):
        if _imports(body[position]):
            index = position + 1
        position += 1
    while index < len(body) and _is_dunder(body[index]) and _is_inert(body[index], wanted):
        index += 1
    return index


def _is_inert(statement: ast.stmt, uses: set[ast.AST]) -> bool:
    """Whether a statement defines nothing that could run later, and uses none of the new names."""
    return not any(isinstance(node, DEFINING) or node in uses for node in ast.walk(statement))


def _imports(statement: ast.stmt) -> bool:
    return any(isinstance(node, IMPORTS) for node in ast.walk(statement))


def _is_dunder(statement: ast.stmt) -> bool:
    """Whether a statement is one like `__all__ = [...]` or `__version__ = "1.0"`."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name.startswith("__") and name.endswith("__")
        case _:
            return False


def first_line(statement: ast.stmt) -> int:
    """The line on which a statement begins, its decorators included."""
    decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
    return min([statement.lineno, *(item.lineno for item in decorators)])


def head(module: Module, places: Places, uses: Iterable[ast.AST], constants: Sequence[Constant]) -> Head:
    """The edit that puts constants at the head of a module which has at least one statement."""
    body = module.tree.body
    index = head_index(module.tree, uses)
    while 0 < index < len(body) and _shares_line(module, body[index - 1], body[index]):
        if index - 1 < _fixed(module.tree):
            break
        index -= 1
    lines = [_definition(constant) for constant in constants]
    statements = tuple(_tree(constant) for constant in constants)
    return Head(_edit(module, places, index, lines), statements, index)


def imports(module: Module, places: Places, lines: Sequence[str]) -> Head:
    """The edit that adds imports of the standard library to a module which has at least one statement."""
    body = module.tree.body
    index = first = _fixed(module.tree)
    statements = tuple(ast.parse(line).body[0] for line in lines)
    for number, statement in enumerate(body[first:], first):
        if not isinstance(statement, IMPORTS) or not _is_standard(statement):
            break
        if _rank(statement) < _rank(statements[0]):
            index = number + 1
    if index > first and not _shares_line(module, body[index - 1], body[index]):
        newline = places.line_end(body[index - 1].lineno)
        start = places.line_start((body[index - 1].end_lineno or body[index - 1].lineno) + 1)
        return Head(Edit(start, start, "".join(line + newline for line in lines)), statements, index)
    before_imports = isinstance(body[first], IMPORTS) and _is_standard(body[first])
    if before_imports and not (first and _shares_line(module, body[first - 1], body[first])):
        newline = places.line_end(body[first].lineno)
        start = places.line_start(body[first].lineno)
        return Head(Edit(start, start, "".join(line + newline for line in lines)), statements, first)
    return Head(_edit(module, places, first, lines), statements, first)


def is_of_standard_library(line: str) -> bool:
    """Whether an import, given as a line, is one of the standard library."""
    return _is_standard(ast.parse(line).body[0])


def beside(module: Module, places: Places, line: str) -> Head:
    """The edit that adds an import of a package behind the last one that the head of a module has of it."""
    (statement,) = ast.parse(line).body
    package = _rank(statement)[1]
    index = beside_import(module, package)
    before = module.tree.body[index - 1]
    start = places.line_start((before.end_lineno or before.lineno) + 1)
    return Head(Edit(start, start, line + places.line_end(before.lineno)), (statement,), index)


def _rank(statement: ast.stmt) -> tuple[bool, str]:
    """How imports are sorted: whole modules first, then by name."""
    match statement:
        case ast.Import(names=[alias, *_]):
            return False, alias.name
        case ast.ImportFrom(module=name):
            return True, name or ""
        case _:
            return True, ""


def _is_standard(statement: ast.stmt) -> bool:
    """Whether an import is of the standard library."""
    root = _rank(statement)[1].partition(".")[0]
    return root in sys.stdlib_module_names and getattr(statement, "level", 0) == 0


def _edit(module: Module, places: Places, index: int, lines: Sequence[str]) -> Edit:
    """The edit that writes lines before a statement of the body."""
    body = module.tree.body
    if index > 0 and _shares_line(module, body[index - 1], body[index]):
        start, _ = places.range(module.span(body[index]))
        return Edit(start, start, "".join(f"{line}; " for line in lines))
    if index:
        return _below(module, places, body[index - 1], body[index], lines)
    return _above(module, places, body[0], lines)


def _fixed(tree: ast.Module) -> int:
    """How many statements must stay first: the docstring and `from __future__`."""
    return sum(
        (number == 0 and is_docstring(item)) or (isinstance(item, ast.ImportFrom) and item.module == "__future__")
        for number, item in enumerate(tree.body)
    )


def _shares_line(module: Module, before: ast.stmt, after: ast.stmt) -> bool:
    """Whether two statements stand on one logical line."""
    end = before.end_lineno or before.lineno
    return first_line(after) == end or module.lines[end - 1].endswith("\\")


def _below(module: Module, places: Places, before: ast.stmt, after: ast.stmt, lines: Sequence[str]) -> Edit:
    last = before.end_lineno or before.lineno
    start = places.line_start(last + 1)
    newline = places.line_end(last)
    wanted = ["", *lines]
    if last < len(module.lines) and module.lines[last].strip():
        wanted += [""] * BLANK_LINES[isinstance(after, DEFINING) and first_line(after) == last + 1]
    return Edit(start, start, "".join(line + newline for line in wanted))


def _above(module: Module, places: Places, after: ast.stmt, lines: Sequence[str]) -> Edit:
    line = top = first_line(after)
    while top > 1 and module.lines[top - 2].lstrip(" \t\f").startswith("#"):
        top -= 1
    if top == 1:
        top = line  # comments that begin the file stay first: a shebang, an encoding, a licence
    newline = places.line_end(top)
    blank = newline * BLANK_LINES[isinstance(after, DEFINING)]
    start = places.line_start(top)
    return Edit(start, start, "".join(line + newline for line in lines) + blank)


def _definition(constant: Constant) -> str:
    typed = f"{constant.name}: {constant.annotation}" if constant.annotation else constant.name
    return f"{typed} = {constant.spelling}"


def _tree(item: Constant) -> ast.stmt:
    target = ast.Name(item.name, ast.Store())
    if item.annotation:
        annotation = ast.parse(item.annotation, mode="eval").body
        return ast.AnnAssign(target=target, annotation=annotation, value=item.value, simple=1)
    return ast.Assign(targets=[target], value=item.value)
