"""Are there batchers, request queues or request schedulers?"""

from valhalla_lint.core.evidence import Basis
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, named_or_unknown, not_applicable
from valhalla_lint.review.signs import elsewhere, named, uses


def ask(facts: Facts) -> Reply:
    """Look at the names of classes and functions."""
    if not uses(facts, "models"):
        return not_applicable("production code imports no library that runs models")
    others = elsewhere(facts, "engine")
    return named_or_unknown(
        [place for place in named(facts, "batching") if not place.note.endswith("Sampler")],
        "{n} classes and functions",
        "no class or function is named so" + (f" in Python code ({others} were not analysed)" if others else ""),
    )


PROBE = Probe(
    id="batching",
    question="Are there classes or functions named as batchers, request queues or request schedulers?",
    how=(
        "names in production code that hold ContinuousBatch, RequestQueue, BatchScheduler, Batcher and their kin; "
        "schedulers of learning rates or noise do not count; unknown where nothing is named so"
    ),
    ask=ask,
    basis=Basis.INFERENCE,
)
