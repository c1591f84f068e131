"""Credentials whose literal a look-up can take the place of."""

import ast

from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.credentials import Credential
from valhalla_lint.facts.mending.calls import inside_text
from valhalla_lint.facts.module import Module


def credential_can_be_looked_up(module: Module, credential: Credential) -> bool:
    """Whether a look-up in the environment can take the place of a credential, and its value be gone from the file.

    Not in tests: where the variable is not set, every test that needs the value would fail.
    """
    same = [item for item in module.credentials if item.secret == credential.secret and item.topic == credential.topic]
    literals = [credential_literal(module, item) for item in same]
    found = [literal for literal in literals if literal is not None]
    here = credential_literal(module, credential)
    return (
        here is not None
        and module.tier.tier is not Tier.TEST
        and not sets_environment(module, here)
        and not is_one_of_several(module, here, credential)
        and not stands_elsewhere(module, credential.secret, found)
    )


def credential_literal(module: Module, credential: Credential) -> ast.Constant | None:
    """The one literal that is a credential and nothing else; None where it is only a part, or in a pattern or text."""
    span = module.span(credential.at) if isinstance(credential.at, ast.AST) else credential.at
    for node in module.nodes(ast.Constant):
        if not isinstance(node.value, str | bytes) or not node.lineno <= span.line <= (node.end_lineno or node.lineno):
            continue
        value = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        if value != credential.secret or not module.span(node).contains(span):
            continue
        in_pattern = any(isinstance(above, ast.pattern) for above in module.ancestors(node))
        return None if in_pattern or inside_text(module, node) or _holds_comment(module, node) else node
    return None


def is_one_of_several(module: Module, literal: ast.Constant, credential: Credential) -> bool:
    """Whether a literal stands with others under one name, or as a key: one variable cannot hold them all."""
    display = module.parent(literal)
    if isinstance(display, ast.Dict) and any(key is literal for key in display.keys):
        return True
    return isinstance(display, ast.List | ast.Tuple | ast.Set) and any(
        other.secret != credential.secret
        and other.target == credential.target
        and isinstance(other.at, ast.AST)
        and module.parent(other.at) is display
        for other in module.credentials
    )


def _holds_comment(module: Module, node: ast.Constant) -> bool:
    """Whether a comment stands between the parts of a literal; it would be lost."""
    span = module.span(node)
    if span.line == span.end_line or "#" not in module.segment(node):
        return False
    return any(span.line <= item.line < span.end_line for item in module.comments)


def stands_elsewhere(module: Module, secret: str, literals: list[ast.Constant]) -> bool:
    """Whether the value of a credential stands in the text outside of some literals, or in the texts beside it."""
    if any(secret in beside.text for beside in module.source.beside):
        return True
    return module.text.count(secret) > sum(module.segment(node).count(secret) for node in literals)


def sets_environment(module: Module, literal: ast.Constant) -> bool:
    """Whether a literal is what a variable of the environment is set to."""
    match module.parent(literal):
        case ast.Assign(targets=[ast.Subscript(value=owner)]):
            return module.name(owner) == "os.environ"
        case ast.Call(func=function):
            return module.name(function) in ("os.putenv", "os.environ.setdefault")
        case _:
            return False
