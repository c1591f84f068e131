"""What is done with a literal place (path or address): used, offered as a default, shown to people, compared, routed."""

import ast
from enum import Enum

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.words import last_name, words


class Use(Enum):
    """What becomes of a literal.

    DIRECT: it goes into a call as it stands. NAMED: a constant or variable holds it. DEFAULT: it stands in where nothing
    else was given (environment, settings field, parameter, option). TEXT: people read it. TEST: other places are
    compared with it. ROUTE: it is a path of a web service. DATA: it is one of several, or a key.
    """

    DIRECT = "direct"
    NAMED = "named"
    DEFAULT = "default"
    TEXT = "text"
    TEST = "test"
    ROUTE = "route"
    DATA = "data"


TEXT_CALLS = frozenset(
    """print debug info warning warn error critical exception log echo secho write fail skip add_help format_help
    deprecated deprecate warn_once warning_once info_once markdown caption writelines add_line display show_message""".split()
)
TEXT_WORDS = frozenset(
    """help description desc doc docs documentation message msg text title label placeholder epilog usage metavar example
    examples summary hint note reason info tooltip html markdown prompt template body content banner readme comment
    citation license licence homepage bibtex bib author maintainer credits instruction instructions warning error link href
    reference references pattern regex re schema xmlns namespace ns dtd""".split()
)
TEST_METHODS = frozenset(
    """startswith endswith removeprefix removesuffix replace split rsplit partition rpartition index find rfind match fullmatch
    search sub findall compile lstrip rstrip strip count is_relative_to relative_to commonpath assert_called_with eq ne""".split()
)
PROBES = frozenset({"exists", "isfile", "isdir", "is_file", "is_dir", "lexists", "ismount", "access", "which"})
"""Calls that only ask whether something is there: they tell platforms apart."""
ROUTE_CALLS = frozenset(
    """route add_url_rule add_route add_api_route add_get add_post add_put add_delete path re_path mount url_for reverse redirect
    include_router APIRouter Blueprint Route WebSocketRoute Mount websocket RedirectResponse add_static urljoin register_blueprint
    HttpResponseRedirect RedirectHandler URLSpec Rule resource add_resource add_handlers""".split()
)
DEFAULT_CALLS = frozenset(
    """get getenv getattr setdefault pop env getconf get_option getOption config Field field Option Argument option argument
    add_argument add_option Query Header Body Form Path_ Param Parameter Input InputInfo Textbox StringField Setting Configurable
    Unicode Str ConfigOption define DEFINE_string Variable Default Traits Str CharField URLField TextField conf_get opt
    EnvVar environ env_str get_env get_config get_setting default_value fallback mapped_column Column""".split()
)
SETTINGS_MODULES = frozenset("settings setting config configs configuration conf defaults default constants_default env envs".split())
SETTINGS_CLASSES = frozenset("settings setting config configuration options defaults params parameters args arguments preferences".split())
MAX_CLIMB = 40


def use(module: Module, node: ast.Constant) -> tuple[Use, ast.Call | None, str]:
    """What becomes of a literal, the call that it goes into (or None), and the name it is given there or that holds it."""
    below: ast.AST = node
    listed = False
    for above in _above(module, node):
        match above:
            case ast.Call(func=function, args=args):
                kind = _called(function, args, below)
                if kind is not None:
                    return (Use.DATA if listed and kind is Use.DIRECT else kind), above, ""
            case ast.keyword(arg=name):
                call = module.parent(above)
                assert isinstance(call, ast.Call | ast.ClassDef)
                if isinstance(call, ast.ClassDef):
                    return Use.DEFAULT, None, name or ""
                return _keyword(module, call, name or ""), call, name or ""
            case ast.arguments():
                return Use.DEFAULT, None, ""
            case ast.BoolOp(op=ast.Or(), values=[first, *_]) if below is not first:
                return Use.DEFAULT, None, ""
            case ast.IfExp(test=test, body=body, orelse=orelse):
                if below is test:
                    return Use.TEST, None, ""
                if _stands_in(test, orelse if below is body else body):
                    return Use.DEFAULT, None, ""
            case ast.Compare() | ast.MatchValue():
                return Use.TEST, None, ""
            case ast.Dict(keys=keys):
                if below in keys:
                    return Use.DATA, None, ""
                key = keys[above.values.index(below)] if below in above.values else None
                name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
                if set(words(name)) & TEXT_WORDS:
                    return Use.TEXT, None, name
                listed = True
            case ast.List() | ast.Tuple() | ast.Set():
                listed = listed or _is_choice(above)
            case ast.Assign() | ast.AnnAssign() | ast.NamedExpr() | ast.AugAssign():
                return _assigned(module, above, below, listed=listed)
            case ast.Raise() | ast.Assert():
                return Use.TEXT, None, ""
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return Use.ROUTE, None, ""
            case ast.Expr() if below is node:
                return Use.TEXT, None, ""
            case ast.Return() | ast.Yield():
                name = _function_name(module, node)
                return (Use.DATA if listed else Use.DEFAULT if "default" in words(name) else Use.NAMED), None, name
            case ast.Subscript(slice=index) if below is index:
                return Use.DATA, None, ""
            case ast.stmt() | ast.comprehension() | ast.Lambda():
                return Use.DATA, None, ""
            case _:
                pass
        below = above
    return Use.DATA, None, ""


def _stands_in(test: ast.expr, other: ast.expr) -> bool:
    """Whether a conditional takes the other value where it is given (`url if url else "…"`)."""
    return not _handles(test).isdisjoint(_handles(other))


def _handles(expression: ast.expr) -> set[str]:
    """The names, attributes and items that an expression reads, as text."""
    return {ast.unparse(part) for part in ast.walk(expression) if isinstance(part, ast.Name | ast.Attribute | ast.Subscript)}


def _above(module: Module, node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for above in module.ancestors(node):
        found.append(above)
        if len(found) >= MAX_CLIMB or isinstance(above, ast.stmt):
            break
    return found


def _called(function: ast.expr, args: list[ast.expr], below: ast.AST) -> Use | None:
    """What a call makes of a positional argument (or of a receiver); None to look further up (`str("…")`)."""
    name = last_name(function)
    if name in TEST_METHODS or name in PROBES:
        return Use.TEST
    if name in TRANSPARENT_CALLS:
        return None
    if below is function:
        return Use.DIRECT
    if name in ROUTE_CALLS or name in ("get", "post", "put", "delete", "patch", "options", "head") and _is_client(function):
        return Use.ROUTE
    if name in TEXT_CALLS or name.endswith(("Error", "Exception", "Warning")):
        return Use.TEXT
    if "default" in words(name) or "setdefaultopt" in name:
        return Use.DEFAULT
    if name in DEFAULT_CALLS and (below is not args[0] or name in ("Field", "field", "default", "Default", "Unicode", "Str")):
        return Use.DEFAULT
    return Use.DIRECT


TRANSPARENT_CALLS = frozenset(
    """str Path PurePath PosixPath expanduser format fspath normpath abspath realpath encode resolve absolute cast SecretStr URL
    HttpUrl AnyUrl Url rstrip lower raw tuple list set frozenset joinpath with_suffix join as_posix""".split()
)
"""Calls that hand the same place on: what becomes of their result is what becomes of the literal."""
CLIENTS = frozenset("client app router api test_client blueprint bp server".split())


def _is_client(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and bool(set(words(last_name(function.value))) & CLIENTS)


def _keyword(module: Module, call: ast.Call, name: str) -> Use:
    callee = last_name(call.func)
    named = set(words(name))
    if named & TEXT_WORDS:
        return Use.TEXT
    if "default" in named or "fallback" in named or callee in DEFAULT_CALLS:
        return Use.DEFAULT
    if callee in ROUTE_CALLS or name in ("prefix", "route", "openapi_url", "docs_url", "url_prefix", "mountpoint"):
        return Use.ROUTE
    if callee in TEXT_CALLS or callee.endswith(("Error", "Exception", "Warning")):
        return Use.TEXT
    return Use.DIRECT


def _assigned(module: Module, statement: ast.AST, below: ast.AST, *, listed: bool) -> tuple[Use, None, str]:
    if isinstance(statement, ast.AnnAssign) and below is statement.annotation:
        return Use.DATA, None, ""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", statement)]
    name = _target_name(targets[0])
    owner = module.parent(statement)
    if set(words(name)) & TEXT_WORDS:
        return Use.TEXT, None, name
    if isinstance(owner, ast.ClassDef) and not (name.strip("_").isupper() and not set(words(owner.name)) & SETTINGS_CLASSES):
        return Use.DEFAULT, None, name
    if listed:
        return Use.DATA, None, name
    stem = module.path.rpartition("/")[2].partition(".")[0]
    if "default" in words(name) or set(words(stem)) & SETTINGS_MODULES and module.function(statement) is None:
        return Use.DEFAULT, None, name
    if _only_if_missing(module, owner, name):
        return Use.DEFAULT, None, name
    return Use.NAMED, None, name


def _target_name(target: ast.expr) -> str:
    match target:
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key
        case _:
            return last_name(target)


def _only_if_missing(module: Module, owner: ast.AST | None, name: str) -> bool:
    """Whether a value is given only where none was (`if root is None: root = …`, `except KeyError: root = …`)."""
    match owner:
        case ast.If(test=test):
            return any(last_name(part) == name for part in ast.walk(test)) or "environ" in ast.dump(test)[:MAX_DUMP]
        case ast.ExceptHandler():
            return True
        case _:
            return False


MAX_DUMP = 2000
"""How much of a condition is looked at."""


def _is_choice(display: ast.List | ast.Tuple | ast.Set) -> bool:
    """Whether a display offers several texts: places that are tried one after the other, commands with their arguments."""
    return sum(1 for item in display.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)) > 1


def _function_name(module: Module, node: ast.AST) -> str:
    return module.definition(node).rpartition(".")[2]
