"""Are there classes named as batchers, request queues or request schedulers?"""

from valhalla_lint.core.evidence import Basis
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.signs import named, uses


def ask(facts: Facts) -> Reply:
    """Look at the names of classes."""
    if not uses(facts, "models"):
        return not_applicable("production code imports no library that runs models")
    return yes_if(
        [place for place in named(facts, "batching") if not place.note.endswith("Sampler")],
        "{n} classes",
        "no class is named so",
    )


PROBE = Probe(
    id="batching",
    question="Are there classes named as batchers, request queues or request schedulers?",
    how=(
        "names of production classes that hold ContinuousBatch, RequestQueue, BatchScheduler, Batcher and their kin; "
        "schedulers of learning rates or noise do not count"
    ),
    ask=ask,
    basis=Basis.INFERENCE,
)
