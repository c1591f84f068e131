"""Are there integration or end-to-end tests?"""

import re

from valhalla_lint.core.evidence import Basis, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.files import in_folder
from valhalla_lint.review.probe import Probe, Reply, named_or_unknown

NAME = re.compile(r"(?:^|[/_-])(?:integration|e2e|end[_-]to[_-]end|functional|acceptance)(?:[/_-]|\.py$)")


def ask(facts: Facts) -> Reply:
    """Look at the names of test files and their folders."""
    found = [
        file
        for file in facts.tests
        if in_folder(facts.by_path[file.path], "integration") or NAME.search(file.path.lower())
    ]
    return named_or_unknown(
        [facts.cite(file.path) for file in found], "{n} files", "no test file or folder is named so"
    )


PROBE = Probe(
    id="integration-tests",
    question="Are there tests that call themselves integration, end-to-end, functional or acceptance tests?",
    how="words in the names of test files and of the folders above them; unknown where nothing is named so",
    ask=ask,
    good=Outcome.YES,
    remedy="test the parts together, as a user meets them",
    basis=Basis.INFERENCE,
)
