"""Does the package say that it ships types?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look for py.typed."""
    if not any(file.package for file in facts.production):
        return not_applicable("no production package")
    return yes_if(
        [facts.cite(file.path) for file in facts.files if file.entry.name == "py.typed"],
        "{n} markers",
        "no py.typed in the tree",
    )


PROBE = Probe(
    id="ships-types",
    question="Does a package carry the marker py.typed?",
    how="files named py.typed",
    ask=ask,
    good=Outcome.YES,
    remedy="add py.typed, so that type checkers of users read the annotations",
)
