"""Does every import inside the tree lead to a file?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.files import of_class
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable


def ask(facts: Facts) -> Reply:
    """Look at what the import graph could not resolve."""
    production = {file.path for file in facts.production}
    if not production:
        return not_applicable("no production code")
    firm = [item for item in facts.graph.missing if not item.optional and item.path in production]
    native = any(file.language and of_class(file.language, "native") for file in facts.files)
    hint = "; the tree holds native sources, of which compiled modules are made" if native else ""
    return no_if(
        [facts.cite(item.path, item.line, item.name) for item in firm], f"{{n}} imports lead to no file{hint}", "all do"
    )


PROBE = Probe(
    id="resolved-imports",
    question="Does every import of the tree's own packages in production code lead to a file of the tree?",
    how=(
        "imports below a package of the tree for which no module was found; imports whose absence is caught do not "
        "count. Compiled or generated modules are such imports by right"
    ),
    ask=ask,
)
