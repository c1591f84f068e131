"""Is a security scanner run?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.tooling import configured, said

WORDS = (
    r"\b(?:bandit|semgrep|codeql|pip-audit|safety "
    r"(?:check|scan)|trivy|gitleaks|trufflehog|detect-secrets|zizmor|snyk|grype|osv-scanner|dependency-review-action|scorecard-action|sonarqube|sonarcloud)\b"
)


def ask(facts: Facts) -> Reply:
    """Look for configuration, and for the words in hooks, CI files and task files."""
    return yes_if(
        [*configured(facts, "bandit", "semgrep"), *said(facts, WORDS)],
        "{n} places",
        "neither configuration nor a call was found",
    )


PROBE = Probe(
    id="scanners",
    question="Is a security scanner configured or called?",
    how=(
        "bandit, semgrep, CodeQL, pip-audit, safety, Trivy, gitleaks, zizmor and their kin in configuration, hooks, "
        "CI files and task files; a scanner that the forge runs by itself is not seen"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="run a scanner on every change",
)
