"""Are there god modules?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

LINES = 2000
IMPORTS = 40


def ask(facts: Facts) -> Reply:
    """Look at lines of code and outgoing imports."""
    if not facts.production:
        return not_applicable("no production module")
    imports = {node.path: node.imports for node in facts.topology.nodes}
    found = [
        facts.cite(file.path, note=f"{file.code:,} lines of code") for file in facts.production if file.code > LINES
    ]
    found += [
        facts.cite(file.path, note=f"imports {imports[file.path]} modules of the tree")
        for file in facts.production
        if imports.get(file.path, 0) > IMPORTS and file.code <= LINES
    ]
    return yes_if(found, "{n} modules", "none")


PROBE = Probe(
    id="god-modules",
    question=(
        f"Is there a production module with more than {LINES:,} lines of code or {IMPORTS} imported modules of the "
        "tree?"
    ),
    how="lines with code, blank and comment lines left out; distinct modules of the tree that it imports",
    ask=ask,
    good=Outcome.NO,
    remedy="cut it where its parts are used by different callers",
)
