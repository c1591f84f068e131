"""VH106 secret-comparison."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.module import Module


def check(module: Module, options: None) -> Iterator[Hit]:
    for found in module.credentials:
        if found.topic == "comparison":
            yield Hit(
                found.at,
                values={"kind": found.kind, "target": found.target},
                confidence=found.confidence,
                reasons=found.reasons,
                secret=found.secret,
            )


RULE = Rule(
    code="VH106",
    name="secret-comparison",
    message="`{target}` is compared with a literal {kind}",
    why=(
        "Whoever reads the source knows what to answer, and `==` stops at the first difference, which can be measured."
    ),
    remedy="compare with a value from a secret manager, by `hmac.compare_digest`; store passwords as hashes",
    severity=Severity.HIGH,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.MEDIUM},
    cwe=(798, 208),
    check=check,
    bad=(
        Bad(
            """
            import hmac


            def admit(x_admin_key, password, token):
                if x_admin_key != "{{secret:32}}":  # VH106
                    return False
                match password:
                    case "moonlight-42":  # VH106
                        return True
                return hmac.compare_digest(token, "{{secret:31}}")  # VH106
            """,
        ),
    ),
    good=(
        Good(
            """
            def classify(token, password, other):
                if token == "NAME" or token in ("(", ")"):
                    return "identifier"
                return password == other or password == ""
            """,
            note="Pieces of text, other variables, the empty string.",
        ),
    ),
)
