"""Do containers run as another user than root?"""

import re

from valhalla_lint.core.evidence import Citation, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable

USER = re.compile(r"^[ \t]*USER[ \t]+(\S+)", re.MULTILINE | re.IGNORECASE)
ROOT = ("root", "0", "0:0", "root:root")


def ask(facts: Facts) -> Reply:
    """Look at the last USER line of each container file."""
    files = [file for file in facts.files if file.language == "docker"]
    if not files:
        return not_applicable("there is no container file")
    other: list[Citation] = []
    root: list[Citation] = []
    for file in files:
        users = USER.findall(facts.text(file.path))
        (other if users and users[-1].lower() not in ROOT else root).append(
            facts.cite(file.path, note=users[-1] if users else "no USER")
        )
    return no_if(root, f"{{n}} of {len(files)} do not", f"all {len(files)} do", other)


PROBE = Probe(
    id="container-user",
    question="Does every container file end with a user other than root?",
    how=(
        "the last USER line of files named Dockerfile, Containerfile or alike; a base image may set a user of its "
        "own, which is not seen"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="make a user and switch to it",
)
