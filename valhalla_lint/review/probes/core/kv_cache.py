"""Are there classes for a key/value cache?"""

from valhalla_lint.core.evidence import Basis
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.signs import named, uses


def ask(facts: Facts) -> Reply:
    """Look at the names of classes."""
    if not uses(facts, "models"):
        return not_applicable("production code imports no library that runs models")
    return yes_if(named(facts, "cache"), "{n} classes", "no class is named so")


PROBE = Probe(
    id="kv-cache",
    question="Are there classes for a key/value cache?",
    how="names of production classes that hold KVCache, PagedAttention, BlockManager, StaticCache and their kin",
    ask=ask,
    basis=Basis.INFERENCE,
)
