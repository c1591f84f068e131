"""Findings as SARIF 2.1.0, for code-scanning services.

The limits of those services are kept, and what they make us leave out is counted in a notification. The fingerprint
is the baseline's; nothing depends on the clock, the machine or the folder, so equal findings give equal text.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from valhalla_lint import __version__
from valhalla_lint.core.finding import FileReport, Finding, Severity, Step, Suppressed
from valhalla_lint.core.rule import Rule
from valhalla_lint.core.source import Status
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import Tier
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
SECURITY = ("VH1", "VH2", "VH4", "VH5")
CWE_PAGE = "https://cwe.mitre.org/data/definitions/{}.html"


def report(run: Run) -> str:
    """One run with every finding; those that the source or a baseline answers are marked so."""
    reports, rules = run.files, run.rules
    places = {rule.code: number for number, rule in enumerate(rules)}
    results = [(finding, _result(finding, places)) for report in reports for finding in report.findings]
    results += [(finding, _result(finding, places, baseline=True)) for finding in run.known]
    results += [(item.finding, _result(item.finding, places, item)) for report in reports for item in report.suppressed]
    _number(results)
    results.sort(key=lambda pair: (-pair[0].severity, pair[0].order))
    left_out = len(results) - MAX_RESULTS
    kept = sorted(results[:MAX_RESULTS], key=lambda pair: pair[0].order)
    log = {
        "tool": {"driver": _driver(rules)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder that was checked."}}},
        "invocations": [_invocation(reports, left_out)],
        "taxonomies": [_cwe(rules)],
        "results": [result for _, result in kept],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [log]}
    return json.dumps(document, ensure_ascii=True, indent=1, sort_keys=True) + "\n"


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
    return {
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


def _result(
    finding: Finding, places: Mapping[str, int], answer: Suppressed | None = None, *, baseline: bool = False
) -> dict[str, object]:
    tier = "" if finding.tier is Tier.PRODUCTION else f" ({finding.tier.value} code)"
    text = _sentence(f"{finding.message}{finding.in_cell}{tier}")
    result: dict[str, object] = {
        "ruleId": finding.code,
        "level": LEVELS[finding.severity],
        "message": {"text": f"{text} {_sentence(finding.remedy)}" if finding.remedy else text},
        "locations": [{"physicalLocation": _physical(finding.path, finding.file_span)}],
        "partialFingerprints": {"valhallaLint/v1": finding.fingerprint},
        "properties": {
            "tags": [finding.tier.value, *sorted(flag.value for flag in finding.flags)],
            "tier": finding.tier.value,
            "confidence": finding.confidence.name.lower(),
            "reasons": list(finding.reasons),
        },
    }
    if finding.code in places:
        result["ruleIndex"] = places[finding.code]
    if finding.definition:
        result["locations"] = [
            {
                "physicalLocation": _physical(finding.path, finding.file_span),
                "logicalLocations": [{"fullyQualifiedName": finding.definition}],
            }
        ]
    if finding.steps:
        result["codeFlows"] = [{"threadFlows": [{"locations": _flow(finding)}]}]
    if answer is not None:
        result["suppressions"] = [{"kind": "inSource", "status": "accepted", "justification": _justification(answer)}]
    elif baseline:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": "known before"}]
    return result


def _justification(answer: Suppressed) -> str:
    reason = answer.reason or f"no reason given ({answer.kind})"
    return f"{reason} (until {answer.until})" if answer.until else reason


def _flow(finding: Finding) -> list[Mapping[str, object]]:
    """The steps of a finding; of very long flows the source's and the sink's ends are kept, and the gap is said."""
    steps = list(finding.steps)
    if len(steps) > MAX_STEPS:
        half = MAX_STEPS // 2
        missing = len(steps) - 2 * half + 1
        gap = Step(steps[half].span, f"{missing} steps are left out here", steps[half].path)
        steps = [*steps[:half], gap, *steps[len(steps) - half + 1 :]]
    return [
        {
            "location": {
                "physicalLocation": _physical(step.path or finding.path, step.file_span),
                "message": {"text": _sentence(step.text)},
            }
        }
        for step in steps
    ]


def _physical(path: str, span: Span) -> Mapping[str, object]:
    region = {
        "startLine": span.line,
        "startColumn": span.column + 1,
        "endLine": span.end_line,
        "endColumn": span.end_column + 1,
    }
    return {"artifactLocation": _artifact(path), "region": region}


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


def _invocation(reports: Sequence[FileReport], left_out: int) -> Mapping[str, object]:
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
        text = f"{left_out} findings of the lowest severities are left out: services accept {MAX_RESULTS} a run."
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
