"""Can others extend it by installing a package?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.tables import table


def ask(facts: Facts) -> Reply:
    """Look for the loading of entry points and for plugin libraries."""
    modules = table("signs")["modules"]["plugins"]
    found = [facts.cite(file.path, line, name) for file, line, name in facts.importing(*modules)]
    found += [facts.cite(file.path, call.line, call.name) for file, call in facts.calls(*modules)]
    return yes_if(found, "{n} places", "entry points are not loaded, and no plugin library is used")


PROBE = Probe(
    id="plugins",
    question="Does production code load plugins (entry points, pluggy, stevedore)?",
    how="calls of importlib.metadata.entry_points and pkg_resources.iter_entry_points, imports of pluggy and stevedore",
    ask=ask,
)
