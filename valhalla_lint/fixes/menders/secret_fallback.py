"""VH105: the literal fallback of a look-up goes, so that a missing setting is an error at start."""

import ast
from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.mending.credentials import credential_literal, stands_elsewhere
from valhalla_lint.facts.mending.fallbacks import Fallback, fallback_of
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.calls import without_argument
from valhalla_lint.fixes.fix import Edit, Fix, Mender, Refusal, Replaced
from valhalla_lint.fixes.identifiers import imported_as
from valhalla_lint.fixes.secrets import credential_of
from valhalla_lint.fixes.text import Places

ELSEWHERE = "the same value stands elsewhere in the file: take it out by hand"
IN_TEST = "a test without its fallback fails where the variable is not set: take it out by hand"
UNKNOWN = "what would happen without the fallback is not known here: take it out by hand"


def plan(module: Module, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each fallback; the program needs the setting from then on, so none is safe."""
    for finding in findings:
        credential = credential_of(module, finding)
        literal = credential_literal(module, credential) if credential is not None else None
        if credential is None or literal is None:
            yield Refusal(finding, UNKNOWN)
        elif module.tier.tier is Tier.TEST:
            yield Refusal(finding, IN_TEST)
        elif stands_elsewhere(module, credential.secret, [literal]):
            yield Refusal(finding, ELSEWHERE)
        else:
            made = _without(module, literal)
            if made is None:
                yield Refusal(finding, UNKNOWN)
                continue
            edit, replaced, done = made
            yield Fix("VH105", (finding,), (edit,), (replaced,), safe=False, summary=done)


def _without(module: Module, literal: ast.Constant) -> tuple[Edit, Replaced, str] | None:
    """The edit that drops a fallback, the same as a tree, and what is done, in words."""
    found = fallback_of(module, literal)
    match found:
        case Fallback(kind="environment", whole=ast.expr() as whole, key=ast.expr() as key):
            root = imported_as(module, whole, "os.environ")
            return (
                None
                if root is None
                else _exchanged(module, whole, f"{root}[{module.segment(key)}]", "require the variable")
            )
        case Fallback(kind="argument", whole=ast.Call() as call):
            dropped = without_argument(module, call, literal)
            return None if dropped is None else (*dropped, "drop the default")
        case Fallback(kind="option", whole=ast.keyword() as keyword):
            edit, _ = _exchange(module, keyword, "required=True")
            new = ast.keyword(arg="required", value=ast.Constant(value=True))
            return edit, Replaced(keyword, new), "require the option"
        case Fallback(kind="field"):
            return _exchanged(module, literal, "...", "require the field")
        case Fallback(kind="annotated", whole=ast.AnnAssign() as statement):
            places = Places(module.text)
            _, start = places.range(module.span(statement.annotation))
            _, end = places.range(module.span(statement))
            new_statement = ast.AnnAssign(
                target=statement.target, annotation=statement.annotation, value=None, simple=statement.simple
            )
            return Edit(start, end, ""), Replaced(statement, new_statement), "require the field"
        case _:
            return None


def _exchange(module: Module, node: ast.AST, text: str) -> tuple[Edit, int]:
    start, end = Places(module.text).range(module.span(node))
    return Edit(start, end, text), start


def _exchanged(module: Module, node: ast.expr, text: str, done: str) -> tuple[Edit, Replaced, str]:
    edit, _ = _exchange(module, node, text)
    return edit, Replaced(node, ast.parse(text, mode="eval").body), done


MENDER = Mender("VH105", plan)
