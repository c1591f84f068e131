"""Which findings the author has answered in the source."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from valhalla_lint.core.finding import Finding, Suppressed
from valhalla_lint.core.rule import Rule
from valhalla_lint.core.settings import Settings
from valhalla_lint.facts.module import Module

NOQA = re.compile(
    r"# noqa"
    r"(?::[\s]?(?P<codes>[A-Z][0-9]+(?:[,\s]+)?(?:[A-Z][0-9]+(?:[,\s]+)?)*|[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is left to report, and what was suppressed."""

    findings: list[Finding] = field(default_factory=list)
    suppressed: list[Suppressed] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The suppressions of one file."""

    noqa: dict[int, tuple[str, ...]]

    @classmethod
    def of(cls, module: Module, settings: Settings) -> "Suppressions":
        """Read the suppressions of a file, honouring what the settings say counts."""
        found: dict[int, tuple[str, ...]] = {}
        if settings.noqa and "noqa" in module.lower:
            for number, line in enumerate(module.lines, 1):
                match = NOQA.search(line)
                if match:
                    codes = match["codes"]
                    found[number] = tuple(re.split(r"[,\s]+", codes.strip())) if codes else ("",)
        return cls(found)

    def apply(self, findings: Iterable[Finding], rules: Sequence[Rule]) -> Outcome:  # noqa: ARG002 -- first form
        """Split findings into what is left and what the author answered."""
        outcome = Outcome()
        for finding in findings:
            codes = self.noqa.get(finding.span.line, ())
            if any(finding.code.startswith(code) for code in codes):
                outcome.suppressed.append(Suppressed(finding, "noqa"))
            else:
                outcome.findings.append(finding)
        return outcome
