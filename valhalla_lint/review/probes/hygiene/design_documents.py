"""Are there design documents?"""

import re

from valhalla_lint.core.evidence import Basis, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, named_or_unknown

NAME = re.compile(
    r"(?:^|/)(?:architecture|design|adrs?|decisions?|rfcs?|internals?|proposals?)(?:[-_.][^/]*)?(?:/[^/]+)*\.(?:md|rst|mdx|adoc)$",
    re.IGNORECASE,
)


def ask(facts: Facts) -> Reply:
    """Look at names of documentation files."""
    return named_or_unknown(
        [facts.cite(file.path) for file in facts.kind("documentation") if NAME.search(file.path)],
        "{n} files",
        "no document, and no folder of documents, is named so",
    )


PROBE = Probe(
    id="design-documents",
    question="Are there design documents or records of decisions?",
    how=(
        "documents named, or in a folder named, architecture, design, adr, decisions, rfc, internals or proposals; "
        "unknown where nothing is named so"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="write down why the parts are cut as they are",
    basis=Basis.INFERENCE,
)
