"""Does production code expose metrics?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply
from valhalla_lint.review.signs import shown, uses


def ask(facts: Facts) -> Reply:
    """Look for imports and calls."""
    return shown(facts, "serving", uses(facts, "metrics"), "{n} places", "no metrics library is imported")


PROBE = Probe(
    id="metrics",
    question="Does production code use a library that exposes metrics?",
    how=(
        "imports of prometheus_client, opentelemetry.metrics, statsd and their kin; unknown where sources in other "
        "languages, which may serve, were not analysed"
    ),
    ask=ask,
)
