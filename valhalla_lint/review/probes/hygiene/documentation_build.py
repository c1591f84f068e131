"""Is documentation built from the tree?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.tooling import configured

BUILDERS = (
    "mkdocs.yml",
    "mkdocs.yaml",
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "antora.yml",
    "book.toml",
    "_quarto.yml",
    "zensical.toml",
    "mint.json",
)


def ask(facts: Facts) -> Reply:
    """Look for the configuration of documentation builders."""
    places = [*configured(facts, "sphinx", "mkdocs", "readthedocs")]
    places.extend(facts.cite(file.path) for file in facts.files if file.entry.name in BUILDERS)
    return yes_if(places, "{n} configurations", "no configuration of a documentation builder was found")


PROBE = Probe(
    id="documentation-build",
    question="Is there a documentation build?",
    how="conf.py of Sphinx, mkdocs.yml, Docusaurus, Antora, mdBook, Quarto, Zensical, Mintlify, Read the Docs",
    ask=ask,
    good=Outcome.YES,
    remedy="build the documentation in CI with warnings as errors",
)
