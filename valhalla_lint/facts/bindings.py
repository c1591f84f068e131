"""Literals that are bound to a name which says that they are credentials, in every way in which Python binds.

Loops over the nodes that bind, asks their names first, and only then looks at what is bound.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.binder import HEADER, PASSWORD, Binder, Bound
from valhalla_lint.facts.compared import comparisons
from valhalla_lint.facts.handed import ABSENT, called_with, option_name, pair_of_auth
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.literals import OWNED, SIMPLE, calls, constant_text, target_name
from valhalla_lint.facts.parameters import project_parameter
from valhalla_lint.facts.scopes import defaults
from valhalla_lint.facts.secret_names import NameVerdict, is_header, judge_name
from valhalla_lint.facts.words import last_name

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module


GETTER = regex(r"^_*(?:get|load|fetch|read|default|make|create)_")
"""What a function does to give what the rest of its name says."""
ENUMS = frozenset({"Enum", "StrEnum", "IntEnum", "Flag", "IntFlag", "TextChoices", "Choices", "IntegerChoices"})
SETTINGS = frozenset({"BaseSettings"})


def bindings(module: "Module", telling: Mapping[str, NameVerdict]) -> Iterator[Bound]:
    """Every literal bound to a telling name; `telling` holds those that occur in the file."""
    binder = Binder(module, telling)
    if telling:
        yield from _assignments(module, binder)
        yield from _functions(module, binder)
        yield from _fallbacks(module, binder)
        yield from comparisons(module, binder)
        yield from _sequences(module, binder)
    if telling or "secret" in module.lower:  # `get_secret` alone is no telling name: it may be an action
        yield from _returned(module, binder)
    yield from _dicts(module, binder)
    yield from _keywords(module, binder)
    yield from called_with(module, binder)
    yield from _auth_pairs(module, binder)
    for node in module.index.found("lists that begin with a program", ast.List, _begin_with_program):
        if node.elts[0].value == "curl":  # type: ignore[attr-defined]  # a constant, as just asked
            yield from _curl(node.elts, binder)
        else:
            yield from _short_option(node.elts, binder)


def weak_binding(module: "Module", node: ast.Constant, text: str) -> Iterator[Bound]:
    """The place of a literal under a name that is telling only next to a strongly random value (`key`, `auth`, …)."""
    above = module.parent(node)
    cookie = _cookie(module, node, above)
    if cookie:
        yield Bound(node, text, cookie, HEADER, "authorization", needs_strong=True)
        return
    name, topic = _place_name(module, node)
    verdict = judge_name(name) if name else None
    if verdict is not None and verdict.kind == "weak":
        around = last_name(above.func) if isinstance(above, ast.Call) else ""
        yield Bound(node, text, name, verdict, topic, needs_strong=True, around=around)


COOKIES = ("cookies", "cookie_jar", "cookiejar")
"""How what holds cookies is called."""


def _cookie(module: "Module", node: ast.AST, above: ast.AST | None) -> str:
    """The name of the cookie whose value a literal is, "" where it is none, or the name is telling by itself."""
    name = ""
    match above:
        case ast.Dict(keys=keys, values=values) if len(keys) <= MAX_ENTRIES and _holds_cookies(module, above):
            name = next((target_name(key) for key, value in zip(keys, values, strict=True) if value is node), "")
        case ast.Assign(targets=[ast.Subscript(value=owner) as target]) if _called_cookies(owner):
            name = target_name(target)
        case ast.Call(func=function, args=[key, value, *_]) if value is node:
            last = last_name(function)
            of_cookies = isinstance(function, ast.Attribute) and _called_cookies(function.value)
            if last == "set_cookie" or (last == "set" and of_cookies):
                name = target_name(key)
        case _:
            pass
    verdict = judge_name(name) if name else None
    return name if verdict is None or verdict.kind == "weak" else ""


def _holds_cookies(module: "Module", node: ast.AST) -> bool:
    match module.parent(node):
        case ast.keyword(arg="cookies"):
            return True
        case ast.Assign(targets=[target]):
            return _called_cookies(target)
        case _:
            return False


def _called_cookies(node: ast.AST) -> bool:
    return last_name(node).lower().endswith(COOKIES)


def parameter_binding(module: "Module", call: ast.Call, node: ast.Constant, text: str) -> Iterator[Bound]:
    """A positional argument of a function or class of another module of the project, by its parameter's name."""
    if node in call.args:
        name = project_parameter(module, call, node)
        verdict = judge_name(name) if name else None
        if verdict is not None and verdict.kind != "weak":
            yield Bound(node, text, name, verdict, "token")


LOOKS = regex(
    r"_*(?:get|read|fetch|load|find|look|list|has|is|describe|delete|remove|revoke|create|generate|make|rotate"
    r"|enable|disable|update|register)(?=_|[A-Z])"
)
"""How calls begin that do something about a credential by its name, rather than take it."""


def callee_binding(call: ast.Call, node: ast.Constant, text: str) -> Iterator[Bound]:
    """A positional argument of what is called like a credential itself: `AzureKeyCredential("…")`, `ApiKey("…")`."""
    name = last_name(call.func)
    if node in call.args and not LOOKS.match(name):
        verdict = judge_name(name)
        if verdict is not None and verdict.kind != "weak":
            yield Bound(node, text, name, verdict, "token", needs_strong=True)


PUTS = regex(r"_*(?:set|put|add|write|store|save|create|export|register|insert|update|replace|push)")
"""How calls begin that give a variable its value rather than ask for it."""


def fallback_binding(call: ast.Call, node: ast.Constant, text: str) -> Iterator[Bound]:
    """What any look-up by the name of a variable takes where it is not set (`env.str("API_TOKEN", "…")`)."""
    asked = constant_text(call.args[0]) if len(call.args) == 2 and call.args[1] is node else None  # noqa: PLR2004 -- a name and a value
    if asked is not None and asked.isupper() and not PUTS.match(last_name(call.func)):
        verdict = judge_name(asked)
        if verdict is not None and verdict.kind != "weak":
            yield Bound(node, text, asked, verdict, "fallback", needs_strong=True)


MAX_CLIMB = 3
"""How many wrappers a literal under a weak name may stand in."""
MAX_ENTRIES = 200
"""Entries of a mapping up to which the key of a value is looked for."""


def _place_name(module: "Module", node: ast.AST) -> tuple[str, str]:
    """The name that a literal is bound to, from the literal upwards, and the topic of the place."""
    below = node
    for _ in range(MAX_CLIMB):
        above = module.parent(below)
        match above:
            case ast.keyword(arg=str(name)):
                return name, "token"
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
                return target_name(target), "token"
            case ast.Dict(keys=keys, values=values) if len(keys) <= MAX_ENTRIES:
                key = next((key for key, value in zip(keys, values, strict=True) if value is below), None)
                name = target_name(key)
                return (name if judge_name(name) is not None else _one_of(module.parent(above))), "token"
            case ast.Compare(left=left, comparators=[right], ops=[ast.Eq() | ast.NotEq()]):
                return target_name(right if left is below else left), "comparison"
            case ast.Call(func=function) if last_name(function) in calls().wrapper:
                below = above
            case ast.Attribute():
                below = above
            case _:
                return "", ""
    return "", ""


def _one_of(holder: ast.AST | None) -> str:
    """What one value of a mapping is called whose name says that it holds several: `PROVIDER_KEYS`."""
    match holder:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            several = target_name(target)
            return several[:-1] if several[-1:] in ("s", "S") else ""
        case _:
            return ""


def _assignments(module: "Module", binder: Binder) -> Iterator[Bound]:
    telling = binder.telling
    for node in module.nodes(ast.Assign):
        for target in node.targets:
            kind = target.__class__
            if kind is ast.Name:
                name = target.id  # type: ignore[attr-defined]  # a Name, as just asked
            elif kind is ast.Attribute:
                name = target.attr  # type: ignore[attr-defined]  # an Attribute, as just asked
                if name in OWNED:
                    name = target_name(target)
                    if name not in telling and judge_name(name) is not None:  # made of two of the file's names
                        yield from _assigned(module, binder, node, name, node.value)
                        continue
            elif kind is ast.Tuple or kind is ast.List:
                yield from _tuple(target, node.value, binder)  # type: ignore[arg-type]  # one of the two
                continue
            else:
                name = target_name(target)
                if _tells_alone(name):
                    yield from binder.bound(name, node.value)
                    continue
                if name not in telling and isinstance(target, ast.Subscript):
                    yield from _entry_of(target_name(target.value), node.value, binder)
            if name in telling:
                if isinstance(node.value, SIMPLE):
                    yield from _assigned(module, binder, node, name, node.value)
                else:
                    yield from _entries(name, node.value, binder)
    for annotated in module.nodes(ast.AnnAssign):
        if annotated.value is not None:
            name = target_name(annotated.target)
            if name in telling:
                if isinstance(annotated.value, SIMPLE):
                    yield from _assigned(module, binder, annotated, name, annotated.value)
                else:
                    yield from _entries(name, annotated.value, binder)
    for loop in module.nodes(ast.For):
        name = target_name(loop.target)
        if name in telling and isinstance(loop.iter, ast.Tuple | ast.List):
            for item in loop.iter.elts[:MAX_ENTRIES]:
                for bound in binder.bound(name, item, needs_strong=True):
                    yield bound._replace(sequence=True)
    for walrus in module.nodes(ast.NamedExpr):
        if walrus.target.id in telling:
            yield from binder.bound(walrus.target.id, walrus.value)
    for added in module.nodes(ast.AugAssign):
        name = target_name(added.target)
        if name in telling:
            yield from binder.bound(name, added.value, needs_strong=True)


@lru_cache(maxsize=8192)
def _tells_alone(name: str) -> bool:
    """Whether a key is that of a header, or a telling name that is no identifier (`aws.secret_access_key`)."""
    return is_header(name) or (
        ("." in name or " " in name or "/" in name or ":" in name) and judge_name(name) is not None
    )


def _assigned(module: "Module", binder: Binder, node: ast.AST, name: str, value: ast.AST) -> Iterator[Bound]:
    above = module.parent(node)
    bases = {last_name(base) for base in above.bases} if isinstance(above, ast.ClassDef) else set()
    in_settings = any(base in SETTINGS or base.endswith("Settings") for base in bases)
    yield from binder.bound(
        name,
        value,
        "fallback" if in_settings else "token",
        needs_strong=bool(bases & ENUMS),
    )


def _entries(name: str, value: ast.AST, binder: Binder) -> Iterator[Bound]:
    """What a mapping holds whose name says that it holds several credentials.

    They are its keys (`API_KEYS = {"…": "alice"}`) or its values (`API_KEYS = {"openai": "…"}`).
    """
    verdict = judge_name(name)
    if isinstance(value, ast.Dict) and verdict is not None and verdict.plural and len(value.keys) <= MAX_ENTRIES:
        for key, held in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant):
                for item in (key, held) if judge_name(target_name(key)) is None else (key,):
                    for bound in binder.bound(name, item, needs_strong=True):
                        yield bound._replace(sequence=True)


def _entry_of(several: str, value: ast.AST, binder: Binder) -> Iterator[Bound]:
    """What is put into a mapping whose name says that it holds several credentials (`API_KEYS["openai"] = "…"`)."""
    if several in binder.telling and binder.telling[several].plural:
        for bound in binder.bound(several, value, needs_strong=True):
            yield bound._replace(sequence=True)


def _tuple(target: ast.Tuple | ast.List, value: ast.AST, binder: Binder) -> Iterator[Bound]:
    starred = next((at for at, one in enumerate(target.elts) if isinstance(one, ast.Starred)), None)
    if isinstance(value, ast.Tuple | ast.List) and (len(value.elts) == len(target.elts) or starred is not None):
        behind = len(target.elts) if starred is None else starred
        pairs = [*zip(target.elts[:behind], value.elts, strict=False)]
        pairs += zip(target.elts[behind + 1 :][::-1], value.elts[behind:][::-1], strict=False)
        for one, item in pairs:
            if isinstance(one, ast.Tuple | ast.List):
                yield from _tuple(one, item, binder)
            else:
                yield from binder.bound(target_name(one), item)


def _dicts(module: "Module", binder: Binder) -> Iterator[Bound]:
    telling = binder.telling

    def that_tell(nodes: Sequence[ast.Dict]) -> Iterator[tuple[ast.Dict, str, ast.expr]]:
        for node in nodes:
            for key, value in zip(node.keys, node.values, strict=True):
                kind = key.__class__
                if kind is ast.Constant:
                    name = key.value  # type: ignore[union-attr]  # a Constant, as just asked
                    if name.__class__ is bytes:
                        name = name.decode("latin-1")
                    elif name.__class__ is not str:
                        continue
                elif kind is ast.Name or kind is ast.Attribute:
                    name = target_name(key)
                else:
                    continue
                if (name in telling or _tells_alone(name)) and isinstance(value, SIMPLE):
                    yield node, name, value
                elif name in VALUES and telling:
                    yield node, "", value

    for node, name, value in module.index.found("telling keys", ast.Dict, that_tell, binder.context):
        if name:
            yield from binder.bound(name, value)
            continue
        fields = {
            str(item.value): node.values[at] for at, item in enumerate(node.keys) if isinstance(item, ast.Constant)
        }
        yield from _entry(fields, binder)


def _functions(module: "Module", binder: Binder) -> Iterator[Bound]:
    telling = binder.telling

    def with_default(nodes: Sequence[FunctionNode | ast.Lambda]) -> Iterator[tuple[str, ast.expr]]:
        for node in nodes:
            arguments = node.args
            if arguments.defaults or arguments.kw_defaults:
                for argument, default in defaults(node):
                    if argument.arg in telling and isinstance(default, SIMPLE):
                        yield argument.arg, default

    kinds: tuple[type[FunctionNode | ast.Lambda], ...] = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    for kind in kinds:
        for name, default in module.index.found(f"defaults of {kind.__name__}", kind, with_default, binder.context):
            yield from binder.bound(name, default)


def _returned(module: "Module", binder: Binder) -> Iterator[Bound]:
    """What functions of telling names answer, also where the name begins with what they do."""
    for returned in module.nodes(ast.Return):
        if returned.value.__class__ is ast.Constant and isinstance(returned.value.value, str | bytes):
            function = module.function(returned)
            if function is not None:
                yield from binder.bound(GETTER.sub("", function.name), returned.value, needs_strong=True)


NAMING = ("name", "key", "Name", "Key")
VALUES = ("value", "Value", "val")
"""Fields of an entry that holds a name and its value (`V1EnvVar(name="DB_PASSWORD", value="…")`)."""


def _entry(fields: Mapping[str, ast.expr], binder: Binder) -> Iterator[Bound]:
    """The value of an entry of names and values, by the text under its name."""
    named = next((fields[field] for field in NAMING if field in fields), None)
    value = next((fields[field] for field in VALUES if field in fields), None)
    if isinstance(named, ast.Constant) and isinstance(named.value, str) and value is not None:
        # in small letters it is the field of a form as often as a variable, and what stands in forms is made up
        yield from binder.bound(named.value, value, needs_strong=not named.value.isupper())


def _keywords(module: "Module", binder: Binder) -> Iterator[Bound]:
    telling = binder.telling

    def that_tell(nodes: Sequence[ast.keyword]) -> Iterator[ast.keyword]:
        return (node for node in nodes if node.arg in telling or node.arg in ASKED_KEYWORDS)

    for keyword in module.index.found("telling keywords", ast.keyword, that_tell, binder.context):
        name = keyword.arg
        if name in telling:
            if isinstance(keyword.value, SIMPLE):
                yield from binder.bound(name, keyword.value)  # type: ignore[arg-type]  # a name of the file
        elif name in AUTH_NAMES and isinstance(keyword.value, ast.Tuple):
            yield from pair_of_auth(keyword.value, binder)
        elif name in ABSENT and telling and isinstance(call := module.parent(keyword), ast.Call):
            if call.args and (asked := constant_text(call.args[0])) in telling:
                yield from binder.bound(option_name(asked or ""), keyword.value, "fallback")
        elif name in VALUES and telling and isinstance(call := module.parent(keyword), ast.Call):
            yield from _entry({item.arg: item.value for item in call.keywords if item.arg}, binder)


def _sequences(module: "Module", binder: Binder) -> Iterator[Bound]:
    sequences: list[ast.List | ast.Tuple] = [*module.nodes(ast.List), *module.nodes(ast.Tuple)]
    for sequence in sequences:
        elements = sequence.elts
        if len(elements) > 1 and elements[0].__class__ is ast.Constant:
            yield from _command_line(elements, binder)
            if len(elements) == 2:  # noqa: PLR2004 -- a name and a value
                yield from _pair(elements, binder)


def _fallbacks(module: "Module", binder: Binder) -> Iterator[Bound]:
    """Literals that stand in for a look-up by a telling name: `os.getenv("API_KEY") or "…"`, `… if … else "…"`."""
    for node in module.nodes(ast.BoolOp):
        if isinstance(node.op, ast.Or):
            name = _looked_up(node.values[0])
            for value in node.values[1:] if name else ():
                yield from binder.bound(name, value, "fallback")
    for choice in module.nodes(ast.IfExp):
        for one, other in ((choice.body, choice.orelse), (choice.orelse, choice.body)):
            if isinstance(other, ast.Constant) and (name := _looked_up(one)):
                yield from binder.bound(name, other, "fallback")


def _looked_up(node: ast.expr) -> str:
    """The name of what is looked up, in the environment, in a mapping or in an object; "" for other expressions."""
    match node:
        case ast.Call(func=function, args=[_, ast.Constant(value=str(name)), *_]) if last_name(function) == "getattr":
            return name
        case ast.Call(func=function, args=[key, *_]) if last_name(function) in calls().fallback:
            return target_name(key)
        case ast.Subscript(slice=ast.Constant()):
            return target_name(node)
        case _:
            return ""


AUTH_NAMES = frozenset({"auth", "http_auth", "basic_auth", "proxy_auth"})
"""Names of pairs of user and password."""
ASKED_KEYWORDS = AUTH_NAMES | ABSENT | frozenset(VALUES)
"""Keywords that count beside telling names."""
PAIR_NAMES = AUTH_NAMES | {"credentials", "creds", "login"}
"""What such a pair is called where it is assigned."""


def _auth_pairs(module: "Module", binder: Binder) -> Iterator[Bound]:
    for node in module.index.found("pairs with a literal", ast.Tuple, _with_literal):
        above = module.parent(node)
        if isinstance(above, ast.Assign) and any(target_name(target) in PAIR_NAMES for target in above.targets):
            yield from pair_of_auth(node, binder)


def _with_literal(nodes: Sequence[ast.Tuple]) -> Iterator[ast.Tuple]:
    for node in nodes:
        if len(node.elts) == 2 and node.elts[1].__class__ is ast.Constant:  # noqa: PLR2004 -- user and password
            yield node


def _curl(elements: list[ast.expr], binder: Binder) -> Iterator[Bound]:
    """The password of `["curl", "-u", "user:password"]`."""
    for option, pair in pairwise(elements):
        if isinstance(option, ast.Constant) and option.value in ("-u", "--user"):
            for bound in binder.bound("password", pair, verdict=PASSWORD):
                user, colon, password = bound.text.partition(":")
                if user and colon and not bound.partial:
                    yield bound._replace(text=password)


SHORT_OPTIONS = frozenset(
    "mysql mysqldump mysqladmin mysqlimport mysqlcheck mariadb mariadb-dump mariadb-admin sshpass".split()
)
"""Programs that take a password behind `-p`, glued to it (`sshpass` also apart)."""


def _begin_with_program(nodes: Sequence[ast.List]) -> Iterator[ast.List]:
    """The lists whose first element names a program that takes a password as an argument."""
    for node in nodes:
        match node.elts:
            case [ast.Constant(value=program), _, *_] if program == "curl" or program in SHORT_OPTIONS:
                yield node
            case _:
                pass


def _short_option(elements: list[ast.expr], binder: Binder) -> Iterator[Bound]:
    """The password of `["mysql", "-u", "root", "-p…"]`, and of `["sshpass", "-p", "…"]`."""
    apart = isinstance(elements[0], ast.Constant) and elements[0].value == "sshpass"
    for option, following in pairwise([*elements, None]):
        text = constant_text(option)
        if text is None or not text.startswith("-p"):
            continue
        if text == "-p":
            if apart:
                yield from binder.bound("password", following, verdict=PASSWORD)
            continue
        for bound in binder.bound("password", option, verdict=PASSWORD):
            yield bound._replace(text=text.removeprefix("-p"))


def _command_line(elements: list[ast.expr], binder: Binder) -> Iterator[Bound]:
    for one, other in pairwise(elements):
        if (
            isinstance(one, ast.Constant)
            and isinstance(one.value, str)
            and one.value[:1] == "-"
            and " " not in one.value  # the first line of a private key is no option
            and isinstance(other, ast.Constant | ast.JoinedStr)
        ):
            name = one.value.lstrip("-")
            if judge_name(name) is not None and not (
                isinstance(other, ast.Constant) and str(other.value).startswith("-")
            ):
                yield from binder.bound(option_name(name), other)


def _pair(elements: list[ast.expr], binder: Binder) -> Iterator[Bound]:
    name = target_name(elements[0])
    if name in binder.telling and isinstance(elements[1], ast.Constant):
        for bound in binder.bound(name, elements[1]):
            yield bound._replace(sequence=True)
