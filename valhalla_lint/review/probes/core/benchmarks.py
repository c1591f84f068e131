"""Are there benchmarks?"""

import re

from valhalla_lint.core.evidence import Basis
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.files import in_folder
from valhalla_lint.review.probe import Probe, Reply, named_or_unknown

NAME = re.compile(r"(?:^|[/_-])bench(?:es|mark(?:s|ing)?)?(?:[/_-]|$)")


def ask(facts: Facts) -> Reply:
    """Look at names of files and folders."""
    found = [
        file
        for file in facts.python
        if in_folder(facts.by_path[file.path], "benchmarks") or NAME.search(file.path.lower().removesuffix(".py"))
    ]
    return named_or_unknown(
        [facts.cite(file.path) for file in found], "{n} files", "no Python file or folder is named so"
    )


PROBE = Probe(
    id="benchmarks",
    question="Are there benchmarks in the tree?",
    how=(
        "Python files and folders with bench or benchmark as a word of their name, folders named perf or performance; "
        "unknown where nothing is named so. That one is there says nothing about what it would show"
    ),
    ask=ask,
    basis=Basis.INFERENCE,
)
