"""Production, test or script: decided once a file, with the reasons."""

from typing import TYPE_CHECKING

from valhalla_lint.core.tier import Tier, TierDecision

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module


def decide(module: "Module") -> TierDecision:  # noqa: ARG001 -- the first form knows production only
    """The tier of a file."""
    return TierDecision(Tier.PRODUCTION, reasons=("nothing says otherwise",))
