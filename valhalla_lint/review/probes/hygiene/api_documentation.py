"""Are API pages made from docstrings?"""

import re
from collections.abc import Iterator

from valhalla_lint.core.evidence import Citation, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.probes.hygiene.documentation_build import BUILDERS
from valhalla_lint.review.probes.hygiene.documentation_build import CALLS as BUILDS
from valhalla_lint.review.tooling import said

WORDS = (
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "autoapi",
    "autodoc2",
    "mkdocstrings",
    "mkautodoc",
    "sphinx_autodoc",
)
CALLS = r"\b(?:pdoc|pydoc-markdown|sphinx-apidoc|lazydocs|griffe)\b"
DIRECTIVE = re.compile(
    r"^\s*(?:\.\. (?:auto(?:class|module|function|summary|exception|data|method)|apidoc)::|\[\[autodoc\]\])"
)
BLOCK = re.compile(r"^::: (\w+)(?:\.\w+)*\s*$")
"""The directive of mkdocstrings and mkautodoc; other builders mark boxes with the same colons."""
DOCUMENTS = ("markdown", "restructuredtext")


def ask(facts: Facts) -> Reply:
    """Look for directives in pages and for the words in the configuration of documentation builders."""
    builders = [
        file
        for file in facts.files
        if file.entry.name in (*BUILDERS, "conf.py")
        and file.language in ("python", "yaml", "toml", "json", "javascript", "typescript")
    ]
    calls = list(said(facts, CALLS))
    if not builders and not calls and not any(said(facts, BUILDS)):
        return not_applicable("no documentation builder was found")
    found = list(calls)
    for file in builders:
        for number, line in enumerate(facts.text(file.path).split("\n"), 1):
            if any(word in line for word in WORDS) and not line.lstrip().startswith("#"):
                found.append(facts.cite(file.path, number))
    found.extend(_pages(facts))
    return yes_if(
        found,
        "{n} places",
        "neither an extension that reads docstrings nor a page with such a directive was found",
        [facts.cite(file.path) for file in builders],
    )


def _pages(facts: Facts) -> Iterator[Citation]:
    """The first directive of each page."""
    tops = {name.partition(".")[0] for name in facts.graph.by_name}
    for file in facts.kind("documentation"):
        if file.language not in DOCUMENTS:
            continue
        for number, line in enumerate(facts.text(file.path).split("\n"), 1):
            block = BLOCK.match(line)
            if DIRECTIVE.match(line) or (block and block[1] in tops):
                yield facts.cite(file.path, number)
                break


PROBE = Probe(
    id="api-documentation",
    question="Are API pages made from docstrings?",
    how=(
        "directives such as autoclass, [[autodoc]] or ::: in pages; autodoc, autosummary, autoapi, mkdocstrings, "
        "mkautodoc and their kin in the builder's configuration; pdoc, sphinx-apidoc and their kin in task files"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="make the API pages from the docstrings, so that they cannot drift",
)
