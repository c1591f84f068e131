"""Do the packages state their public names?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at `__all__` of the topmost packages."""
    tops = [file for file in facts.production if file.package and "." not in file.dotted]
    if not tops:
        return not_applicable("no production package")
    return yes_if(
        [facts.cite(file.path, note=f"{len(file.public)} names") for file in tops if file.public],
        f"{{n}} of {len(tops)} topmost packages do",
        f"none of {len(tops)} topmost packages does",
        [facts.cite(file.path) for file in tops if not file.public],
    )


PROBE = Probe(
    id="public-names",
    question="Does a topmost package state its public names in a literal `__all__`?",
    how="`__all__` with literal names in the `__init__.py` of packages without a parent",
    ask=ask,
)
