"""VH402 remote-model-code."""

import ast
from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.calls import Arguments, arguments, called, calls_to, imports_any, last_name
from valhalla_lint.facts.consent import permitted
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.hub import Place, Revision, judged, place_of, revision_of
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.words import words

TRUST = "trust_remote_code"
SWITCH = "trust-remote-code"
TORCH, DIFFUSERS = frozenset({"torch"}), frozenset({"diffusers"})
TORCH_HUB = frozenset({"torch.hub.load", "torch.hub.help", "torch.hub.list"})
NAME_KEYWORDS = (
    "pretrained_model_name_or_path",
    "model",
    "model_id",
    "model_name_or_path",
    "model_path",
    "path",
    "repo_id",
    "tokenizer",
)
"""Keywords under which the usual loaders take the name of the repository."""

FOLDER_WORDS = frozenset({"path", "dir", "directory", "folder", "local"})

CALL = "{what} runs the Python code of {repository} at {revision}: whoever can change the repository runs code here"
ENTRY = "trust_remote_code is switched on for whatever model is loaded with it, with no revision fixed beside it"
DEFAULT = "trust_remote_code is on by default: callers run the code of any model repository without asking for it"
HUB = "{what} downloads {repository} at {revision} and runs its code: whoever can change the repository runs code here"

SWITCHED = "against: it runs only where a switch allows it"


def check(module: Module, options: None) -> Iterator[Hit]:
    for hit in _hits(module):
        if isinstance(hit.at, ast.AST) and permitted(module, hit.at):
            yield hit._replace(confidence=Confidence.LOW, audit=True, reasons=(SWITCHED,))
        else:
            yield hit


def _hits(module: Module) -> Iterator[Hit]:
    trusting = TRUST in module.text
    if trusting:
        yield from _trusting_calls(module)
        yield from _trusting_entries(module)
        yield from _trusting_defaults(module)
    if trusting or SWITCH in module.text:
        yield from _trusting_switches(module)
    if imports_any(module, TORCH):
        yield from _torch_hub(module)
    if imports_any(module, DIFFUSERS):
        yield from _custom_pipelines(module)


def _trusting_calls(module: Module) -> Iterator[Hit]:
    for keyword in module.nodes(ast.keyword):
        if keyword.arg != TRUST or not _on(module, keyword.value):
            continue
        call = module.parent(keyword)
        if not isinstance(call, ast.Call):
            continue
        given = arguments(module, call)
        repository, place = _repository(module, given)
        revision, label = _code_revision(module, given)
        if place is Place.LOCAL or revision is Revision.PINNED or _on(module, given.get("local_files_only")):
            continue
        hit = _hit(call, CALL, _what(module, call), repository, place, revision, label)
        yield hit._replace(confidence=Confidence.LOW) if _may_be_folder(given) else hit


def _may_be_folder(given: Arguments) -> bool:
    """Whether the name of what is loaded says that it is a folder of this machine (`self._model_path`)."""
    said = set(words(last_name(_named(given) or ast.Name("", ast.Load()))))
    return not FOLDER_WORDS.isdisjoint(said) and "name" not in said


def _named(given: Arguments) -> ast.expr | None:
    named = next((given.keywords[key] for key in NAME_KEYWORDS if key in given.keywords), None)
    return named if named is not None else given.get("", 0)


def _trusting_entries(module: Module) -> Iterator[Hit]:
    """`{"trust_remote_code": True}`, `options["trust_remote_code"] = True`, `args.trust_remote_code = True`."""
    for display in module.nodes(ast.Dict):
        entries = {key.value: (key, value) for key, value in zip(display.keys, display.values, strict=True)
                   if isinstance(key, ast.Constant)}  # fmt: skip
        if TRUST not in entries or not _on(module, entries[TRUST][1]):
            continue
        revision = entries.get("code_revision", entries.get("revision"))
        constant = module.constant(revision[1]) if revision else MISSING
        if constant is MISSING or judged(constant)[0] is not Revision.PINNED:
            yield Hit(at=entries[TRUST][0], message=ENTRY, confidence=Confidence.MEDIUM)
    for node in module.nodes(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value="trust_remote_code")) as target]):
                pass
            case ast.Assign(targets=[ast.Attribute(attr="trust_remote_code") as target]):
                pass
            case _:
                continue
        if _on(module, node.value):
            yield Hit(at=target, message=ENTRY, confidence=Confidence.MEDIUM)


def _trusting_defaults(module: Module) -> Iterator[Hit]:
    """Parameters and fields of that name whose default is True."""
    for argument in module.nodes(ast.arg):
        if argument.arg != TRUST:
            continue
        above = module.parent(argument)
        if isinstance(above, ast.arguments) and _on(module, _default(above, argument)):
            yield Hit(at=argument, message=DEFAULT, confidence=Confidence.MEDIUM)
    for node in module.nodes(ast.AnnAssign):
        match node:
            case ast.AnnAssign(target=ast.Name(id="trust_remote_code"), value=ast.expr() as value):
                if isinstance(value, ast.Call):
                    given = arguments(module, value)
                    value = given.get("default", 0) or value
                if _on(module, value) and isinstance(module.parent(node), ast.ClassDef):
                    yield Hit(at=node, message=DEFAULT, confidence=Confidence.MEDIUM)


def _trusting_switches(module: Module) -> Iterator[Hit]:
    """Command-line switches of that name that are on from the start."""
    for call in calls_to(module, frozenset({"add_argument", "Option", "option"})):
        given = arguments(module, call)
        named = {str(module.constant(item)).lstrip("-").replace("-", "_") for item in given.positional}
        if TRUST in named and _on(module, given.get("default")):
            yield Hit(at=call, message=DEFAULT, confidence=Confidence.MEDIUM)


def _default(signature: ast.arguments, argument: ast.arg) -> ast.expr | None:
    positional = [*signature.posonlyargs, *signature.args]
    if argument in positional:
        place = positional.index(argument) - (len(positional) - len(signature.defaults))
        return signature.defaults[place] if place >= 0 else None
    if argument in signature.kwonlyargs:
        return signature.kw_defaults[signature.kwonlyargs.index(argument)]
    return None


def _torch_hub(module: Module) -> Iterator[Hit]:
    for call in calls_to(module, frozenset({"load", "help", "list"})):
        if not isinstance(call.func, ast.Attribute | ast.Name) or (found := called(module, call)) is None:
            continue
        if found.name not in TORCH_HUB:
            continue
        given = found.arguments
        source = module.constant(given.get("source", 2) if last_name(call.func) == "load" else None)
        value = given.get("repo_or_dir", 0) or given.get("github", 0)
        repository, place = _hub_repository(module, value)
        label = repository.partition(":")[2]
        revision = judged(label)[0] if label else Revision.MOVING
        if source == "local" or place is Place.LOCAL or revision is Revision.PINNED:
            continue
        yield _hit(call, HUB, found.name, repository.partition(":")[0], place, revision, label)


def _hub_repository(module: Module, value: ast.expr | None) -> tuple[str, Place]:
    constant = module.constant(value)
    if isinstance(constant, str) and ":" in constant[2:] and "/" in constant:
        return constant, Place.HUB
    return place_of(module, value)


def _custom_pipelines(module: Module) -> Iterator[Hit]:
    """The `diffusers` library takes the Python file of a pipeline from another repository."""
    for keyword in module.nodes(ast.keyword):
        if keyword.arg != "custom_pipeline" or not isinstance(call := module.parent(keyword), ast.Call):
            continue
        repository, place = place_of(module, keyword.value)
        revision, label = revision_of(module, given := arguments(module, call), "custom_revision")
        if place is not Place.HUB or revision is Revision.PINNED or _on(module, given.get(TRUST)):
            continue
        yield _hit(call, CALL, _what(module, call), repository, place, revision, label)


def _on(module: Module, value: ast.expr | None) -> bool:
    constant = module.constant(value)
    return constant is not MISSING and constant is not None and bool(constant)


def _what(module: Module, call: ast.Call) -> str:
    name = module.name(call.func) or last_name(call.func)
    parts = name.split(".")
    return ".".join(parts[-2:]) if parts[-1] == "from_pretrained" else parts[-1] or "this call"


def _repository(module: Module, given: Arguments) -> tuple[str, Place]:
    return place_of(module, _named(given))


def _code_revision(module: Module, given: Arguments) -> tuple[Revision, str]:
    if "code_revision" in given.keywords:
        return revision_of(module, given, "code_revision")
    return revision_of(module, given, "revision")


def _hit(call: ast.Call, message: str, what: str, repository: str, place: Place, revision: Revision, label: str) -> Hit:
    match revision:
        case Revision.MOVING:
            confidence = Confidence.HIGH if place is Place.HUB else Confidence.MEDIUM
        case _:
            confidence = Confidence.LOW
    newest = "its newest revision" if revision is Revision.MOVING else "a revision given elsewhere"
    values = {
        "what": what,
        "repository": repr(repository) if place is Place.HUB else "a model repository",
        "revision": f"revision {label!r}" if label else newest,
    }
    return Hit(at=call, message=message, values=values, confidence=confidence)


# A name that comes from outside makes it worse. The flow engine is the one to know: a flow of its own topic, with
# `severity=Severity.HIGH` and the steps from the source to the name, would be asked for by a `FlowQuery` here and
# reported at the same call; the check above would then leave such calls out.
RULE = Rule(
    code="VH402",
    name="remote-model-code",
    message="code of a model repository is run at a revision that can change",
    why="`trust_remote_code=True` and `torch.hub.load` import Python files from the model's repository. At a branch, "
    "or with no revision at all, these are whatever its owner, or whoever has taken over the account, put there last.",
    remedy='leave trust_remote_code off, or pin the code that was read: revision="<commit>" '
    '(torch.hub: "owner/name:<commit>")',
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: Severity.LOW},
    cwe=(94, 494, 829),
    check=check,
    bad=(
        Bad(
            """
            import torch
            from transformers import AutoModel

            def vision():
                return AutoModel.from_pretrained("acme/vision-base", trust_remote_code=True, revision="main")  # VH402

            def upscaler():
                return torch.hub.load("acme/upscaler", "upscale")  # VH402
            """
        ),
        Bad(
            """
            from dataclasses import dataclass, field

            from vllm import LLM

            @dataclass
            class Options:
                trust_remote_code: bool = field(default=True)  # VH402

            def serve(model, options, trust_remote_code=True):  # VH402
                options["trust_remote_code"] = True  # VH402
                return LLM(model, trust_remote_code=True), {"trust_remote_code": True}  # VH402 VH402
            """
        ),
        Bad(
            """
            from diffusers import DiffusionPipeline

            def pipeline():
                return DiffusionPipeline.from_pretrained("acme/base", custom_pipeline="acme/two-stage")  # VH402
            """
        ),
    ),
    good=(
        Good(
            """
            import torch
            from transformers import AutoModel

            REVISION = "bcf0237382317259a4d841c9649b7d70d63c3ab5"
            OPTIONS = {"trust_remote_code": True, "revision": REVISION}

            def load(trust_remote_code=False):
                AutoModel.from_pretrained("acme/vision-base", trust_remote_code=trust_remote_code)
                AutoModel.from_pretrained("acme/vision-base", trust_remote_code=True, revision=REVISION)
                AutoModel.from_pretrained("./vision", trust_remote_code=True)
                torch.hub.load("./upscaler", "upscale", source="local")
                return torch.hub.load(f"acme/upscaler:{REVISION}", "upscale")
            """
        ),
    ),
)
