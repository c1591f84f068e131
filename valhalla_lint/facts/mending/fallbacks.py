"""Look-ups whose literal fallback can be dropped."""

import ast
from typing import NamedTuple

from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.credentials import Credential
from valhalla_lint.facts.mending.credentials import credential_literal, stands_elsewhere
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.words import last_name


class Fallback(NamedTuple):
    """A look-up with a literal fallback.

    kind: "environment" (a look-up in os.environ), "argument" (a call that fails without it), "option" (of a command),
    "field" (`Field("...")`), "annotated" (a field of settings). whole: what is exchanged. key: what is looked up.
    """

    kind: str
    whole: ast.expr | ast.keyword | ast.AnnAssign
    key: ast.expr | None = None


ENVIRONMENT = frozenset({"os.getenv", "os.environ.get"})
FAILING = frozenset({"config", "env"})
"""Functions of libraries for settings that raise where a setting is missing and has no default."""


def fallback_of(module: Module, literal: ast.Constant) -> Fallback | None:
    """The look-up whose fallback a literal is, where dropping it makes a missing setting an error; else None."""
    match module.parent(literal):
        case ast.BoolOp(op=ast.Or(), values=[ast.Call(args=[key, *_]) as call, last]) as whole if last is literal:
            known = module.name(call.func) in ENVIRONMENT and len(call.args) == 1 and not call.keywords
            return Fallback("environment", whole, key) if known else None
        case ast.Call(args=[key, default]) as call if default is literal and not call.keywords:
            return Fallback("environment", call, key) if module.name(call.func) in ENVIRONMENT else None
        case ast.Call(func=ast.Name(id="getattr"), args=[_, _, default]) as call if default is literal:
            return Fallback("argument", call)
        case ast.Call(func=function, args=[first, *_]) if first is literal and last_name(function) == "Field":
            return Fallback("field", literal)
        case ast.keyword(arg="default") as keyword:
            return _by_keyword(module, keyword)
        case ast.AnnAssign(value=value) as statement if value is literal:
            owner = module.parent(statement)
            settings = isinstance(owner, ast.ClassDef) and any(
                last_name(base) == "BaseSettings" for base in owner.bases
            )
            return Fallback("annotated", statement) if settings else None
        case _:
            return None


def _by_keyword(module: Module, keyword: ast.keyword) -> Fallback | None:
    call = module.parent(keyword)
    if not isinstance(call, ast.Call):
        return None
    if module.name(call.func) in ENVIRONMENT and len(call.args) == 1 and len(call.keywords) == 1:
        return Fallback("environment", call, call.args[0])
    match last_name(call.func):
        case "add_argument" | "option":
            named = any(isinstance(item, ast.Constant) and str(item.value).startswith("-") for item in call.args)
            free = all(item.arg not in ("required", None) for item in call.keywords)
            return Fallback("option", keyword) if named and free else None
        case "Field":
            return Fallback("field", keyword.value)
        case name if name in FAILING:
            return Fallback("argument", call)
        case _:
            return None


def fallback_can_be_dropped(module: Module, credential: Credential) -> bool:
    """Whether the literal fallback of a look-up can go, so that a missing setting is an error; not in tests."""
    literal = credential_literal(module, credential)
    if module.tier.tier is Tier.TEST or literal is None or stands_elsewhere(module, credential.secret, [literal]):
        return False
    return fallback_of(module, literal) is not None
