"""Is logging structured?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.signs import uses


def ask(facts: Facts) -> Reply:
    """Look for libraries and formatters."""
    found = list(uses(facts, "structured"))
    for file in facts.production:
        found.extend(
            facts.cite(file.path, item.line, item.name)
            for item in file.classes
            if "json" in item.name.lower() and item.name.endswith("Formatter")
        )
    loggers = [facts.cite(file.path, call.line, call.name) for file, call in facts.calls("logging.getLogger")]
    if not found and not loggers:
        return not_applicable("production code makes no logger")
    return yes_if(found, "{n} places", f"{len(loggers)} plain loggers", loggers)


PROBE = Probe(
    id="structured-logging",
    question="Is logging structured (fields instead of sentences)?",
    how="imports of structlog, loguru, python-json-logger and their kin; formatter classes with JSON in their name",
    ask=ask,
)
