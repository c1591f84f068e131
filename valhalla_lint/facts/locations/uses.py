"""What is done with a literal place: used, offered as a default, shown to people, compared, routed."""

import ast
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from typing import NamedTuple

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.siblings import MANY, position
from valhalla_lint.facts.tables import table
from valhalla_lint.facts.words import last_name, words

MAX_CLIMB = 40
"""How far up from a literal its use is looked for."""
MAX_NODES = 60
"""How many nodes of a condition are looked at."""
ERRORS = ("Error", "Exception", "Warning")
VERBS = frozenset({"get", "post", "put", "delete", "patch", "options", "head"})
ROUTE_KEYWORDS = frozenset({"prefix", "route", "openapi_url", "docs_url", "url_prefix", "mountpoint"})
FIRST_IS_DEFAULT = frozenset(
    {
        "Field",
        "field",
        "default",
        "Default",
        "Unicode",
        "Str",
        "Option",
        "Argument",
        "Query",
        "Header",
        "Body",
        "Form",
        "Cookie",
    }
)
"""Calls whose first argument is a default already."""
ENVIRONMENT = frozenset({"environ", "getenv"})


class Use(Enum):
    """What becomes of a literal.

    DIRECT: it goes into a call as it stands. NAMED: a constant or variable holds it. DEFAULT: it stands in where
    nothing else was given (environment, settings field, parameter, option). TEXT: people read it. TEST: other places
    are compared with it. ROUTE: it is a path of a web service. DATA: it is one of several, a key, or only handed on.
    """

    DIRECT = "direct"
    NAMED = "named"
    DEFAULT = "default"
    TEXT = "text"
    TEST = "test"
    ROUTE = "route"
    DATA = "data"


class Usage(NamedTuple):
    """A use, the call that the literal goes into (or None), and the name that it is given there or that holds it."""

    use: Use
    call: ast.Call | None = None
    name: str = ""

    @property
    def callee(self) -> str:
        """The last part of the name of what is called, "" where nothing is."""
        return last_name(self.call.func) if self.call is not None else ""


@cache
def rows() -> Mapping[str, frozenset[str]]:
    """The rows of the table `data/locations/uses.toml`, by name."""
    return {name: frozenset(row) for name, row in table("locations/uses").items()}


def usage(module: Module, node: ast.Constant) -> Usage:
    """What becomes of a literal."""
    below: ast.AST = node
    listed = False
    for _, above in zip(range(MAX_CLIMB), module.ancestors(node), strict=False):
        found, several = _step(module, above, below, listed=listed)
        if found is not None:
            return found
        if isinstance(above, ast.stmt):
            break
        listed = listed or several
        below = above
    return Usage(Use.DATA)


def _step(module: Module, above: ast.AST, below: ast.AST, *, listed: bool) -> tuple[Usage | None, bool]:
    """What one node makes of what stands below it, if it decides; and whether it holds several such things."""
    match above:
        case ast.Call(func=function, args=args):
            kind = _called(function, args, below)
            several = listed and last_name(function) not in rows()["command_calls"]
            found = None if kind is None else Usage(Use.DATA if several and kind is Use.DIRECT else kind, above)
            return found, False
        case ast.keyword(arg=name):
            call = module.parent(above)
            return (_keyword(call, name or "") if isinstance(call, ast.Call) else Usage(Use.DEFAULT)), False
        case ast.arguments():
            return Usage(Use.DEFAULT), False
        case ast.BoolOp(op=ast.Or(), values=[first, *_]) if below is not first:
            return Usage(Use.DEFAULT), False
        case ast.IfExp(test=test, body=body, orelse=orelse):
            if below is test:
                return Usage(Use.TEST), False
            stands_in = not _handles(test).isdisjoint(_handles(orelse if below is body else body))
            return (Usage(Use.DEFAULT) if stands_in else None), False
        case ast.Compare() | ast.MatchValue():
            return Usage(Use.TEST), False
        case ast.Dict(keys=keys, values=values):
            at = position(below, values)
            key = None if at is None else keys[at]
            if key is None:
                return Usage(Use.DATA), False
            name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
            return (Usage(Use.TEXT) if _speaks(name, "text_words") else None), True
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            texts = (item for item in elements[:MANY] if isinstance(item, ast.Constant) and isinstance(item.value, str))
            return None, len(list(texts)) > 1
        case ast.Assign() | ast.AnnAssign() | ast.NamedExpr() | ast.AugAssign():
            return _assigned(module, above, below, listed=listed), False
        case ast.Raise() | ast.Assert() | ast.Expr(value=ast.Constant() | ast.JoinedStr()):
            return Usage(Use.TEXT), False
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return Usage(Use.ROUTE), False  # an argument of a decorator
        case ast.Return() | ast.Yield():
            name = module.definition(below).rpartition(".")[2]
            use = Use.DATA if listed else Use.DEFAULT if "default" in words(name) else Use.NAMED
            return Usage(use, name=name), False
        case ast.Subscript(slice=index) if below is index:
            return Usage(Use.DATA), False
        case ast.comprehension() | ast.Lambda():
            return Usage(Use.DATA), False
        case _:
            return None, False


def _speaks(name: str, row: str) -> bool:
    """Whether one of the words of a name stands in a row of the table."""
    return not rows()[row].isdisjoint(words(name))


def _handles(expression: ast.expr) -> set[str]:
    """The names, attributes and items that an expression reads, as text."""
    return {
        ast.unparse(part) for part in _parts(expression) if isinstance(part, ast.Name | ast.Attribute | ast.Subscript)
    }


def _parts(expression: ast.expr) -> Iterator[ast.AST]:
    """The first nodes of an expression."""
    queue: list[ast.AST] = [expression]
    for part in queue:
        yield part
        if len(queue) < MAX_NODES:
            queue.extend(ast.iter_child_nodes(part))


def _called(function: ast.expr, args: list[ast.expr], below: ast.AST) -> Use | None:
    """What a call makes of a positional argument (or of a receiver); None to look further up (`str("…")`)."""
    name = last_name(function)
    known = rows()
    if name in known["test_methods"] or name in known["probes"]:
        return Use.TEST
    if name in known["transparent_calls"]:
        return None
    if below is function:
        return Use.DIRECT
    if name in known["route_calls"] or (name in VERBS and _is_client(function)):
        return Use.ROUTE
    if name in known["text_calls"] or name.endswith(ERRORS):
        return Use.TEXT
    if "default" in name.lower() or (
        name in known["default_calls"] and (below is not args[0] or name in FIRST_IS_DEFAULT)
    ):
        return Use.DEFAULT
    return Use.DIRECT


def _is_client(function: ast.expr) -> bool:
    """Whether a method belongs to an application or a client that has a base address already."""
    return isinstance(function, ast.Attribute) and _speaks(last_name(function.value), "clients")


def _keyword(call: ast.Call, name: str) -> Usage:
    callee = last_name(call.func)
    known = rows()
    spoken = frozenset(words(name))
    if spoken & known["text_words"]:
        use = Use.TEXT
    elif spoken & {"default", "fallback"} or callee in known["default_calls"]:
        use = Use.DEFAULT
    elif callee in known["route_calls"] or name in ROUTE_KEYWORDS:
        use = Use.ROUTE
    elif callee in known["text_calls"] or callee.endswith(ERRORS):
        use = Use.TEXT
    else:
        use = Use.DIRECT
    return Usage(use, call, name)


def _assigned(
    module: Module,
    statement: ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.AugAssign,
    below: ast.AST,
    *,
    listed: bool,
) -> Usage:
    if isinstance(statement, ast.AnnAssign) and below is statement.annotation:
        return Usage(Use.DATA)
    name = _target_name(statement.targets[0] if isinstance(statement, ast.Assign) else statement.target)
    if _speaks(name, "text_words"):
        use = Use.TEXT
    elif _is_setting(module, statement, name):
        use = Use.DEFAULT
    elif listed:
        use = Use.DATA
    else:
        use = Use.NAMED
    return Usage(use, name=name)


def _target_name(target: ast.expr) -> str:
    match target:
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key
        case _:
            return last_name(target)


def _is_setting(module: Module, statement: ast.AST, name: str) -> bool:
    """Whether an assignment offers a value that something else can replace.

    A field of a class (a constant in capitals only in a class of settings), a name that says default, a constant of a
    settings module, and what is given only where nothing was (`if root is None: root = …`, `except KeyError: …`).
    """
    if "default" in words(name):
        return True
    stem = module.path.rpartition("/")[2].partition(".")[0]
    if _speaks(stem, "settings_modules") and module.function(statement) is None:
        return True
    match module.parent(statement):
        case ast.ClassDef(name=owner):
            return not name.strip("_").isupper() or _speaks(owner, "settings_classes")
        case ast.If(test=test):
            return any(last_name(part) in {name, *ENVIRONMENT} for part in _parts(test))
        case ast.ExceptHandler():
            return True
        case _:
            return False
