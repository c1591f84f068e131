"""VH203: the check is made whole: it asks for the folder and not for a prefix, for the whole name and not its start."""

import ast
from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.mending.checks import Check, check_at
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.reaching import values_at
from valhalla_lint.facts.words import last_name
from valhalla_lint.fixes.fix import Edit, Fix, Mender, Refusal, Replaced
from valhalla_lint.fixes.identifiers import reachable
from valhalla_lint.fixes.places import expressions_at
from valhalla_lint.fixes.text import Places

UNRESOLVED = "'..' is still there"
BY_HAND = "no small change makes this check whole: resolve the path and ask is_relative_to"


def plan(module: Module, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each check; what it let through before it stops then, so none is safe."""
    for finding in findings:
        found = next((item for node in expressions_at(module, finding.span) if (item := check_at(module, node))), None)
        made = _whole(module, found, resolve=UNRESOLVED in finding.message) if found is not None else None
        if found is None or made is None:
            yield Refusal(finding, BY_HAND)
            continue
        text, imports, done = made
        start, end = Places(module.text).range(module.span(found.node))
        yield Fix(
            code="VH203",
            findings=(finding,),
            edits=(Edit(start, end, text),),
            replaced=(Replaced(found.node, ast.parse(text, mode="eval").body),),
            safe=False,
            summary=done,
            imports=imports,
        )


def _whole(module: Module, check: Check, *, resolve: bool) -> tuple[str, tuple[str, ...], str] | None:
    """The text of the whole check, the imports that it needs, and what is done, in words."""
    node = check.node
    segment = module.segment(node)
    if "\n" in segment:
        return None
    match check:
        case Check(kind="prefix", asked=ast.expr() as asked, base=ast.expr() as base):
            path = reachable(module, node, "pathlib.Path")
            if path is None:
                return None
            one, other = (f"{path.written}({module.segment(_inner(item))})" for item in (asked, base))
            forms = {_form(module, _inner(item)) for item in (asked, base)}
            if resolve or len(forms) > 1 or "" in forms:
                whole = f"{one}.resolve().is_relative_to({other}.resolve())"
                return whole, path.imports, "ask whether the folder holds it"
            folder = module.segment(_inner(base))
            return f"{one}.is_relative_to({folder})", path.imports, "ask whether the folder holds it"
        case Check(kind="relative", asked=ast.expr() as asked, base=ast.expr() as base) if resolve:
            path = reachable(module, node, "pathlib.Path")
            if path is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                return None
            whole = (
                f"{module.segment(asked)}.resolve().{node.func.attr}({path.written}({module.segment(base)}).resolve())"
            )
            return whole, path.imports, "resolve both sides first"
        case Check(kind="common", asked=ast.Call(func=ast.Attribute(value=owner)) as call):
            old = module.segment(call.func)
            return segment.replace(old, f"{module.segment(owner)}.commonpath", 1), (), "compare folders, not characters"
        case Check(kind="match") if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            old = module.segment(node.func)
            return segment.replace(old, f"{module.segment(node.func.value)}.fullmatch", 1), (), "match the whole text"
        case Check(kind="dots", asked=ast.Name(id=name)) if isinstance(node, ast.Compare):
            path = reachable(module, node, "os.path.isabs")
            if path is None:
                return None
            absent = isinstance(node.ops[0], ast.NotIn)
            more = f"and not {path.written}({name})" if absent else f"or {path.written}({name})"
            return f"({segment} {more})", path.imports, "ask for absolute names, too"
        case _:
            return None


FORMS = {"resolve": "resolved", "realpath": "resolved", "abspath": "absolute", "absolute": "absolute"}
"""What calls make of a path: only paths of one form can be compared as they stand."""


MAX_DEPTH = 4
"""How many assignments are followed to the form of a path."""


def _form(module: Module, node: ast.expr, depth: int = MAX_DEPTH) -> str:
    """The form of a path, "" where it is not known or may be one of several."""
    match node:
        case ast.Name() if depth:
            forms = {_form(module, _inner(item), depth - 1) for item in values_at(module, node) or ()}
            return forms.pop() if len(forms) == 1 else ""
        case ast.Call(func=ast.Name(id="Path"), args=[only]):
            return _form(module, only, depth)
        case ast.Call(func=function):
            return FORMS.get(last_name(function), "")
        case _:
            return ""


def _inner(node: ast.expr) -> ast.expr:
    """What `str(...)` makes a text of; else the node itself."""
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return inner
        case _:
            return node


MENDER = Mender("VH203", plan)
