"""VH401: a path that is put together is asked whether it stays in its folder."""

from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.containment import guards
from valhalla_lint.fixes.fix import Fix, Mender, Refusal

BY_HAND = "look the name up in a list of known models, which only the project knows"


def plan(module: Module, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each join that is kept in a variable."""
    yield from guards(module, "VH401", findings, BY_HAND)


MENDER = Mender("VH401", plan)
