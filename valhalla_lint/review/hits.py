"""Hits of the linters as places."""

from valhalla_lint.core.evidence import Citation
from valhalla_lint.core.tier import Tier
from valhalla_lint.review.collect import Facts


def of_codes(facts: Facts, *codes: str) -> tuple[Citation, ...]:
    """Hits of some codes in production code, silenced ones among them."""
    return tuple(
        facts.cite(
            hit.path, hit.line, f"{hit.code} {hit.severity}" + (f", silenced by {hit.silenced}" if hit.silenced else "")
        )
        for hit in facts.risk.hits
        if hit.code in codes and hit.tier == Tier.PRODUCTION.value
    )
