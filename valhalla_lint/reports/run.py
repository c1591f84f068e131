"""What a report tells of: the files of one run, and where their lines can be had."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from valhalla_lint.core.finding import FileReport, Finding
from valhalla_lint.core.rule import Rule
from valhalla_lint.core.source import Status
from valhalla_lint.core.tier import Tier

Lines = Callable[[str], Sequence[str]]
"""The lines of a file by the path that findings show; none where it cannot be read."""


Rules = Callable[[], Sequence[Rule]]
"""All rules that there are; asked by reports that explain them."""


def no_rules() -> Sequence[Rule]:
    """Reports in which no rule is explained."""
    return ()


def no_lines(path: str) -> Sequence[str]:
    """Reports without excerpts."""
    del path
    return ()


class Run(NamedTuple):
    """One run over files.

    files: sorted by path. lines: for excerpts. colour: whether escape sequences may be used. notes: what a reader must
    know of the whole run (that the analysed project's own configuration took part, and the like). rules: all there are,
    for reports that explain them. known: findings that a baseline answers; they stand in no file's findings.
    """

    files: tuple[FileReport, ...]
    lines: Lines = no_lines
    colour: bool = False
    notes: tuple[str, ...] = ()
    rules: Rules = no_rules
    known: tuple[Finding, ...] = ()

    @property
    def findings(self) -> list[Finding]:
        """All findings, sorted by path and place."""
        return sorted((finding for file in self.files for finding in file.findings), key=lambda finding: finding.order)

    @property
    def tiers(self) -> Counter[Tier]:
        """How many findings each tier has."""
        return Counter(finding.tier for file in self.files for finding in file.findings)

    def having(self, status: Status) -> list[FileReport]:
        """The files that ended in a status."""
        return [file for file in self.files if file.status is status]
