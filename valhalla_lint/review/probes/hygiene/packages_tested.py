"""Is every production package imported by a test?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable


def ask(facts: Facts) -> Reply:
    """Follow the import edges from tests into packages."""
    nodes = {node.name: node for node in facts.topology.nodes}
    product = {file.path for file in facts.production}
    folders: dict[str, str] = {}
    for node in nodes.values():
        if node.path in product and node.functions + node.classes and "/" in node.path:
            folders.setdefault(node.path.rpartition("/")[0], node.path)
    if not folders:
        return not_applicable("no production package with functions or classes")
    if not any(node.tier == "test" for node in nodes.values()):
        return Reply(
            Outcome.NO,
            "there are no tests",
            negative=tuple(facts.cite(path, note=folder) for folder, path in sorted(folders.items())),
        )
    tested = set()
    for edge in facts.topology.edges:
        if nodes[edge.source].tier == "test" and nodes[edge.target].tier == "production":
            tested.add(nodes[edge.target].path.rpartition("/")[0])
    bare = [facts.cite(path, note=folder) for folder, path in sorted(folders.items()) if folder not in tested]
    seen = [facts.cite(path, note=folder) for folder, path in sorted(folders.items()) if folder in tested]
    return no_if(
        bare,
        f"{{n}} of {len(folders)} folders with production code are imported by no test",
        f"all {len(folders)} are",
        seen,
    )


PROBE = Probe(
    id="packages-tested",
    question="Is every folder of production code imported by a test directly?",
    how=(
        "folders with production modules that define something; import edges from the test tier to a module right in "
        "that folder. Code that is reached only through other code counts as not imported"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="write a test that speaks to the package itself",
)
