"""Is there a change log?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if


def ask(facts: Facts) -> Reply:
    """Look for files of that name."""
    return yes_if(
        [facts.cite(file.path) for file in facts.at_top("changelog") if file.language != "python"],
        "{n} files",
        "no file of that name in the top folder, docs or .github",
    )


PROBE = Probe(
    id="changelog",
    question="Is there a change log?",
    how="CHANGELOG, CHANGES, HISTORY, NEWS, release notes in the top folder, docs or .github",
    ask=ask,
    good=Outcome.YES,
    remedy="keep a change log, so that an update can be judged before it is made",
)
