"""Secrets on their way to people's eyes: which values are credentials by name, and what makes them unreadable."""

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.secret_names import judge_name
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.labels import Grade, Kind, Origin, Risk
from valhalla_lint.flow.meanings import (
    is_about_secret,
    is_of_places,
    means_another_thing,
    permissions,
    rows,
    stands_beside,
    takes_no_secret,
    without_password,
)
from valhalla_lint.flow.refused import refused_for_form
from valhalla_lint.flow.units import ClassRef, Unit, once_a_unit
from valhalla_lint.flow.values import (
    Class,
    Facts,
    Function,
    Instance,
    Label,
    Library,
    Place,
    Trail,
    Value,
)
from valhalla_lint.flow.words import pieces

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Call, Frame, Machine
    from valhalla_lint.flow.state import State

SHOWN = 4
"""Characters of a secret that may be shown: too few to be of use."""
HEADERS = frozenset("authorization proxy-authorization cookie set-cookie x-api-key x-auth-token api-key".split())
COOKIES = frozenset({"cookie", "set-cookie"})
OF_REQUESTS = frozenset("header headers hdrs environ env meta request req response resp scope".split())
"""Words in the names of mappings that hold the headers of requests."""
SCHEMED = frozenset("authorization proxy-authorization auth_header authorization_header auth_value".split())
"""Names of headers whose first word says how somebody authenticates."""
MASKED_TYPES = frozenset(
    {"pydantic.SecretStr", "pydantic.SecretBytes", "pydantic.types.SecretStr", "starlette.datastructures.Secret"}
)
MODELS_OF_TEXT = ("tokenizer", "logits", "input_ids", "num_tokens", "max_tokens", "lexer", "tokenize")
"""Words of a file in which a token is a piece of text."""
PAGES = (
    "page_token",
    "page token",
    "pagetoken",
    "next_token",
    "nexttoken",
    "since_token",
    "streamtoken",
    "stream_token",
    "continuation_token",
    "continuationtoken",
    "sync_token",
    "synctoken",
    "lock_token",
    "locktoken",
    "lock token",
)
"""Words of a file in which a token is a place in a list or in a stream, or a lock that somebody holds."""
ACCESS = (
    "bearer",
    "authorization",
    "oauth",
    "credential",
    "password",
    "api_key",
    "login",
    "authenticat",
    "telegram",
    "discord",
    "slack",
)
"""Words of a file in which a token is a credential."""
AUTH = regex(r"(?<![a-z])(?:un)?auth(?:ori[sz]|err|_|\b)")
"""Beginnings of such words; not of `author`."""
GIVERS = frozenset("get create generate make read load fetch new issue build ask prompt".split())
REVEALING = frozenset(
    "get_secret_value reveal unwrap getvalue hex decode encode to_str as_str format join __str__ lower upper".split()
)
"""Methods of a secret that give the secret; what others give is something about it."""
COUNTS = frozenset("count num n max min total input output prompt completion used".split())
"""First words of names in which tokens are counted."""
FLAGS = frozenset(
    """is has use only check verify should needs require requires expect supports allow hash mask redact encrypt
    obfuscate validate revoke rotate invalidate parse sanitize compare""".split()
)
"""First words of names that ask or do something about a credential, rather than hold one."""
PLACES_OF_KEYS = frozenset({"ssh", "storage", "shared"})
"""Words beside a key that is the path of a file, the name of an object in a store, or what several have in common."""
MEASURED = frozenset({"per"})
"""Words of names that say how much of something there is for each token."""
UNREADABLE = frozenset("hashed masked redacted obfuscated truncated encrypted crypted censored".split())
"""Words of names that say that a credential cannot be read from the value any more."""
ADDRESS_ENDS = ("url", "uri", "dsn", "connection_string", "conn_string", "conn_str")
"""Ends of names of addresses."""
DATABASES = frozenset(
    """db database postgres postgresql pg mysql mariadb mongo mongodb redis amqp rabbitmq broker celery sqlalchemy
    dsn""".split()
)
"""Words of names of what is reached by an address that holds a password, as it is commonly written."""
PRESENTABLE = frozenset("public safe display displayed shown clean sanitized log logged logging host sentry".split())
"""Words of names of addresses that were made to be shown."""
DOORS = frozenset(
    """access auth api oauth bearer jwt refresh session security hf github gitlab slack telegram discord hub aws
    azure gcp google webhook csrf xsrf id sas personal user admin service deploy vault write""".split()
)
"""Words beside "token" that say that it opens a door, whatever the file is about."""
MIN_POINTS = 2.0


@once_a_unit
def tokens_open_doors(unit: Unit) -> bool:
    """Whether a token is a credential in a file, rather than a piece of text."""
    text = unit.module.lower
    opens = any(word in text for word in ACCESS) or AUTH.search(text) is not None
    return opens and not any(word in text for word in (*MODELS_OF_TEXT, *PAGES))


def secret_name(name: str, unit: Unit) -> bool:
    """Whether a name says that it holds a credential, in this file."""
    lower = name.lower()
    if lower in ("authorization", "auth_header", "authorization_header", "auth_value"):
        return name not in permissions(unit)
    if lower.endswith(ADDRESS_ENDS) and opens_database(lower, unit):
        return True
    verdict = judge_name(name)
    if verdict is None or verdict.kind == "weak" or verdict.points < MIN_POINTS or verdict.mock:
        return False
    parts = pieces(name)
    if parts[0] in FLAGS or not MEASURED.isdisjoint(parts) or not UNREADABLE.isdisjoint(parts):
        return False
    if means_another_thing(name, verdict.kind, unit) or (
        verdict.kind == "key" and not PLACES_OF_KEYS.isdisjoint(parts)
    ):
        return False
    if verdict.plural and "shared" in parts:
        return False  # keys that several tables have in common
    if parts[0] in COUNTS and (verdict.kind == "token" or verdict.plural):
        return False
    if verdict.kind == "token" and (verdict.plural or DOORS.isdisjoint(parts)):
        return not verdict.plural and tokens_open_doors(unit)
    return True


def opens_database(name: str, unit: Unit) -> bool:
    """Whether a name says that it holds the address of a database or a queue, which names a user and a password."""
    parts = pieces(name)
    opens = name.endswith(ADDRESS_ENDS[3:]) or not DATABASES.isdisjoint(parts)
    if DATABASES.intersection(parts) == {"db"} and not _speaks_of_servers(unit):
        return False  # a name of the project's own: it may be a folder, or the name of a database
    return opens and parts[0] not in FLAGS and (UNREADABLE | PRESENTABLE).isdisjoint(parts)


SERVERS = (
    "postgres",
    "mysql",
    "mariadb",
    "mongo",
    "redis",
    "amqp",
    "sqlalchemy",
    "create_engine",
    "psycopg",
    "asyncpg",
    "sqlmodel",
    "alembic",
    "tortoise",
    "odbc",
    "dsn",
)
"""Words of a file that reaches databases by addresses with a user and a password."""


@once_a_unit
def _speaks_of_servers(unit: Unit) -> bool:
    return any(word in unit.module.lower for word in SERVERS)


@once_a_unit
def _askers(unit: Unit) -> frozenset[ast.AST]:
    """The functions of a file that ask an address whether it holds a password: what they show then, they chose."""
    return frozenset(
        unit.module.scopes.scope(item)
        for item in unit.module.nodes(ast.Attribute)
        if item.attr == "password" and isinstance(item.ctx, ast.Load)
    )


def gives_secret(name: str, unit: Unit) -> bool:
    """Whether the name of a function says that it gives a credential: `get_password`, not `get_user_by_token`."""
    parts = pieces(name)
    if not parts[1:] or parts[0] not in GIVERS or "by" in parts or not secret_name(name, unit):
        return False
    return "from" not in parts or secret_name("_".join(parts[: parts.index("from")]), unit)


def as_secret(machine: "Machine", value: Value, name: str, node: ast.AST, frame: "Frame") -> Value:
    """A value, with a secret's label where its name says so."""
    if node in refused_for_form(frame.unit) or (frame.node is not None and (frame.node, name) in rows(frame.unit)):
        return Value((), value.const, value.things, value.truth)
    if not secret_name(name, frame.unit) or name in masked_fields(frame.unit) or is_of_places(node):
        return value
    if (frame.node, name) in without_password(frame.unit) and name.lower().endswith(ADDRESS_ENDS):
        return value
    if frame.node in _askers(frame.unit) and name.lower().endswith(ADDRESS_ENDS) and opens_database(name, frame.unit):
        return value
    if value.const is not MISSING:
        if not isinstance(value.const, str | bytes) or name not in written_secrets(frame.unit):
            return value
        return Value((label_of(machine, name, node, frame),))  # not its text: what it stands in is shown as well
    for thing in value.things:
        if isinstance(thing, Function | Class | Library) or (
            isinstance(thing, Instance) and thing.type in MASKED_TYPES
        ):
            return value
    if secret(value):
        return value
    return Value((*value.labels, label_of(machine, name, node, frame)), value.const, value.things, value.truth)


@once_a_unit
def written_secrets(unit: Unit) -> frozenset[str]:
    """The names in a file whose literal is a credential."""
    return frozenset(found.target.rpartition(".")[2] for found in unit.module.credentials)


@once_a_unit
def masked_fields(unit: Unit) -> frozenset[str]:
    """The fields of a file's classes whose type prints stars instead of a secret."""
    return frozenset(
        item.target.id
        for item in unit.module.nodes(ast.AnnAssign)
        if isinstance(item.target, ast.Name) and "Secret" in ast.unparse(item.annotation)
    )


def given(machine: "Machine", call: "Call", name: str, value: Value) -> Value:
    """What a call gives, with a secret's label where its function or the key that is looked up says so."""
    last, unit = call.name.rpartition(".")[2], call.frame.unit
    if hides(last):
        return Value((), value.const, truth=value.truth)
    if secret(value):
        return value
    if name == "getpass.getpass":
        return Value((label_of(machine, "a typed password", call.node, call.frame),))
    if last == "get_secret_value" and isinstance(call.node.func, ast.Attribute):
        owner = last_name(call.node.func.value) or "a secret"
        return Value((label_of(machine, owner, call.node, call.frame),))
    key = call.argument(0) if last in KEYED else None
    owner_name = last_name(call.node.func.value) if isinstance(call.node.func, ast.Attribute) else ""
    if (
        key is not None
        and key_is_secret(key.const, unit)
        and not value.things
        and not is_section(key.const, owner_name)
    ):
        fallback = call.argument(1)
        if value.const is MISSING or (fallback is not None and value.const == fallback.const):
            return Value((label_of(machine, str(key.const), call.node, call.frame),))
    if not gives_secret(last, unit) or (value.things and not value.labels):
        return value
    return as_secret(machine, value, last, call.node, call.frame)


def hides(name: str) -> bool:
    """Whether the name of a function says that it makes credentials unreadable: `redact`, `sanitize_for_logging`."""
    parts = pieces(name)
    return not HIDERS.isdisjoint(parts) or (not CLEANERS.isdisjoint(parts) and not OF_LOGS.isdisjoint(parts))


HIDERS = frozenset(
    """mask masked redact redacted obfuscate obfuscated censor censored scrub scrubbed anonymize anonymized
    fingerprint""".split()
)
CLEANERS = frozenset("sanitize sanitized clean cleaned strip filter remove hide without".split())
OF_LOGS = frozenset("log logs logging secret secrets password passwords sensitive credentials display".split())
"""Words beside that say that what is hidden is a credential, or hidden from whoever reads the log."""
KEYED = frozenset({"getenv", "get", "pop"})
"""Look-ups by a key."""
HANDS_ON = frozenset(
    """json.dumps orjson.dumps yaml.dump yaml.safe_dump pprint.pformat base64.b64encode base64.urlsafe_b64encode
    base64.standard_b64encode urllib.parse.quote urllib.parse.quote_plus urllib.parse.urlencode urllib.parse.unquote
    shlex.join shlex.quote copy.copy copy.deepcopy dataclasses.asdict""".split()
)
"""Functions whose result shows what they are given."""


def secret(value: Value) -> bool:
    """Whether a value is known to be a secret."""
    return any(label.origin.kind is Kind.SECRET for label in value.labels)


def is_password(label: Label) -> bool:
    """Whether a label is that of a password: short, and as good as told by its first characters."""
    verdict = judge_name(label.origin.text)
    return verdict is None or verdict.kind == "password"


def label_of(machine: "Machine", name: str, node: ast.AST, frame: "Frame") -> Label:
    """A fresh secret's label."""
    content = machine.token("secret", name)
    origin = Origin(Kind.SECRET, Grade.CERTAIN, name)
    return Label(
        origin,
        content,
        content,
        Risk.PLAIN,
        trail=Trail(Place(frame.unit, node), f"{name} is a secret, judging by its name"),
    )


def spaced(machine: "Machine", labels: tuple[Label, ...]) -> Facts:
    """What is known of values in which there is a space."""
    return Facts({machine.token("spaced", label.content): Risk.PLAIN for label in labels})


def without_schemes(machine: "Machine", labels: tuple[Label, ...], state: "State") -> tuple[Label, ...]:
    """The labels of a value's first word: of a header with a space in it that says how it authenticates."""
    return tuple(
        label
        for label in labels
        if label.origin.text.lower() not in SCHEMED or machine.token("spaced", label.content) not in state.proven
    )


def key_is_secret(key: object, unit: Unit) -> bool:
    """Whether a key of a dictionary (or a header) says that its value is a credential."""
    return isinstance(key, str) and (key.lower() in HEADERS or secret_name(key, unit))


def is_section(key: object, owner: str) -> bool:
    """Whether a key is the name of a header, and its mapping holds none: `config["cookie"]` says how they are made."""
    return isinstance(key, str) and key.lower() in COOKIES and OF_REQUESTS.isdisjoint(pieces(owner))


def records(unit: Unit, node: FunctionNode, owner: ClassRef | None) -> dict[str, str]:
    """The parameters of which a function reads a credential by its key, each with that key: shown whole they show it.

    Keyword arguments go from method to method of a class: what one reads out of those that it is handed, or that it
    hands on, the other holds as well.
    """
    found = _keys_read(unit, node, {arg.arg for arg in parameters(node)})
    kwarg = node.args.kwarg
    if kwarg is not None and kwarg.arg not in found and owner is not None:
        for method in unit.methods.get(owner.node, {}).values():
            other = method.args.kwarg
            if (
                other is not None
                and other.arg == kwarg.arg
                and (_hands_on(unit, node, method.name, kwarg.arg) or _hands_on(unit, method, node.name, other.arg))
            ):
                found |= _keys_read(unit, method, {kwarg.arg})
    return found


def _hands_on(unit: Unit, node: FunctionNode, name: str, kwarg: str) -> bool:
    """Whether a function calls one of a name with the keyword arguments that it was called with."""
    return any(
        isinstance(item, ast.Call)
        and last_name(item.func) == name
        and any(
            given.arg is None and isinstance(given.value, ast.Name) and given.value.id == kwarg
            for given in item.keywords
        )
        for item in unit.module.index.own(node)
    )


def _keys_read(unit: Unit, node: FunctionNode, names: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in unit.module.index.own(node):
        match item:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)), ctx=ast.Load()):
                pass
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get" | "pop"),
                args=[ast.Constant(value=str(key)), *_],
            ):
                pass
            case ast.Compare(
                left=ast.Constant(value=str(key)), ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]
            ):
                pass
            case _:
                continue
        if name in names and key_is_secret(key, unit) and not is_section(key, name):
            found.setdefault(name, key)
    return found


def shortened(node: ast.Slice, machine: "Machine", unit: Unit) -> bool:
    """Whether a slice keeps too few characters to be of use."""
    lower = unit.module.constant(node.lower) if node.lower is not None else None
    upper = unit.module.constant(node.upper) if node.upper is not None else None
    del machine
    if isinstance(upper, int) and upper >= 0 and (lower is None or isinstance(lower, int)):
        return upper - (lower or 0) <= SHOWN
    return isinstance(lower, int) and lower < 0 and upper is None and -lower <= SHOWN


THE_SECRET_ITSELF = frozenset({"key", "value", "raw", "plain", "data"})
"""Keys of a credential's record under which the credential itself may stand."""


def of_record(labels: tuple[Label, ...], key: object, unit: Unit) -> tuple[Label, ...]:
    """The labels of one entry of a record: beside a credential stand its owner, its age and what it may be used for."""
    if not isinstance(key, str):  # of several secrets one; of one secret, a part that is told by its name
        return labels if isinstance(key, int) else several(labels)
    if key.lower() == "key":  # `secret["key"]` is what the secret is called
        return tuple(label for label in labels if not _is_of_secrets(label))
    if key.lower() in THE_SECRET_ITSELF or key_is_secret(key, unit):
        return labels
    return without_secrets(labels)


def _is_of_secrets(label: Label) -> bool:
    verdict = judge_name(label.origin.text) if label.origin.kind is Kind.SECRET else None
    return verdict is not None and verdict.plural and verdict.kind == "secret"


def bound_as(value: Value, name: str) -> Value:
    """A value as its new name tells of it: `private_key_path` holds no key, whatever it was called before."""
    if not secret(value) or not is_about_secret(name):
        return value
    return Value(without_secrets(value.labels), value.const, value.things, value.truth)


def handed_as(value: Value, name: str) -> Value:
    """A value as the name of the parameter tells of it that takes it: `credential_type` takes no credential."""
    if not secret(value) or not takes_no_secret(name):
        return value
    return Value(without_secrets(value.labels), value.const, value.things, value.truth)


def taken_apart(value: Value, name: str, names: Sequence[str], unit: Unit) -> Value:
    """One of several parts of a value, as its name tells of it: beside a credential stand its owner and its age.

    names: those of all parts. A function that gives a credential with other things gives it under a name that says so.
    """
    if not secret(value) or secret_name(name, unit):
        return value
    told = [label for label in value.labels if label.origin.kind is Kind.SECRET]
    if stands_beside(name) or (
        all(gives_secret(label.origin.text, unit) for label in told) and any(secret_name(item, unit) for item in names)
    ):
        return Value(without_secrets(value.labels), value.const, value.things, value.truth)
    return value


CODECS = frozenset({"encoding", "errors"})


def gives_text(call: ast.Call, name: str) -> bool:
    """Whether a method of a secret gives the secret in another form; `jwt.decode(text, key=…)` gives what it says."""
    if name not in REVEALING:
        return False
    if name != "decode":
        return True
    return len(call.args) <= 1 and all(keyword.arg in CODECS for keyword in call.keywords)


def several(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """The labels without those of a single secret: what stands for several of them has more to give than characters."""
    return tuple(label for label in labels if not _one_secret(label))


def _one_secret(label: Label) -> bool:
    if label.origin.kind is not Kind.SECRET:
        return False
    verdict = judge_name(label.origin.text)
    return verdict is not None and not verdict.plural


def rest_at(machine: "Machine", rest: Value, key: object, unit: Unit) -> Value:
    """What a dictionary holds under a key, of all that it holds under keys that nobody knows."""
    if not machine.secrets or not rest.labels:
        return rest
    return Value(of_record(rest.labels, key, unit), rest.const, rest.things, rest.truth)


def without_secrets(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """The labels that are no secrets: what a call that nobody has read hands on."""
    return tuple(label for label in labels if label.origin.kind is not Kind.SECRET)
