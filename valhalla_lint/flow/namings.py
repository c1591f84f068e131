"""What looks like a weak check of a place and is none: how a thing is called, the form of an address, own settings."""

import ast

from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.labels import Kind, Mark
from valhalla_lint.flow.machine import Machine, Reached
from valhalla_lint.flow.values import Attempt, Place
from valhalla_lint.flow.words import pieces

SETTINGS = frozenset("config configuration conf cfg settings options opts".split())
"""Words in the name of a parameter that holds the settings of whoever runs the program."""
DIGESTS = frozenset("update md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s crc32 adler32".split())
"""Calls that make a digest of what they are given."""
SEPARATORS = frozenset("/\\")
UNREAD = "whose body was not read"
"""How a step ends that goes through a function which was not followed."""


def is_naming(place: Place) -> bool:
    """Whether a single dot is dropped, which makes a name of another name (`software.replace(".", "")`)."""
    match place.node:
        case ast.Call(
            func=ast.Attribute(attr="replace"), args=[ast.Constant(value="."), ast.Constant(value=str()), *_]
        ):
            return True
        case _:
            return False


def is_of_form(place: Place) -> bool:
    """Whether it is asked whether a text begins with a fixed word: the form of an address, and no folder in sight."""
    match place.node:
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Constant(value=str(word))]):
            return word != "" and SEPARATORS.isdisjoint(word)
        case _:
            return False


def is_only_key(place: Place) -> bool:
    """Whether what a text was cleaned to is only looked up: `name = src.replace("../", "")`, then `images[name]`."""
    module = place.unit.module
    match module.parent(place.node):
        case ast.Assign(targets=[ast.Name(id=name)]):
            around = module.function(place.node) or module.tree
            reads = [
                node
                for node in module.index.own(around)
                if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
            ]
            return bool(reads) and all(_is_looked_up(node, module.parent(node)) for node in reads)
        case _:
            return False


def _is_looked_up(node: ast.Name, above: ast.AST | None) -> bool:
    match above:
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()]):
            return left is node
        case ast.Subscript(slice=key):
            return key is node
        case ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]):
            return key is node
        case _:
            return False


def is_of_settings_object(machine: Machine, reached: Reached) -> bool:
    """Whether a value is a part of the settings that whoever runs the program hands in: `config.get("folder")`."""
    label = reached.label
    if label.origin.kind is not Kind.PARAMETER:
        return False
    name = label.origin.text.rpartition(" ")[2]
    return not SETTINGS.isdisjoint(pieces(name)) and any(
        parts[0] in ("attribute", "method", "item") for parts in machine.makings(label.content)
    )


def is_only_hashed(reached: Reached) -> bool:
    """Whether all that is done with a file is to read it for a digest: `md5.update(path.read_bytes())`."""
    module = reached.place.unit.module
    above = module.parent(reached.place.node)
    return isinstance(above, ast.Call) and last_name(above.func) in DIGESTS


def is_made_unread(attempt: Attempt, reached: Reached) -> bool:
    """Whether a helper that could not be followed made the path, before a check asks for its place: it may clean it."""
    trail = reached.label.trail if attempt.early and reached.label.marks & Mark.INDIRECT else None
    while trail is not None:
        if trail.text.endswith(UNREAD):
            return trail.place.unit is attempt.place.unit
        trail = trail.before
    return False
