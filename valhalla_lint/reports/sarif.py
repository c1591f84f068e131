"""Findings as SARIF 2.1.0, for code-scanning services.

The limits of those services are kept, and what they make us leave out is counted in a notification. The fingerprint
is the baseline's; nothing depends on the clock, the machine or the folder, so equal findings give equal text.
"""

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from valhalla_lint import __version__
from valhalla_lint.core.finding import FileReport, Finding, Severity, Step, Suppressed
from valhalla_lint.core.rule import Rule
from valhalla_lint.core.source import Status
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import Tier
from valhalla_lint.reports.excerpt import Excerpts
from valhalla_lint.reports.page import page
from valhalla_lint.reports.run import Run

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
LEVELS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}
SCORES = {Severity.HIGH: "8.0", Severity.MEDIUM: "5.5", Severity.LOW: "3.0"}
"""`security-severity` on the scale of CVSS: the middle of high, medium and low."""
PRECISION = ("low", "medium", "high")
MAX_RESULTS = 25_000
"""Results a run that GitHub accepts."""
MAX_STEPS = 1_000
"""Locations of a code flow that GitHub keeps."""
MAX_PACKED = 10_000_000
"""Bytes that a file for GitHub may have when it is packed with gzip."""
MARGIN = 0.9
"""How much of what would just fit is kept where results must go: those that stay differ in length."""
CONTEXT = 2
"""Lines that are shown above and below a place."""
LONG = 10
"""Lines of a place up to which it is shown with what stands around it."""
SECURITY = ("VH1", "VH2", "VH4", "VH5")
CWE_PAGE = "https://cwe.mitre.org/data/definitions/{}.html"


def report(run: Run) -> str:
    """One run with every finding; those that the source or a baseline answers are marked so.

    What would make the file too large for services is left out: lines of source first, then findings, with their count.
    """
    kept = MAX_RESULTS
    text, count = _report(run, Excerpts(run.files, run.lines, run.known), kept)
    if _packed(text) <= MAX_PACKED:
        return text
    text, count = _report(run, None, kept)
    while (size := _packed(text)) > MAX_PACKED and count > 1:
        kept = int(count * MARGIN * MAX_PACKED / size)
        text, count = _report(run, None, kept)
    return text


def _packed(text: str) -> int:
    """About how many bytes a text takes when it is packed; its own size where that is small enough."""
    data = text.encode()
    return len(data) if len(data) <= MAX_PACKED else len(zlib.compress(data))


def _report(run: Run, excerpts: Excerpts | None, most: int) -> tuple[str, int]:
    """The report with so many results at most, and how many it has."""
    reports, rules = run.files, run.rules()
    places = {rule.code: number for number, rule in enumerate(rules)}
    make = _Results(places, excerpts)
    results = [(finding, make(finding)) for report in reports for finding in report.findings]
    results += [(finding, make(finding, baseline=True)) for finding in run.known]
    results += [(item.finding, make(item.finding, item)) for report in reports for item in report.suppressed]
    _number(results)
    results.sort(key=lambda pair: (-pair[0].severity, pair[0].order))
    left_out = len(results) - most
    kept = sorted(results[:most], key=lambda pair: pair[0].order)
    log = {
        "tool": {"driver": _driver(rules)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder that was checked."}}},
        "invocations": [_invocation(reports, left_out, len(kept))],
        "taxonomies": [_cwe(rules)],
        "results": [result for _, result in kept],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [log]}
    return json.dumps(document, ensure_ascii=True, indent=1, sort_keys=True) + "\n", len(kept)


def _driver(rules: Sequence[Rule]) -> Mapping[str, object]:
    return {
        "name": "valhalla-lint",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in rules],
        "supportedTaxonomies": [{"name": "CWE", "index": 0}],
    }


def _rule(rule: Rule) -> Mapping[str, object]:
    tags = ["python", *(["security"] if rule.code.startswith(SECURITY) else ["maintainability"])]
    tags += [f"external/cwe/cwe-{number:03}" for number in rule.cwe]
    properties: dict[str, object] = {"tags": tags, "precision": PRECISION[rule.confidence - 1]}
    if rule.code.startswith(SECURITY):
        properties["security-severity"] = SCORES[rule.severity]
    else:
        properties["problem.severity"] = {"error": "error", "warning": "warning", "note": "recommendation"}[
            LEVELS[rule.severity]
        ]
    more = {"helpUri": CWE_PAGE.format(rule.cwe[0])} if rule.cwe else {}
    return more | {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": _sentence(rule.name.replace("-", " "))},
        "fullDescription": {"text": _sentence(rule.why)},
        "help": {"text": f"{_sentence(rule.why)} What clears it: {_sentence(rule.remedy)}", "markdown": page(rule)},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": properties,
        "relationships": [
            {"target": {"id": str(number), "toolComponent": {"name": "CWE", "index": 0}}, "kinds": ["relevant"]}
            for number in rule.cwe
        ],
    }


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."


@dataclass(frozen=True, slots=True)
class _Results:
    """Makes results. places: the numbers of the rules. excerpts: for lines of source, None for none."""

    places: Mapping[str, int]
    excerpts: Excerpts | None

    def __call__(
        self, finding: Finding, answer: Suppressed | None = None, *, baseline: bool = False
    ) -> dict[str, object]:
        tier = "" if finding.tier is Tier.PRODUCTION else f" ({finding.tier.value} code)"
        text = _sentence(f"{finding.message}{finding.in_cell}{tier}")
        location: dict[str, object] = {
            "physicalLocation": self._physical(finding, finding.path) | self._around(finding)
        }
        if finding.definition:
            location["logicalLocations"] = [{"fullyQualifiedName": finding.definition}]
        result: dict[str, object] = {
            "ruleId": finding.code,
            "level": LEVELS[finding.severity],
            "message": {"text": f"{text} {_sentence(finding.remedy)}" if finding.remedy else text},
            "locations": [location],
            "partialFingerprints": {"valhallaLint/v1": finding.fingerprint},
            "properties": {
                "tags": [finding.tier.value, *sorted(flag.value for flag in finding.flags)],
                "tier": finding.tier.value,
                "confidence": finding.confidence.name.lower(),
                "reasons": list(finding.reasons),
            },
        }
        if finding.code in self.places:
            result["ruleIndex"] = self.places[finding.code]
        if finding.steps:
            result["codeFlows"] = [{"threadFlows": [{"locations": self._flow(finding)}]}]
        if answer is not None:
            result["suppressions"] = [
                {"kind": "inSource", "status": "accepted", "justification": _justification(answer)}
            ]
        elif baseline:
            result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": "known before"}]
        return result

    def _flow(self, finding: Finding) -> list[Mapping[str, object]]:
        """The steps of a finding; of very long flows the source's and the sink's ends are kept, and the gap is said."""
        steps = list(finding.steps)
        if len(steps) > MAX_STEPS:
            half = MAX_STEPS // 2
            missing = len(steps) - 2 * half + 1
            gap = steps[half]._replace(text=f"{missing} steps are left out here")
            steps = [*steps[:half], gap, *steps[len(steps) - half + 1 :]]
        return [
            {
                "location": {
                    "physicalLocation": self._physical(step, step.path or finding.path),
                    "message": {"text": _sentence(step.text)},
                }
            }
            for step in steps
        ]

    def _physical(self, item: Finding | Step, path: str) -> dict[str, object]:
        """A place, with its text. Of a notebook the place is in its JSON, and the text that of the cell."""
        region = _region(item.file_span)
        text = self.excerpts.snippet(path, item.span) if self.excerpts is not None else None
        if text:
            region["snippet"] = {"text": text}
        return {"artifactLocation": _artifact(path), "region": region}

    def _around(self, finding: Finding) -> dict[str, object]:
        """The lines around a place, for readers who do not have the file; nothing for a place in a notebook's JSON."""
        span = finding.span
        if self.excerpts is None or finding.cell is not None or span.end_line - span.line > LONG:
            return {}
        around = self.excerpts.around(finding.path, span, CONTEXT)
        text = self.excerpts.snippet(finding.path, around) if around is not None else None
        if around is None or not text:
            return {}
        return {"contextRegion": _region(around) | {"snippet": {"text": text}}}


def _justification(answer: Suppressed) -> str:
    reason = answer.reason or f"no reason given ({answer.kind})"
    return f"{reason} (until {answer.until})" if answer.until else reason


def _region(span: Span) -> dict[str, object]:
    return {
        "startLine": span.line,
        "startColumn": span.column + 1,
        "endLine": span.end_line,
        "endColumn": span.end_column + 1,
    }


def _artifact(path: str) -> Mapping[str, object]:
    """A path as URI: below the checked folder relative to it, elsewhere (`..`, absolute) by itself."""
    text = quote(path.encode("utf-8", "surrogatepass"), safe="/")
    if path.startswith("/"):
        return {"uri": f"file://{text}"}
    return {"uri": text} if path.startswith("../") else {"uri": text, "uriBaseId": ROOT}


def _number(results: Iterable[tuple[Finding, dict[str, object]]]) -> None:
    """Give every result the hash by which GitHub tells alerts apart: equal findings of one file are counted."""
    seen: Counter[tuple[str, str]] = Counter()
    for finding, result in sorted(results, key=lambda pair: pair[0].order):
        key = (finding.path, finding.fingerprint)
        seen[key] += 1
        prints = {"primaryLocationLineHash": f"{finding.fingerprint.partition('-')[0]}:{seen[key]}"}
        result["partialFingerprints"] = {"valhallaLint/v1": finding.fingerprint} | prints


def _invocation(reports: Sequence[FileReport], left_out: int, kept: int) -> Mapping[str, object]:
    notes: list[Mapping[str, object]] = []
    for report in reports:
        if report.status is not Status.READ:
            level = "error" if report.status is Status.UNREAD else "warning"
            words = "not read" if report.status is Status.UNREAD else "read in part"
            notes.append(
                {
                    "level": level,
                    "message": {"text": _sentence(f"{words}: {'; '.join(report.notes)}")},
                    "locations": [{"physicalLocation": {"artifactLocation": _artifact(report.path)}}],
                }
            )
    if left_out > 0:
        limits = f"services accept {MAX_RESULTS:,} a run, and {MAX_PACKED:,} bytes when packed"
        text = f"{left_out:,} findings of the lowest severities are left out of {left_out + kept:,}: {limits}."
        notes.append({"level": "error", "message": {"text": text}})
    complete = left_out <= 0 and all(report.status is not Status.UNREAD for report in reports)
    return {"executionSuccessful": complete, "toolExecutionNotifications": notes}


def _cwe(rules: Sequence[Rule]) -> Mapping[str, object]:
    numbers = sorted({number for rule in rules for number in rule.cwe})
    return {
        "name": "CWE",
        "organization": "MITRE",
        "shortDescription": {"text": "The Common Weakness Enumeration."},
        "informationUri": "https://cwe.mitre.org/",
        "taxa": [{"id": str(number), "helpUri": CWE_PAGE.format(number)} for number in numbers],
    }
