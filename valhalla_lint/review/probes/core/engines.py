"""Does production code use the library of another engine or service?"""

from valhalla_lint.core.evidence import Citation
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, unknown, yes_if
from valhalla_lint.review.signs import uses
from valhalla_lint.review.tables import table
from valhalla_lint.review.tree import SUBMODULE


def ask(facts: Facts) -> Reply:
    """Look for imports, calls and submodules."""
    names = table("signs")["engines"]["submodules"]
    found = [*uses(facts, "engines")]
    found += [
        Citation(entry.path, note=f"submodule at {entry.id}")
        for entry in facts.tree.entries
        if entry.kind == SUBMODULE and entry.name.lower() in names
    ]
    packages = {file.dotted for file in facts.production if file.package}
    own = sorted(packages & set(table("signs")["modules"]["engines"]))
    if own and not found:
        return unknown(f"the tree holds one of the known engines or clients itself: {', '.join(own)}")
    return yes_if(found, "{n} places", "none of the known engines or clients is imported")


PROBE = Probe(
    id="engines",
    question="Does production code use another engine or service that runs models?",
    how=(
        "imports of vLLM, SGLang, llama.cpp, ONNX Runtime, clients of hosted models and their kin, and of "
        "transformers' and diffusers' ready-made pipelines, types alone not counted; submodules that are such an "
        "engine; unknown where the project is one itself"
    ),
    ask=ask,
)
