"""One Python file is read once, for all that a review needs to know of it."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source, Status, Unread
from valhalla_lint.core.tier import Flag, Tier
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.reading import source_of
from valhalla_lint.facts.tiers import rows
from valhalla_lint.review.behaviour import (
    asserts,
    calls,
    changed_globals,
    environment,
    handlers,
    logged,
    raised,
    tables,
)
from valhalla_lint.review.callsites import calls_of
from valhalla_lint.review.definitions import bound_names, classes, exported, functions, functions_by_line, imports
from valhalla_lint.review.files import File
from valhalla_lint.review.python import NO_CALLS, Python
from valhalla_lint.review.serving import attention, devices, origins, system_messages


def study(file: File, data: bytes, place: Path, settings: Settings) -> tuple[Source, Python, ast.Module | None] | str:
    """The source as the linter takes it, the facts, and the tree where the whole text is Python; or why it is no text.

    Never raises on any text.
    """
    source = source_of(data, file.path, place)
    if isinstance(source, Unread):
        return source.reason
    module = Module(source, settings)
    try:
        return source, _facts(module, file), None if module.parsed.problem else module.tree
    except (RecursionError, MemoryError):
        return "nested too deeply to be studied"


def _facts(module: Module, file: File) -> Python:
    tree = module.tree
    problem = module.parsed.problem
    counted = _count(module)
    docstring = ast.get_docstring(tree, clean=False) is not None if tree.body else False
    return Python(
        path=file.path,
        object_id=file.entry.id,
        dotted=module.dotted,
        package=module.is_package,
        tier=module.tier.tier.value,
        flags=tuple(sorted({*(flag.value for flag in module.tier.flags), *_by_folder(file)})),
        status=Status.PARTLY if problem or module.source.notes else Status.READ,
        notes=(*module.source.notes, *((problem,) if problem else ())),
        lines=file.lines,
        code=counted[0],
        comment=counted[1],
        blank=counted[2],
        docstring_lines=counted[3],
        documented=docstring,
        imports=tuple(imports(module)),
        functions=tuple(functions(module)),
        classes=tuple(classes(module)),
        calls=tuple(calls(module)),
        environment=tuple(sorted(environment(module), key=lambda read: (read.line, read.name))),
        asserts=tuple(asserts(module)),
        handlers=tuple(handlers(module)),
        globals_changed=tuple(sorted(changed_globals(module))),
        tables=tuple(tables(module)),
        raised=tuple(raised(module)),
        main=next((node.lineno for node in tree.body if _is_main(node)), 0),
        public=exported(tree),
        complexity=complexity(tree),
        words=frozenset(_words(module)),
        attention=tuple(attention(module)),
        flow=calls_of(module) if module.tier.tier is Tier.PRODUCTION else NO_CALLS,
        bound=bound_names(module) if module.is_package else None,
        devices=tuple(devices(module)),
        origins=tuple(origins(module)),
        logged=tuple(logged(module)),
        system=tuple(system_messages(module)),
        memory=tuple(
            sorted(
                node.lineno
                for node in (module.nodes(ast.Constant) if "out of memory" in module.lower else ())
                if isinstance(node.value, str)
                and "out of memory" in node.value.lower()
                and isinstance(module.parent(node), ast.Compare)
            )
        ),
    )


def _words(module: Module) -> Iterator[str]:
    """Names that are used, keys such as `config["MAX_CONTENT_LENGTH"]`, and the options of gRPC, which are texts."""
    for node in module.nodes(ast.Attribute):
        yield node.attr
    for name in module.nodes(ast.Name):
        yield name.id
    for item in module.nodes(ast.Subscript):
        if isinstance(item.slice, ast.Constant) and isinstance(item.slice.value, str) and item.slice.value.isupper():
            yield item.slice.value
    if "grpc." in module.text:
        for text in module.nodes(ast.Constant):
            if isinstance(text.value, str) and text.value.startswith("grpc."):
                yield text.value


def _by_folder(file: File) -> Iterator[str]:
    """The flag of a file below a folder of other people's code: a project of its own in there is theirs, too."""
    if any(rows().vendored_folders(folder) for folder in file.folders):
        yield Flag.VENDORED.value


def _count(module: Module) -> tuple[int, int, int, int]:
    """Lines of code, of comment only, blank; lines of docstrings (a part of the code lines)."""
    inside: set[int] = set()
    for node in module.nodes(ast.Constant):
        if isinstance(node.value, str) and node.end_lineno and node.end_lineno > node.lineno:
            inside.update(range(node.lineno + 1, node.end_lineno + 1))
    code = comment = blank = 0
    for number, line in enumerate(module.lines, 1):
        text = line.strip()
        if number in inside:
            code += 1
        elif not text:
            blank += number < len(module.lines) or bool(line)
        elif text.startswith("#"):
            comment += 1
        else:
            code += 1
    documents = 0
    holders: list[ast.Module | ast.ClassDef | FunctionNode] = [
        module.tree,
        *module.nodes(ast.ClassDef),
        *functions_by_line(module),
    ]
    for holder in holders:
        first = holder.body[0] if holder.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            documents += (first.end_lineno or first.lineno) - first.lineno + 1
    return code, comment, blank, documents


def _is_main(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Compare)
        and isinstance(node.test.left, ast.Name)
        and node.test.left.id == "__name__"
    )


def complexity(tree: ast.Module) -> tuple[tuple[str, int, int], ...] | None:
    """McCabe complexity of every function by radon: name, line, value; None where radon is not installed."""
    try:
        from radon.visitors import ComplexityVisitor
    except ImportError:
        return None
    limit = sys.getrecursionlimit()
    try:
        visitor = ComplexityVisitor.from_ast(tree)
    except RecursionError:
        return ()
    finally:
        sys.setrecursionlimit(limit)
    found = [(block.name, block.lineno, block.complexity) for block in visitor.functions]
    for block in visitor.classes:
        found.extend((f"{block.name}.{method.name}", method.lineno, method.complexity) for method in block.methods)
    return tuple(sorted(found, key=lambda item: (item[1], item[0])))
