"""Deep, long and circular programs end, and what was not followed is said."""

import weakref

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.module import Module
from valhalla_lint.flow.secrecy import masked_fields, secret_name
from valhalla_lint.flow.units import Unit
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
