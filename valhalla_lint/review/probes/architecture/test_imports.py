"""Do scripts import test code?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at edges from scripts to tests."""
    tiers = {node.name: node.tier for node in facts.topology.nodes}
    if not {"script", "test"} <= set(tiers.values()):
        return not_applicable("there are not both scripts and tests")
    wrong = [edge for edge in facts.topology.edges if (tiers[edge.source], tiers[edge.target]) == ("script", "test")]
    return yes_if(
        [facts.cite(edge.path, edge.line, f"imports {edge.target}") for edge in wrong], "{n} edges", "no edge"
    )


PROBE = Probe(
    id="scripts-import-tests",
    question="Do scripts or benchmarks import test code?",
    how="import edges of the tree from the script tier to the test tier",
    ask=ask,
    good=Outcome.NO,
    remedy="move shared helpers to a place of their own",
)
