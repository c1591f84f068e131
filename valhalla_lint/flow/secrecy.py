"""Secrets on their way to people's eyes: which values are credentials by name, and what makes them unreadable."""

import ast
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.secret_names import judge_name
from valhalla_lint.flow.labels import Grade, Kind, Origin, Risk, Use
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.values import (
    Class,
    Function,
    Instance,
    Label,
    Library,
    Place,
    Reference,
    Trail,
    Value,
    all_labels,
)
from valhalla_lint.flow.words import pieces

if TYPE_CHECKING:
    from valhalla_lint.flow.catalogue import Catalogue
    from valhalla_lint.flow.machine import Call, Frame, Machine
    from valhalla_lint.flow.state import State

LEVELS = frozenset("debug info warning warn error exception critical fatal log trace success notice".split())
LOGGERS = frozenset("log logger logging".split())
SHOWN = 4
"""Characters of a secret that may be shown: too few to be of use."""
HEADERS = frozenset("authorization proxy-authorization cookie set-cookie x-api-key x-auth-token api-key".split())
MASKED_TYPES = frozenset(
    {"pydantic.SecretStr", "pydantic.SecretBytes", "pydantic.types.SecretStr", "starlette.datastructures.Secret"}
)
MODELS_OF_TEXT = ("tokenizer", "logits", "input_ids", "num_tokens", "max_tokens", "lexer", "tokenize")
"""Words of a file in which a token is a piece of text."""
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
GIVERS = frozenset("get create generate make read load fetch new issue build ask prompt".split())
COUNTS = frozenset("count num n max min total input output prompt completion used".split())
"""First words of names in which tokens are counted."""
FLAGS = frozenset("is has use check verify should needs require requires expect supports allow".split())
"""First words of names that ask something about a credential, rather than hold one."""
MEASURED = frozenset({"per"})
"""Words of names that say how much of something there is for each token."""
UNREADABLE = frozenset("hashed masked redacted obfuscated truncated".split())
"""Words of names that say that a credential cannot be read from the value any more."""
DOORS = frozenset(
    """access auth api oauth bearer jwt refresh session security hf github gitlab slack telegram discord hub aws
    azure gcp google webhook csrf xsrf id sas personal user admin service deploy vault write""".split()
)
"""Words beside "token" that say that it opens a door, whatever the file is about."""
MIN_POINTS = 2.0
FIELD_BASES = frozenset({"pydantic.BaseSettings", "pydantic_settings.BaseSettings", "pydantic.BaseModel"})


@lru_cache(maxsize=64)
def tokens_open_doors(unit: Unit) -> bool:
    """Whether a token is a credential in a file, rather than a piece of text."""
    text = unit.module.lower
    return any(word in text for word in ACCESS) and not any(word in text for word in MODELS_OF_TEXT)


def secret_name(name: str, unit: Unit) -> bool:
    """Whether a name says that it holds a credential, in this file."""
    lower = name.lower()
    if lower in ("authorization", "auth_header", "authorization_header", "auth_value"):
        return True
    verdict = judge_name(name)
    if verdict is None or verdict.kind == "weak" or verdict.points < MIN_POINTS or verdict.mock:
        return False
    parts = pieces(name)
    if parts[0] in FLAGS or not MEASURED.isdisjoint(parts) or not UNREADABLE.isdisjoint(parts):
        return False
    if verdict.plural and "shared" in parts:
        return False  # keys that several tables have in common
    if parts[0] in COUNTS and (verdict.kind == "token" or verdict.plural):
        return False
    if verdict.kind == "token" and (verdict.plural or DOORS.isdisjoint(parts)):
        return not verdict.plural and tokens_open_doors(unit)
    return True


def gives_secret(name: str, unit: Unit) -> bool:
    """Whether the name of a function says that it gives a credential: `get_password`, not `get_user_by_token`."""
    parts = pieces(name)
    return len(parts) > 1 and parts[0] in GIVERS and "by" not in parts and secret_name(name, unit)


def as_secret(machine: "Machine", value: Value, name: str, node: ast.AST, frame: "Frame") -> Value:
    """A value, with a secret's label where its name says so."""
    if value.const is not MISSING or not secret_name(name, frame.unit):
        return value
    for thing in value.things:
        if isinstance(thing, Function | Class | Library) or (
            isinstance(thing, Instance) and thing.type in MASKED_TYPES
        ):
            return value
    if any(label.origin.kind is Kind.SECRET for label in value.labels):
        return value
    return Value((*value.labels, label_of(machine, name, node, frame)), value.const, value.things, value.truth)


def label_of(machine: "Machine", name: str, node: ast.AST, frame: "Frame") -> Label:
    """A fresh secret's label."""
    content = machine.token("secret", name)
    origin = Origin(Kind.SECRET, Grade.CERTAIN, name)
    return Label(
        origin, content, content, Risk.PLAIN, trail=Trail(Place(frame.unit, node), f"{name} is a secret by its name")
    )


def key_is_secret(key: object, unit: Unit) -> bool:
    """Whether a key of a dictionary (or a header) says that its value is a credential."""
    return isinstance(key, str) and (key.lower() in HEADERS or secret_name(key, unit))


def shortened(node: ast.Slice, machine: "Machine", unit: Unit) -> bool:
    """Whether a slice keeps too few characters to be of use."""
    lower = unit.module.constant(node.lower) if node.lower is not None else None
    upper = unit.module.constant(node.upper) if node.upper is not None else None
    del machine
    if isinstance(upper, int) and upper >= 0 and (lower is None or isinstance(lower, int)):
        return upper - (lower or 0) <= SHOWN
    return isinstance(lower, int) and lower < 0 and upper is None and -lower <= SHOWN


def note(machine: "Machine", call: "Call", name: str) -> None:
    """Note secrets that a call shows to people."""
    shown = shown_name(call, name)
    if not shown and shown_by_row(machine.catalogue, name, call.name):
        shown = f"{'.'.join(name.split('.')[-2:])}()"
    if not shown:
        return
    for value in call.everything:
        for label in all_labels(value, call.state):
            if label.origin.kind is Kind.SECRET and machine.left(label, call.state) & Risk.PLAIN:
                machine.reach(label, Use.LOG, call.node, shown, call.state, call.frame)
        for field in plain_fields(machine, value, call.state):
            label = label_of(machine, field, call.node, call.frame)
            machine.reach(label, Use.LOG, call.node, shown, call.state, call.frame)


def shown_by_row(catalogue: "Catalogue", name: str, method: str = "") -> bool:
    """Whether the tables say that a function, by its qualified name, or a method, by its own, shows its arguments."""
    row = catalogue.behaviour(name) if name else None
    if row is None and method:
        row = catalogue.any_method(method)
    return row is not None and any(sink.use is Use.LOG for sink in row.sinks)


def shown_name(call: "Call", name: str) -> str:
    """What a call that shows its arguments is called, "" for other calls."""
    func = call.node.func
    if isinstance(func, ast.Attribute):
        base = func.value
        last = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
        if last.lower().strip("_") in LOGGERS and (func.attr in LEVELS or func.attr.rpartition("_")[2] in LEVELS):
            return f"{last}.{func.attr}()"
    return (
        f"{name.rpartition('.')[2]}()"
        if name in ("print", "pprint.pprint", "pprint.pp", "warnings.warn", "sys.stderr.write", "sys.stdout.write")
        else ""
    )


def plain_fields(machine: "Machine", value: Value, state: "State") -> list[str]:
    """The secret fields that the text of an object shows: plain texts of a dataclass or a settings class."""
    found: list[str] = []
    for thing in value.things:
        if not isinstance(thing, Reference):
            continue
        cell = state.heap.get(thing.number)
        if cell is None or cell.ref is None or not _shows_fields(machine, cell.ref):
            continue
        for statement in cell.ref.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                name = statement.target.id
                if (
                    secret_name(name, cell.ref.unit)
                    and "Secret" not in ast.unparse(statement.annotation)
                    and not _hidden(statement.value)
                ):
                    found.append(f"{cell.ref.node.name}.{name}")
    return found[:1]


def _hidden(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and any(
        keyword.arg == "repr" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in value.keywords
    )


def _shows_fields(machine: "Machine", ref: ClassRef) -> bool:
    if any(name in ref.unit.methods.get(ref.node, {}) for name in ("__repr__", "__str__")):
        return False
    for decorator in ref.node.decorator_list:
        func = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (
            func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        ) == "dataclass":
            return True
    return any(
        isinstance(item, str) and item in FIELD_BASES | machine.catalogue.body_bases
        for item in machine.loader.lineage(ref)
    )


THE_SECRET_ITSELF = frozenset({"key", "value", "raw", "plain", "data"})
"""Keys of a credential's record under which the credential itself may stand."""


def of_record(labels: tuple[Label, ...], key: object, unit: Unit) -> tuple[Label, ...]:
    """The labels of one entry of a record: beside a credential stand its owner, its age and what it may be used for."""
    if not isinstance(key, str) or key.lower() in THE_SECRET_ITSELF or key_is_secret(key, unit):
        return labels
    return only_secrets(labels)


def only_secrets(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """The labels that are no secrets: what a call that nobody has read hands on."""
    return tuple(label for label in labels if label.origin.kind is not Kind.SECRET)


_ = replace
