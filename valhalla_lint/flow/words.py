"""What names say: that something names a model, a file, a secret, or a bound of a generation."""

import ast
from functools import lru_cache

from valhalla_lint.core.regex import regex
from valhalla_lint.flow.labels import Kind

PIECE = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
NUMBER = regex(r"[0-9]{1,99}")
"""A number that Python reads: `int` refuses other signs that `isdigit` takes for digits, and thousands of digits."""

OWNERS = ("self", "cls")
"""What methods call the object, or the class, that they belong to."""
MODEL_WORDS = frozenset(
    """model models checkpoint checkpoints ckpt adapter adapters lora loras tokenizer weights dataset datasets
    vae controlnet embedding unet encoder""".split()
)
AMBIGUOUS_MODEL_WORDS = frozenset("checkpoint checkpoints adapter adapters dataset datasets embedding encoder".split())
"""Those of the words for models that are words for other things as well."""
MODEL_TAILS = frozenset(
    "name names id ids key slug ref tag identifier path file filename dir directory folder repo uid".split()
)
MODEL_ALONE = frozenset("model checkpoint ckpt adapter lora dataset tokenizer".split())
FILE_WORDS = frozenset(
    """file files filename filenames filepath filepaths fname pathname path paths image photo picture document
    attachment
    subpath basename relpath asset resource artifact blob
    filepart""".split()
)
DISPOSITION = "content-disposition"
"""The header in which the other side says how a file is called."""
SHARDS = "weight_map"
"""The key under which the index of a checkpoint in several files (of transformers, diffusers, accelerate) says in which
file each tensor lies."""
HEADER_LOOK_UPS = frozenset({"get", "get_all", "getheader", "get_header", "getlist"})
"""Methods that give a header; others set one."""
BASE_WORDS = frozenset(
    """dir directory folder root base path home prefix cache store storage location workspace dest destination
    output""".split()
)
NOT_NAMES = frozenset(
    """pattern patterns suffix prefix ext extension extensions mode format type size count num encoding template
    glob""".split()
)
"""Words that say that something is a part or a property of a name, or text to fill in, rather than a name."""
URL_WORDS = frozenset("url uri endpoint host route link href api base_url domain netloc".split())
ROOT_WORDS = frozenset({"base", "root"})
KEEPER_WORDS = frozenset("cache store storage upload uploads static media sandbox jail".split())
THING_WORDS = frozenset("name names id ids sid key keys slug title filename user username tenant".split())


@lru_cache(maxsize=8192)
def pieces(name: str) -> tuple[str, ...]:
    """The words of an identifier, in lower case."""
    return tuple(piece.lower() for piece in PIECE.findall(name))


def is_number(text: str) -> bool:
    """Whether a text is a whole number that `int` reads."""
    return NUMBER.fullmatch(text) is not None


@lru_cache(maxsize=8192)
def words(name: str) -> frozenset[str]:
    """What a name says: "model", "file", both or neither."""
    parts = pieces(name)
    if not parts:
        return frozenset()
    found = set()
    if MODEL_WORDS.intersection(parts) and (parts[-1] in MODEL_TAILS or (len(parts) == 1 and parts[0] in MODEL_ALONE)):
        found.add("model")
    if parts == ("repo", "id"):
        found.add("model")
    if FILE_WORDS.intersection(parts) and URL_WORDS.isdisjoint(parts) and NOT_NAMES.isdisjoint(parts):
        found.add("file")
    return frozenset(found)


def names_thing(name: str) -> bool:
    """Whether a name says that it holds the name of something, as opposed to one of its properties."""
    parts = pieces(name)
    return bool(parts) and parts[-1] in THING_WORDS


def names_choice(name: str) -> bool:
    """Whether a parameter's name says that somebody may choose with it what is used: a file, a model, or a thing."""
    return bool(words(name)) or names_thing(name)


def names_keeper(text: str) -> bool:
    """Whether a name says that it holds a folder in which things are kept, so that they must stay inside."""
    return not KEEPER_WORDS.isdisjoint(pieces(text))


def names_root(text: str) -> bool:
    """Whether a name says that it holds a folder below which everything lies."""
    parts = {*pieces(text)} - {"parameter"}
    return parts <= BASE_WORDS and not ROOT_WORDS.isdisjoint(parts)


def who_names_files(key: object) -> Kind | None:
    """Who chose the names of files that a key leads to, whatever object it is asked of.

    Another machine, in a header, or whoever made a checkpoint, in its index.
    """
    if not isinstance(key, str):
        return None
    if len(key) == len(DISPOSITION) and key.lower() == DISPOSITION:
        return Kind.REMOTE
    return Kind.CHECKPOINT if key == SHARDS else None


def reads_sent_file(node: ast.AST) -> bool:
    """Whether an expression looks such a key up, and does not set it."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=key), ctx=ast.Load()):
            return who_names_files(key) is not None
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Constant(value=key), *_]) if name in HEADER_LOOK_UPS:
            return who_names_files(key) is not None
        case _:
            return False


def names_base(name: str) -> bool:
    """Whether a name says that it holds a folder or a path."""
    parts = pieces(name)
    return bool(parts) and parts[-1] in BASE_WORDS


def names_url(name: str) -> bool:
    """Whether a name says that it holds an address of a service."""
    return not URL_WORDS.isdisjoint(pieces(name))


def names_folder(text: str) -> bool:
    """Whether a name (or "parameter NAME") says that it holds a folder to work in."""
    parts = pieces(text)
    return bool(parts) and parts[-1] in BASE_WORDS - {"path", "prefix", "location", "store"}
