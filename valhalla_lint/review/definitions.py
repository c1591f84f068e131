"""What one file imports, defines and hands out: the facts that a review keeps of them."""

import ast
from collections.abc import Iterator

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.names import absolute
from valhalla_lint.facts.scopes import FUNCTIONS, parameters
from valhalla_lint.review.docstrings import documented
from valhalla_lint.review.python import Class, Function, Imported

NESTING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
MISSING_IMPORT = frozenset(
    {"ImportError", "ModuleNotFoundError", "Exception", "BaseException", "RuntimeError", "OSError", "AttributeError"}
)
HARDWARE = frozenset({"system", "platform", "device", "backend", "accelerator"})
"""Last words of names by whose comparison code asks which hardware it runs on."""
DYNAMIC = frozenset({"globals", "vars", "locals", "exec", "setattr", "modules", "__dict__"})
"""Names whose use in a package may bind more names than can be seen."""


def imports(module: Module) -> Iterator[Imported]:
    """Every imported name, relative ones by their full names."""
    for node in module.nodes(ast.Import):
        late, typing, optional = _circumstances(module, node)
        for item in node.names:
            yield Imported(item.name, "", node.lineno, late, typing, optional)
    for origin in module.nodes(ast.ImportFrom):
        late, typing, optional = _circumstances(module, origin)
        base = absolute(module.dotted, origin.level, origin.module, is_package=module.is_package)
        for item in origin.names:
            yield Imported(base, item.name, origin.lineno, late, typing, optional)


def _circumstances(module: Module, node: ast.stmt) -> tuple[bool, bool, bool]:
    late = typing = optional = False
    below: ast.AST = node
    for above in module.ancestors(node):
        match above:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                late = True
            case ast.If(test=test) if below in above.body:
                typing = typing or any(
                    (isinstance(part, ast.Name) and part.id == "TYPE_CHECKING")
                    or (isinstance(part, ast.Attribute) and part.attr == "TYPE_CHECKING")
                    for part in ast.walk(test)
                )
                optional = optional or _asks_availability(test)
            case ast.Try(handlers=handlers) if below in above.body:
                optional = optional or any(_catches_import(handler) for handler in handlers)
            case ast.ExceptHandler() if _catches_import(above):
                optional = True  # the second choice, where the first one is missing
            case ast.With(items=items):
                optional = optional or any(
                    isinstance(item.context_expr, ast.Call)
                    and module.name(item.context_expr.func) == "contextlib.suppress"
                    for item in items
                )
        below = above
    return late, typing, optional


def _asks_availability(test: ast.expr) -> bool:
    """`if is_torch_available():`, `if HAS_TRITON:`, `if find_spec("x"):`, `if SYSTEM == "rocm":`."""
    for part in ast.walk(test):
        name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
        lower = name.lower()
        if lower.endswith("available") or lower.startswith(("has_", "have_", "_has_", "is_")) or lower == "find_spec":
            return True
        if isinstance(test, ast.Compare) and lower.rpartition("_")[2] in HARDWARE:
            return True
    return False


def _catches_import(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or any(
        isinstance(part, ast.Name) and part.id in MISSING_IMPORT for part in ast.walk(handler.type)
    )


def functions_by_line(module: Module) -> list[FunctionNode]:
    """All functions and methods of a file, by line."""
    found: list[FunctionNode] = [*module.nodes(ast.FunctionDef), *module.nodes(ast.AsyncFunctionDef)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def functions(module: Module) -> Iterator[Function]:
    """All functions and methods, by line."""
    for node in functions_by_line(module):
        owner = module.definition(node)
        inside_function = module.function(node) is not None
        args = [
            arg
            for number, arg in enumerate(parameters(node))
            if not (number == 0 and arg.arg in ("self", "cls", "mcs", "mcls"))
        ]
        docstring = ast.get_docstring(node, clean=True)
        yield Function(
            name=node.name,
            line=node.lineno,
            end_line=node.end_lineno or node.lineno,
            owner=f"{owner}.<locals>._" if inside_function else owner,
            is_async=isinstance(node, ast.AsyncFunctionDef),
            parameters=tuple(arg.arg for arg in args),
            annotated=sum(arg.annotation is not None for arg in args),
            returns=node.returns is not None,
            documented=None if docstring is None else tuple(documented(docstring)),
            decorators=tuple(decorators(module, node)),
            nesting=_nesting(node),
            catches_all=node.args.vararg is not None or node.args.kwarg is not None,
            types=tuple(_type(module, arg.annotation) for arg in args),
        )


def _type(module: Module, annotation: ast.expr | None) -> str:
    """The name of a plain annotation; of `Annotated[T, …]`, `T | None` and `Optional[T]` that of T."""
    match annotation:
        case ast.Subscript(
            value=ast.Name(id="Annotated" | "Optional") | ast.Attribute(attr="Annotated" | "Optional"), slice=inner
        ):
            return _type(module, inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner)
        case ast.BinOp(left=left, right=ast.Constant(value=None)):
            return _type(module, left)
        case ast.Constant(value=str() as text):
            return text
        case ast.Name() | ast.Attribute():
            return module.name(annotation) or (annotation.id if isinstance(annotation, ast.Name) else annotation.attr)
        case _:
            return ""


def decorators(module: Module, node: FunctionNode | ast.ClassDef) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name (as resolved, else as written) and the literal string arguments of each decorator."""
    for decorator in node.decorator_list:
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        strings = tuple(
            arg.value
            for arg in (decorator.args if isinstance(decorator, ast.Call) else ())
            if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        )
        yield module.name(call) or written(call), strings


def written(expression: ast.AST) -> str:
    """A dotted name as it stands in the text; of any other expression the attributes behind it, or ""."""
    parts: list[str] = []
    while isinstance(expression, ast.Attribute):
        parts.append(expression.attr)
        expression = expression.value
    if isinstance(expression, ast.Name):
        parts.append(expression.id)
    return ".".join(reversed(parts))


def _nesting(function: FunctionNode) -> int:
    """The deepest stack of compound statements in a function's own body; `elif` counts as its `if`."""
    deepest = 0
    stack: list[tuple[ast.stmt, int]] = [(item, 0) for item in function.body]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        inner = depth + isinstance(node, NESTING)
        deepest = max(deepest, inner)
        for name in ("body", "orelse", "finalbody"):
            for item in getattr(node, name, ()):
                chained = (
                    name == "orelse" and isinstance(node, ast.If) and isinstance(item, ast.If) and len(node.orelse) == 1
                )
                stack.append((item, depth if chained else inner))
        for handler in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            stack.extend((item, inner) for item in handler.body)
    return deepest


def classes(module: Module) -> Iterator[Class]:
    """All classes."""
    for node in module.nodes(ast.ClassDef):
        plain = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
        bases = tuple(module.name(base) or written(base) for base in plain)
        methods = [item for item in node.body if isinstance(item, FUNCTIONS)]
        abstract = any(_abstract(module, method) for method in methods)
        yield Class(
            name=node.name,
            line=node.lineno,
            end_line=node.end_lineno or node.lineno,
            bases=bases,
            decorators=tuple(name for name, _ in decorators(module, node)),
            methods=tuple(method.name for method in methods),
            abstract=abstract or any(base.rpartition(".")[2] in ("ABC", "Protocol") for base in bases),
            documented=ast.get_docstring(node, clean=False) is not None,
            fields=tuple(
                item.target.id
                for item in node.body
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
            ),
            qualified=f"{module.definition(node)}.{node.name}".lstrip("."),
        )


def _abstract(module: Module, method: FunctionNode) -> bool:
    """Whether a method is decorated as abstract, or does nothing but raise NotImplementedError."""
    if any(
        (module.name(item) or written(item)).rpartition(".")[2].startswith("abstract") for item in method.decorator_list
    ):
        return True
    body = [item for item in method.body if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))]
    match body:
        case [ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError")))]:
            return True
        case _:
            return False


def exported(tree: ast.Module) -> tuple[str, ...] | None:
    """The names in a literal `__all__`, None where there is none."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=items) | ast.Tuple(elts=items)):
                pass
            case ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.List(elts=items) | ast.Tuple(elts=items)):
                pass
            case _:
                continue
        return tuple(item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str))
    return None


def bound_names(module: Module) -> frozenset[str] | None:
    """The names that a package binds itself, None where it may bind others that do not show."""
    if module.names.stars or any(node.id in DYNAMIC for node in module.nodes(ast.Name)):
        return None
    found: set[str] = set()
    for node in module.index.own(module.tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update((item.asname or item.name).partition(".")[0] for item in names)
    dynamic = "__getattr__" in found or any(node.attr in DYNAMIC for node in module.nodes(ast.Attribute))
    return None if dynamic else frozenset(found)
