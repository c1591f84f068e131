"""The steps before a deployment: what the source says to each, what remains to be done, and with which command."""

from collections.abc import Mapping

from valhalla_lint.core.evidence import Answer, Check, Evidence, Outcome
from valhalla_lint.review.collect import Facts

CLEAN = "python -m venv /tmp/clean && /tmp/clean/bin/pip install"


def checklist(facts: Facts, answers: Mapping[str, Answer]) -> tuple[Check, ...]:
    """The seven steps, each answered from source as far as source can."""
    return (
        _install(facts, answers),
        _tests(facts, answers),
        _example(facts, answers),
        _configuration(answers),
        _load(answers),
        _errors(answers),
        _metrics(answers),
    )


def _install(facts: Facts, answers: Mapping[str, Answer]) -> Check:
    locked, declared = answers["lock-file"], answers["declared-imports"]
    builds = [
        file.path for file in facts.kind("build") if file.path.rpartition("/")[2] in ("pyproject.toml", "setup.py")
    ]
    lock = next((place.path for place in locked.positive.places), "")
    command = f"{CLEAN} ./{facts.declared.folder}" if builds else ""
    if lock.endswith("uv.lock"):
        command = "uv sync --frozen"
    elif lock.endswith("poetry.lock"):
        command = "poetry install --no-interaction"
    elif lock.endswith(".txt"):
        command = f"{CLEAN} -r {lock}"
    return Check(
        "install",
        "Clean installation",
        Outcome.NO if declared.outcome is Outcome.NO or not builds else Outcome.YES,
        f"versions fixed: {locked.outcome.value}; imports declared: {declared.outcome.value}"
        + (f" ({declared.reading})" if declared.outcome is Outcome.NO else ""),
        "install into an empty environment and import the package",
        command,
        declared.negative,
    )


def _tests(facts: Facts, answers: Mapping[str, Answer]) -> Check:
    coverage, packages = answers["coverage"], answers["packages-tested"]
    tests = len(facts.tests)
    unittest = any(item.top == "unittest" for file in facts.tests for item in file.imports)
    pytest = (
        any(item.top == "pytest" for file in facts.tests for item in file.imports) or "pytest" in facts.declared.tools
    )
    runner = "pytest" if pytest or not unittest else "unittest discover"
    return Check(
        "tests",
        "Unit tests, 80 % coverage of the core",
        Outcome.UNKNOWN if tests else Outcome.NO,
        (
            f"{tests} test files; coverage measured: {coverage.outcome.value}; folders imported by tests: "
            f"{packages.reading or packages.because}"
        ),
        "run the tests and read the coverage of the production packages",
        f"python -m coverage run -m {runner} && python -m coverage report" if tests else "",
        packages.negative,
    )


def _example(facts: Facts, answers: Mapping[str, Answer]) -> Check:
    examples = answers["examples-parse"]
    names = {file.path for file in facts.python}
    first = next((place.path for place in examples.positive.places if place.path in names), "")
    outcome = Outcome.UNKNOWN if first else Outcome.NO
    return Check(
        "example",
        "A minimal example runs",
        outcome,
        f"examples parse: {examples.reading or examples.because}",
        "run one example against a small model or data set",
        f"python {first}" if first else "",
        examples.positive,
    )


def _configuration(answers: Mapping[str, Answer]) -> Check:
    environment, settings, secrets = (
        answers["environment"],
        answers["settings-class"],
        answers["secrets-without-default"],
    )
    return Check(
        "configuration",
        "Configuration by environment and file",
        settings.outcome,
        f"environment: {environment.reading or environment.because}; checked by a library: {settings.outcome.value}; "
        f"secrets without default: {secrets.outcome.value}",
        "start with each variable missing, empty and wrong; read what it says",
        "",
        Evidence.of([*environment.positive.places, *environment.negative.places]),
    )


def _load(answers: Mapping[str, Answer]) -> Check:
    limits, bodies, benchmarks = answers["concurrency-limits"], answers["body-limits"], answers["benchmarks"]
    applies = limits.outcome is not Outcome.NOT_APPLICABLE
    return Check(
        "load",
        "Load test",
        Outcome.UNKNOWN if applies or benchmarks.outcome is Outcome.YES else Outcome.NOT_APPLICABLE,
        (
            f"limits on requests: {limits.outcome.value}; on bodies: {bodies.outcome.value}; benchmarks: "
            f"{benchmarks.outcome.value}"
        ),
        "drive it at and above the expected load; watch memory and the tail of latencies",
        "",
        limits.positive,
    )


def _errors(answers: Mapping[str, Answer]) -> Check:
    swallowed, timeouts, memory = answers["swallowed-exceptions"], answers["request-timeouts"], answers["out-of-memory"]
    return Check(
        "errors",
        "Error injection",
        Outcome.UNKNOWN,
        f"broad exceptions swallowed: {swallowed.outcome.value}; time-outs on requests: {timeouts.outcome.value}; "
        f"out of memory handled: {memory.outcome.value}",
        "take away the network, the disk, the model file, the memory; send broken input; it must say so and go on",
        "",
        Evidence.of([*swallowed.positive.places, *timeouts.negative.places]),
    )


def _metrics(answers: Mapping[str, Answer]) -> Check:
    metrics, profiling = answers["metrics"], answers["profiling"]
    return Check(
        "metrics",
        "Metrics end point",
        metrics.outcome,
        f"{metrics.reading}; profiling or tracing: {profiling.outcome.value}",
        "scrape it under load, and see the figures move",
        "curl --fail http://localhost:PORT/metrics" if metrics.outcome is Outcome.YES else "",
        metrics.positive,
    )
