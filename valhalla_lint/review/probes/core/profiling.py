"""Does production code hold hooks for profiling or tracing?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.signs import uses


def ask(facts: Facts) -> Reply:
    """Look for imports and calls."""
    return yes_if(uses(facts, "profiling"), "{n} places", "no profiler or tracer is imported")


PROBE = Probe(
    id="profiling",
    question="Does production code hold hooks for profiling or tracing?",
    how="imports and calls of torch.profiler, NVTX, cProfile, OpenTelemetry tracing and their kin",
    ask=ask,
)
