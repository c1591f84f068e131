"""Does the history hold credentials?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, unknown, yes_if


def ask(facts: Facts) -> Reply:
    """Report what was found where the history was searched."""
    if facts.history is None:
        return not_applicable("a folder or archive has no history")
    if facts.history_secrets is None:
        return unknown("the history was not searched (--history-secrets)")
    return yes_if(
        facts.history_secrets, "{n} places", "no credential of a known provider's shape in any version of any file"
    )


PROBE = Probe(
    id="history-secrets",
    question="Does the history hold credentials of known providers' shapes?",
    how=(
        "all versions of all text files in commits that lead to the reviewed one, provider shapes only; the commit "
        "is named, the value never"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="revoke the credential; taking it out of the history comes second",
)
