"""Literals that are handed to calls as credentials, as the function, the parameter or the text beside them says."""

import ast
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.binder import PASSWORD, SIGNING_KEY, TRIED, Binder, Bound
from valhalla_lint.facts.compared import compared
from valhalla_lint.facts.literals import calls, leaves, target_name, text_of
from valhalla_lint.facts.parameters import own_arguments
from valhalla_lint.facts.secret_names import judge_name

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module


@cache
def _asked() -> frozenset[str]:
    return calls().asked


LOOKED_UP = frozenset({"get", "pop"})
"""The most frequent calls by far; with a single argument they bind nothing."""


def called_with(module: "Module", binder: Binder) -> Iterator[Bound]:
    """The literals that calls take as credentials."""
    called = module.calls
    for last in _asked().intersection(called):
        alone = last in LOOKED_UP
        for node in called[last]:
            if node.args and not (alone and len(node.args) == 1 and not node.keywords):
                yield from _known_call(node, last, binder)
    if binder.telling:
        for argument, name in own_arguments(module, binder.telling):
            yield from binder.bound(name, argument)
        yield from _setters(module, binder)


ABSENT = frozenset({"default", "fallback", "default_value", "default_var"})
"""Keywords of what a look-up gives where nothing is set."""
SETTER = regex(r"set_?(?P<name>\w+)")


def _setters(module: "Module", binder: Binder) -> Iterator[Bound]:
    """The only argument of `set_api_key("…")`, and the last of `config.set("section", "option", "…")`."""
    called = module.calls
    for last in called:
        if last[:3] == "set" and last not in _asked():
            match = SETTER.fullmatch(last)
            if match is not None and judge_name(match["name"]) is not None:
                for node in called[last]:
                    if len(node.args) == 1:
                        yield from binder.bound(match["name"], node.args[0])
    for node in called.get("set", ()):
        if len(node.args) == 3:  # noqa: PLR2004 -- section, option, value
            yield from binder.bound(target_name(node.args[1]), node.args[2])


def _known_call(node: ast.Call, last: str, binder: Binder) -> Iterator[Bound]:
    known = calls()
    arguments = node.args
    if last in known.password and known.password[last] < len(arguments):
        topic = "authorization" if last.endswith(("Auth", "auth")) else "token"
        of_keyring = last == "set_password" and len(arguments) == 3  # noqa: PLR2004 -- service, user, password
        yield from binder.bound(
            "password", arguments[-1 if of_keyring else known.password[last]], topic, verdict=PASSWORD
        )
    yield from _handed_key(node, last, binder)
    if last in known.pair_encoder:
        yield from _encoded_pair(arguments[0])
    if last in known.tried and known.tried[last] < len(arguments):
        yield from binder.bound("password", arguments[known.tried[last]], verdict=TRIED)
    if last in known.compare and len(arguments) > 1:
        for one, other in ((arguments[0], arguments[1]), (arguments[1], arguments[0])):
            if not isinstance(one, ast.Constant):
                yield from compared(target_name(one), other, binder, asserted=last.startswith("assert"))
    first = text_of(arguments[0].value) if arguments and isinstance(arguments[0], ast.Constant) else None
    if first is None and arguments and isinstance(arguments[0], ast.Name | ast.Attribute):
        first = target_name(arguments[0])
    if last == "getattr" and len(arguments) > 2:  # noqa: PLR2004 -- object, name, default
        yield from binder.bound(target_name(arguments[1]), arguments[2], "fallback")
    elif first is not None and last in known.pair and len(arguments) > 1:
        topic = "fallback" if last == "setdefault" else "token"
        if last in ("setattr", "__setattr__"):
            yield from binder.bound(target_name(arguments[1]), arguments[2] if len(arguments) > 2 else None)  # noqa: PLR2004 -- as getattr
        else:
            yield from binder.bound(first, arguments[1], topic)
    elif first is not None and last in known.fallback:
        given = [arguments[1]] if len(arguments) > 1 else []
        given += [keyword.value for keyword in node.keywords if keyword.arg in ABSENT]
        for value in given:
            yield from binder.bound(first, value, "fallback")
        if len(arguments) > 1 and any(keyword.arg in ABSENT for keyword in node.keywords):
            option = target_name(arguments[1])
            for keyword in node.keywords:
                if keyword.arg in ABSENT:
                    yield from binder.bound(option, keyword.value, "fallback")
    elif last in known.option:
        names = [text for item in arguments if isinstance(item, ast.Constant) and (text := text_of(item.value))]
        name = next((text for text in names if judge_name(text.lstrip("-")) is not None), None)
        if name is not None:
            for keyword in node.keywords:
                if keyword.arg in ("default", "const", "flag_value"):
                    yield from binder.bound(option_name(name), keyword.value, "fallback")


def option_name(option: str) -> str:
    """What the value of a command-line option is called in the program: `api_key` for `--api-key`, never a header."""
    return option.lstrip("-").replace("-", "_")


def _handed_key(node: ast.Call, last: str, binder: Binder) -> Iterator[Bound]:
    known = calls().key
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    for name in (last, f"{owner.id}.{last}" if isinstance(owner, ast.Name) else ""):
        if name in known and known[name] < len(node.args):
            yield from binder.bound("key", node.args[known[name]], verdict=SIGNING_KEY)


PAIR_TEXT = regex(r"[^\s:]{1,80}:[^\s:]{4,200}")


def _encoded_pair(value: ast.AST) -> Iterator[Bound]:
    """The password of `b64encode(b"user:password")`."""
    for leaf in leaves(value):
        if not leaf.partial and PAIR_TEXT.fullmatch(leaf.text):
            user, _, password = leaf.text.partition(":")
            if user.lower() not in ("user", "username"):
                yield Bound(leaf.node, password, "Authorization", PASSWORD, "authorization")


def pair_of_auth(pair: ast.Tuple, binder: Binder) -> Iterator[Bound]:
    """The password of a pair of user and password."""
    if len(pair.elts) == 2:  # noqa: PLR2004 -- user and password
        yield from binder.bound("auth", pair.elts[1], "authorization", verdict=PASSWORD)
