"""Are API pages made from docstrings?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.probes.hygiene.documentation_build import BUILDERS
from valhalla_lint.review.tooling import said

WORDS = (
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "autoapi",
    "autodoc2",
    "mkdocstrings",
    "sphinx_autodoc",
    "doc_builder",
    "[[autodoc]]",
    "::: ",
)


def ask(facts: Facts) -> Reply:
    """Look for the words in the configuration of documentation builders."""
    builders = [
        file
        for file in facts.files
        if file.entry.name in (*BUILDERS, "conf.py")
        and file.language in ("python", "yaml", "toml", "json", "javascript", "typescript")
    ]
    calls = list(said(facts, r"\b(?:pdoc|pydoc-markdown|doc-builder|sphinx-apidoc|lazydocs|griffe)\b"))
    if not builders and not calls:
        return not_applicable("no documentation builder was found")
    found = list(calls)
    for file in builders:
        for number, line in enumerate(facts.text(file.path).split("\n"), 1):
            if any(word in line for word in WORDS) and not line.lstrip().startswith("#"):
                found.append(facts.cite(file.path, number))
    return yes_if(
        found,
        "{n} places",
        "no extension that reads docstrings was found",
        [facts.cite(file.path) for file in builders],
    )


PROBE = Probe(
    id="api-documentation",
    question="Are API pages made from docstrings?",
    how=(
        "autodoc, autosummary, autoapi, mkdocstrings and their kin in the builder's configuration; pdoc, "
        "sphinx-apidoc and their kin in task files"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="make the API pages from the docstrings, so that they cannot drift",
)
