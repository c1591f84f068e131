"""VH103 private-key."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.module import Module


def check(module: Module, options: None) -> Iterator[Hit]:
    for found in module.credentials:
        if found.topic == "private key":
            yield Hit(
                found.at,
                values={"kind": found.kind},
                confidence=found.confidence,
                reasons=found.reasons,
                loud=True,
                secret=found.secret,
            )


RULE = Rule(
    code="VH103",
    name="private-key",
    message="{kind} with its body stands in the source",
    why="Whoever reads the source can sign, decrypt or log in as the owner of the key.",
    remedy="mount the key as a file or take it from a secret manager, and replace the one that was written here",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    tiers={Tier.TEST: Severity.LOW},
    cwe=(321, 798),
    flagged=True,
    check=check,
    bad=(
        Bad(
            '''
            # VH103 on the next line
            KEY = """-----BEGIN PRIVATE KEY-----  # VH103
            {{secret:64}}
            {{secret:63}}
            -----END PRIVATE KEY-----
            """
            '''.replace("            # VH103 on the next line\n", ""),
        ),
    ),
    good=(
        Good(
            '''
            def is_private(text):
                return text.startswith("-----BEGIN PRIVATE KEY-----")


            PUBLIC = """-----BEGIN PUBLIC KEY-----
            {{secret:64}}
            -----END PUBLIC KEY-----
            """
            ''',
            note="The marker alone, and public keys.",
        ),
    ),
)
