"""What kind of code a file is."""

from enum import Enum
from typing import NamedTuple


class Tier(Enum):
    """The three layers in which a finding is attributed."""

    PRODUCTION = "production"
    TEST = "test"
    SCRIPT = "script"


class Flag(Enum):
    """Properties beside the tier: code that nobody here wrote by hand, or that never runs."""

    GENERATED = "generated"
    VENDORED = "vendored"
    STUB = "stub"


class TierDecision(NamedTuple):
    """A file's tier with the reasons that led to it, the deciding one first."""

    tier: Tier
    flags: frozenset[Flag] = frozenset()
    reasons: tuple[str, ...] = ()
