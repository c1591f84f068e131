"""What lies far behind: a bound that was hit is widened before something is told."""

from pathlib import Path

import pytest
from shop import WEB, check, codes

DEPTH = 6
LONG, ENDLESS = 30, 390
"""Calls of a function of some 60 lines: more than the steps of one call, and of the second look."""
WASH = "\n\ndef wash(name):\n" + "    name = name.strip()\n" * 60 + "    return name\n"
CHECKED = 'if os.path.basename(name) != name:\n        raise ValueError("no file of the folder")'
UNCHECKED = "print(name)"
BOTH = pytest.mark.parametrize(("deed", "expected"), [(CHECKED, []), (UNCHECKED, ["VH201"])])


def _work(times: int) -> str:
    return "    name = wash(name)\n" * times


@BOTH
def test_a_check_is_seen_through_many_calls(tmp_path: Path, deed: str, expected: list[str]) -> None:
    steps = [f"\n\ndef step_{depth}(name):\n    return step_{depth + 1}(name)\n" for depth in range(DEPTH)]
    last = f"\n\ndef step_{DEPTH}(name):\n    {deed}\n    return name\n"
    text = WEB + "    return open(os.path.join(ROOT, step_0(name))).read()\n" + "".join(steps) + last
    assert codes(check(tmp_path, text)) == expected


@BOTH
def test_a_check_is_seen_behind_much_work(tmp_path: Path, deed: str, expected: list[str]) -> None:
    helper = f"\n\ndef inside(name):\n{_work(LONG)}    {deed}\n    return name\n"
    text = f"{WEB}    return open(os.path.join(ROOT, inside(name))).read()\n{helper}{WASH}"
    assert codes(check(tmp_path, text)) == expected


def test_a_bound_is_said_of_the_function_that_hit_it(tmp_path: Path) -> None:
    short = '\n\n@app.get("/other")\ndef other():\n    return open(os.path.join(ROOT, request.args["other"])).read()\n'
    text = f"{WEB}    file = open(os.path.join(ROOT, name))\n{_work(ENDLESS)}    return file.read()\n{short}{WASH}"
    first, last = check(tmp_path, text)
    assert any("too long" in reason for reason in first.reasons)
    assert not any("too long" in reason for reason in last.reasons)
