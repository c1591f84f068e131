"""VH404: `torch.load` gets `weights_only=True`."""

import ast
from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.calls import called
from valhalla_lint.facts.mending.calls import TORCH_LOADERS, keyword_can_be_set, torch_load_can_be_mended
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.calls import with_keyword
from valhalla_lint.fixes.fix import Fix, Mender, Refusal
from valhalla_lint.fixes.places import calls_at

TRUE = "True"
FLAG = "weights_only"


def torch_load(module: Module, call: ast.Call) -> bool:
    """Whether a call loads with torch."""
    found = called(module, call)
    return found is not None and found.name in TORCH_LOADERS


def plan(module: Module, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each call. Files that hold more than weights will then fail to load, so none is safe."""
    for finding in findings:
        call = next((item for item in calls_at(module, finding.span) if keyword_can_be_set(item, FLAG)), None)
        if call is None and any(torch_load(module, item) for item in calls_at(module, finding.span)):
            yield Refusal(finding, f"{FLAG} may be in what the call unpacks already: set it there")
            continue
        if call is None or not torch_load_can_be_mended(module, call):
            yield Refusal(finding, "only torch.load knows weights_only; use safetensors, or a format without code")
            continue
        made = with_keyword(module, call, FLAG, TRUE)
        if made is None:
            yield Refusal(finding, "the call is written in a way that cannot be extended exactly")
            continue
        edit, replaced = made
        yield Fix("VH404", (finding,), (edit,), (replaced,), safe=False, summary="load weights only")


MENDER = Mender("VH404", plan)
