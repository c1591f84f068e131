"""Are there several attention back ends?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.signs import uses


def ask(facts: Facts) -> Reply:
    """Look for the libraries and functions."""
    if not uses(facts, "tensors"):
        return not_applicable("production code imports no tensor library")
    found = [*uses(facts, "attention")]
    found += [facts.cite(file.path, line, name) for file in facts.production for name, line in file.attention]
    kinds = sorted({place.note.partition(" ")[0] for place in found})
    if len(kinds) < 2:  # noqa: PLR2004 -- several begins at two
        return yes_if([], "", f"{'only ' + kinds[0] if kinds else 'none'} was found", found)
    return yes_if(found, ", ".join(kinds), "")


PROBE = Probe(
    id="attention-back-ends",
    question="Does production code name at least two attention back ends?",
    how=(
        "imports and calls of flash-attn, xFormers, FlashInfer, scaled_dot_product_attention and their kin; names "
        "such as flash_attention_2, sdpa that libraries are told to use"
    ),
    ask=ask,
)
