"""Are hits silenced in production code?"""

from collections import defaultdict

from valhalla_lint.core.tier import Tier
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

FILES = 100
"""Files whose lines are looked up in the history."""
SHORT = 12


def ask(facts: Facts) -> Reply:
    """Look at hits with a comment that asks for silence."""
    if not facts.production:
        return not_applicable("no production code")
    hits = [hit for hit in facts.risk.hits if hit.silenced and hit.tier == Tier.PRODUCTION.value]
    lines: defaultdict[str, list[int]] = defaultdict(list)
    for hit in hits:
        lines[hit.path].append(hit.line)
    since = {path: facts.tree.since(path, lines[path]) for path in sorted(lines)[:FILES]}
    found = []
    for hit in hits:
        commit = since.get(hit.path, {}).get(hit.line, "")
        told = f", line since {commit[:SHORT]}" if commit else ""
        found.append(facts.cite(hit.path, hit.line, f"{hit.code}: {hit.silenced}{told}"))
    return yes_if(found, "{n} hits", "no hit stands on such a line")


PROBE = Probe(
    id="suppressions",
    question="Do comments in production code ask for silence about hits of this review?",
    how=(
        "hits on lines with `# noqa`, `# nosec` or a suppression of this linter, each with the commit that last wrote "
        "the line (of the first 100 such files); the hits are reported all the same"
    ),
    ask=ask,
)
