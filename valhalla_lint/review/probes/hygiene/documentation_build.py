"""Is documentation built from the tree?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.tooling import configured, said

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
    "_toctree.yml",
)
CALLS = (
    r"\b(?:doc-builder|sphinx-build|pdoc|pydoc-markdown|lazydocs)\b|\bmkdocs\s+(?:build|gh-deploy)\b"
    r"|\b(?:jupyter-book|mdbook)\s+build\b|\bquarto\s+render\b"
)


def ask(facts: Facts) -> Reply:
    """Look for the configuration of documentation builders."""
    places = [*configured(facts, "sphinx", "mkdocs", "readthedocs")]
    places.extend(facts.cite(file.path) for file in facts.files if file.entry.name in BUILDERS)
    places.extend(said(facts, CALLS))
    return yes_if(places, "{n} places", "neither the configuration nor a call of a documentation builder was found")


PROBE = Probe(
    id="documentation-build",
    question="Is there a documentation build?",
    how=(
        "configuration of Sphinx, MkDocs, Docusaurus, Antora, mdBook, Quarto, Zensical, Mintlify, doc-builder or Read "
        "the Docs; calls of builders in hooks, CI files and task files"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="build the documentation in CI with warnings as errors",
)
