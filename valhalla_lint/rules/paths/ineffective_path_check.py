"""VH203 ineffective-path-check."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.flow import FlowQuery
from valhalla_lint.core.rule import Bad, Good, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.mending.checks import check_can_be_mended

RULE = Rule(
    code="VH203",
    name="ineffective-path-check",
    message="the check lets paths out of the folder through",
    why=(
        "Somebody saw the danger and wrote a check, but the check stops only a part: a prefix without its separator "
        "also fits a sibling folder, a pattern without an end fits any tail, one pass of `replace` leaves a new '..' "
        "behind, a question about containment means nothing while '..' is still in the path. Code with such a check "
        "looks safe, and is reviewed no more."
    ),
    remedy="resolve first and ask `is_relative_to(base)`; for names, a full match without separators and dots",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.LOW},
    cwe=(22, 23, 185),
    flow=FlowQuery(frozenset({"check"})),
    mends=True,
    mendable=check_can_be_mended,
    bad=(
        Bad(
            """
            import os

            BASE = "/srv/files"


            def read(request):
                path = os.path.realpath(os.path.join(BASE, request.args["name"]))
                if not path.startswith(BASE):  # VH203
                    raise PermissionError("outside")
                return open(path).read()
        """,
            note="/srv/files_evil/x begins with /srv/files.",
        ),
        Bad(
            """
            import os


            def read(request):
                name = request.args["name"].replace("../", "")  # VH203
                return open(os.path.join("files", name)).read()
        """,
            note="....// becomes ../",
        ),
        Bad(
            """
            import os


            def read(request):
                name = request.args["name"]
                if ".." in name:  # VH203
                    raise PermissionError("outside")
                return open(os.path.join("files", name)).read()
        """,
            note="/etc/passwd holds no '..'.",
        ),
    ),
    good=(
        Good("""
            import os

            BASE = "/srv/files"


            def read(request):
                path = os.path.realpath(os.path.join(BASE, request.args["name"]))
                if not path.startswith(BASE + os.sep):
                    raise PermissionError("outside")
                return open(path).read()
        """),
        Good(
            """
            import os


            def read(request):
                name = request.args["name"]
                if ".." in name or os.path.isabs(name):
                    raise PermissionError("outside")
                return open(os.path.join("files", name)).read()
        """,
            note="Each check stops a part; both together stop all.",
        ),
    ),
)
