"""Are there abstract bases with several implementations?"""

from collections import defaultdict

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Match bases with abstract classes of the tree."""
    abstract = {}
    children: defaultdict[str, set[str]] = defaultdict(set)
    for file in facts.production:
        for item in file.classes:
            if item.abstract:
                abstract[item.name] = facts.cite(file.path, item.line, item.name)
            for base in item.bases:
                children[base.rpartition(".")[2]].add(f"{file.path}:{item.name}")
    if not any(file.classes for file in facts.production):
        return not_applicable("production code defines no class")
    found = [place for name, place in abstract.items() if len(children[name]) > 1]
    return yes_if(
        found,
        "{n} abstract classes with two or more implementations",
        f"{len(abstract)} abstract classes, none with two implementations in the tree",
    )


PROBE = Probe(
    id="strategies",
    question="Are there abstract classes with at least two implementations in the tree?",
    how=(
        "production classes with abstract methods (decorated so, or only raising NotImplementedError), or with ABC "
        "or Protocol among their bases, and the classes that name them as a base"
    ),
    ask=ask,
)
