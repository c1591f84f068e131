"""Are the imports free of cycles?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable


def ask(facts: Facts) -> Reply:
    """Look at the strongly connected components."""
    nodes = {node.name: node for node in facts.topology.nodes}
    product = {file.path for file in facts.production}
    if not product:
        return not_applicable("no production module")
    cycles = [cycle for cycle in facts.topology.cycles if any(nodes[name].path in product for name in cycle)]
    members = [
        facts.cite(
            nodes[name].path,
            note=f"in a cycle of {len(cycle)} modules with {next(other for other in cycle if other != name)}",
        )
        for cycle in cycles
        for name in cycle
    ]
    return no_if(members, f"{len(cycles)} cycles over {{n}} modules", "no cycle")


PROBE = Probe(
    id="acyclic",
    question="Is the import graph of production modules free of cycles?",
    how=(
        "strongly connected components over imports at module level; imports inside functions or for type checking "
        "do not count, nor does the import of a package by its own module's name"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="move what both sides need into a module below them",
)
