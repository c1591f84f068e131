"""Are the parameters of public functions annotated?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable
from valhalla_lint.review.shares import percent

SHARE = 80
"""Percent of parameters from which the answer is yes."""


def ask(facts: Facts) -> Reply:
    """Count parameters and annotations."""
    public = [
        (file, function)
        for file in facts.production
        for function in file.functions
        if (function.public or function.constructor) and function.parameters
    ]
    total = sum(len(function.parameters) for _, function in public)
    if not total:
        return not_applicable("no public function with parameters")
    annotated = sum(function.annotated for _, function in public)
    bare = [facts.cite(file.path, function.line, function.name) for file, function in public if not function.annotated]
    outcome = Outcome.YES if annotated * 100 >= total * SHARE else Outcome.NO
    return Reply(outcome, f"{annotated:,} of {total:,} parameters ({percent(annotated, total)})", negative=tuple(bare))


PROBE = Probe(
    id="type-hints",
    question=f"Are at least {SHARE} % of the parameters of public production functions annotated?",
    how=(
        "functions and methods without leading underscore and constructors, not nested; self and cls do not count, "
        "* and ** parameters do"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="annotate public functions; a type checker then holds callers to them",
)
