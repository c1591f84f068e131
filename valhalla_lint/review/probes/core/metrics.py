"""Does production code expose metrics?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.signs import uses


def ask(facts: Facts) -> Reply:
    """Look for imports and calls."""
    return yes_if(uses(facts, "metrics"), "{n} places", "no metrics library is imported")


PROBE = Probe(
    id="metrics",
    question="Does production code expose metrics?",
    how="imports of prometheus_client, opentelemetry.metrics, statsd and their kin",
    ask=ask,
)
