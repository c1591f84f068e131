"""Calls that can be given a keyword argument."""

import ast

from valhalla_lint.facts.archives import archive
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.module import Module

TORCH_LOADERS = frozenset(
    {"torch.load", "torch.serialization.load", "torch.hub.load_state_dict_from_url", "torch.utils.model_zoo.load_url"}
)
TAR_FORMATS = ("tar", "gztar", "bztar", "xztar", "zstdtar")
TAR_ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst")
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
    return module.name(call.func) in TORCH_LOADERS


def extraction_can_be_mended(module: Module, call: ast.Call) -> bool:
    """Whether `filter="data"` can be written into a call: the extraction of what is surely a tar archive.

    A filter that is a function of the project's own is left: what it does would be lost.
    """
    given = next((item.value for item in call.keywords if item.arg == "filter"), None)
    if inside_text(module, call) or not keyword_can_be_set(call, "filter"):
        return False
    if given is not None and not (isinstance(given, ast.Constant) or (module.name(given) or "").startswith("tarfile.")):
        return False
    match call.func:
        case ast.Attribute(attr="extractall" | "extract", value=receiver):
            opened = archive(module, receiver)
            return opened is not None and opened.tar and not opened.zip
        case _:
            pass
    if module.name(call.func) != "shutil.unpack_archive":
        return False
    form = _argument(module, call, "format", 2)
    if form is not MISSING and form is not None:
        return form in TAR_FORMATS
    file = _argument(module, call, "filename", 0)
    return isinstance(file, str) and file.endswith(TAR_ENDINGS)


def _argument(module: Module, call: ast.Call, name: str, position: int) -> object:
    given = next((item.value for item in call.keywords if item.arg == name), None)
    if given is None and position < len(call.args):
        given = call.args[position]
    return MISSING if given is None else module.constant(given)
