"""VH404 unsafe-model-load."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.calls import (
    PARTIAL,
    RUNNERS,
    Arguments,
    Called,
    arguments,
    called,
    calls_to,
    imports_any,
    last_name,
)
from valhalla_lint.facts.consent import permitted
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.files import files_written, is_buffer, key, place_of_file
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.mending.calls import torch_load_can_be_mended
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.reaching import values_at
from valhalla_lint.facts.scopes import defaults, parameters
from valhalla_lint.facts.versions import declared
from valhalla_lint.facts.words import mentioned, words

TORCH = frozenset({"torch.load", "torch.serialization.load"})
TORCH_URL = frozenset({"torch.hub.load_state_dict_from_url", "torch.utils.model_zoo.load_url"})
SAFE_TORCH = (2, 6)
"""The release whose torch.load loads weights only by default (release notes of PyTorch 2.6)."""
NUMPY = frozenset({"numpy.load", "numpy.lib.npyio.load", "numpy.lib.format.read_array", "jax.numpy.load"})
KERAS = frozenset(
    {
        "keras.models.load_model",
        "keras.saving.load_model",
        "tensorflow.keras.models.load_model",
        "tensorflow.keras.saving.load_model",
        "tf_keras.models.load_model",
    }
)
KERAS_SWITCH = "enable_unsafe_deserialization"
PICKLED = {
    "joblib.load": "joblib.load",
    "sklearn.externals.joblib.load": "joblib.load",
    "pandas.read_pickle": "pandas.read_pickle",
    "pandas.io.pickle.read_pickle": "pandas.read_pickle",
}
"""Functions that always unpickle the file they are given."""
PICKLES = frozenset({"pickle", "_pickle", "cPickle", "six.moves.cPickle", "pickle5", "dill", "cloudpickle"})
UNSAFE_YAML = frozenset({"yaml.unsafe_load", "yaml.unsafe_load_all"})
UNSAFE_YAML_LOADERS = frozenset({"yaml.Loader", "yaml.UnsafeLoader", "yaml.CLoader"})

PACKAGES = frozenset({"torch", "joblib", "sklearn", "numpy", "jax", "pandas", "keras", "tensorflow", "tf_keras", "yaml",
                      *(name.partition(".")[0] for name in PICKLES)})  # fmt: skip
"""What a file must import to hold one of these calls."""
NAMES = frozenset({"load", "loads", "load_model", "read_pickle", "read_array", "load_url", "load_state_dict_from_url",
                   "unsafe_load", "unsafe_load_all", "Unpickler", "partial", KERAS_SWITCH, *RUNNERS})  # fmt: skip

MODEL_WORDS = frozenset(
    [
        "adapter",
        "adapters",
        "checkpoint",
        "checkpoints",
        "ckpt",
        "ckpts",
        "classifier",
        "embedding",
        "embeddings",
        "encoder",
        "decoder",
        "estimator",
        "featurizer",
        "learner",
        "lora",
        "model",
        "models",
        "optimizer",
        "policy",
        "predictor",
        "regressor",
        "restore",
        "resume",
        "scaler",
        "scheduler",
        "tokenizer",
        "trainer",
        "transformer",
        "vectorizer",
        "vocab",
        "vocabulary",
        "weight",
        "weights",
    ]
)
"""Words of which one says that a pickle holds a model or what belongs to one."""

MODEL_BYTES = frozenset({"model", "models", "weight", "weights", "classifier", "estimator", "tokenizer", "regressor"})
"""The same for bytes in memory, where "checkpoint" and "state" mean messages of the program's own more often."""

REQUESTS = frozenset({"request", "req", "http_request", "flask_request", "websocket", "ws"})
"""Names of what a server hands to whoever answers."""
FETCHED = frozenset({"recv", "recvfrom", "recv_multipart", "get_object", "download_as_bytes", "download_as_string"})
"""Methods that bring bytes from another machine: of sockets, of object stores."""
REQUEST_BYTES = frozenset(
    """args body content cookies data files form get_data headers json query_params read receive receive_bytes
    receive_text stream text values""".split()
)
"""Parts of a request that hold bytes or texts of whoever sent it."""

MISSING_FLAG = (
    "{what} without weights_only=True: up to torch 2.5 it unpickles the file, and a pickle runs code when it is loaded"
)
FLAG_OFF = "{what} with weights_only=False unpickles the file, and a pickle runs code when it is loaded"
DEFAULT_OFF = "{what} unpickles unless the caller asks for weights_only: {parameter} is off by default"
UNKNOWN_FLAG = "{what} unpickles the file where weights_only is off, and its value is not known here"
OWN_PICKLE = "{what} with its own pickle_module unpickles the file, and a pickle runs code when it is loaded"
ALWAYS = "{what} unpickles {file}, and a pickle runs code when it is loaded"
ALLOWED = "{what} with allow_pickle=True unpickles object arrays, and a pickle runs code when it is loaded"
UNKNOWN_ALLOWED = "{what} unpickles object arrays where allow_pickle is on, and its value is not known here"
KERAS_OFF = "{what} with safe_mode=False runs the code of lambda layers that the file holds"
KERAS_UNSAID = "{what} without safe_mode: Keras before 2.13, and its legacy formats, run the code of lambda layers"
KERAS_ALL = "enable_unsafe_deserialization() lets every model file of this process bring code"
YAML = "{what} builds any Python object that {file} names, and so runs code"

NO_CODE = "keep weights in a format that brings no code, such as safetensors"
SAFE_MODE = "leave safe_mode on"
NO_OBJECTS = "leave allow_pickle off, and keep arrays of plain numbers"
REMEDIES = {
    ALWAYS: NO_CODE,
    ALLOWED: NO_OBJECTS,
    UNKNOWN_ALLOWED: NO_OBJECTS,
    KERAS_OFF: SAFE_MODE,
    KERAS_UNSAID: "pass safe_mode=True, with Keras 2.13 or later and its own format (.keras)",
    KERAS_ALL: SAFE_MODE,
    YAML: "take yaml.safe_load",
}
"""What clears a finding that weights_only has nothing to do with."""


class Judged(NamedTuple):
    """What is wrong with one call."""

    message: str
    confidence: Confidence
    audit: bool = False
    parameter: str = ""
    file: str = "the file"


def check(module: Module, options: None) -> Iterator[Hit]:
    if not imports_any(module, PACKAGES):
        return
    written: dict[FunctionNode, dict[str, tuple[int, int]]] = {}
    for call in calls_to(module, NAMES):
        found = called(module, call) or _unpickler(module, call)
        if found is None:
            continue
        judged = _judged(module, found)
        if judged is None or _own_data(module, found, written) or _said_in_partial(module, found, judged):
            continue
        asked_for = permitted(module, call)
        yield Hit(
            at=call,
            message=judged.message,
            values={"what": _short(found.name), "parameter": judged.parameter, "file": judged.file},
            confidence=Confidence.LOW if asked_for else judged.confidence,
            reasons=("against: it runs only where a switch allows it",) if asked_for else (),
            remedy=REMEDIES.get(judged.message, ""),
            audit=judged.audit or asked_for,
            mends=judged.message in (MISSING_FLAG, FLAG_OFF) and torch_load_can_be_mended(module, call),
        )


def _short(name: str) -> str:
    parts = name.split(".")
    return f"{parts[0]}.{parts[-1]}"


def _judged(module: Module, found: Called) -> Judged | None:
    name, given = found.name, found.arguments
    if name in TORCH or name in TORCH_URL:
        return _torch(module, name, given, bound_partial=_is_called_later(module, found.node))
    if name in NUMPY:
        return _numpy(module, name, given)
    if name in KERAS:
        return _keras(module, given)
    if name in PICKLED:
        return Judged(ALWAYS, Confidence.MEDIUM)
    root, _, last = name.rpartition(".")
    if root in PICKLES and last in ("load", "loads"):
        return _pickle(module, found, last)
    if last == KERAS_SWITCH and root.partition(".")[0] in ("keras", "tensorflow"):
        return Judged(KERAS_ALL, Confidence.HIGH)
    if name in UNSAFE_YAML or (name == "yaml.load" and module.name(given.get("Loader", 1)) in UNSAFE_YAML_LOADERS):
        return Judged(YAML, Confidence.MEDIUM) if _about_model(module, found, around=True) else None
    return None


def _is_called_later(module: Module, node: ast.Call) -> bool:
    """Whether a call is a `partial(...)` bound to a name that the file calls."""
    match module.parent(node):
        case ast.Assign(targets=[ast.Name(id=name)]) if module.name(node.func) == PARTIAL:
            return name in module.calls
        case _:
            return False


def _torch(module: Module, name: str, given: Arguments, *, bound_partial: bool) -> Judged | None:
    value = given.get("weights_only", 6 if name in TORCH_URL else None)
    constant = None if value is None else module.constant(value)
    if constant is MISSING:
        return _unknown_flag(module, value)
    if constant:
        return None
    if constant is not None:
        return Judged(FLAG_OFF, Confidence.HIGH)
    if value is None and given.unknown("weights_only"):
        return Judged(UNKNOWN_FLAG, Confidence.LOW, audit=True)
    own = given.get("pickle_module", 2 if name in TORCH else None)
    if own is not None and name in TORCH:
        known = module.name(own) in PICKLES
        return Judged(OWN_PICKLE, Confidence.HIGH if known else Confidence.LOW, audit=not known)
    versions = declared(module.project)
    if name in TORCH and versions.rules_out("torch", SAFE_TORCH):
        return None
    if bound_partial:
        return None  # each call of the name is judged
    if name in TORCH_URL and module.constant(given.get("check_hash", 4)) is True:
        return None
    return Judged(MISSING_FLAG, Confidence.HIGH if "torch" in versions.packages else Confidence.MEDIUM)


def _unknown_flag(module: Module, value: ast.expr | None) -> Judged | None:
    """The flag is no constant: a parameter's default says what callers get who do not ask."""
    name, default = _parameter_default(module, value)
    if default is not MISSING and default is not None:
        return None if default else Judged(DEFAULT_OFF, Confidence.LOW, parameter=name)
    if isinstance(value, ast.Name):
        reaching = values_at(module, value)
        known = [module.constant(item) for item in reaching or ()]
        if any(item is not MISSING and item is not None and not item for item in known):
            return Judged(FLAG_OFF, Confidence.MEDIUM)
        if known and all(item is True for item in known):
            return None
    return Judged(UNKNOWN_FLAG, Confidence.LOW, audit=True)


def _parameter_default(module: Module, value: ast.expr | None) -> tuple[str, object]:
    """The name and the constant default of the parameter that an expression reads, MISSING where there is none."""
    if not isinstance(value, ast.Name):
        return "", MISSING
    scope = module.scopes.binding_scope(value, value.id)
    if (
        not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)
        or len(module.scopes.bindings(scope)[value.id]) > 1
    ):
        return "", MISSING
    for argument, default in defaults(scope):
        if argument.arg == value.id:
            return value.id, module.constant(default)
    return value.id, MISSING


def _numpy(module: Module, name: str, given: Arguments) -> Judged | None:
    value = given.get("allow_pickle", 1 if name.endswith("read_array") else 2)
    if value is None:
        return Judged(UNKNOWN_ALLOWED, Confidence.LOW, audit=True) if given.unknown("allow_pickle") else None
    constant = module.constant(value)
    if constant is MISSING:
        _, default = _parameter_default(module, value)
        on = default is not MISSING and bool(default)
        return Judged(UNKNOWN_ALLOWED, Confidence.LOW, audit=not on) if on or default is MISSING else None
    return Judged(ALLOWED, Confidence.MEDIUM) if constant else None


def _keras(module: Module, given: Arguments) -> Judged | None:
    value = given.get("safe_mode", 3)
    if value is None:
        versions = declared(module.project)
        safe = versions.rules_out("keras", (3,)) or versions.rules_out("tensorflow", (2, 16))
        return None if safe or given.unknown("safe_mode") else Judged(KERAS_UNSAID, Confidence.LOW, audit=True)
    constant = module.constant(value)
    if constant is MISSING:
        return None
    return None if constant else Judged(KERAS_OFF, Confidence.HIGH)


def _pickle(module: Module, found: Called, last: str) -> Judged | None:
    """Pickles of models are the rule's business; other pickles only where the caller names the file."""
    source = found.arguments.get("file", 0)
    if source is None:
        return None
    file = _read_whole(source)
    if _sent(module, source):
        return Judged(ALWAYS, Confidence.HIGH, file="what a client has sent")
    if last == "loads" and _fetched(module, source):
        return Judged(ALWAYS, Confidence.MEDIUM, file="what it has fetched")
    if last == "loads" and file is None:
        said = mentioned(source) | _called_what(module, found.node)
        about = not MODEL_BYTES.isdisjoint(said.union(words(module.definition(found.node).rpartition(".")[2])))
        return Judged(ALWAYS, Confidence.LOW, audit=not about, file="bytes")
    source = source if file is None else file
    if is_buffer(module, source):
        return Judged(ALWAYS, Confidence.LOW, audit=not _about_model(module, found, around=False), file="bytes")
    if _about_model(module, found, around=True):
        return Judged(ALWAYS, Confidence.MEDIUM)
    path, handle = place_of_file(module, source)
    named_by_caller = (handle is not None or file is not None) and _reads_parameter(module, path)
    return Judged(ALWAYS, Confidence.LOW, audit=not named_by_caller)


def _read_whole(source: ast.expr) -> ast.expr | None:
    """The path or handle of which `loads` gets the whole content (`path.read_bytes()`, `handle.read()`)."""
    match source:
        case ast.Call(func=ast.Attribute(attr="read_bytes" | "read", value=receiver), args=[]):
            return receiver
        case _:
            return None


def _fetched(module: Module, source: ast.expr) -> bool:
    """Whether bytes are the answer of a server (`requests.get(url).content`)."""
    roots = {(module.name(node.func) or "").partition(".")[0] for item in _made(module, source)
             for node in ast.walk(item) if isinstance(node, ast.Call)}  # fmt: skip
    return bool(roots & {"requests", "httpx", "urllib", "urllib3"}) or any(
        isinstance(node, ast.Attribute) and node.attr in FETCHED
        for item in _made(module, source)
        for node in ast.walk(item)
    )


def _sent(module: Module, source: ast.expr) -> bool:
    """Whether bytes are a part of a request, by the name of what they are read from (`await request.body()`)."""
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in REQUESTS
        and node.attr in REQUEST_BYTES
        for item in _made(module, source) for node in ast.walk(item)
    )  # fmt: skip


def _made(module: Module, source: ast.expr) -> list[ast.expr]:
    """An expression and what the names in it were assigned from."""
    made = [source]
    for node in ast.walk(source):
        if isinstance(node, ast.Name):
            made += values_at(module, node) or ()
    return made


def _called_what(module: Module, call: ast.Call) -> frozenset[str]:
    """The words of the name that a call's result is given."""
    match module.parent(call):
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
            return mentioned(target)
        case _:
            return frozenset()


def _about_model(module: Module, found: Called, *, around: bool) -> bool:
    """Whether what is loaded, and (if asked) the code around it, is named like a model or a part of one."""
    said: set[str] = set()
    for argument in (*found.arguments.positional, *found.arguments.keywords.values()):
        path, handle = place_of_file(module, argument)
        said |= mentioned(path) | mentioned(argument)
        said |= {word for text in _texts(path) for word in words(text)}
        if handle is not None:
            said |= mentioned(handle.node)
    if around:
        said.update(words(module.definition(found.node)))
        said |= _called_what(module, found.node)
    return not MODEL_WORDS.isdisjoint(said)


def _texts(value: ast.expr) -> Iterator[str]:
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _reads_parameter(module: Module, path: ast.expr) -> bool:
    function = module.function(path)
    if function is None:
        return False
    known = {argument.arg for argument in parameters(function)} - {"self", "cls"}
    return any(isinstance(node, ast.Name) and node.id in known for node in ast.walk(path))


def _unpickler(module: Module, call: ast.Call) -> Called | None:
    """`pickle.Unpickler(file).load()`; an unpickler of the file's own that chooses its classes is no such call."""
    match call.func:
        case ast.Attribute(attr="load", value=receiver):
            pass
        case _:
            return None
    made = receiver
    if isinstance(receiver, ast.Name):
        reaching = values_at(module, receiver)
        made = reaching[0] if reaching and len(reaching) == 1 else receiver
    if not isinstance(made, ast.Call):
        return None
    name = module.name(made.func)
    if name is None and isinstance(made.func, ast.Name):
        name = _unpickler_base(module, made.func)
    if name is None:
        return None
    root, _, last = name.rpartition(".")
    return Called(call, f"{root}.load", arguments(module, made)) if root in PICKLES and last == "Unpickler" else None


def _unpickler_base(module: Module, function: ast.Name) -> str | None:
    scope = module.scopes.binding_scope(function, function.id)
    bound = module.scopes.bindings(scope).get(function.id, []) if scope is not None else []
    match bound:
        case [ast.ClassDef(bases=[base], body=body)]:
            chooses = any(isinstance(item, ast.FunctionDef) and item.name == "find_class" for item in body)
            return None if chooses else module.name(base)
        case _:
            return None


def _own_data(module: Module, found: Called, written: dict[FunctionNode, dict[str, tuple[int, int]]]) -> bool:
    """Whether what is loaded was written further up in the same function, or pickled in the same breath."""
    function = module.function(found.node)
    source = found.arguments.get("f", 0) or found.arguments.get("file", 0)
    if source is None:
        return False
    made = source
    if isinstance(source, ast.Name):
        reaching = values_at(module, source)
        made = reaching[0] if reaching and len(reaching) == 1 else source
    if isinstance(made, ast.Call) and last_name(made.func) == "dumps":
        return True
    if function is None:
        return False
    if function not in written:
        written[function] = files_written(module, function)
    first = written[function].get(key(place_of_file(module, source)[0]))
    return first is not None and first < (found.node.lineno, found.node.col_offset)


def _said_in_partial(module: Module, found: Called, judged: Judged) -> bool:
    """Whether the fault is already reported at the `partial(...)` that this call goes through."""
    return (
        judged.message in (FLAG_OFF, ALLOWED, KERAS_OFF)
        and module.name(found.node.func) != found.name
        and module.name(found.node.func) != PARTIAL
        and not any(item.arg in ("weights_only", "allow_pickle", "safe_mode") for item in found.node.keywords)
    )


RULE = Rule(
    code="VH404",
    name="unsafe-model-load",
    message="the file is unpickled, and a pickle runs code when it is loaded",
    why="A pickle is a program: loading one runs whatever its author put there. Model files come from hubs, colleagues "
    "and buckets, and looking at them first does not help, since scanners of pickles are passed by again and again. "
    "Safe: `torch.load(..., weights_only=True)` (the default from torch 2.6 on, counted where the project requires "
    "that), safetensors, `numpy.load` as it is, Keras with safe_mode. A plain pickle is reported where names say that "
    "it holds a model, where it comes from a server or a client, or (low confidence) where the caller names the file; "
    "not where the same function wrote it, and (but for the preset audit) not behind a switch that allows it.",
    remedy="pass weights_only=True, or keep weights in safetensors",
    severity=Severity.HIGH,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.MEDIUM},
    cwe=(502,),
    check=check,
    mends=True,
    bad=(
        Bad(
            """
            from functools import partial
            from torch import load as read_weights
            import torch as t

            CPU = {"map_location": "cpu"}
            restore = partial(t.load, weights_only=False)  # VH404
            unsaid = partial(t.load, map_location="cpu")

            def read(path, data):
                first = read_weights(path)  # VH404
                second = t.serialization.load(path, **CPU)  # VH404
                third = t.load(path, weights_only=bool)
                return first, second, third, restore(path), unsaid(path), unsaid(path, weights_only=True)  # VH404

            handed_on = partial(t.load, map_location="cpu")  # VH404

            def read_all(paths, trusted):
                only = True
                if trusted:
                    only = False
                return t.load(paths[0], weights_only=only), list(map(handed_on, paths))  # VH404
            """
        ),
        Bad(
            """
            import io
            import pickle

            import joblib
            import numpy as np
            import pandas as pd
            import torch

            def read(path, data):
                with open(path, "rb") as model_file:
                    model = pickle.load(model_file)  # VH404
                table = pd.read_pickle(path)  # VH404
                vectors = np.load(path, allow_pickle=True)  # VH404
                speaker = torch.load(io.BytesIO(data))  # VH404
                return model, table, vectors, speaker, joblib.load(path)  # VH404

            def load_weights(path, weights_only=False):
                return torch.load(path, weights_only=weights_only)  # VH404
            """
        ),
        Bad(
            """
            import asyncio

            import joblib
            import torch

            async def read(path, pool):
                loop = asyncio.get_running_loop()
                first = await asyncio.to_thread(torch.load, path)  # VH404
                second = await loop.run_in_executor(None, torch.load, path)  # VH404
                third = await asyncio.to_thread(torch.load, path, weights_only=True)
                return first, second, third, pool.submit(joblib.load, path)  # VH404
            """,
            note="Handed to what runs it.",
        ),
        Bad(
            """
            import base64
            import pickle

            def received(connection, size):
                return pickle.loads(connection.recv(size))  # VH404

            def fetched(store, bucket, key):
                answer = store.get_object(Bucket=bucket, Key=key)
                return pickle.loads(answer["Body"].read())  # VH404

            def model_of(blob):
                return pickle.loads(blob)  # VH404

            async def predict(request):
                features = pickle.loads(await request.body())  # VH404
                model = pickle.loads(features["blob"])  # VH404
                token = base64.b64decode(request.headers["x-state"])
                return model, pickle.loads(token)  # VH404
            """,
            note="What comes from another machine, whatever it holds.",
        ),
        Bad(
            """
            import keras

            def read(path):
                keras.config.enable_unsafe_deserialization()  # VH404
                return keras.models.load_model(path, safe_mode=False)  # VH404
            """
        ),
    ),
    good=(
        Good(
            """
            import numpy as np
            import torch
            import torch.utils.cpp_extension
            from safetensors.torch import load_file

            SAFE = True
            OPTIONS = {"weights_only": True}

            def read(path, weights_only=True, **options):
                torch.load(path, map_location="cpu", weights_only=SAFE)
                torch.load(path, **OPTIONS)
                torch.load(path, weights_only=weights_only)
                torch.utils.cpp_extension.load(**options)
                return load_file(path), np.load(path)
            """
        ),
        Good(
            """
            import io
            import pickle

            import torch

            def round_trip(model, folder):
                torch.save(model.state_dict(), folder / "model.pt")
                model.load_state_dict(torch.load(folder / "model.pt"))
                buffer = io.BytesIO()
                torch.save(model, buffer)
                return torch.load(buffer), pickle.loads(pickle.dumps(model))
            """,
            note="A file that the same function has written holds nobody else's code.",
        ),
        Good(
            """
            import pickle

            import torch

            class Chosen(pickle.Unpickler):
                def find_class(self, module, name):
                    if (module, name) != ("collections", "OrderedDict"):
                        raise pickle.UnpicklingError(name)
                    return super().find_class(module, name)

            def read(stream, message, strict):
                Chosen(stream).load()
                return torch.load(stream, weights_only=strict), pickle.loads(message)
            """,
            note="What is not known here is for the preset audit.",
        ),
    ),
)
