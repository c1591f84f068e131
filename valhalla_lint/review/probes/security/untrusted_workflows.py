"""Do workflows run with secrets on code of strangers?"""

import re

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if

TRIGGER = re.compile(r"\bpull_request_target\b")
STRANGER = re.compile(r"github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref|refs/pull/")


def ask(facts: Facts) -> Reply:
    """Look for the trigger together with a checkout of the proposed code."""
    workflows = [file for file in facts.kind("ci") if file.path.startswith(".github/workflows/")]
    if not workflows:
        return not_applicable("there is no workflow of GitHub")
    found = []
    for file in workflows:
        lines = [line.split(" #")[0] for line in facts.text(file.path).split("\n") if not line.lstrip().startswith("#")]
        if (
            any(TRIGGER.search(line) for line in lines)
            and any(STRANGER.search(line) for line in lines)
            and any("actions/checkout" in line for line in lines)
        ):
            found.append(facts.cite(file.path))
    return yes_if(found, "{n} workflows", f"none of {len(workflows)} workflows")


PROBE = Probe(
    id="untrusted-workflows",
    question="Does a workflow check out proposed code under pull_request_target?",
    how="workflows that name pull_request_target, use actions/checkout, and name the head of the pull request",
    ask=ask,
    good=Outcome.NO,
    remedy="use pull_request, or keep the proposed code out of that workflow",
)
