"""VH107 authorization-literal."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.module import Module


def check(module: Module, options: None) -> Iterator[Hit]:
    for found in module.credentials:
        if found.topic == "authorization":
            yield Hit(
                found.at,
                values={"target": found.target},
                confidence=found.confidence,
                reasons=found.reasons,
                loud=found.strong,
                secret=found.secret,
            )


RULE = Rule(
    code="VH107",
    name="authorization-literal",
    message="literal credential sent as `{target}`",
    why="The credential that opens another service stands in the source, ready to be used by whoever reads it.",
    remedy="build it from a value of the environment or a secret manager, and revoke the one that was written here",
    severity=Severity.HIGH,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.MEDIUM},
    loud=True,
    cwe=(798, 522),
    check=check,
    bad=(
        Bad(
            """
            import httpx


            def usage(base, suffix):
                httpx.get(base, headers={"Authorization": "Bearer {{secret:32}}"})  # VH107
                httpx.get(base, headers={"Authorization": f"Bearer {{secret:31}}{suffix}"})  # VH107
                httpx.get(base, headers={"X-Api-Key": "{{secret:30}}"})  # VH107
                return httpx.get(base, auth=("svc-billing", "Hn5-orchid-Vb2-Qe7z"))  # VH107
            """,
        ),
    ),
    good=(
        Good(
            """
            import httpx


            def usage(base, token, pair):
                httpx.get(base, headers={"Authorization": f"Bearer {token}"})
                httpx.get(base, headers={"Authorization": "Bearer"}, auth=pair)
                return httpx.get(base, headers={"WWW-Authenticate": 'Bearer realm="api"'})
            """,
            note="Values from outside, the scheme alone, a challenge.",
        ),
    ),
)
