"""How long the language server waits after a keystroke."""

import pytest

from valhalla_lint.hosts.lsp.server import BRIEF, CALM, calm


def test_what_is_judged_quickly_is_judged_soon_and_nothing_waits_longer_than_the_longest_moment() -> None:
    quick, middle, slow = (calm(seconds) for seconds in (0.01, 0.08, 3.0))
    assert BRIEF == quick < middle < slow == CALM
    assert calm(None) == CALM, "nobody knows yet what it costs"


@pytest.mark.parametrize("seconds", [0.03, 0.08, 0.12])
def test_judging_takes_a_third_of_the_time_at_most(seconds: float) -> None:
    assert seconds / (seconds + calm(seconds)) <= 1 / 3 + 1e-9
