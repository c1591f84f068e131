"""VH101: a credential is read from the environment instead."""

from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.environment import look_ups
from valhalla_lint.fixes.fix import Fix, Mender, Refusal


def plan(module: Module, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each value; the program needs the variable from then on, so none is safe."""
    yield from look_ups(module, "VH101", findings)


MENDER = Mender("VH101", plan)
