"""A baseline answers what was there before: no matter where lines go, and no more than it counts."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from valhalla_lint.core.finding import Finding
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.engine.baseline import Baseline, dumps, loads, match, prune, update
from valhalla_lint.facts.providers import mint_token
from valhalla_lint.linter import Linter

# Statements that are malformed suppressions (VH905), inside definitions: findings that depend on no other rule.
BODIES = st.lists(
    st.tuples(st.sampled_from(["alpha", "beta", "gamma"]), st.sampled_from(["x = 1", "y = call(2)", "z = 3"])),
    min_size=1,
    max_size=8,
)


def program(bodies: list[tuple[str, str]], gaps: random.Random | None = None) -> str:
    """Functions with one finding each; blank lines and comments between them where `gaps` is given."""
    parts = []
    for number, (name, body) in enumerate(bodies):
        above = "\n# moved\n" * gaps.randrange(4) if gaps else ""
        inside = "\n" * gaps.randrange(3) if gaps else ""
        parts.append(f"{above}def {name}_{number % 2}():\n{inside}    {body}  #noqa: VH101\n")
    return "".join(parts)


def findings(text: str, path: str = "src/app.py") -> list[Finding]:
    return [finding for finding in Linter(Settings()).check(Source(path, text)) if finding.code == "VH905"]


@settings(deadline=None)
@given(BODIES, st.randoms(use_true_random=False))
def test_moved_lines_change_nothing(bodies: list[tuple[str, str]], gaps: random.Random) -> None:
    baseline = Baseline.of(findings(program(bodies)))
    moved = findings(program(bodies, gaps))
    found = match(moved, baseline, lambda _: True, lambda _: True)
    assert not found.new
    assert not found.stale


@settings(deadline=None)
@given(st.randoms(use_true_random=False))
def test_findings_that_are_no_nodes_are_told_apart_by_their_definitions_and_survive_moves(gaps: random.Random) -> None:
    token = mint_token("huggingface", "a")
    bodies = [(name, f"x = 1  # {token}") for name in ("alpha", "beta")]
    linter = Linter(Settings(select=("VH102",)))
    first, second = (
        [finding.fingerprint for finding in linter.check(Source("src/app.py", program(bodies, moved)))]
        for moved in (None, gaps)
    )
    assert len(set(first)) == len(bodies)
    assert first == second


@settings(deadline=None)
@given(BODIES, st.integers(0, 7))
def test_a_second_copy_is_new(bodies: list[tuple[str, str]], which: int) -> None:
    baseline = Baseline.of(findings(program(bodies)))
    doubled = [*bodies, *([("filler", "w = 0")] if len(bodies) % 2 else []), bodies[which % len(bodies)]]
    now = findings(program(doubled))
    found = match(now, baseline, lambda _: True, lambda _: True)
    assert len(found.new) == len(now) - len(findings(program(bodies)))


@settings(deadline=None)
@given(BODIES, st.integers(0, 7))
def test_deleting_code_leaves_exactly_its_entries_stale(bodies: list[tuple[str, str]], which: int) -> None:
    before = findings(program(bodies))
    baseline = Baseline.of(before)
    gone = before[which % len(before)]
    left = [finding for finding in before if finding is not gone]
    found = match(left, baseline, lambda _: True, lambda _: True)
    assert sum(found.stale.values()) == 1
    pruned = prune(baseline, found)
    assert pruned.total == baseline.total - 1
    assert not match(left, pruned, lambda _: True, lambda _: True).stale
    assert match(before, pruned, lambda _: True, lambda _: True).new
    assert update(pruned, match(before, pruned, lambda _: True, lambda _: True)) == baseline


@settings(deadline=None)
@given(BODIES)
def test_a_moved_file_is_known_and_a_copied_one_is_new(bodies: list[tuple[str, str]]) -> None:
    text = program(bodies)
    baseline = Baseline.of(findings(text))
    elsewhere = findings(text, "src/other/place.py")
    moved = match(elsewhere, baseline, lambda _: True, lambda path: path != "src/app.py")
    assert not moved.new
    assert prune(baseline, moved) == Baseline.of(elsewhere)
    copied = match([*findings(text), *elsewhere], baseline, lambda _: True, lambda _: True)
    assert list(copied.new) == elsewhere


@settings(deadline=None)
@given(BODIES)
def test_a_baseline_survives_being_written(bodies: list[tuple[str, str]]) -> None:
    baseline = Baseline.of(findings(program(bodies)))
    assert loads(dumps(baseline)) == baseline
    rows = dumps(baseline).splitlines()
    assert len(rows) == len(baseline.counts) + 5, "one line an entry, so that branches merge"
