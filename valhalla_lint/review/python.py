"""What a review needs to know of one Python file: read once, then only these facts are kept."""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source, Status, Unread
from valhalla_lint.core.tier import Flag, Tier
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.names import absolute
from valhalla_lint.facts.reading import source_of
from valhalla_lint.facts.scopes import FUNCTIONS, parameters
from valhalla_lint.facts.tiers import rows
from valhalla_lint.review.callsites import Calls, calls_of
from valhalla_lint.review.files import File

NESTING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
MUTABLE_CALLS = frozenset(
    {
        "list",
        "dict",
        "set",
        "collections.defaultdict",
        "collections.OrderedDict",
        "collections.deque",
        "collections.Counter",
    }
)
CHANGERS = frozenset(
    {
        "append",
        "add",
        "update",
        "pop",
        "popitem",
        "clear",
        "extend",
        "insert",
        "remove",
        "discard",
        "setdefault",
        "appendleft",
        "popleft",
    }
)
BROAD = frozenset({"Exception", "BaseException", "builtins.Exception", "builtins.BaseException"})
ENVIRONMENT_CALLS = frozenset(
    {"os.getenv", "os.environ.get", "os.environ.setdefault", "os.environ.pop", "os.environb.get", "environ.get"}
)
ENVIRONMENT = frozenset({"os.environ", "os.environb"})
ENTRIES = 2
"""Entries from which a dictionary is a table."""
ATTENTION = frozenset({"flash_attention_2", "flash_attention_3", "flash_attn", "sdpa", "flex_attention", "eager"})
"""Names by which libraries of models are told which attention to use."""
MAX_LINE = 300
"""Characters of a docstring's line that are searched."""
MAX_LITERAL = 80
"""Characters of a first argument that are kept: a route, a name."""
MISSING_IMPORT = frozenset(
    {"ImportError", "ModuleNotFoundError", "Exception", "BaseException", "RuntimeError", "OSError", "AttributeError"}
)
HARDWARE = frozenset({"system", "platform", "device", "backend", "accelerator"})
"""Last words of names by whose comparison code asks which hardware it runs on."""
DYNAMIC = frozenset({"globals", "vars", "locals", "exec", "setattr", "modules", "__dict__"})
"""Names whose use in a package may bind more names than can be seen."""
FIXED, FILLED, COMPUTED, EVERY = "fixed", "filled", "computed", "every"
NO_CALLS = Calls()
DUNDER = re.compile(r"__\w+__")
CUDA = re.compile(r"cuda(?::\d{1,3})?")
LOG_METHODS = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log"})
SPHINX_PARAMETER = re.compile(r"^[ \t]*:param(?:eter)?[ \t]+(?:[^:\n]*[ \t])?\*{0,2}(\w+)[ \t]*:", re.MULTILINE)
GOOGLE_SECTION = re.compile(r"^([ \t]*)(?:Args|Arguments|Parameters|Params)\s*:[ \t]*$", re.MULTILINE)
GOOGLE_ITEM = re.compile(r"([ \t]+)\*{0,2}(\w+)[ \t]*(?:\([^\n]*\))?[ \t]*:")
NUMPY_SECTION = re.compile(r"^[ \t]*(?:Parameters)[ \t]*\n[ \t]*-{3,}[ \t]*$", re.MULTILINE)
NUMPY_ITEM = re.compile(r"([ \t]*)(\*{0,2}\w+(?:[ \t]*,[ \t]*\*{0,2}\w+)*)[ \t]*(?::.*)?$")


@dataclass(frozen=True, slots=True)
class Imported:
    """One imported module (and, for `from`, a name in it).

    late: inside a function. typing: under `if TYPE_CHECKING`. optional: its absence is caught.
    """

    module: str
    name: str
    line: int
    late: bool = False
    typing: bool = False
    optional: bool = False

    @property
    def top(self) -> str:
        """The first part of the module's name."""
        return self.module.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Function:
    """One function or method; `parameters` without self and cls."""

    name: str
    line: int
    end_line: int
    owner: str
    is_async: bool
    parameters: tuple[str, ...]
    annotated: int
    returns: bool
    documented: tuple[str, ...] | None
    decorators: tuple[tuple[str, tuple[str, ...]], ...]
    nesting: int
    catches_all: bool = False
    types: tuple[str, ...] = ()

    @property
    def public(self) -> bool:
        """Whether its name and its owner's are public and it stands at the top level or in a class."""
        return not any(part.startswith("_") for part in f"{self.owner}.{self.name}".strip(".").split("."))

    @property
    def constructor(self) -> bool:
        """Whether it is the `__init__` of a public class."""
        return self.name == "__init__" and not any(part.startswith("_") for part in self.owner.split("."))


@dataclass(frozen=True, slots=True)
class Class:
    """One class: bases by the names that they mean."""

    name: str
    line: int
    end_line: int
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    methods: tuple[str, ...]
    abstract: bool
    documented: bool
    fields: tuple[str, ...] = ()
    qualified: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the qualified name where it is known, else the last attribute with a dot in front."""

    name: str
    line: int
    arguments: int
    keywords: tuple[str, ...]
    function: str
    literal: str | None = None

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Environment:
    """One read of an environment variable; name is "" where it is computed."""

    name: str
    line: int
    default: bool
    required: bool
    converted: bool


@dataclass(frozen=True, slots=True)
class Handler:
    """One `except`: broad (Exception, BaseException or bare); silent: its body neither raises, calls nor returns."""

    line: int
    bare: bool
    broad: bool
    silent: bool
    raises: bool
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Python:
    """The facts of one file."""

    path: str
    object_id: str
    dotted: str
    package: bool
    tier: str
    flags: tuple[str, ...]
    status: Status
    notes: tuple[str, ...]
    lines: int
    code: int
    comment: int
    blank: int
    docstring_lines: int
    documented: bool
    imports: tuple[Imported, ...] = ()
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    calls: tuple[Call, ...] = ()
    environment: tuple[Environment, ...] = ()
    asserts: tuple[tuple[int, str], ...] = ()
    handlers: tuple[Handler, ...] = ()
    globals_changed: tuple[tuple[str, int, int], ...] = ()
    tables: tuple[tuple[str, int, int], ...] = ()
    raised: tuple[tuple[str, int], ...] = ()
    main: int = 0
    public: tuple[str, ...] | None = None
    complexity: tuple[tuple[str, int, int], ...] | None = None
    words: frozenset[str] = frozenset()
    bound: frozenset[str] | None = None
    devices: tuple[tuple[str, int], ...] = ()
    origins: tuple[tuple[int, str], ...] = ()
    logged: tuple[tuple[str, int], ...] = ()
    system: tuple[tuple[int, str], ...] = ()
    memory: tuple[int, ...] = ()
    attention: tuple[tuple[str, int], ...] = ()
    flow: Calls = NO_CALLS


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
        imports=tuple(_imports(module)),
        functions=tuple(_functions(module)),
        classes=tuple(_classes(module)),
        calls=tuple(_calls(module)),
        environment=tuple(sorted(_environment(module), key=lambda read: (read.line, read.name))),
        asserts=tuple(_asserts(module)),
        handlers=tuple(_handlers(module)),
        globals_changed=tuple(sorted(_globals(module))),
        tables=tuple(_tables(module)),
        raised=tuple(_raised(module)),
        main=next((node.lineno for node in tree.body if _is_main(node)), 0),
        public=_exported(tree),
        complexity=_complexity(tree),
        words=frozenset(_words(module)),
        attention=tuple(_attention(module)),
        flow=calls_of(module) if module.tier.tier is Tier.PRODUCTION else NO_CALLS,
        bound=_bound(module) if module.is_package else None,
        devices=tuple(_devices(module)),
        origins=tuple(_origins(module)),
        logged=tuple(_logged(module)),
        system=tuple(_system(module)),
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
        *_definitions(module),
    ]
    for holder in holders:
        first = holder.body[0] if holder.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            documents += (first.end_lineno or first.lineno) - first.lineno + 1
    return code, comment, blank, documents


def _definitions(module: Module) -> list[FunctionNode]:
    """All functions and methods of a file, by line."""
    found: list[FunctionNode] = [*module.nodes(ast.FunctionDef), *module.nodes(ast.AsyncFunctionDef)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _imports(module: Module) -> Iterator[Imported]:
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


def _functions(module: Module) -> Iterator[Function]:
    for node in _definitions(module):
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
            decorators=tuple(_decorators(module, node)),
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


def _decorators(module: Module, node: FunctionNode | ast.ClassDef) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name (as resolved, else as written) and the literal string arguments of each decorator."""
    for decorator in node.decorator_list:
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        strings = tuple(
            arg.value
            for arg in (decorator.args if isinstance(decorator, ast.Call) else ())
            if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        )
        yield module.name(call) or _written(call), strings


def _written(expression: ast.AST) -> str:
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


def _classes(module: Module) -> Iterator[Class]:
    for node in module.nodes(ast.ClassDef):
        plain = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
        bases = tuple(module.name(base) or _written(base) for base in plain)
        methods = [item for item in node.body if isinstance(item, FUNCTIONS)]
        abstract = any(_abstract(module, method) for method in methods)
        yield Class(
            name=node.name,
            line=node.lineno,
            end_line=node.end_lineno or node.lineno,
            bases=bases,
            decorators=tuple(name for name, _ in _decorators(module, node)),
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
        (module.name(item) or _written(item)).rpartition(".")[2].startswith("abstract")
        for item in method.decorator_list
    ):
        return True
    body = [item for item in method.body if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))]
    match body:
        case [ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError")))]:
            return True
        case _:
            return False


def _calls(module: Module) -> Iterator[Call]:
    for node in module.nodes(ast.Call):
        name = module.name(node.func)
        if name is None:
            written = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = f".{written}" if written else _written(node.func)
        if not name:
            continue
        first = node.args[0] if node.args else None
        yield Call(
            name=name,
            line=node.lineno,
            arguments=len(node.args),
            keywords=tuple(keyword.arg or "**" for keyword in node.keywords),
            function=module.definition(node),
            literal=first.value[:MAX_LITERAL]
            if isinstance(first, ast.Constant) and isinstance(first.value, str)
            else None,
        )


def _environment(module: Module) -> Iterator[Environment]:
    if "env" not in module.lower:
        return
    for node in module.nodes(ast.Call):
        if module.name(node.func) in ENVIRONMENT_CALLS and node.args:
            default = len(node.args) > 1 or bool(node.keywords)
            yield _read(module, node, node.args[0], default=default, required=False)
    for item in module.nodes(ast.Subscript):
        if isinstance(item.ctx, ast.Load) and module.name(item.value) in ENVIRONMENT:
            yield _read(module, item, item.slice, default=False, required=True)
    for test in module.nodes(ast.Compare):
        if (
            len(test.ops) == 1
            and isinstance(test.ops[0], ast.In | ast.NotIn)
            and module.name(test.comparators[0]) in ENVIRONMENT
        ):
            yield _read(module, test, test.left, default=False, required=False)


def _read(module: Module, node: ast.expr, key: ast.expr, *, default: bool, required: bool) -> Environment:
    value = module.constant(key)
    parent = module.parent(node)
    converted = (
        isinstance(parent, ast.Call)
        and node in parent.args
        and module.name(parent.func) in ("int", "float", "bool", "pathlib.Path")
    )
    return Environment(
        value if isinstance(value, str) else "",
        node.lineno,
        default,
        required,
        converted or isinstance(parent, ast.Compare),
    )


def _asserts(module: Module) -> Iterator[tuple[int, str]]:
    """Assertions that test a parameter of the public function around them: line and parameter."""
    for node in module.nodes(ast.Assert):
        function = module.function(node)
        if function is None:
            continue
        names = {arg.arg for arg in parameters(function)} - {"self", "cls"}
        used = sorted({part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)} & names)
        if used and (not function.name.startswith("_") or DUNDER.fullmatch(function.name)):
            yield node.lineno, used[0]


def _handlers(module: Module) -> Iterator[Handler]:
    for node in module.nodes(ast.ExceptHandler):
        types = (
            ()
            if node.type is None
            else tuple(
                module.name(item) or _written(item)
                for item in (node.type.elts if isinstance(node.type, ast.Tuple) else (node.type,))
            )
        )
        body = [part for item in node.body for part in ast.walk(item)]
        yield Handler(
            line=node.lineno,
            bare=node.type is None,
            broad=node.type is None or not BROAD.isdisjoint(types),
            silent=all(
                isinstance(item, ast.Pass | ast.Continue)
                or (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
                for item in node.body
            ),
            raises=any(isinstance(part, ast.Raise) for part in body),
            types=types,
        )


def _globals(module: Module) -> Iterator[tuple[str, int, int]]:
    """Module-level names that functions change: name, line of the definition, line of the change."""
    tops: dict[str, tuple[int, bool]] = {}
    for node in module.tree.body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign) and node.value
            else []
        )
        value = getattr(node, "value", None)
        for target in targets:
            if isinstance(target, ast.Name):
                mutable = isinstance(value, MUTABLE) or (
                    isinstance(value, ast.Call) and module.name(value.func) in MUTABLE_CALLS
                )
                tops[target.id] = (node.lineno, mutable)
    seen: set[str] = set()
    for statement in module.nodes(ast.Global):
        for name in statement.names:
            if name in tops and name not in seen:
                seen.add(name)
                yield name, tops[name][0], statement.lineno
    for call in module.nodes(ast.Call):
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in CHANGERS and name not in seen:
                if (
                    name in tops
                    and tops[name][1]
                    and module.function(call) is not None
                    and module.scopes.binding_scope(call.func.value, name) is module.tree
                ):
                    seen.add(name)
                    yield name, tops[name][0], call.lineno
    for store in module.nodes(ast.Subscript):
        match store:
            case ast.Subscript(value=ast.Name(id=name) as base, ctx=ast.Store() | ast.Del()) if (
                name not in seen and name in tops and tops[name][1]
            ):
                if module.function(store) is not None and module.scopes.binding_scope(base, name) is module.tree:
                    seen.add(name)
                    yield name, tops[name][0], store.lineno


def _tables(module: Module) -> Iterator[tuple[str, int, int]]:
    """Module- or class-level dictionaries from constants to classes or functions: name, line, how many entries."""
    classes = {item.name for item in module.nodes(ast.ClassDef)}
    known = classes | {item.name for item in module.nodes(ast.FunctionDef)}
    bindings: list[ast.Assign | ast.AnnAssign] = [*module.nodes(ast.Assign), *module.nodes(ast.AnnAssign)]
    for node in bindings:
        value = node.value
        if not isinstance(value, ast.Dict) or module.function(node) is not None or len(value.values) < ENTRIES:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if not isinstance(target, ast.Name):
            continue
        code = [
            item
            for item in value.values
            if (
                isinstance(item, ast.Name)
                and (item.id in known or (item.id in module.names.imports and item.id[:1].isupper()))
            )
            or (isinstance(item, ast.Attribute) and item.attr[:1].isupper() and not item.attr.isupper())
            or isinstance(item, ast.Lambda)
            or (isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id in classes)
        ]
        if len(code) == len(value.values):
            yield target.id, node.lineno, len(code)


def _raised(module: Module) -> Iterator[tuple[str, int]]:
    for node in module.nodes(ast.Raise):
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if raised is not None:
            yield module.name(raised) or _written(raised), node.lineno


def _attention(module: Module) -> Iterator[tuple[str, int]]:
    """String constants that name an attention back end, in files that speak of attention."""
    if "attn" not in module.text:
        return
    for node in module.nodes(ast.Constant):
        if isinstance(node.value, str) and node.value in ATTENTION:
            yield node.value, node.lineno


def _bound(module: Module) -> frozenset[str] | None:
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


def _devices(module: Module) -> Iterator[tuple[str, int]]:
    """Places that name an accelerator literally: `.cuda()`, `.to("cuda")`, `device="cuda:0"` in a call."""
    if "cuda" not in module.lower:
        return
    for node in module.nodes(ast.Call):
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if attribute == "cuda" and isinstance(node.func, ast.Attribute) and module.name(node.func) is None:
            yield ".cuda()", node.lineno
        values = [keyword.value for keyword in node.keywords if keyword.arg in ("device", "device_map", "map_location")]
        if attribute == "to" or module.name(node.func) == "torch.device":
            values.extend(node.args[:1])
        for value in values:
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and CUDA.fullmatch(value.value):
                yield value.value, node.lineno


def _origins(module: Module) -> Iterator[tuple[int, str]]:
    """Calls that say which origins are let in, and what they say: `EVERY`, `FIXED` or `COMPUTED`."""
    for node in module.nodes(ast.keyword):
        if node.arg in ("allow_origins", "origins", "cors_allowed_origins", "allow_origin_regex"):
            values = node.value.elts if isinstance(node.value, ast.List | ast.Tuple | ast.Set) else [node.value]
            known = [module.constant(value) for value in values]
            every = any(value in ("*", ".*") for value in known if isinstance(value, str))
            computed = any(not isinstance(value, str) for value in known)
            yield node.value.lineno, EVERY if every else COMPUTED if computed else FIXED


def _logged(module: Module) -> Iterator[tuple[str, int]]:
    """Names that are handed to logging calls, inside f-strings too; the length or type of a thing is not the thing."""
    for node in module.nodes(ast.Call):
        if not isinstance(node.func, ast.Attribute) or node.func.attr.partition("_")[0] not in LOG_METHODS:
            continue
        receiver = _written(node.func.value).lower().rpartition(".")[2]
        if (
            receiver not in ("logger", "log", "logging", "_logger", "_log", "loguru")
            and module.name(node.func.value) != "logging"
        ):
            continue
        pending: list[ast.AST] = [
            *node.args,
            *(keyword.value for keyword in node.keywords if keyword.arg != "exc_info"),
        ]
        while pending:
            part = pending.pop()
            match part:
                case ast.Name(id=name):
                    yield name, node.lineno
                case ast.Attribute(attr=name):
                    yield name, node.lineno
                case ast.JoinedStr(values=values):
                    pending.extend(value.value for value in values if isinstance(value, ast.FormattedValue))
                case ast.BinOp(left=left, right=right):
                    pending.extend((left, right))
                case ast.Tuple(elts=items):
                    pending.extend(items)
                case ast.Call(func=ast.Attribute(attr="format" | "join"), args=args):
                    pending.extend(args)
                case (
                    ast.Call(func=ast.Name(id="str" | "repr"), args=args)
                    | ast.Call(func=ast.Attribute(attr="dumps"), args=args)
                ):
                    pending.extend(args)
                case ast.Call(func=ast.Attribute(attr=name), args=[]) if name in (
                    "state_dict",
                    "json",
                    "body",
                    "model_dump",
                    "dict",
                ):
                    yield name, node.lineno


def _system(module: Module) -> Iterator[tuple[int, str]]:
    """Messages with the role "system": line, and what their text is (`FIXED`, `FILLED`, `COMPUTED`)."""
    if "system" not in module.lower:
        return
    for node in module.nodes(ast.Dict):
        pairs = {
            key.value: value
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
        if _is_system(pairs.get("role")) and (content := pairs.get("content")) is not None:
            yield node.lineno, _content(module, content)
    for call in module.nodes(ast.Call):
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        name = (module.name(call.func) or _written(call.func)).rpartition(".")[2]
        text = given.get("content", call.args[0] if call.args and name == "SystemMessage" else None)
        if text is not None and (_is_system(given.get("role")) or name == "SystemMessage"):
            yield call.lineno, _content(module, text)


def _is_system(role: ast.expr | None) -> bool:
    """Whether a role is "system", as a text or as a member of an enumeration."""
    match role:
        case ast.Constant(value="system"):
            return True
        case ast.Attribute(attr=name):
            return name.lower() == "system"
        case _:
            return False


def _content(module: Module, content: ast.expr) -> str:
    """What the text of a message is: fixed, fixed with values put in, or computed elsewhere."""
    if isinstance(module.constant(content), str):
        return FIXED
    match content:
        case ast.JoinedStr(values=values):
            return FILLED if any(isinstance(value, ast.FormattedValue) for value in values) else FIXED
        case ast.BinOp(op=ast.Add() | ast.Mod()) | ast.Call(func=ast.Attribute(attr="format" | "format_map")):
            return FILLED
        case ast.List(elts=[ast.Dict(keys=keys, values=values)]):
            parts = [
                value
                for key, value in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant) and key.value in ("text", "content")
            ]
            return _content(module, parts[0]) if parts else COMPUTED
        case _:
            return COMPUTED


def _is_main(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Compare)
        and isinstance(node.test.left, ast.Name)
        and node.test.left.id == "__name__"
    )


def _exported(tree: ast.Module) -> tuple[str, ...] | None:
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


def _complexity(tree: ast.Module) -> tuple[tuple[str, int, int], ...] | None:
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


def documented(docstring: str) -> Iterator[str]:
    """The parameter names that a docstring documents, in Sphinx, Google or NumPy form."""
    for match in SPHINX_PARAMETER.finditer(docstring):
        yield match[1]
    if google := GOOGLE_SECTION.search(docstring):
        yield from _google(docstring[google.end() :], len(google[1].expandtabs()))
    if numpy := NUMPY_SECTION.search(docstring):
        yield from _numpy(docstring[numpy.end() :])


def _google(text: str, outer: int) -> Iterator[str]:
    indent = 0
    for whole in text.split("\n"):
        line = whole[:MAX_LINE]
        if not line.strip():
            continue
        depth = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if depth <= outer:
            return
        indent = indent or depth
        if depth == indent and (match := GOOGLE_ITEM.match(line)):
            yield match[2]


def _numpy(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for number, line in enumerate(lines):
        following = lines[number + 1].strip() if number + 1 < len(lines) else ""
        if following.startswith("---"):
            return
        if line and not line[0].isspace() and (match := NUMPY_ITEM.fullmatch(line)):
            for name in match[2].split(","):
                yield name.strip().lstrip("*")
