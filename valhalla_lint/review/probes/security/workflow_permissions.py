"""Do workflows restrict what their token may do?"""

import re

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable

PERMISSIONS = re.compile(r"^[ \t]*permissions[ \t]*:", re.MULTILINE)


def ask(facts: Facts) -> Reply:
    """Look for the key in each workflow."""
    workflows = [file for file in facts.kind("ci") if file.path.startswith(".github/workflows/")]
    if not workflows:
        return not_applicable("there is no workflow of GitHub")
    said = {file.path for file in workflows if PERMISSIONS.search(facts.text(file.path))}
    return no_if(
        [facts.cite(file.path) for file in workflows if file.path not in said],
        f"{{n}} of {len(workflows)} workflows do not say",
        f"all {len(workflows)} do",
        [facts.cite(path) for path in said],
    )


PROBE = Probe(
    id="workflow-permissions",
    question="Does every GitHub workflow state permissions of its token?",
    how="a key `permissions:` at the top of a workflow or in one of its jobs",
    ask=ask,
    good=Outcome.YES,
    remedy="write `permissions:` with what is needed, at the top",
)
