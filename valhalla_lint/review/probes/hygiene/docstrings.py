"""Do public functions and classes have docstrings?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable
from valhalla_lint.review.shares import percent

SHARE = 50
"""Percent from which the answer is yes."""


def ask(facts: Facts) -> Reply:
    """Count definitions and docstrings."""
    public = [
        (file, item.name, item.line, item.documented is not None)
        for file in facts.production
        for item in file.functions
        if item.public
    ]
    public += [
        (file, item.name, item.line, item.documented)
        for file in facts.production
        for item in file.classes
        if not item.name.startswith("_")
    ]
    if not public:
        return not_applicable("no public function or class")
    documented = sum(has for _, _, _, has in public)
    bare = tuple(facts.cite(file.path, line, name) for file, name, line, has in public if not has)
    outcome = Outcome.YES if documented * 100 >= len(public) * SHARE else Outcome.NO
    return Reply(outcome, f"{documented:,} of {len(public):,} ({percent(documented, len(public))})", negative=bare)


PROBE = Probe(
    id="docstrings",
    question=f"Do at least {SHARE} % of public production functions and classes have a docstring?",
    how="functions, methods and classes without leading underscore, not nested in functions",
    ask=ask,
    good=Outcome.YES,
    remedy="say in a docstring what goes in, what comes out and what is raised",
)
