"""Does production code import tests or scripts?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at edges between tiers."""
    tiers = {node.name: node.tier for node in facts.topology.nodes}
    if "production" not in tiers.values():
        return not_applicable("no production module")
    wrong = [
        edge
        for edge in facts.topology.edges
        if tiers[edge.source] == "production" and tiers[edge.target] in ("test", "script")
    ]
    return yes_if(
        [facts.cite(edge.path, edge.line, f"imports {edge.target} [{tiers[edge.target]}]") for edge in wrong],
        "{n} edges",
        "no edge from production code to tests or scripts",
    )


PROBE = Probe(
    id="wrong-way-imports",
    question="Does production code import tests or scripts?",
    how="import edges of the tree from a file of the production tier to one of another tier",
    ask=ask,
    good=Outcome.NO,
    remedy="move what is shared into production code, or the importer out of it",
)
