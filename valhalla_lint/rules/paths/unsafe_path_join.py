"""VH202 unsafe-path-join."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.flow import FlowQuery
from valhalla_lint.core.rule import Bad, Good, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.mending.checks import join_can_be_mended

RULE = Rule(
    code="VH202",
    name="unsafe-path-join",
    message="{source} reaches {sink}",
    why=(
        "A public function that puts a caller's file name below a folder is the place where a library can promise that "
        "the result stays there. If it does not, every application that hands it a name from outside has the hole."
    ),
    remedy="resolve the joined path and raise unless `is_relative_to(base)`, or reduce the name to its last part",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: None},
    cwe=(22, 23),
    flow=FlowQuery(frozenset({"join"})),
    mends=True,
    mendable=join_can_be_mended,
    bad=(
        Bad("""
            import os


            class Storage:
                def __init__(self, root):
                    self.root = root

                def read(self, filename):
                    path = os.path.join(self.root, filename)  # VH202
                    with open(path, "rb") as handle:
                        return handle.read()
        """),
    ),
    good=(
        Good("""
            import os


            class Storage:
                def __init__(self, root):
                    self.root = os.path.realpath(root)

                def read(self, filename):
                    path = os.path.realpath(os.path.join(self.root, filename))
                    if os.path.commonpath([self.root, path]) != self.root:
                        raise ValueError("outside of the storage")
                    with open(path, "rb") as handle:
                        return handle.read()
        """),
        Good(
            """
            import os


            def _read(root, filename):
                with open(os.path.join(root, filename), "rb") as handle:
                    return handle.read()
        """,
            note="A private helper's names come from its own module, which is judged where it calls.",
        ),
        Good(
            """
            import os


            def save(text, directory, file_name):
                with open(os.path.join(directory, file_name), "w", encoding="utf-8") as handle:
                    handle.write(text)
        """,
            note="Who chooses the folder may choose the file in it; the preset `audit` tells it all the same.",
        ),
    ),
)
