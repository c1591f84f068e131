"""VH104 url-credential."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.module import Module


def check(module: Module, options: None) -> Iterator[Hit]:
    for found in module.credentials:
        if found.topic == "url":
            yield Hit(
                found.at,
                values={"kind": found.kind},
                confidence=found.confidence,
                reasons=found.reasons,
                loud=found.strong,
                secret=found.secret,
            )


RULE = Rule(
    code="VH104",
    name="url-credential",
    message="address with a credential in it: {kind}",
    why="Addresses are logged, shown in errors and process lists, and sent on by proxies, with the credential in them.",
    remedy="keep user and password apart from the address, and read them from the environment or a secret manager",
    severity=Severity.HIGH,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: Severity.LOW, Tier.SCRIPT: Severity.MEDIUM},
    cwe=(798, 522),
    flagged=True,
    check=check,
    bad=(
        Bad(
            """
            DATABASE_URL = "postgresql://svc_reports:Wq8-Zk3-Lm5@db.internal:5432/reports"  # VH104
            BROKER = "redis://:Hn5-orchid-Vb2@cache.internal:6379/0"  # VH104
            CALLBACK = "https://service.internal/hook?access_token={{secret:32}}&v=1"  # VH104
            """,
        ),
    ),
    good=(
        Good(
            """
            import os

            PLAIN = "postgresql://svc_reports@db.internal:5432/reports"
            SHOWN = "postgresql://user:password@localhost/db"


            def address(user, password):
                return f"postgresql://{user}:{password}@{os.environ['DB_HOST']}/reports"
            """,
            note="A user name alone, the example of every manual, and values from outside.",
        ),
    ),
)
