"""Calls that fetch a model, a data set or code by its name: what is fetched, from where, at which revision."""

import ast
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.calls import RUNNERS, Arguments, arguments, called
from valhalla_lint.facts.constants import MISSING

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module


class Place(Enum):
    """Where the thing named lies."""

    HUB = "a repository of the hub, named by a constant"
    LOCAL = "a folder on this machine"
    UNKNOWN = "not known here"


class Revision(Enum):
    """How firmly the revision is fixed."""

    PINNED = "a commit"
    TAG = "a tag, which its owner can move"
    MOVING = "a branch, or none given"
    UNKNOWN = "not known here"


class Fetch(NamedTuple):
    """One call that fetches by name.

    what: the function as a reader knows it (`AutoModel.from_pretrained`). repository: its constant name, or "".
    label: the revision as written, or "".
    """

    node: ast.Call
    what: str
    repository: str
    place: Place
    revision: Revision
    label: str
    arguments: Arguments


COMMIT = regex(r"[0-9a-fA-F]{7,64}")
TAG = regex(r"[vV]?\d[\w.+-]*")
REPOSITORY = regex(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
LOCAL = regex(r"[./~\\]|[A-Za-z]:[\\/]|file:")
PATH_MAKERS = frozenset(
    {"join", "Path", "PurePath", "abspath", "realpath", "expanduser", "resolve", "mkdtemp", "dirname"}
)
"""Last names of calls that make a path of this machine."""
BUILDERS = frozenset(
    [
        "arrow",
        "audiofolder",
        "csv",
        "generator",
        "hdf5",
        "imagefolder",
        "json",
        "pandas",
        "parquet",
        "spark",
        "sql",
        "text",
        "videofolder",
        "webdataset",
        "xml",
    ]
)
"""Names that `load_dataset` takes for a format of local files, not for a repository."""

PRETRAINED = frozenset(
    [
        "adapters",
        "auto_gptq",
        "awq",
        "ctransformers",
        "diffusers",
        "gliner",
        "modelscope",
        "open_clip",
        "optimum",
        "peft",
        "sentence_transformers",
        "setfit",
        "span_marker",
        "transformers",
    ]
)
"""Libraries whose classes have a `from_pretrained` that downloads from a hub."""
SECOND = frozenset({"peft"})
"""Those whose `from_pretrained` takes the model first and the name second."""

Row = tuple[tuple[str, ...], int]
"""The keywords under which a function takes the name, and its position."""

FETCHERS: dict[str, Row] = {
    "huggingface_hub.hf_hub_download": (("repo_id",), 0),
    "huggingface_hub.snapshot_download": (("repo_id",), 0),
    "huggingface_hub.from_pretrained_keras": (("pretrained_model_name_or_path",), 0),
    "huggingface_hub.from_pretrained_fastai": (("repo_id",), 0),
    "modelscope.snapshot_download": (("model_id",), 0),
    "modelscope.hub.snapshot_download.snapshot_download": (("model_id",), 0),
    "transformers.pipeline": (("model",), 1),
    "datasets.load_dataset": (("path",), 0),
    "datasets.load_dataset_builder": (("path",), 0),
    "sentence_transformers.SentenceTransformer": (("model_name_or_path",), 0),
    "sentence_transformers.CrossEncoder": (("model_name_or_path", "model_name"), 0),
    "sentence_transformers.SparseEncoder": (("model_name_or_path",), 0),
    "vllm.LLM": (("model",), 0),
}
METHODS: dict[str, Row] = {"hf_hub_download": (("repo_id",), 0), "snapshot_download": (("repo_id",), 0)}
"""Methods that are known by their name alone (`HfApi().snapshot_download`)."""
NAMES = frozenset({"from_pretrained", *METHODS, *RUNNERS, *(name.rpartition(".")[2] for name in FETCHERS)})
"""The last names that a call can have; ask `fetch` about these only."""


def fetch(module: "Module", call: ast.Call) -> Fetch | None:
    """What a call fetches, or None where it is no call that fetches by name."""
    found = called(module, call)
    if found is not None:
        given, name = found.arguments, found.name
        row = _row(name)
    elif isinstance(call.func, ast.Attribute):
        given, name = arguments(module, call), call.func.attr
        row = METHODS.get(name)
    else:
        return None
    if row is None:
        return None
    keywords, position = row
    target = next((given.keywords[key] for key in keywords if key in given.keywords), None) or given.get("", position)
    repository, place = _place(module, target, name)
    revision, label = revision_of(module, given, "revision")
    return Fetch(call, _short(name), repository, place, revision, label, given)


def _row(name: str) -> Row | None:
    known = FETCHERS.get(name)
    if known is not None:
        return known
    root, last = name.partition(".")[0], name.rpartition(".")[2]
    if last == "from_pretrained" and root in PRETRAINED:
        return (("pretrained_model_name_or_path", "model_id", "model_name_or_path"), 1 if root in SECOND else 0)
    if last in METHODS and root == "huggingface_hub":
        return METHODS[last]
    return None


def _short(name: str) -> str:
    return ".".join(name.split(".")[-2:]) if name.endswith(".from_pretrained") else name.rpartition(".")[2]


def revision_of(module: "Module", given: Arguments, keyword: str) -> tuple[Revision, str]:
    """How firmly the argument of a call under a keyword fixes a revision, and that argument where it is constant."""
    value = given.keywords.get(keyword)
    if value is None:
        return (Revision.UNKNOWN if given.unknown(keyword) else Revision.MOVING), ""
    constant = module.constant(value)
    if constant is MISSING:
        return Revision.UNKNOWN, ""
    return judged(constant)


def judged(constant: object) -> tuple[Revision, str]:
    """How firmly a constant fixes a revision, and the constant as text."""
    if not isinstance(constant, str) or not constant:
        return Revision.MOVING, ""
    if COMMIT.fullmatch(constant):
        return Revision.PINNED, constant
    return (Revision.TAG if TAG.fullmatch(constant) else Revision.MOVING), constant


def place_of(module: "Module", value: ast.expr | None) -> tuple[str, Place]:
    """The constant name that an expression gives and where it lies; folders are known by how they are written."""
    constant = module.constant(value)
    if isinstance(constant, str):
        if LOCAL.match(constant) or not REPOSITORY.fullmatch(constant):
            return constant, Place.LOCAL if LOCAL.match(constant) or constant.count("/") > 1 else Place.UNKNOWN
        return constant, Place.HUB
    match value:
        case ast.Call(func=ast.Attribute(attr=last) | ast.Name(id=last)) if last in PATH_MAKERS:
            return "", Place.LOCAL
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            return place_of(module, inner)
        case ast.JoinedStr(values=[ast.Constant(value=str(head)), *_]) if LOCAL.match(head):
            return "", Place.LOCAL
        case ast.BinOp(op=ast.Div()):
            return "", Place.LOCAL
        case ast.Name():
            bound = module.scopes.value_of(value)
            if bound is not None and not isinstance(bound, ast.Name):
                return place_of(module, bound)
    return "", Place.UNKNOWN


def _place(module: "Module", value: ast.expr | None, name: str) -> tuple[str, Place]:
    found = place_of(module, value)
    if found[0] in BUILDERS and name.startswith("datasets."):
        return found[0], Place.LOCAL
    return found
