"""A literal place and what it means."""

import ast
from enum import Enum
from typing import NamedTuple

from valhalla_lint.facts.locations.uses import Use
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.quoting import quoted

LONGEST = 300
"""Longer literals are texts, not places."""
SHOWN = 60


class Meaning(Enum):
    """What a literal place is, in the words that messages use."""

    ABSOLUTE = "an absolute path"
    HOME = "somebody's home folder"
    USER = "a path below the user's home folder"
    TEMPORARY = "a name in a temporary folder that everybody can write to"
    DRIVE = "a path on a Windows drive"
    SHARE = "a network share"
    WEIGHTS = "an absolute path of model weights"
    INTERFACE = "an interface of the operating system"
    PROGRAM = "a place of installed programs"
    INTERNAL = "an address that only one network knows"
    LOOPBACK = "an address of this machine"
    EVERYWHERE = "an address that listens on every interface"
    SERVICE = "the address of a service"
    BUCKET = "a place in an object store"
    PORT = "a port"


class Location(NamedTuple):
    """A literal place. shown: the text as messages quote it (cut, without user information)."""

    node: ast.Constant
    meaning: Meaning
    use: Use
    shown: str


def shown(text: str) -> str:
    """A text as a message quotes it: cut, and without keys that stand in it (`hooks.example/services/…`)."""
    begin = quoted(text, SHOWN + 1)
    return begin if len(begin) <= SHOWN else begin[:SHOWN] + "…"


def begins(module: Module, node: ast.Constant) -> bool:
    """Whether a literal is the beginning of its text: in an f-string or a sum, the first part."""
    below: ast.AST = node
    above = module.parent(node)
    while isinstance(above, ast.JoinedStr | ast.BinOp):
        first = above.values[0] if isinstance(above, ast.JoinedStr) else above.left
        if first is not below:
            return False
        below = above
        above = module.parent(above)
    return True


GAP = "…"


def whole(module: Module, node: ast.Constant, text: str) -> str:
    """The text that a literal begins, alone or in an f-string, a sum or a path put together: its two ends and a gap."""
    found: ast.AST = node
    for above in module.ancestors(node):
        if not isinstance(above, ast.JoinedStr) and not (isinstance(above, ast.BinOp) and not _is_filled(above)):
            break
        found = above
    while isinstance(found, ast.JoinedStr | ast.BinOp):
        found = found.values[-1] if isinstance(found, ast.JoinedStr) else found.right
    if found is node:
        return text
    return f"{text}{GAP}{found.value}" if isinstance(found, ast.Constant) and isinstance(found.value, str) else text


def _is_filled(operation: ast.BinOp) -> bool:
    """Whether an operation fills the gaps of a text (`"/models/%s.pt" % name`), which ends as it is written."""
    return isinstance(operation.op, ast.Mod)


def goes_on(module: Module, node: ast.Constant) -> bool:
    """Whether a literal is only a part of an f-string."""
    return isinstance(module.parent(node), ast.JoinedStr)
