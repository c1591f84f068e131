"""Absolute paths, home folders, drives and shares among a file's literals."""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.locations.location import LONGEST, Location, Meaning, begins, shown, whole
from valhalla_lint.facts.locations.uses import Usage, rows, usage
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.tables import table
from valhalla_lint.facts.words import last_name, words

SHORTEST = 3
"""A slash, a letter and something in it."""
DRIVE = regex(r"[A-Za-z]:[\\/](?![\\/])")
PERSONAL_DRIVE = regex(r"[A-Za-z]:[\\/]+Users[\\/]+(?!Public)")
SHARE = regex(r"\\\\[A-Za-z0-9_-][A-Za-z0-9_.-]*\\[A-Za-z0-9_$.-]+")
NOT_IN_PATHS = frozenset("\n\t <>|\"'()$^*?&=#,;")
AMBIGUOUS_ENDING = ".bin"
"""An ending of model weights, and of much else."""


class _Rules(NamedTuple):
    roots: frozenset[str]
    containers: frozenset[str]
    interfaces: tuple[str, ...]
    programs: tuple[str, ...]
    temporary: tuple[str, ...]
    memory: tuple[str, ...]
    endings: tuple[str, ...]
    weights: frozenset[str]


@cache
def _rules() -> _Rules:
    found = table("locations/paths")
    return _Rules(
        frozenset(found["roots"]),
        frozenset(found["container_roots"]),
        tuple(found["interfaces"]),
        tuple(found["programs"]),
        tuple(found["temporary"]),
        tuple(found["memory"]),
        tuple(found["weights"]),
        frozenset(found["weight_words"]),
    )


def paths(module: Module) -> Iterator[Location]:
    """The absolute paths, home folders, drives and shares among a file's literals, whatever is done with them."""
    for node, text in module.index.found("paths", ast.Constant, _like_paths):
        found = _location(module, node, text)
        if found is not None:
            yield found


def _like_paths(nodes: Sequence[ast.Constant]) -> Iterator[tuple[ast.Constant, str]]:
    """The literals that may be paths at first sight."""
    for node in nodes:
        text = node.value
        if isinstance(text, str) and SHORTEST <= len(text) <= LONGEST and (text[0] in "/~\\" or text[1] == ":"):
            yield node, text


def _location(module: Module, node: ast.Constant, text: str) -> Location | None:
    if not begins(module, node):
        return None
    meaning = path_meaning(text)
    if meaning is not None:
        used = usage(module, node)
        safe = meaning is Meaning.TEMPORARY and used.callee in rows()["temporary_calls"]
        if meaning is Meaning.ABSOLUTE:
            meaning = _weights(whole(module, node, text)) or meaning
        return None if safe else Location(node, meaning, used.use, shown(whole(module, node, text)))
    if not _could_be_route(text):
        return None
    used = usage(module, node)
    weights = _weights(whole(module, node, text))
    return (
        Location(node, weights or Meaning.ABSOLUTE, used.use, shown(whole(module, node, text)))
        if _is_file(module, node, used, known=_is_in_container(text), weights=weights is not None)
        else None
    )


def _is_file(module: Module, node: ast.Constant, used: Usage, *, known: bool, weights: bool) -> bool:
    """Whether a literal that could be a route goes into something that takes files, or has a name that says so.

    known: it begins with a folder that containers have; elsewhere only what opens a file by its very name is believed.
    weights: it ends as files of models do.
    """
    wrapped = module.parent(node)
    callees = {used.callee, last_name(wrapped.func) if isinstance(wrapped, ast.Call) else ""}
    if not rows()["opening_calls"].isdisjoint(callees):
        return True
    if not known:
        return False
    named = not rows()["file_words"].isdisjoint(words(used.name))
    return named or weights or not rows()["file_calls"].isdisjoint(callees)


def path_meaning(text: str) -> Meaning | None:
    """What a text is as a path; None where it is none, or one that also stands for a route."""
    if DRIVE.match(text):
        return None if "\n" in text else Meaning.HOME if PERSONAL_DRIVE.match(text) else Meaning.DRIVE
    if text[0] == "\\":
        return Meaning.SHARE if SHARE.match(text) else None
    if not NOT_IN_PATHS.isdisjoint(text):
        return None
    if text.startswith("~/"):
        return Meaning.USER
    if text[0] != "/":
        return None
    top, _, rest = text[1:].partition("/")
    rules = _rules()
    if top not in rules.roots:
        return None
    if _is_below(text, rules.temporary) or (_is_below(text, rules.memory) and rest.rstrip("/").count("/")):
        return Meaning.TEMPORARY
    if _is_below(text, rules.interfaces):
        return Meaning.INTERFACE
    if not rest:
        return None
    if top == "root" or (top in ("home", "Users") and not rest.startswith("Shared")):
        return Meaning.HOME
    if _is_below(text, rules.programs):
        return Meaning.PROGRAM
    return _weights(text) or Meaning.ABSOLUTE


def _is_below(text: str, prefixes: tuple[str, ...]) -> bool:
    return text.startswith(prefixes) and any(text == prefix or text.startswith(prefix + "/") for prefix in prefixes)


def _could_be_route(text: str) -> bool:
    return text[0] == "/" and text[1] not in "/." and NOT_IN_PATHS.isdisjoint(text)


def _is_in_container(text: str) -> bool:
    return text.split("/")[1] in _rules().containers


def _weights(text: str) -> Meaning | None:
    rules = _rules()
    ending = PurePosixPath(text).suffix.lower()
    if ending not in rules.endings or (ending == AMBIGUOUS_ENDING and rules.weights.isdisjoint(words(text))):
        return None
    return Meaning.WEIGHTS
