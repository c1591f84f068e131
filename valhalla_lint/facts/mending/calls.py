"""Calls that can be given a keyword argument."""

import ast

from valhalla_lint.facts.archive_names import unpacked
from valhalla_lint.facts.archives import archive
from valhalla_lint.facts.calls import RUNNERS, called, last_name
from valhalla_lint.facts.module import Module

TORCH_LOADERS = frozenset(
    {"torch.load", "torch.serialization.load", "torch.hub.load_state_dict_from_url", "torch.utils.model_zoo.load_url"}
)
HANDING_KEYWORDS_ON = frozenset({"to_thread", "run_in_threadpool", "submit"})
"""Functions, by last name, that run another one with the keyword arguments that they are given."""
WITHOUT_KEYWORDS = RUNNERS.keys() - HANDING_KEYWORDS_ON
IN_TEXTS = ("JoinedStr", "TemplateStr")


def keyword_can_be_set(call: ast.Call, name: str) -> bool:
    """Whether a keyword argument can be written into a call: nothing is unpacked that may hold it already."""
    return all(item.arg is not None for item in call.keywords) or any(item.arg == name for item in call.keywords)


def inside_text(module: Module, node: ast.AST) -> bool:
    """Whether a node stands inside an f-string, where places are not exact before Python 3.12."""
    return any(above.__class__.__name__ in IN_TEXTS for above in module.ancestors(node))


def torch_load_can_be_mended(module: Module, call: ast.Call) -> bool:
    """Whether `weights_only=True` can be written into a call: torch's own loader, with the flag left out or false.

    A `partial` of it is mended where the flag is written.
    """
    given = next((item.value for item in call.keywords if item.arg == "weights_only"), None)
    if inside_text(module, call) or not keyword_can_be_set(call, "weights_only"):
        return False
    if given is not None:
        return isinstance(given, ast.Constant)
    if any(item.arg == "pickle_module" for item in call.keywords):
        return False
    found = called(module, call)
    return found is not None and found.name in TORCH_LOADERS and last_name(call.func) not in WITHOUT_KEYWORDS


def extraction_can_be_mended(module: Module, call: ast.Call) -> bool:
    """Whether `filter="data"` can be written into a call: the extraction of what is surely a tar archive.

    A filter that is a function of the project's own is left: what it does would be lost.
    """
    given = next((item.value for item in call.keywords if item.arg == "filter"), None)
    if inside_text(module, call) or not keyword_can_be_set(call, "filter"):
        return False
    if given is not None and not (isinstance(given, ast.Constant) or (module.name(given) or "").startswith("tarfile.")):
        return False
    match handed_on(call):
        case ast.Attribute(attr="extractall" | "extract", value=receiver):
            opened = archive(module, receiver)
            return opened is not None and opened.tar and not opened.zip
        case _:
            pass
    found = called(module, call)
    if found is None or found.name != "shutil.unpack_archive" or last_name(call.func) in WITHOUT_KEYWORDS:
        return False
    opened = unpacked(module, call, found.arguments)
    return opened is not None and opened.tar


def handed_on(call: ast.Call) -> ast.expr:
    """What a call runs: the function that it hands to what runs it with its keywords, or its own."""
    name = last_name(call.func)
    if name in HANDING_KEYWORDS_ON and RUNNERS[name] < len(call.args):
        return call.args[RUNNERS[name]]
    return call.func
