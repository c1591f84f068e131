"""Are CI actions of others pinned?"""

import re

from valhalla_lint.core.evidence import Citation, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable

USES = re.compile(r"^\s*(?:-\s+)?uses:\s*[\"']?([^\s\"'#]+)")
COMMIT = re.compile(r"@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$")


def ask(facts: Facts) -> Reply:
    """Look at the `uses:` lines of workflows."""
    fixed: list[Citation] = []
    moving: list[Citation] = []
    for file in facts.kind("ci"):
        if not file.path.startswith((".github/", ".forgejo/", ".gitea/")):
            continue
        for number, line in enumerate(facts.text(file.path).split("\n"), 1):
            match = USES.match(line)
            if match and not match[1].startswith("./"):
                (fixed if COMMIT.search(match[1]) else moving).append(facts.cite(file.path, number, match[1]))
    if not fixed and not moving:
        return not_applicable("no workflow uses an action of others")
    return no_if(
        moving,
        f"{{n}} of {len(fixed) + len(moving)} uses name a tag or branch, which can be moved",
        f"all {len(fixed)} uses name a commit",
        fixed,
    )


PROBE = Probe(
    id="pinned-actions",
    question="Are all actions of others in CI pinned to a commit?",
    how="`uses:` lines in workflows of GitHub, Forgejo and Gitea; local actions do not count",
    ask=ask,
    good=Outcome.YES,
    remedy="name a commit, with the tag as a comment; an updater renews both",
)
