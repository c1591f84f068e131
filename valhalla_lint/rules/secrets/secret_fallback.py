"""VH105 secret-fallback."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.mending.fallbacks import fallback_can_be_dropped
from valhalla_lint.facts.module import Module


def check(module: Module, options: None) -> Iterator[Hit]:
    for found in module.credentials:
        if found.topic == "fallback":
            yield Hit(
                found.at,
                values={"kind": found.kind, "target": found.target},
                confidence=found.confidence,
                reasons=found.reasons,
                secret=found.secret,
                mends=fallback_can_be_dropped(module, found),
            )


RULE = Rule(
    code="VH105",
    name="secret-fallback",
    message="literal {kind} as fallback for `{target}`",
    why=(
        "Where the setting is missing, the program runs with a credential that everybody knows, and nothing says so. "
        "Moving a literal into the default of a look-up hides it from readers, not from attackers."
    ),
    remedy="drop the default, so that a missing setting is an error at start",
    severity=Severity.HIGH,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.MEDIUM},
    cwe=(798, 1188),
    check=check,
    mends=True,
    bad=(
        Bad(
            """
            import argparse
            import os

            from pydantic import BaseSettings, Field

            WEBHOOK_SECRET = os.getenv("WEBHOOK_SECRET", "{{secret:32}}")  # VH105
            CACHE_PASSWORD = os.environ.get("CACHE_PASSWORD") or "Tq7-vault-Kz9-Rm2x"  # VH105


            class Settings(BaseSettings):
                hub_token: str = Field("{{secret:24}}", env="HUB_TOKEN")  # VH105
                db_password: str = "moonlight-42"  # VH105


            def arguments():
                parser = argparse.ArgumentParser()
                parser.add_argument("--hub-token", default="{{secret:31}}")  # VH105
                return parser
            """,
        ),
    ),
    good=(
        Good(
            """
            import os

            from pydantic import BaseSettings, Field

            TOKEN = os.getenv("TOKEN")
            SECRET = os.environ.get("SECRET", "")


            class Settings(BaseSettings):
                api_host: str = Field("0.0.0.0", env="API_HOST")
                hub_token: str = Field(..., env="HUGGINGFACE_TOKEN")
            """,
            note="No fallback, an empty one, and the name of a variable.",
        ),
    ),
)
