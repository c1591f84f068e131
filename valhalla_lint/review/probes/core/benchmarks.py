"""Are there benchmarks?"""

import re

from valhalla_lint.core.evidence import Basis
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.files import in_folder
from valhalla_lint.review.probe import Probe, Reply, yes_if

NAME = re.compile(r"(?:^|_)bench(?:mark(?:s|ing)?)?(?:_|$)")


def ask(facts: Facts) -> Reply:
    """Look at names of files and folders."""
    found = [
        file
        for file in facts.python
        if in_folder(facts.by_path[file.path], "benchmarks")
        or NAME.search(file.path.rpartition("/")[2].removesuffix(".py"))
    ]
    return yes_if([facts.cite(file.path) for file in found], "{n} files", "no Python file or folder of that name")


PROBE = Probe(
    id="benchmarks",
    question="Are there benchmarks in the tree?",
    how=(
        "Python files named bench or benchmark, or below a folder named bench, benchmarks, perf or performance; that "
        "one is there says nothing about what it would show"
    ),
    ask=ask,
    basis=Basis.INFERENCE,
)
