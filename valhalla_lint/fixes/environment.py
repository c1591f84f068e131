"""Literals of credentials become look-ups in the environment; the value is nowhere in the file then."""

import ast
from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.credentials import Credential
from valhalla_lint.facts.mending.credentials import (
    credential_literal,
    is_one_of_several,
    sets_environment,
    stands_elsewhere,
)
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.fix import Edit, Fix, Refusal, Replaced
from valhalla_lint.fixes.identifiers import reachable
from valhalla_lint.fixes.secrets import credential_of, variables
from valhalla_lint.fixes.text import Places

PART = "it is only a part of a text, or stands where no look-up can stand: revoke it and take it out by hand"
ELSEWHERE = "the same value stands elsewhere in the file, where no look-up can take its place: take it out by hand"
SHADOWED = "os means something else here"
SETS = "it sets the variable that it would be read from: revoke it and take the line out by hand"
IN_TEST = (
    "a test that reads it from the environment fails where it is not set: revoke it, and write a made-up value that "
    "has no provider's shape"
)
SEVERAL = "it is one of several under one name, which one variable cannot hold: revoke it and take it out by hand"


def look_ups(module: Module, code: str, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each value among the findings of a rule."""
    groups: dict[str, list[tuple[Finding, Credential, ast.Constant]]] = {}
    for finding in findings:
        credential = credential_of(module, finding)
        literal = credential_literal(module, credential) if credential is not None else None
        if credential is None or literal is None:
            yield Refusal(finding, PART)
        elif reachable(module, literal, "os.environ") is None:
            yield Refusal(finding, SHADOWED)
        elif module.tier.tier is Tier.TEST:
            yield Refusal(finding, IN_TEST)
        elif sets_environment(module, literal):
            yield Refusal(finding, SETS)
        elif is_one_of_several(module, literal, credential):
            yield Refusal(finding, SEVERAL)
        else:
            groups.setdefault(credential.secret, []).append((finding, credential, literal))
    names = variables(module) if groups else {}
    for secret, group in groups.items():
        if stands_elsewhere(module, secret, [literal for _, _, literal in group]):
            yield from (Refusal(finding, ELSEWHERE) for finding, _, _ in group)
        else:
            yield _fix(module, code, group, names[secret])


def _fix(module: Module, code: str, group: Sequence[tuple[Finding, Credential, ast.Constant]], name: str) -> Fix:
    places = Places(module.text)
    edits: list[Edit] = []
    replaced: list[Replaced] = []
    imports: tuple[str, ...] = ()
    for _, _, literal in group:
        root = reachable(module, literal, "os.environ")
        if root is None:
            continue
        text = f'{root.written}["{name}"]' + (".encode()" if isinstance(literal.value, bytes) else "")
        start, end = places.range(module.span(literal))
        before = " " if module.text[start - 1 : start].isalnum() else ""
        after = " " if module.text[end : end + 1].isalnum() else ""
        edits.append(Edit(start, end, f"{before}{text}{after}"))
        replaced.append(Replaced(literal, ast.parse(text, mode="eval").body))
        imports = imports or root.imports
    return Fix(
        code=code,
        findings=tuple(finding for finding, _, _ in group),
        edits=tuple(edits),
        replaced=tuple(replaced),
        safe=False,
        summary=f"read {name} from the environment; revoke the value that stood here",
        imports=imports,
    )
