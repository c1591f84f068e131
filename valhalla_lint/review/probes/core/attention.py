"""Are there several attention back ends?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.signs import uses

FAMILIES = (("flash", "flash attention"), ("sdpa", "scaled dot product"), ("torch.nn", "scaled dot product"))
"""Beginnings of names that mean the same back end."""


def ask(facts: Facts) -> Reply:
    """Look for the libraries and functions."""
    if not uses(facts, "tensors"):
        return not_applicable("production code imports no tensor library")
    found = [*uses(facts, "attention")]
    found += [facts.cite(file.path, line, name) for file in facts.production for name, line in file.attention]
    kinds = sorted({_family(place.note) for place in found})
    if len(kinds) == 1:
        return yes_if([], "", f"only {kinds[0]} was found", found)
    return yes_if(found, ", ".join(kinds), "none was found")


def _family(name: str) -> str:
    return next((family for start, family in FAMILIES if name.startswith(start)), name)


PROBE = Probe(
    id="attention-back-ends",
    question="Does production code name at least two attention back ends?",
    how=(
        "imports and calls of flash-attn, xFormers, FlashInfer, scaled_dot_product_attention and their kin; names "
        "such as flash_attention_2, sdpa that libraries are told to use"
    ),
    ask=ask,
)
