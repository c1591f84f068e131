"""Words of the tree that a report shows, without credentials that might stand in them."""

import re

from valhalla_lint.facts import providers

USER = re.compile(r"(://)[^\s/@]{1,500}@")
QUERY = re.compile(r"(://[^\s?#]{1,2000})\?[^\s#]{1,2000}")
MASK = "…"


def masked(text: str) -> str:
    """The text with users and queries of addresses, and credentials of known providers' shapes, taken out."""
    if "://" in text:
        text = QUERY.sub(rf"\1?{MASK}", USER.sub(rf"\1{MASK}@", text))
    for token in reversed(providers.find(text)):
        text = f"{text[: token.start]}{MASK}{text[token.end :]}"
    return text
