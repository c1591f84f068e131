"""Does production code run over several processes or machines?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.signs import uses


def ask(facts: Facts) -> Reply:
    """Look for imports and calls."""
    return yes_if(uses(facts, "distributed"), "{n} places", "no library for that is imported")


PROBE = Probe(
    id="distributed",
    question="Does production code use libraries for several processes or machines?",
    how="imports and calls of torch.distributed, Ray, DeepSpeed, Accelerate, MPI, Celery and their kin",
    ask=ask,
)
