"""The hits of a review as SARIF 2.1.0: one run for each linter, at the reviewed commit."""

import json
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from valhalla_lint.core.evidence import Review, RiskHit
from valhalla_lint.reports.sarif import MAX_RESULTS, ROOT, SCHEMA

LEVELS = {"high": "error", "medium": "warning"}
ORDER = {"high": 0, "medium": 1}
LAST = 2
"""Where other severities stand."""


def review_sarif(review: Review) -> str:
    """The hits as text with a line end; of more than a code-scanning service takes, the gravest."""
    versions = dict(review.made.versions)
    tools = sorted({count.tool for count in review.risk.counts} | {"valhalla-lint"})
    runs = [_run(review, tool, versions.get(tool, "")) for tool in tools]
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": runs}
    return json.dumps(document, ensure_ascii=True, indent=1, sort_keys=True) + "\n"


def _run(review: Review, tool: str, version: str) -> Mapping[str, object]:
    hits = [hit for hit in review.risk.hits if hit.tool == tool]
    kept = sorted(hits, key=lambda hit: (ORDER.get(hit.severity, LAST), hit.path, hit.line, hit.code))[:MAX_RESULTS]
    left_out = len(hits) - len(kept)
    notes = [{"message": {"text": f"{left_out} results were left out"}, "level": "warning"}] if left_out else []
    run: dict[str, object] = {
        "tool": {"driver": {"name": tool, "version": version or "unknown", "rules": list(_rules(review, tool))}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The top of the reviewed tree."}}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "results": [_result(hit) for hit in sorted(kept, key=lambda hit: (hit.path, hit.line, hit.code, hit.message))],
    }
    if review.target.revision:
        run["properties"] = {"revision": review.target.revision}
    return run


def _rules(review: Review, tool: str) -> Iterable[Mapping[str, object]]:
    for count in review.risk.counts:
        if count.tool == tool:
            words = count.name.replace("-", " ").replace("_", " ")
            yield {"id": count.code, "name": count.name, "shortDescription": {"text": f"{words.capitalize()}."}}


def _result(hit: RiskHit) -> Mapping[str, object]:
    tier = "" if hit.tier == "production" else f" ({hit.tier} code)"
    result: dict[str, object] = {
        "ruleId": hit.code,
        "level": LEVELS.get(hit.severity, "note"),
        "message": {"text": f"{hit.message[:1].upper()}{hit.message[1:].rstrip('.')}{tier}."},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(hit.path), "uriBaseId": ROOT},
                    "region": {"startLine": max(1, hit.line)},
                }
            }
        ],
        "properties": {"tags": [hit.tier], "confidence": hit.confidence},
    }
    if hit.fingerprint:
        result["partialFingerprints"] = {"valhallaLint/v1": hit.fingerprint}
    if hit.silenced:
        result["suppressions"] = [{"kind": "inSource", "status": "underReview", "justification": hit.silenced}]
    return result
