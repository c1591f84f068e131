"""Deep, long and circular programs end, and what was not followed is said."""

import weakref

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.module import Module
from valhalla_lint.flow import analysis, machine
from valhalla_lint.flow.labels import Grade, Kind, Origin
from valhalla_lint.flow.secrecy import masked_fields, secret_name
from valhalla_lint.flow.state import Cell, State, meet
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.values import EVERYTHING, Facts, Label, Value, constant
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201",), isolated=True))
HEAD = "import os\nfrom flask import request\n\n\n"


def findings(text: str) -> list[str]:
    return [finding.code for finding in LINTER.check(Source(path="src/app.py", text=text))]


def test_nested_branches_end() -> None:
    lines = ["def handler():", "    name = request.args['name']"]
    depth = 60
    lines += ["    " * (level + 1) + f"if os.environ.get('A{level}'):" for level in range(depth)]
    lines.append("    " * (depth + 1) + "open(name)")
    assert findings(HEAD + "\n".join(lines)) in (["VH201"], [])


def test_a_row_of_branches_ends() -> None:
    lines = ["def handler():", "    name = request.args['name']"]
    lines += [f"    if os.environ.get('A{number}'):\n        name = name + '{number}'" for number in range(200)]
    lines.append("    open(name)")
    assert findings(HEAD + "\n".join(lines)) == ["VH201"]


def test_recursion_ends() -> None:
    both = "def a(x):\n    return b(x) or x\n\n\ndef b(x):\n    return a(x)\n\n\n"
    text = HEAD + both + "def handler():\n    open(a(request.args['n']))\n"
    assert findings(text) == ["VH201"]


def test_long_sums_end() -> None:
    text = HEAD + "def handler():\n    open(" + " + ".join(["request.args['n']"] * 3_000) + ")\n"
    assert findings(text) in (["VH201"], [])


def test_a_long_way_is_shortened() -> None:
    steps = "".join(f"    v{number + 1} = same(v{number})\n" for number in range(40))
    text = HEAD + f"def same(x):\n    return x\n\n\ndef handler():\n    v0 = request.args['n']\n{steps}    open(v40)\n"
    (finding,) = LINTER.check(Source(path="src/app.py", text=text))
    assert len(finding.steps) < 20
    assert finding.steps[0].text.endswith("comes from outside")
    assert finding.steps[-1].text == "reaches open()"


def test_many_functions_end() -> None:
    text = HEAD + "".join(
        f"def handler_{number}():\n    open(os.path.join('files', request.args['n{number}']))\n\n\n"
        for number in range(400)
    )
    assert len(findings(text)) == 400


def test_what_was_found_out_about_a_file_keeps_no_tree_of_it() -> None:
    unit = Unit(Module(Source(path="src/app.py", text="class Login:\n    token: SecretStr\n"), Settings()))
    assert masked_fields(unit) == {"token"}
    secret_name("token", unit)
    gone = weakref.ref(unit)
    del unit
    assert gone() is None


WASH = "def wash(name):\n" + "    name = name.strip()\n" * 30 + "    return name\n\n\n"
BUSY = "".join(
    f"def busy_{number}():\n    name = request.args['n']\n    file = open(name)\n"
    + "    name = wash(name)\n" * 20
    + "    return file\n\n\n"
    for number in range(8)
)
PLAIN = "def plain():\n    open(request.args['n'])\n"


def test_a_function_behind_the_last_step_of_a_file_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "MAX_TOTAL", 1_000)
    monkeypatch.setattr(analysis, "MAX_TOTAL", 1_000)
    found = LINTER.check(Source(path="src/app.py", text=HEAD + WASH + BUSY + PLAIN))
    assert [finding.definition for finding in found] == [*(f"busy_{number}" for number in range(8)), "plain"]
    assert any("too long" in reason for reason in found[-2].reasons)
    assert not any("too long" in reason for reason in found[-1].reasons)


def test_a_way_that_proves_more_leaves_alone_what_that_is_not_about() -> None:
    other = Value((Label(Origin(Kind.REQUEST, Grade.CERTAIN, "a name"), content=1, spot=2, risk=EVERYTHING),))
    before = State(heap={1: Cell("list", {0: other}), 2: Cell("list", {0: constant("a")})})
    proven = before.knowing(Facts({7: EVERYTHING}))
    together = meet(before, proven)
    assert proven is not None
    assert together is not None
    assert all(together.heap[number] is cell for number, cell in before.heap.items())
    assert together.proven == {}
