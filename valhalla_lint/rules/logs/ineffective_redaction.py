"""VH502 ineffective-redaction."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.module import Module


def check(module: Module, options: None) -> Iterator[Hit]:
    from valhalla_lint.facts.redaction import ALONE, leaking  # here: it knows all tokens, and few files substitute

    for found in leaking(module):
        sample = found.leak.sample
        general = found.leak.place == ALONE and not sample.head
        yield Hit(
            found.at,
            values={"kind": sample.name, "example": found.leak.example},
            confidence=Confidence.HIGH if general else Confidence.MEDIUM,
            reasons=(f"tried on made-up tokens: {found.leak.example} comes through readable",),
        )


RULE = Rule(
    code="VH502",
    name="ineffective-redaction",
    message="pattern meant to redact lets {kind} through, such as {example}",
    why="A filter that masks one kind of credential gives the confidence to log texts that hold the others. Opaque "
    "bearer tokens have no dots, JWTs have no padding, keys of providers have prefixes, dashes and underscores.",
    remedy="mask everything up to the next white space, or keep the value out of the text",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.LOW},
    cwe=(532, 116),
    needs=frozenset({".sub(", ".subn("}),
    check=check,
    bad=(
        Bad(
            """
            import logging
            import re

            TOKEN = re.compile(r"\\b[A-Za-z0-9-_]+\\.[A-Za-z0-9-_]+\\.[A-Za-z0-9-_]+\\b")  # VH502


            class Redact(logging.Filter):
                def filter(self, record):
                    record.msg = TOKEN.sub("***", record.getMessage())
                    return True
            """,
            note="Only three parts joined by dots: an opaque token has none.",
        ),
        Bad(
            """
            import re


            def redact(text):
                return re.sub(r"(?i)(token|api_key)=\\w+", r"\\1=***", text)  # VH502
            """,
            note="The value ends at the first dash or dot.",
        ),
        Bad(
            """
            import re


            def scrub(line):
                return re.sub(r"sk-[A-Za-z0-9]{48}", "[REDACTED]", line)  # VH502
            """,
            note="Newer keys of the same provider begin the same and hold dashes.",
        ),
        Bad(
            """
            import re

            MASKED = [
                re.compile(r"Bearer [A-Za-z0-9]+"),  # VH502
                re.compile(r"hf_[A-Za-z0-9]+"),
            ]


            def redact(text):
                for pattern in MASKED:
                    text = pattern.sub("***", text)
                return text
            """,
        ),
    ),
    good=(
        Good(
            """
            import re


            def mask(text):
                return re.sub(r"\\S", "*", text)
            """
        ),
        Good(
            """
            import re

            FIELD = re.compile(r"(?i)(token|api_key|password)=[^&\\s]+")


            def redact(text):
                return FIELD.sub(r"\\1=***", text)
            """
        ),
        Good(
            """
            import re


            def redact(text):
                text = re.sub(r"Bearer [A-Za-z0-9]+", "***", text)
                return re.sub(r"Bearer \\S+|(?<=\\*\\*\\*)\\S+", "***", text)
            """,
            note="What the first lets through the second masks.",
        ),
        Good(
            """
            import re


            def mask_mail(text):
                return re.sub(r"[A-Za-z0-9.]+@[A-Za-z0-9.]+", "***", text)


            def mask_card(text):
                return re.sub(r"\\b\\d{13,16}\\b", "****", text)
            """,
            note="Meant for something else.",
        ),
        Good(
            """
            import re


            def slug(title):
                return re.sub(r"[^a-z0-9]+", "-", title)
            """
        ),
    ),
)
