"""Credentials made up on demand, so that no file of ours has to hold one.

`{{secret:24}}` becomes 24 random letters and digits, `{{token:KIND}}` a token of a provider's shape. The same seed
gives the same text. Nothing minted here was ever issued by anybody.
"""

import re
import string

from valhalla_lint.core.regex import regex

PLACEHOLDER = regex(r"\{\{(?P<what>secret|token):(?P<which>[a-z0-9_-]+)\}\}")
ALPHABET = string.ascii_letters + string.digits


def mint_secret(length: int, seed: str) -> str:
    """Random letters and digits, with at least one of each kind where there is room."""
    from random import Random  # here: checks mint seldom

    chance = Random(seed)  # noqa: S311 -- test material, not key material
    text = [chance.choice(string.ascii_lowercase), chance.choice(string.ascii_uppercase), chance.choice(string.digits)]
    text += [chance.choice(ALPHABET) for _ in range(max(0, length - len(text)))]
    text = text[:length]
    chance.shuffle(text)
    return "".join(text)


def fill(text: str, seed: str = "example") -> str:
    """Replace every placeholder of a text; equal placeholders get equal values within one text."""

    def value(match: re.Match[str]) -> str:
        which = match["which"]
        if match["what"] == "secret":
            return mint_secret(int(which), f"{seed}:{which}")
        from valhalla_lint.facts.providers import mint_token

        return mint_token(which, f"{seed}:{which}")

    return PLACEHOLDER.sub(value, text)
