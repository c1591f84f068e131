"""Mending one text: plan, choose, splice, prove, and again until nothing is left to do.

Nothing is kept that was not proven: the result parses; its tree is the old one with exactly the intended change; the
findings are gone; no rule at all, asked for or not, has anything new to say. What fails is left as it was, with the
reason.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from valhalla_lint.core.finding import FileReport, Finding
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.fix import Constant, Edit, Fix, Refusal
from valhalla_lint.fixes.head import Head, beside, head, imports, is_of_standard_library
from valhalla_lint.fixes.menders import all_menders
from valhalla_lint.fixes.prove import fault, intended
from valhalla_lint.fixes.text import Places, origin, splice
from valhalla_lint.linter import Linter

NOTHING_KNOWN: Mapping[str, int] = {}
MAX_PASSES = 10
"""One fix can make room for the next; more rounds than this would mean that two of them undo each other."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of one text.

    text: the new one. applied: the fixes that were made, in order. refused: findings that have a mender and were left,
    with the reason. withheld: fixes that are not safe and were not asked for. report: the findings of the new text.
    secrets: every credential of the old text; no output may show one.
    """

    text: str
    applied: tuple[Fix, ...] = ()
    refused: tuple[Refusal, ...] = ()
    withheld: tuple[Fix, ...] = ()
    report: FileReport | None = None
    secrets: frozenset[str] = field(default=frozenset(), repr=False)


@dataclass(frozen=True, slots=True)
class _State:
    """A text with everything that is known about it."""

    module: Module
    findings: tuple[Finding, ...]
    everything: tuple[Finding, ...]
    report: FileReport


@dataclass(frozen=True, slots=True)
class _Step:
    """A text after some fixes, or why there is none."""

    state: _State | None
    fault: str = ""


class Surgeon:
    """Mends texts with one set of settings."""

    def __init__(self, linter: Linter) -> None:
        """linter: finds what is to be mended; a second one with every rule looks at the results."""
        self._linter = linter
        settings = linter.settings
        narrow = settings.select or settings.ignore
        self._prover = Linter(_everything(settings), linter.read_module) if narrow else linter

    def mend(self, source: Source, *, unsafe: bool = False, known: Mapping[str, int] = NOTHING_KNOWN) -> Mended:
        """Mend what can be mended; never raises on any text.

        unsafe: also by fixes that change behaviour. known: by fingerprint, how many findings are left as they are.
        """
        state = self._look(source, source.text)
        secrets = frozenset(item.secret for item in state.module.credentials)
        if state.module.parsed.problem or source.notes:
            why = "the file could only be read in part, so no change could be proven"
            left = tuple(Refusal(finding, why) for finding in _new(state.findings, known) if finding.fixable)
            return Mended(source.text, refused=left, report=state.report, secrets=secrets)
        applied: list[Fix] = []
        failed: dict[tuple[object, ...], Refusal] = {}
        planned: list[Fix] = []
        withheld: list[Fix] = []
        refused: list[Refusal] = []
        for _ in range(MAX_PASSES):
            planned, refused = _plan(state, known)
            withheld = [fix for fix in planned if not (fix.safe or unsafe)]
            wanted = [fix for fix in planned if (fix.safe or unsafe) and _key(fix) not in failed]
            chosen = list(_apart(wanted))
            if not chosen:
                break
            done, after, faults = self._settle(state, chosen)
            for fix, reason in faults:
                failed[_key(fix)] = Refusal(fix.findings[0], reason)
            applied += done
            if after is None:
                continue
            state = after
        return Mended(
            text=state.module.text,
            applied=tuple(applied),
            refused=(*refused, *(failed[key] for key in map(_key, planned) if key in failed)),
            withheld=tuple(withheld),
            report=state.report,
            secrets=secrets,
        )

    def mend_one(self, source: Source, finding: Finding) -> Mended | None:
        """Mend one finding, by whatever fix it has, safe or not; None where it has none that can be proven."""
        state = self._look(source, source.text)
        if state.module.parsed.problem or source.notes:
            return None
        planned, _ = _plan(state, NOTHING_KNOWN)
        fix = next((fix for fix in planned if finding in fix.findings), None)
        step = self._try(state, [fix]) if fix is not None else None
        if fix is None or step is None or step.state is None:
            return None
        return Mended(step.state.module.text, applied=(fix,), report=step.state.report)

    def _look(self, source: Source, text: str) -> _State:
        """Inspect a text that stands where a source stands."""
        here = source._replace(text=text, parsed=None)
        module = Module(here, self._linter.settings)
        report = self._linter.inspect(here)
        proof = report if self._prover is self._linter else self._prover.inspect(here)
        return _State(module, report.findings, proof.findings, report)

    def _settle(self, state: _State, fixes: Sequence[Fix]) -> tuple[list[Fix], _State | None, list[tuple[Fix, str]]]:
        """Make all fixes at once, or as many as can be proven: those made, what then is, and those that failed."""
        step = self._try(state, fixes)
        if step.state is not None:
            return list(fixes), step.state, []
        if len(fixes) == 1:
            return [], None, [(fixes[0], step.fault)]
        middle = len(fixes) // 2
        good: list[Fix] = []
        best: _State | None = None
        faults: list[tuple[Fix, str]] = []
        for half in (fixes[:middle], fixes[middle:]):
            kept, after, failed = self._settle_with(state, good, half)
            good, best, faults = kept, after or best, [*faults, *failed]
        return good, best, faults

    def _settle_with(
        self, state: _State, good: list[Fix], fixes: Sequence[Fix]
    ) -> tuple[list[Fix], _State | None, list[tuple[Fix, str]]]:
        """As `_settle`, on top of fixes that are known to be good."""
        step = self._try(state, [*good, *fixes])
        if step.state is not None:
            return [*good, *fixes], step.state, []
        if len(fixes) == 1:
            return good, None, [(fixes[0], step.fault)]
        middle = len(fixes) // 2
        kept, first, failed = self._settle_with(state, good, fixes[:middle])
        kept, second, more = self._settle_with(state, kept, fixes[middle:])
        return kept, second or first, [*failed, *more]

    def _try(self, state: _State, fixes: Sequence[Fix]) -> _Step:
        """The state after some fixes, proven; or what is wrong with them."""
        module = state.module
        places = Places(module.text)
        heads = list(_heads(module, places, fixes))
        edits = _joined([*(head.edit for head in heads), *(edit for fix in fixes for edit in fix.edits)])
        try:
            text = splice(module.text, edits)
        except ValueError:
            return _Step(None, "it overlaps with another fix")
        lost = next(
            (fix for fix in fixes if fix.code not in COMMENT_EDITORS and _loses_comment(module, places, fix)), None
        )
        if lost is not None:
            return _Step(None, "a comment would be lost")
        replaced = [item for fix in fixes for item in fix.replaced]
        try:
            wrong = fault(text, intended(module.tree, replaced, heads))
        except RecursionError:
            wrong = "the program is nested too deeply to compare it"
        if wrong:
            return _Step(None, wrong)
        after = self._look(module.source, text)
        wrong = _worse(state, after, fixes, edits)
        return _Step(None, wrong) if wrong else _Step(after)


COMMENT_EDITORS = frozenset(mender.code for mender in all_menders() if mender.edits_comments)


def _loses_comment(module: Module, places: Places, fix: Fix) -> bool:
    """Whether an edit takes a comment away."""
    for edit in fix.edits:
        if "#" in module.text[edit.start : edit.end] and any(
            edit.start <= places.offset(item.line, item.column) < edit.end for item in module.comments
        ):
            return True
    return False


def _everything(settings: Settings) -> Settings:
    return settings._replace(select=(), ignore=())


def _new(findings: Iterable[Finding], known: Mapping[str, int]) -> Iterator[Finding]:
    """The findings that are not known; of several that are alike the first ones are known, as in a baseline."""
    left = Counter(known)
    for finding in findings:
        if left[finding.fingerprint] > 0:
            left[finding.fingerprint] -= 1
        else:
            yield finding


def _plan(state: _State, known: Mapping[str, int]) -> tuple[list[Fix], list[Refusal]]:
    """The fixes for all findings that may be mended, in order of their places."""
    new = tuple(_new(state.findings, known))
    fixes: list[Fix] = []
    refused: list[Refusal] = []
    for mender in all_menders():
        findings = [finding for finding in new if finding.code == mender.code]
        for item in mender.plan(state.module, findings) if findings else ():
            if isinstance(item, Fix):
                fixes.append(item)
            else:
                refused.append(item)
    fixes.sort(key=lambda fix: (fix.edits[0], fix.code))
    return fixes, refused


def _apart(fixes: Iterable[Fix]) -> Iterator[Fix]:
    """Fixes none of whose edits or nodes overlap, the first in the text first; the others wait for the next round."""
    taken: list[Edit] = []
    changed: set[ast.AST] = set()
    for fix in fixes:
        roots = {item.old for item in fix.replaced if item.new is not item.old}
        inside = {node for root in roots for node in ast.walk(root)}
        if any(edit.overlaps(other) for edit in fix.edits for other in taken) or not inside.isdisjoint(changed):
            continue
        taken += fix.edits
        changed |= inside
        yield fix


def _key(fix: Fix) -> tuple[object, ...]:
    """What makes a fix the same fix in the next round, when places may have moved."""
    return (fix.code, fix.summary, fix.findings[0].fingerprint, len(fix.findings))


def _heads(module: Module, places: Places, fixes: Sequence[Fix]) -> Iterator[Head]:
    """What several fixes together put at the head of the module, imports before constants."""
    lines = sorted({line for fix in fixes for line in fix.imports})
    constants: list[Constant] = [constant for fix in fixes for constant in fix.constants]
    own = [line for line in lines if is_of_standard_library(line)]
    if own:
        yield imports(module, places, own)
    for line in lines:
        if line not in own:
            yield beside(module, places, line)
    if constants:
        yield head(module, places, [item.old for fix in fixes for item in fix.replaced], constants)


def _joined(edits: Sequence[Edit]) -> list[Edit]:
    """Sorted edits; insertions at one place follow each other in the order in which they are given."""
    at: dict[tuple[int, int], Edit] = {}
    for edit in edits:
        key = (edit.start, edit.end)
        known = at.get(key)
        at[key] = (
            edit if known is None or edit.start != edit.end else Edit(edit.start, edit.end, known.text + edit.text)
        )
    return sorted(at.values())


def _worse(before: _State, after: _State, fixes: Sequence[Fix], edits: Sequence[Edit]) -> str:
    """Why a result is not what was wanted: a finding that is still there, or a new one."""
    old, new = Places(before.module.text), Places(after.module.text)
    known = {(finding.code, old.range(finding.span)[0]) for finding in before.everything}
    gone = {(finding.code, old.range(finding.span)[0]) for fix in fixes for finding in fix.findings}
    for finding in after.everything:
        place = (finding.code, origin(new.range(finding.span)[0], edits))
        if place in gone:
            return "the finding would still be there"
        if place not in known:
            return f"it would bring a new finding ({finding.code})"
    return ""
