"""The variable of the environment that takes the place of a credential, and how it is read."""

import ast
import re
from collections import Counter
from collections.abc import Container, Iterator
from itertools import chain, count

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.credentials import Credential
from valhalla_lint.facts.mending.credentials import credential_literal
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.words import last_name, words

GENERIC = frozenset(
    {"token", "password", "passwd", "pwd", "secret", "key", "auth", "credential", "passphrase", "value"}
)
"""A variable of one such word alone says too little, and other programs may know it."""
NOT_WORD = re.compile(r"[^A-Za-z0-9]+")


def credential_of(module: Module, finding: Finding) -> Credential | None:
    """The credential that a finding speaks of."""
    for found in module.credentials:
        span = module.span(found.at) if isinstance(found.at, ast.AST) else found.at
        if span == finding.span:
            return found
    return None


def variables(module: Module) -> dict[str, str]:
    """The name of a variable of the environment for each value that can be taken out, by that value.

    A name comes from what the credential is bound to, else from its kind. Where several values would get the same, the
    words of the definition around each go first, then a number behind it: one variable holds one value.
    """
    literals: dict[str, ast.Constant] = {}
    names: dict[str, str] = {}
    for item in module.credentials:
        literal = None if item.secret in names else credential_literal(module, item)
        if literal is not None:
            literals[item.secret] = literal
            names[item.secret] = _variable(module, item, literal)
    counts = Counter(names.values())
    given = {name for name, holders in counts.items() if holders == 1}
    for secret, name in names.items():
        if counts[name] > 1:
            longer = "_".join(dict.fromkeys([*_around(module, literals[secret]), *name.split("_")]))
            numbered = (f"{longer}_{number}" for number in count(2))
            names[secret] = next(free for free in chain((longer,), numbered) if _is_free(module, free, given))
            given.add(names[secret])
    return names


def _is_free(module: Module, name: str, given: Container[str]) -> bool:
    """Whether a name was given to nothing else, now or in an earlier round."""
    return name not in given and f'"{name}"' not in module.text and f"'{name}'" not in module.text


def _variable(module: Module, credential: Credential, node: ast.AST) -> str:
    """The name of a variable by the credential alone."""
    target = credential.target.replace("-", "_").rpartition(".")[2] or _receiver(module, node)
    parts = [word.upper() for word in words(target) if word.isascii()]
    if not parts:
        parts = [word.upper() for word in NOT_WORD.split(credential.kind) if word.isascii()]
    if len(parts) == 1 and parts[0].lower() in GENERIC:
        parts = [*_around(module, node), *parts]
    name = "_".join(dict.fromkeys(parts)) or "SECRET"
    return f"N_{name}" if name[0].isdigit() else name


def _receiver(module: Module, node: ast.AST) -> str:
    """What is given the value of a node: a variable or a keyword; "" where it has no name."""
    match module.parent(node):
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return last_name(target)
        case ast.keyword(arg=str(name)):
            return name
        case _:
            return ""


def _around(module: Module, node: ast.AST) -> Iterator[str]:
    """The words of the definition around a node, or else of the module."""
    stem = module.path.rpartition("/")[2].partition(".")[0]
    for part in (*reversed(module.definition(node).split(".")), stem):
        found = [word.upper() for word in words(part) if word.isascii() and word not in ("init", "main")]
        if found:
            yield from found
            return
