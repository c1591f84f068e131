"""A question behind a join: is the path still inside its folder?"""

import ast
from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.mending.checks import Join, join_at
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.fix import Edit, Fix, Refusal, Replaced
from valhalla_lint.fixes.identifiers import reachable
from valhalla_lint.fixes.places import expressions_at
from valhalla_lint.fixes.refusals import refusing_line
from valhalla_lint.fixes.text import Places

BY_HAND = "keep the joined path in a variable first, then ask is_relative_to; or accept known names only"
STEP = "    "


def guards(module: Module, code: str, findings: Sequence[Finding], by_hand: str = BY_HAND) -> Iterator[Fix | Refusal]:
    """One fix for each join; paths that led out were followed before, so none is safe.

    by_hand: what to do instead where there is no join that is kept in a variable.
    """
    for finding in findings:
        found = next((item for node in expressions_at(module, finding.span) if (item := join_at(module, node))), None)
        made = _guard(module, found) if found is not None else None
        if found is None or made is None:
            yield Refusal(finding, by_hand)
            continue
        text, imports = made
        yield Fix(
            code=code,
            findings=(finding,),
            edits=(_below(module, found.statement, text),),
            replaced=(Replaced(found.statement, found.statement, tuple(ast.parse("\n".join(text)).body)),),
            safe=False,
            summary="refuse a path that leads out of its folder",
            imports=imports,
        )


def _guard(module: Module, join: Join) -> tuple[tuple[str, str], tuple[str, ...]] | None:
    """The two lines of the guard without their indentation, and the imports that it needs."""
    path = reachable(module, join.statement, "pathlib.Path")
    if path is None:
        return None
    if isinstance(join.base, str):
        base = f'"{join.base}"'
        exact = '"' not in join.base and "\\" not in join.base
    else:
        base = module.segment(join.base)
        exact = True
    if not exact or "\n" in base:
        return None
    asked = f"{path.written}({join.variable}).resolve().is_relative_to({path.written}({base}).resolve())"
    refusing = refusing_line(module, join.statement)
    return (f"if not {asked}:", f"{STEP}{refusing.text}"), (*path.imports, *refusing.imports)


def _below(module: Module, statement: ast.stmt, lines: tuple[str, str]) -> Edit:
    """The edit that puts lines behind a statement, indented as it is."""
    places = Places(module.text)
    span = module.span(statement)
    indent = module.lines[span.line - 1][: span.column]
    head, body = lines
    step = _step(module, statement, indent)
    written = [indent + head, indent + step + body.removeprefix(STEP)]
    newline = places.line_end(span.end_line)
    start = places.line_start(span.end_line + 1)
    if span.end_line == len(module.lines):  # nothing ends the last line of the file
        return Edit(start, start, "".join(newline + line for line in written))
    return Edit(start, start, "".join(line + newline for line in written))


def _step(module: Module, statement: ast.stmt, indent: str) -> str:
    """By what a block is indented around a statement."""
    above = module.parent(statement)
    if isinstance(above, ast.stmt):
        outer = module.lines[above.lineno - 1]
        outer = outer[: len(outer) - len(outer.lstrip(" \t"))]
        if indent.startswith(outer) and len(indent) > len(outer):
            return indent[len(outer) :]
    return STEP
