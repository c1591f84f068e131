"""What a function is there for: where whoever calls it is meant to choose the file, or the model."""

import ast
from collections.abc import Iterator, Mapping

from valhalla_lint.facts.index import below
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.callsites import target_of
from valhalla_lint.flow.labels import Origin, Use
from valhalla_lint.flow.machine import Machine, Reached
from valhalla_lint.flow.units import ClassRef, Unit, once_a_unit
from valhalla_lint.flow.words import (
    AMBIGUOUS_MODEL_WORDS,
    KEEPER_WORDS,
    MODEL_ALONE,
    MODEL_WORDS,
    OWNERS,
    ROOT_WORDS,
    names_keeper,
    pieces,
    words,
)

PRETRAINED = "pretrained"
TRUST = "trust_remote_code"
READING = frozenset({Use.OPEN, Use.PROBE, Use.LIST})
SETTING_WORDS = frozenset(
    "config configs configuration settings conf cfg creds credentials resource resources asset assets".split()
)
"""What a function or class reads that belongs to the program which calls it: its settings, and files it came with."""
KEEPERS = frozenset(
    """store storage repository repositories repo backend registry manager cache artifact artifacts filesystem vault
    server service handler database db fs session sessions index archive bucket destination installer extractor
    unpacker""".split()
)
"""Words in the name of a class that keeps things for others, so that their names must stay inside."""
KEEPING = frozenset(
    "driver drivers disk memory history tool tools toolkit workspace data files document documents tmp temp".split()
)
"""Words that say the same of a folder or a file."""
OWN_PLACES = frozenset("files get_root_path getfile getsourcefile resource_filename get_package_dir".split())
"""Calls that tell where a program's own files lie."""
WRAPPERS = frozenset(
    "str Path PurePath fspath abspath realpath normpath resolve absolute expanduser dirname as_posix".split()
)
KERNEL = ("fuse.", "fusepy.", "pyfuse3.", "llfuse.", "mfusepy.", "refuse.")
"""Packages whose classes are called by the kernel, which has resolved a path before it hands it over."""
LEARNING = frozenset(
    """torch transformers diffusers peft safetensors onnx onnxruntime tensorflow keras vllm sglang accelerate
    sentence_transformers huggingface_hub datasets sklearn jax flax paddle lightning pytorch_lightning timm
    llama_cpp ctransformers openai mlflow numpy""".split()
)
"""Packages whose import says that a file deals with models."""
MAX_LINKS = 6
"""Names and wrappers that are followed from a join to the folder in it."""
DEVELOPING = frozenset(
    """train training trainer finetune finetuning pretraining convert converter conversion benchmark benchmarks
    simulate simulation simulator codegen scaffold maintenance profiling build builder export exporter""".split()
)
"""What a program's author does with it, by the name of a function, a class, a file or a folder."""
MAKERS = ("__init__", "__post_init__")
OUTPUT_WORDS = frozenset("output out dest destination export dump".split())
CHANGES = frozenset("write save download unlink remove delete put send move copy".split())
"""Words in the name of a function that nobody has read which say that it does more than read."""
WRITING_MODES = frozenset("wax+")


def is_free(machine: Machine, reached: Reached) -> bool:
    """Whether a function is there to load whatever model or code its caller names.

    `from_pretrained` takes any model, as does a parameter that is a name or a path, or the model (`load(model)`);
    who is asked to trust code has been told what the name decides.
    """
    entry = reached.entry
    if not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    name = parameter_of(reached)
    if name in MODEL_ALONE and entry.name.startswith(("load", "from_")):
        return True
    if name.endswith("_or_path") or (PRETRAINED in entry.name and (PRETRAINED in name or "model" in words(name))):
        return True
    return any(TRUST in arg.arg for arg in parameters(entry)) or _trusts(machine.main)


@once_a_unit
def _trusts(unit: Unit) -> bool:
    """Whether a function of a file asks to trust code, by its name."""
    return TRUST in unit.module.text and any(TRUST in name for name in unit.functions)


def parameter_of(reached: Reached) -> str:
    """The name of the parameter that a value stems from."""
    return reached.label.origin.text.removeprefix("parameter ")


def is_own_file(machine: Machine, reached: Reached) -> bool:
    """Whether a function reads what belongs to the program that calls it, by its name or its parameter's.

    That is settings and resources; what lies beside the program's own code, or in the home of who runs it; a file of
    the folder with which the caller made the object, unless its class or the folder says that it keeps things for
    others; and what the kernel resolved.
    """
    entry = reached.entry
    if not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    owner = target_of(machine.main, entry).owner
    if owner is not None and any(
        isinstance(item, str) and item.startswith(KERNEL) for item in machine.loader.lineage(owner)
    ):
        return True
    if not only_reads(reached):
        return False
    named = {*pieces(entry.name), *pieces(parameter_of(reached)), *(pieces(owner.node.name) if owner else ())}
    if not SETTING_WORDS.isdisjoint(named):
        return True
    base = base_of_join(machine, reached)
    if base is None:
        return False
    unit, node = base
    if _is_home(node) and (owner is None or KEEPERS.isdisjoint(pieces(owner.node.name))):
        return True
    return _is_beside_code(node) or (owner is not None and _is_of_object(machine, owner, unit, node))


def only_reads(reached: Reached) -> bool:
    """Whether a value only says what is read, and nothing is written, deleted or run."""
    if reached.argument == "join":
        return True  # it is handed back, and nothing done with it yet
    if reached.use not in READING or not CHANGES.isdisjoint(pieces(reached.name)):
        return False
    return not opens_to_write(reached)


def opens_to_write(reached: Reached) -> bool:
    """Whether a file is opened in a mode in which it is written."""
    node = reached.place.node
    if not isinstance(node, ast.Call):
        return False
    given = [*node.args, *(item.value for item in node.keywords if item.arg == "mode")]
    modes = [item.value for item in given if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return any(len(mode) <= len("rb+t") and not WRITING_MODES.isdisjoint(mode) for mode in modes)


def is_for_developers(machine: Machine, reached: Reached) -> bool:
    """Whether a function trains, converts, builds or exports, by its name or its file's: its author runs it.

    Not so of a class that keeps things for others, or has a root below which its methods work.
    """
    entry = reached.entry
    if not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    owner = target_of(machine.main, entry).owner
    if owner is not None and (not KEEPERS.isdisjoint(pieces(owner.node.name)) or _has_root(machine, reached)):
        return False
    named = {*pieces(entry.name), *(pieces(owner.node.name) if owner else ())}
    for part in machine.main.path.removesuffix(".py").split("/")[1:]:
        named.update(pieces(part))
    return not DEVELOPING.isdisjoint(named)


def _has_root(machine: Machine, reached: Reached) -> bool:
    """Whether a value was put below what an object calls its root."""
    base = base_of_join(machine, reached)
    match base[1] if base is not None else None:
        case ast.Attribute(attr=name, value=ast.Name(id=receiver)) if receiver in OWNERS:
            return not ROOT_WORDS.isdisjoint(pieces(name))
        case _:
            return False


def is_setting_of_object(reached: Reached, shown: str) -> bool:
    """Whether a file is read that whoever makes an object names: its own choice. shown: the call that hands it on."""
    entry = reached.entry
    made = isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef) and entry.name in MAKERS
    return (made or shown.startswith(tuple(f"{name}()" for name in MAKERS))) and only_reads(reached)


def is_callers_output(machine: Machine, reached: Reached) -> bool:
    """Whether a caller says where a function's result goes: the folder and, by its parameter's name, the file in it."""
    return not OUTPUT_WORDS.isdisjoint(pieces(parameter_of(reached))) and is_in_callers_folder(machine, reached)


def keeps_for_others(machine: Machine, reached: Reached) -> bool:
    """Whether something says that names must stay in a folder: the class, its file, or what the folder is called.

    So does what names them: the keys of a dictionary are data.
    """
    entry = reached.entry
    if not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef) or names_a_key(reached):
        return True  # keys are somebody's data, wherever they are put
    owner = target_of(machine.main, entry).owner
    said = set(pieces(owner.node.name)) if owner is not None else set()
    for part in machine.main.path.removesuffix(".py").split("/")[-2:]:
        said.update(pieces(part))
    base = base_of_join(machine, reached)
    if base is not None:
        for item in below(base[1]):
            said.update(pieces(last_name(item)) if isinstance(item, ast.Name | ast.Attribute) else ())
            if isinstance(item, ast.Constant) and isinstance(item.value, str):
                said.update(pieces(item.value), ("root",) if "/" in item.value else ())
    return not said.isdisjoint(KEEPERS | KEEPER_WORDS | ROOT_WORDS | KEEPING)


def is_in_working_folder(machine: Machine, reached: Reached) -> bool:
    """Whether a name was put below the folder in which whoever calls works."""
    base = base_of_join(machine, reached)
    match base[1] if base is not None else None:
        case ast.Call(func=func):
            return last_name(func) in ("getcwd", "cwd")
        case ast.JoinedStr(values=[ast.Constant(value="./" | ".\\"), *_]) | ast.Constant(value="." | "./"):
            return True
        case _:
            return False


def is_in_callers_folder(machine: Machine, reached: Reached) -> bool:
    """Whether a name was put below a folder that a parameter gives as it stands."""
    base = base_of_join(machine, reached)
    return base is not None and _is_parameter(*base)


def base_of_join(machine: Machine, reached: Reached) -> tuple[Unit, ast.expr] | None:
    """The folder that a value was put below, with names and wrappers followed to what they stand for."""
    place = reached.label.join
    if place is None or not isinstance(place.node, ast.expr):
        return None
    unit, node = place.unit, place.node
    return machine.bases(node, lambda: _base(machine, unit, node))  # a dozen questions begin with this one


def _base(machine: Machine, unit: Unit, node: ast.expr) -> tuple[Unit, ast.expr]:
    for _ in range(MAX_LINKS):
        inner = _inner(node, unit)
        if inner is None:
            return _elsewhere(machine, unit, node)
        node = inner
    return unit, node


def _elsewhere(machine: Machine, unit: Unit, node: ast.expr) -> tuple[Unit, ast.expr]:
    """What a name that another module of the project defines stands for there."""
    dotted = unit.module.name(node) if isinstance(node, ast.Name | ast.Attribute) else None
    every = [dotted] if dotted is not None else []
    if isinstance(node, ast.Name) and dotted is None:
        every = [f"{star}.{node.id}" for star in unit.module.names.stars]
    for dotted in every:  # `from shop.places import *` says nothing of what it brings
        if not machine.loader.exists(unit, dotted):
            continue
        match machine.loader.find(unit, dotted):
            case (Unit() as where, ast.expr() as value):
                return where, value
            case _:
                pass
    return unit, node


def _inner(node: ast.expr, unit: Unit) -> ast.expr | None:
    match node:
        case ast.BinOp(op=ast.Div() | ast.Add(), left=left):
            return left
        case ast.JoinedStr(values=[ast.FormattedValue(value=value), *_]):
            return value
        case ast.Call(func=ast.Attribute(attr="joinpath", value=value)):
            return value
        case ast.Call(func=ast.Attribute(attr="join"), args=[first, *_]):
            return first.elts[0] if isinstance(first, ast.List | ast.Tuple) and first.elts else first
        case ast.Call(func=ast.Name() | ast.Attribute() as func, args=[first]) if last_name(func) in WRAPPERS:
            return first
        case ast.Call(func=ast.Attribute(attr=attr, value=value), args=[]) if attr in WRAPPERS:
            return value
        case ast.Attribute(attr="parent", value=value):
            return value
        case ast.Name():
            return unit.module.scopes.value_of(node)
        case _:
            return None


def _is_beside_code(node: ast.expr) -> bool:
    """Whether a folder is found from where the program's own code lies."""
    return any(
        (isinstance(item, ast.Name) and item.id in ("__file__", "__path__"))
        or (isinstance(item, ast.Call) and last_name(item.func) in OWN_PLACES)
        for item in below(node)
    )


def _is_home(node: ast.expr) -> bool:
    """Whether a folder is one of the home of whoever runs the program, and none that is called as what keeps things."""
    match node:
        case ast.Constant(value=str(text)):
            return text.startswith("~") and (KEEPERS | KEEPING).isdisjoint(pieces(text))
        case ast.Call(func=func, args=[]):
            return last_name(func) == "home"
        case _:
            return False


def is_log_file(reached: Reached) -> bool:
    """Whether a log is written: its name is the program's own, unless a caller takes it from outside."""
    return reached.name.endswith("FileHandler()")


def _is_of_object(machine: Machine, owner: ClassRef, unit: Unit, node: ast.expr) -> bool:
    """Whether a folder is one with which the object was made, and nothing says that it keeps things for others."""
    match node:
        case ast.Attribute(attr=name, value=ast.Name(id=receiver)) if receiver in OWNERS:
            pass
        case _:
            return False
    said = {*pieces(name), *pieces(owner.node.name)}
    if names_keeper(name) or not ROOT_WORDS.isdisjoint(said) or not KEEPERS.isdisjoint(said):
        return False
    values = list(_values(machine, owner, name))
    return bool(values) and all(_is_parameter(there, value) for there, value in values)


def _values(machine: Machine, owner: ClassRef, name: str) -> Iterator[tuple[Unit, ast.expr]]:
    for item in machine.loader.lineage(owner):
        if isinstance(item, ClassRef):
            for value in item.unit.module.attribute_values.get((item.node, name), ()):
                yield item.unit, value


def _is_parameter(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression is a parameter of the function around it, as it stands or wrapped."""
    for _ in range(MAX_LINKS):
        match node:
            case ast.Call(func=ast.Name() | ast.Attribute() as func, args=[first]) if last_name(func) in WRAPPERS:
                node = first
            case ast.Call(func=ast.Attribute(attr=attr, value=value), args=[]) if attr in WRAPPERS:
                node = value
            case ast.BoolOp(op=ast.Or(), values=[first, *_]):
                node = first
            case ast.Name(id=name):
                scope = unit.module.scopes.binding_scope(node, name)
                bound = unit.module.scopes.bindings(scope).get(name, ()) if scope is not None else ()
                return any(isinstance(item, ast.arg) for item in bound)
            case _:
                return False
    return False


def names_a_key(reached: Reached) -> bool:
    """Whether what is put below a folder is a key of a dictionary that was handed in: `for name, text in d.items()`."""
    place = reached.label.join
    return place is not None and bool(_keys_in_loops(place.unit)) and _holds_a_key(place.unit, place.node)


@once_a_unit  # several questions about what is put below a folder begin with this one
def _holds_a_key(unit: Unit, at: ast.AST) -> bool:
    keys = _keys_in_loops(unit)
    scopes = unit.module.scopes
    for node in below(at):
        if isinstance(node, ast.Name) and node.id in keys:
            scope = scopes.binding_scope(node, node.id)
            bound = scopes.bindings(scope).get(node.id, ()) if scope is not None else ()
            if not keys[node.id].isdisjoint(bound):
                return True
    return False


@once_a_unit
def _keys_in_loops(unit: Unit) -> Mapping[str, set[ast.AST]]:
    """Where the loops of a file bind names to the keys of dictionaries, by name."""
    found: dict[str, set[ast.AST]] = {}
    loops: tuple[ast.For | ast.comprehension, ...] = (
        *unit.module.nodes(ast.For),
        *unit.module.nodes(ast.comprehension),
    )
    for loop in loops:
        match loop.target, loop.iter:
            case ast.Tuple(elts=[ast.Name(id=name) as key, *_]), ast.Call(func=ast.Attribute(attr="items")):
                found.setdefault(name, set()).add(key)
            case _:
                pass
    return found


def speaks_of_model(machine: Machine, origin: Origin) -> bool:
    """Whether a value's name says that it is a model's: of words that mean other things as well, where models are."""
    if "model" not in origin.words:
        return False
    said = {*pieces(origin.text)}
    if said & (MODEL_WORDS - AMBIGUOUS_MODEL_WORDS) or not said & AMBIGUOUS_MODEL_WORDS:
        return True
    imported = {
        item.target.lstrip(".").partition(".")[0]
        for found in machine.main.module.names.imports.values()
        for item in found
    }
    return not imported.isdisjoint(LEARNING)
