"""VH201: a path that is put together is asked whether it stays in its folder."""

from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.containment import guards
from valhalla_lint.fixes.fix import Fix, Mender, Refusal


def plan(module: Module, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each join that is kept in a variable."""
    yield from guards(module, "VH201", findings)


MENDER = Mender("VH201", plan)
