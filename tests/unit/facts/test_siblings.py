"""A node is found among its siblings, however many there are."""

import ast

import pytest

from valhalla_lint.facts.siblings import MANY, position


@pytest.mark.parametrize("count", [1, MANY, MANY + 1, 10 * MANY])
def test_position(count: int) -> None:
    display = ast.parse("[" + ", ".join(f"x{at}" for at in range(count)) + "]", mode="eval").body
    assert isinstance(display, ast.List)
    assert [position(element, display.elts) for element in display.elts] == list(range(count))
    assert position(display, display.elts) is None
    assert position(ast.parse("x"), display.elts) is None
