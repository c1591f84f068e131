"""What one file says of serving models: accelerators, attention, origins that are let in, system messages."""

import ast
import re
from collections.abc import Iterator

from valhalla_lint.facts.module import Module
from valhalla_lint.review.definitions import written
from valhalla_lint.review.python import COMPUTED, EVERY, FILLED, FIXED

ATTENTION = frozenset({"flash_attention_2", "flash_attention_3", "flash_attn", "sdpa", "flex_attention", "eager"})
"""Names by which libraries of models are told which attention to use."""
CUDA = re.compile(r"cuda(?::\d{1,3})?")


def attention(module: Module) -> Iterator[tuple[str, int]]:
    """String constants that name an attention back end, in files that speak of attention."""
    if "attn" not in module.text:
        return
    for node in module.nodes(ast.Constant):
        if isinstance(node.value, str) and node.value in ATTENTION:
            yield node.value, node.lineno


def devices(module: Module) -> Iterator[tuple[str, int]]:
    """Places that name an accelerator literally: `.cuda()`, `.to("cuda")`, `device="cuda:0"` in a call."""
    if "cuda" not in module.lower:
        return
    for node in module.nodes(ast.Call):
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if attribute == "cuda" and isinstance(node.func, ast.Attribute) and module.name(node.func) is None:
            yield ".cuda()", node.lineno
        values = [keyword.value for keyword in node.keywords if keyword.arg in ("device", "device_map", "map_location")]
        if attribute == "to" or module.name(node.func) == "torch.device":
            values.extend(node.args[:1])
        for value in values:
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and CUDA.fullmatch(value.value):
                yield value.value, node.lineno


def origins(module: Module) -> Iterator[tuple[int, str]]:
    """Calls that say which origins are let in, and what they say: `EVERY`, `FIXED` or `COMPUTED`."""
    for node in module.nodes(ast.keyword):
        if node.arg in ("allow_origins", "origins", "cors_allowed_origins", "allow_origin_regex"):
            values = node.value.elts if isinstance(node.value, ast.List | ast.Tuple | ast.Set) else [node.value]
            known = [module.constant(value) for value in values]
            every = any(value in ("*", ".*") for value in known if isinstance(value, str))
            computed = any(not isinstance(value, str) for value in known)
            yield node.value.lineno, EVERY if every else COMPUTED if computed else FIXED


def system_messages(module: Module) -> Iterator[tuple[int, str]]:
    """Messages with the role "system": line, and what their text is (`FIXED`, `FILLED`, `COMPUTED`)."""
    if "system" not in module.lower:
        return
    for node in module.nodes(ast.Dict):
        pairs = {
            key.value: value
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
        if _is_system(pairs.get("role")) and (content := pairs.get("content")) is not None:
            yield node.lineno, _content(module, content)
    for call in module.nodes(ast.Call):
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        name = (module.name(call.func) or written(call.func)).rpartition(".")[2]
        text = given.get("content", call.args[0] if call.args and name == "SystemMessage" else None)
        if text is not None and (_is_system(given.get("role")) or name == "SystemMessage"):
            yield call.lineno, _content(module, text)


def _is_system(role: ast.expr | None) -> bool:
    """Whether a role is "system", as a text or as a member of an enumeration."""
    match role:
        case ast.Constant(value="system"):
            return True
        case ast.Attribute(attr=name):
            return name.lower() == "system"
        case _:
            return False


def _content(module: Module, content: ast.expr) -> str:
    """What the text of a message is: fixed, fixed with values put in, or computed elsewhere."""
    if isinstance(module.constant(content), str):
        return FIXED
    match content:
        case ast.JoinedStr(values=values):
            return FILLED if any(isinstance(value, ast.FormattedValue) for value in values) else FIXED
        case ast.BinOp(op=ast.Add() | ast.Mod()) | ast.Call(func=ast.Attribute(attr="format" | "format_map")):
            return FILLED
        case ast.List(elts=[ast.Dict(keys=keys, values=values)]):
            parts = [
                value
                for key, value in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant) and key.value in ("text", "content")
            ]
            return _content(module, parts[0]) if parts else COMPUTED
        case _:
            return COMPUTED
