"""Hits of the linters over the tree: our own rules, and bandit's tests, counted by tier.

Silence that the reviewed code asks for (`# noqa`, our own suppressions, `# nosec`) is noted beside a hit, not honoured.
"""

import hashlib
import logging
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from valhalla_lint.core.evidence import Count, Figure, Risk, RiskHit
from valhalla_lint.core.finding import FileReport, Finding
from valhalla_lint.core.tier import Tier
from valhalla_lint.review.python import Python
from valhalla_lint.review.shares import rate

OURS, BANDIT = "valhalla-lint", "bandit"
SERIES = ("B102", "B307", "B602", "B603", "B604", "B605", "B606", "B607", "B609")
"""bandit's tests for dynamic execution and shell calls: what published reviews of this kind call static risk hits."""
PROCESS_ONLY = ("B603", "B606", "B607")
"""Of these, the ones that report any start of a process, without a shell."""
FINGERPRINT = 32
"""Digits of the fingerprint of one of bandit's hits: of path, test and line, without what stands in quotes there."""
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
NOSEC = re.compile(r"#\s*nosec\b")


def ours(reports: Iterable[FileReport]) -> list[RiskHit]:
    """The linter's findings, those that a comment answers among them."""
    hits: list[RiskHit] = []
    for report in reports:
        hits.extend(_hit(finding, "") for finding in report.findings)
        hits.extend(_hit(item.finding, " ".join(filter(None, (item.kind, item.reason)))) for item in report.suppressed)
    return hits


def _hit(finding: Finding, silenced: str) -> RiskHit:
    return RiskHit(
        tool=OURS,
        code=finding.code,
        name=finding.name,
        path=finding.path,
        line=finding.span.line,
        tier=finding.tier.value,
        severity=finding.severity.name.lower(),
        confidence=finding.confidence.name.lower(),
        message=finding.message,
        fingerprint=finding.fingerprint,
        silenced=silenced,
    )


class Bandit:
    """bandit's own tests: no plugins of others, no configuration of the tree, no comment that silences."""

    def __init__(self) -> None:
        """Load bandit; done once a process."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a guest thinks of its own libraries is none of our users' business
            from bandit.core import config, extension_loader, manager, metrics

        loader = extension_loader.MANAGER
        own = {plugin.plugin._test_id for plugin in loader.plugins if plugin.plugin.__module__.startswith("bandit.")}  # noqa: SLF001 -- bandit keeps the id there and offers no other way to it
        listed = {test["id"] for tests in loader.blacklist.values() for test in tests if test["id"].startswith("B")}
        logging.getLogger("bandit").setLevel(logging.CRITICAL)
        self._metrics = metrics.Metrics
        self._manager = manager.BanditManager(
            config.BanditConfig(), "file", quiet=True, profile={"include": sorted(own | listed)}, ignore_nosec=True
        )

    def hits(self, path: str, place: Path, tier: str) -> tuple[list[RiskHit], list[str]]:
        """The hits in one laid-out file, and why bandit skipped it if it did."""
        run = self._manager
        run.files_list, run.results, run.skipped, run.scores, run.metrics = [str(place)], [], [], [], self._metrics()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as above; odd escapes in the analysed text among it
            run.run_tests()
        text = place.read_text(encoding="utf-8", errors="replace").split("\n") if run.results else []
        return [_bandit_hit(issue, path, tier, text) for issue in run.results], [
            f"{path}: bandit skipped it ({reason})" for _, reason in run.get_skipped()
        ]


def _bandit_hit(issue: Any, path: str, tier: str, text: Sequence[str]) -> RiskHit:  # noqa: ANN401 -- bandit ships no types
    silenced = any(NOSEC.search(line) for line in _lines(text, issue.linerange or [issue.lineno]))
    lines = " ".join(" ".join(QUOTED.sub("'…'", line).split()) for line in _lines(text, [issue.lineno]))
    return RiskHit(
        tool=BANDIT,
        code=issue.test_id,
        name=issue.test,
        path=path,
        line=issue.lineno,
        tier=tier,
        severity=issue.severity.lower(),
        confidence=issue.confidence.lower(),
        message=QUOTED.sub("'…'", issue.text),  # a password test quotes the password
        fingerprint=hashlib.sha256(f"{path}\0{issue.test_id}\0{lines}".encode()).hexdigest()[:FINGERPRINT],
        silenced="nosec" if silenced else "",
    )


def _lines(text: Sequence[str], numbers: Sequence[int]) -> list[str]:
    return [text[number - 1] for number in numbers if 0 < number <= len(text)]


def risk(hits: Sequence[RiskHit], problems: Sequence[str], files: Sequence[Python]) -> Risk:
    """Hits in order, counted by code and tier, with the figures of the panel."""
    ordered = sorted(hits, key=lambda hit: (hit.tool, hit.path, hit.line, hit.code, hit.message))
    return Risk(tuple(_counts(ordered)), tuple(ordered), tuple(_figures(ordered, files)), tuple(problems))


def _counts(hits: Sequence[RiskHit]) -> Iterable[Count]:
    names = {(hit.tool, hit.code): hit.name for hit in hits}
    by_tier = Counter((hit.tool, hit.code, hit.tier) for hit in hits)
    for tool, code in sorted(names):
        yield Count(tool, code, names[tool, code], *(by_tier[tool, code, tier.value] for tier in Tier))


def _figures(hits: Sequence[RiskHit], files: Sequence[Python]) -> Iterable[Figure]:
    series = [hit for hit in hits if hit.code in SERIES]
    yield Figure(
        "risk.series",
        "Static risk hits (dynamic execution and shell calls)",
        f"hits of bandit's tests {', '.join(SERIES)}, all tiers, comments that ask for silence not honoured",
        str(len(series)),
        f"{sum(hit.code not in PROCESS_ONLY for hit in series)} run a shell or text as code; "
        f"{sum(hit.tier == Tier.PRODUCTION.value for hit in series)} stand in production code",
        tuple(f"{hit.path}:{hit.line} {hit.code} [{hit.tier}]" for hit in series),
    )
    for tool in (OURS, BANDIT):
        own = [hit for hit in hits if hit.tool == tool]
        for tier in Tier:
            chosen = [hit for hit in own if hit.tier == tier.value]
            lines = sum(file.code for file in files if file.tier == tier.value)
            yield Figure(
                f"risk.{'ours' if tool == OURS else 'bandit'}.{tier.value}",
                f"Hits of {tool}, {tier.value} code",
                f"all hits of {tool} in Python files of the tier {tier.value}; per 1,000 lines of code in brackets",
                str(len(chosen)),
                f"{rate(len(chosen), lines)} per 1,000 of {lines:,} lines; "
                f"{sum(bool(hit.silenced) for hit in chosen)} with a comment that asks for silence",
            )
