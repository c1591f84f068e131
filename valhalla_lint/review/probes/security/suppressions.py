"""Are hits silenced in production code?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at hits with a comment that asks for silence."""
    if not facts.production:
        return not_applicable("no production code")
    found = [
        facts.cite(hit.path, hit.line, f"{hit.code}: {hit.silenced}")
        for hit in facts.risk.hits
        if hit.silenced and hit.tier == "production"
    ]
    return yes_if(found, "{n} hits", "no hit stands on such a line")


PROBE = Probe(
    id="suppressions",
    question="Do comments in production code ask for silence about hits of this review?",
    how="hits on lines with `# noqa`, `# nosec` or a suppression of this linter; the hits are reported all the same",
    ask=ask,
)
