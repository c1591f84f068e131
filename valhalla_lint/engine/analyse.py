"""One file, many rules: from hits to findings."""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from valhalla_lint.core.finding import Answer, FileReport, Finding, Severity, Suppressed
from valhalla_lint.core.flow import Flow
from valhalla_lint.core.rule import Head, Hit, Rule
from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Status
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import Flag, Tier
from valhalla_lint.engine.fingerprint import fingerprint
from valhalla_lint.facts.module import Module

FlowEngine = Callable[[Module, frozenset[str]], Iterable[Flow]]
"""Answers the questions (topics) that selected rules ask about one file."""

INTERNAL_ERROR = "VH908"
SUPPRESSING = frozenset({"noqa", "valhalla"})
"""One of these stands, in whatever writing, in every file with a suppression."""


class Asked:
    """A rule that a run asks; equal to itself alone.

    load: gives the rule of a code, asked where it has something to do. given: its options by the settings, or None.
    """

    __slots__ = ("_given", "_load", "head")

    def __init__(self, head: Head, load: Callable[[str], Rule], given: object = None) -> None:
        self.head = head
        self._load = load
        self._given = given

    @property
    def rule(self) -> Rule:
        """The whole rule."""
        return self._load(self.head.code)

    @property
    def options(self) -> object:
        """The options that hold for this run."""
        if self._given is not None:
            return self._given
        kind = self.rule.options
        return None if kind is None else kind()


class Answering(NamedTuple):
    """The rules that have anything to say about a file of some tier and flags, and their codes."""

    rules: tuple[Asked, ...]
    flow: tuple[Asked, ...]
    codes: frozenset[str]


@lru_cache(maxsize=64)
def _answering(asked: tuple[Asked, ...], tier: Tier, flags: frozenset[Flag], *, strict: bool) -> Answering:
    """Those of some rules that answer; strict: whether every tier is judged like production."""
    rules = tuple(item for item in asked if _answers(item.head, tier, flags, strict=strict))
    return Answering(
        rules, tuple(item for item in rules if item.head.topics), frozenset(item.head.code for item in rules)
    )


def analyse(
    module: Module, asked: Sequence[Asked], settings: Settings, flow_engine: FlowEngine, known: frozenset[str]
) -> FileReport:
    """Everything that the given rules find in one file, sorted, with the author's suppressions taken into account.

    known: the codes of all rules there are, asked or not. Raises FlowError where the flow engine fails.
    """
    decision = module.tier
    tier = decision.tier
    answering = _answering(tuple(asked), tier, decision.flags, strict=settings.strict_tiers)
    found: list[_Found] = []
    for item in answering.rules:
        head = item.head
        if not head.checks or (head.needs and not module.mentions(head.needs)):
            continue
        if (check := item.rule.check) is not None:
            found.extend(_findings(module, item, check(module, item.options), settings, tier))
    if answering.flow:
        told = {(item.finding.code, item.finding.span.line) for item in found}
        found.extend(
            item
            for item in _flow_findings(module, answering.flow, settings, tier, flow_engine)
            if (item.finding.code, item.finding.span.line) not in told  # what the rule's own check tells already
        )
    hidden = {item.finding for item in found if item.hidden} - {item.finding for item in found if not item.hidden}
    findings = sorted({item.finding for item in found}, key=lambda finding: finding.order)
    suppressed: tuple[Suppressed, ...] = ()
    answers: tuple[Answer, ...] = ()
    problems: Mapping[str, Sequence[Hit]] = {}
    if module.mentions(SUPPRESSING):
        from valhalla_lint.engine.suppress import Suppressions, by_code

        suppressions = Suppressions.of(module, settings, found=bool(findings))
        outcome = suppressions.apply(findings, settings, answering.codes, known)
        findings, suppressed, answers = list(outcome.findings), outcome.suppressed, outcome.answers
        problems = by_code(outcome.problems)
    left = [finding for finding in findings if finding not in hidden]
    if problems:
        for item in answering.rules:
            hits = problems.get(item.head.code, ())
            left.extend(extra.finding for extra in _findings(module, item, hits, settings, tier))
        left.sort(key=lambda finding: finding.order)
    reported = tier in settings.tiers
    return FileReport(
        path=module.path,
        status=Status.PARTLY if module.parsed.problem or module.source.notes else Status.READ,
        tier=tier,
        flags=decision.flags,
        findings=tuple(left) if reported else (),
        suppressed=tuple(item for item in suppressed if reported and item.finding not in hidden),
        notes=(*module.source.notes, *((module.parsed.problem,) if module.parsed.problem else ())),
        answers=answers if reported else (),
    )


class _Found(NamedTuple):
    """A finding, and whether the preset hides it (a hidden one still keeps a suppression from being unused)."""

    finding: Finding
    hidden: bool


def _answers(rule: Head, tier: Tier, flags: frozenset[Flag], *, strict: bool) -> bool:
    """Whether a rule has anything to say about a file of this tier and these flags."""
    if flags and not rule.flagged and not strict:
        return False
    return strict or rule.loud or rule.severity_in(tier) is not None


def _flow_findings(
    module: Module, rules: Sequence[Asked], settings: Settings, tier: Tier, engine: FlowEngine
) -> Iterable[_Found]:
    topics = frozenset(topic for item in rules for topic in item.head.topics)
    try:
        flows = list(engine(module, topics))
    except Exception as error:
        raise FlowError from error
    for item in rules:
        hits = (_hit(flow) for flow in flows if flow.topic in item.head.topics)
        yield from _findings(module, item, hits, settings, tier)


def _hit(flow: Flow) -> Hit:
    return Hit(
        at=flow.at,
        values=flow.values,
        message=flow.message,
        confidence=flow.confidence,
        severity=flow.severity,
        steps=flow.steps,
        reasons=flow.reasons,
        remedy=flow.remedy,
        audit=flow.audit,
    )


def _findings(module: Module, asked: Asked, hits: Iterable[Hit], settings: Settings, tier: Tier) -> Iterable[_Found]:
    for hit in hits:
        rule = asked.rule
        policy = rule.severity if settings.strict_tiers else rule.severity_in(tier)
        hidden = hit.audit and settings.preset is not Preset.AUDIT
        severity = _severity(rule, hit, policy)
        if severity is None:
            continue
        span = module.span(hit.at) if isinstance(hit.at, ast.AST) else hit.at
        definition = module.definition(hit.at)
        line = module.lines[span.line - 1] if span.line <= len(module.lines) else ""
        finding = Finding(
            path=module.path,
            span=span,
            code=rule.code,
            name=rule.name,
            message=(hit.message or rule.message).format_map(_Values(hit.values)),
            tier=tier,
            severity=severity,
            confidence=hit.confidence or rule.confidence,
            steps=hit.steps,
            reasons=hit.reasons,
            remedy=hit.remedy or rule.remedy,
            definition=definition,
            flags=module.tier.flags,
            fingerprint=fingerprint(module.path, rule.code, definition, line, hit.secret),
            fixable=rule.mends and hit.mends and (rule.mendable is None or rule.mendable(module, hit.at)),
        )
        yield _Found(finding, hidden)


class _Values(dict[str, object]):
    """A hit's values; a name that a template asks for and a hit does not give stands as itself."""

    def __init__(self, values: object) -> None:
        super().__init__(values)  # type: ignore[call-overload]  # any mapping

    def __missing__(self, key: str) -> str:
        return key


def _severity(rule: Rule, hit: Hit, policy: Severity | None) -> Severity | None:
    """The severity of a hit where its rule's policy in this tier is `policy`; None where it stays silent."""
    if policy is None:
        return Severity.LOW if hit.loud else None
    if hit.severity is None:
        return policy
    lowered = rule.severity - policy  # a tier that lowers the rule lowers each hit as much
    return Severity(max(Severity.LOW, hit.severity - max(0, lowered)))


class FlowError(Exception):
    """The flow engine failed on a file; the cause is what happened."""


def failed_to_follow(report: FileReport, module: Module, rule: Rule, error: BaseException) -> FileReport:
    """The report of a file on which only the flow engine failed: what other rules found, and that this is not all."""
    fault = _fault(module, rule, error, "no flow of values in it was judged")
    return report._replace(
        status=Status.PARTLY, findings=(fault, *report.findings), notes=(*report.notes, fault.message)
    )


def failed(module: Module, rule: Rule, error: BaseException) -> FileReport:
    """The report of a file on which we ourselves failed: one clear finding, never a traceback."""
    fault = _fault(module, rule, error, "nothing in it was judged")
    return FileReport(
        path=module.path,
        status=Status.UNREAD,
        tier=Tier.PRODUCTION,
        findings=(fault,),
        notes=(fault.message,),
    )


def _fault(module: Module, rule: Rule, error: BaseException, lost: str) -> Finding:
    return Finding(
        path=module.path,
        span=Span(1, 0, 1, 0),
        code=rule.code,
        name=rule.name,
        message=rule.message.format(error=type(error).__name__, lost=lost),
        tier=Tier.PRODUCTION,
        severity=rule.severity,
        confidence=rule.confidence,
        remedy=rule.remedy,
        fingerprint=fingerprint(module.path, rule.code, "", ""),
    )
