"""Is there a security policy?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if


def ask(facts: Facts) -> Reply:
    """Look for files of that name."""
    return yes_if(
        [facts.cite(file.path) for file in facts.at_top("security") if file.language != "python"],
        "{n} files",
        "no file of that name in the top folder, docs or .github",
    )


PROBE = Probe(
    id="security-policy",
    question="Is there a security policy?",
    how="SECURITY in the top folder, docs or .github",
    ask=ask,
    good=Outcome.YES,
    remedy="say in SECURITY.md how a hole is reported and which versions are mended",
)
