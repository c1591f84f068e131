"""VH102 provider-token."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.mending.credentials import credential_can_be_looked_up
from valhalla_lint.facts.module import Module


def check(module: Module, options: None) -> Iterator[Hit]:
    for found in module.credentials:
        if found.topic == "provider":
            yield Hit(
                found.at,
                values={"kind": found.kind, "where": f" in `{found.target}`" if found.target else ""},
                confidence=found.confidence,
                severity=Severity.LOW if found.sandbox else None,
                reasons=found.reasons,
                remedy=f"revoke it ({found.revoke}), then read a new one from the environment or a secret manager",
                loud=True,
                secret=found.secret,
                mends=credential_can_be_looked_up(module, found),
            )


RULE = Rule(
    code="VH102",
    name="provider-token",
    message="{kind}{where} stands in the source",
    why=(
        "The text has the very shape of a credential that a provider issues; where the provider publishes a checksum, "
        "it was checked. Such tokens are found in public repositories within minutes and used by machines."
    ),
    remedy="revoke it, then read a new one from the environment or a secret manager",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    tiers={Tier.TEST: Severity.LOW, Tier.SCRIPT: Severity.MEDIUM},
    cwe=(798,),
    flagged=True,
    check=check,
    mends=True,
    bad=(
        Bad(
            """
            import requests

            HUB_TOKEN = "{{token:huggingface}}"  # VH102


            def ask(question, suffix):
                \"\"\"For instance with {{token:openai}}.\"\"\"  # VH102
                # the old one was {{token:anthropic}}  # VH102
                return requests.get(f"https://api.test/{question}?key={{token:google-api}}&n={suffix}")  # VH102
            """,
            note="Wherever it stands: values, the constant part of an f-string, docstrings and comments.",
        ),
        Bad('def test_push(hub):\n    assert hub.push(token="{{token:github}}")  # VH102\n', path="tests/test_hub.py"),
    ),
    good=(
        Good(
            """
            GITHUB_PREFIX = "ghp_"
            KEY_ID = "AKIAIOSFODNN7EXAMPLE"
            SHOWN = "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            MODULE = "hf_transformers_utilities.configuration"
            """,
            note="Prefixes, examples of documentation, masks and ordinary names.",
        ),
    ),
)
