"""Does production code run models through another engine or service?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.signs import uses


def ask(facts: Facts) -> Reply:
    """Look for imports and calls."""
    return yes_if(uses(facts, "engines"), "{n} places", "none of the known engines or clients is imported")


PROBE = Probe(
    id="engines",
    question="Does production code run models through another engine or service?",
    how=(
        "imports of vLLM, SGLang, llama.cpp, ONNX Runtime, clients of hosted models and their kin, and of "
        "transformers' and diffusers' ready-made pipelines"
    ),
    ask=ask,
)
