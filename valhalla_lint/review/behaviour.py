"""What the code of one file does: calls, reads of the environment, handlers, changed globals, log messages."""

import ast
import re
from collections.abc import Iterator

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.review.definitions import written
from valhalla_lint.review.python import Call, Environment, Handler

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
MAX_LITERAL = 80
"""Characters of a first argument that are kept: a route, a name."""
DUNDER = re.compile(r"__\w+__")
LOG_METHODS = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log"})


def calls(module: Module) -> Iterator[Call]:
    """All calls of something that has a name, in no order of lines."""
    for node in module.nodes(ast.Call):
        name = module.name(node.func)
        if name is None:
            last = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = f".{last}" if last else written(node.func)
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


def environment(module: Module) -> Iterator[Environment]:
    """Where environment variables are read, asked for or tested."""
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


def asserts(module: Module) -> Iterator[tuple[int, str]]:
    """Assertions that test a parameter of the public function around them: line and parameter."""
    for node in module.nodes(ast.Assert):
        function = module.function(node)
        if function is None:
            continue
        names = {arg.arg for arg in parameters(function)} - {"self", "cls"}
        used = sorted({part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)} & names)
        if used and (not function.name.startswith("_") or DUNDER.fullmatch(function.name)):
            yield node.lineno, used[0]


def handlers(module: Module) -> Iterator[Handler]:
    """Every `except`."""
    for node in module.nodes(ast.ExceptHandler):
        types = (
            ()
            if node.type is None
            else tuple(
                module.name(item) or written(item)
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


def changed_globals(module: Module) -> Iterator[tuple[str, int, int]]:
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


def tables(module: Module) -> Iterator[tuple[str, int, int]]:
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


def raised(module: Module) -> Iterator[tuple[str, int]]:
    """The exceptions that are raised by name: name and line."""
    for node in module.nodes(ast.Raise):
        kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if kind is not None:
            yield module.name(kind) or written(kind), node.lineno


def logged(module: Module) -> Iterator[tuple[str, int]]:
    """Names that are handed to logging calls, inside f-strings too; the length or type of a thing is not the thing."""
    for node in module.nodes(ast.Call):
        if not isinstance(node.func, ast.Attribute) or node.func.attr.partition("_")[0] not in LOG_METHODS:
            continue
        receiver = written(node.func.value).lower().rpartition(".")[2]
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
