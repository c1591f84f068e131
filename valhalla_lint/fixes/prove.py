"""Whether a new text is exactly the intended change of the old one, shown on trees."""

import ast
from collections.abc import Mapping, Sequence

from valhalla_lint.facts.parse import parse
from valhalla_lint.fixes.fix import Replaced
from valhalla_lint.fixes.head import Head


def intended(tree: ast.Module, replaced: Sequence[Replaced], heads: Sequence[Head]) -> ast.Module:
    """The tree that the fixes mean: nodes exchanged, statements put after others and at the head."""
    changes = {item.old: item for item in replaced}
    body: list[ast.stmt] = []
    for index, statement in enumerate(tree.body):
        body += [new for head in heads if head.index == index for new in head.statements]
        body += _statements([statement], changes)
    return ast.Module(body=body, type_ignores=tree.type_ignores)


def _statements(items: Sequence[ast.AST], changes: Mapping[ast.AST, Replaced]) -> list[ast.stmt]:
    found: list[ast.AST] = []
    for item in items:
        found.append(_rebuilt(item, changes))
        if item in changes:
            found.extend(changes[item].after)
    return found  # type: ignore[return-value]  # statements stay statements


def _rebuilt(node: ast.AST, changes: Mapping[ast.AST, Replaced]) -> ast.AST:
    """A copy of a node with the changes made; what a change gives is taken as it is."""
    change = changes.get(node)
    if change is not None and change.new is not node:
        return change.new
    made = node.__class__()
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(made, name, [
                item
                for old in value
                for item in (_statements([old], changes) if isinstance(old, ast.AST) else [old])
            ])  # fmt: skip
        else:
            setattr(made, name, _rebuilt(value, changes) if isinstance(value, ast.AST) else value)
    return made


def fault(text: str, expected: ast.Module) -> str:
    """What is wrong with a new text, "" where its tree is the expected one."""
    parsed = parse(text)
    if parsed.problem:
        return "the result would not parse"
    try:
        same = ast.dump(parsed.tree) == ast.dump(expected)
    except RecursionError:
        return "the program is nested too deeply to compare it"
    return "" if same else "more than the intended place would change"
