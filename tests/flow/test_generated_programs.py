"""Programs put together from a source, steps, a guard and a sink are judged right by construction."""

import ast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH202", "VH203", "VH401"), isolated=True))
HEAD = """import os
import re
import shutil
from pathlib import Path

from flask import Flask, request

app = Flask(__name__)
BASE = "/srv/files"


def same(value):
    return value


class Box:
    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value


"""
SOURCES = [
    "request.args['name']",
    "request.form.get('name', '')",
    "request.cookies['name']",
    "request.headers.get('X-Name')",
    "request.get_json()['name']",
    "request.files['name'].filename",
]
STEPS = [
    "{new} = {old}.strip()",
    "{new} = f'{{{old}}}'",
    "{new} = str({old})",
    "{new} = '%s' % {old}",
    "{new} = {old} + '.txt'",
    "{new} = same({old})",
    "{new} = Box({old}).get()",
    "{new} = {{'a': {old}, 'b': 'fixed'}}['a']",
    "{new} = ['fixed', {old}][1]",
    "{new} = {old} if {old} else 'fixed'",
    "{new}, other = {old}, 1",
    "{new} = (lambda inner: inner)({old})",
    "{new} = ({old}).encode().decode()",
]
GUARDS = [
    "if not re.fullmatch(r'[A-Za-z0-9_.-]*[A-Za-z0-9_-]', {name}): raise ValueError",
    "if {name} not in ('a', 'b'): return None",
    "if os.path.basename({name}) != {name}: raise ValueError",
    "if '..' in {name} or os.path.isabs({name}): return None",
]
SINKS = [
    "return open(os.path.join(BASE, {name})).read()",
    "return (Path(BASE) / {name}).read_text()",
    "return Path(BASE).joinpath({name}).read_bytes()",
    "return os.listdir(f'{{BASE}}/{{{name}}}')",
    "shutil.rmtree(os.path.join(BASE, {name}))",
    "with open(os.path.join(BASE, {name})) as handle:\n    return handle.read()",
]
FIXED = ["'report'", "BASE", "str(len(request.args['name']))", "str(int(request.args['name']))"]


@st.composite
def programs(draw: st.DrawFn, sources: list[str], *, guarded: bool) -> list[str]:
    """The statements of a handler."""
    lines = [f"v0 = {draw(st.sampled_from(sources))}"]
    count = draw(st.integers(0, 5))
    steps = st.sampled_from(STEPS)
    lines += [draw(steps).format(old=f"v{number}", new=f"v{number + 1}") for number in range(count)]
    name = f"v{count}"
    if guarded:
        lines.append(draw(st.sampled_from(GUARDS)).format(name=name))
    lines.extend(draw(st.sampled_from(SINKS)).format(name=name).split("\n"))
    return lines


def program(lines: list[str], head: str = HEAD) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f'{head}@app.route("/x")\ndef handler():\n{body}\n'


def verdict(text: str) -> list[str]:
    return sorted(finding.code for finding in LINTER.check(Source(path="src/app.py", text=text)))


common = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@common
@given(programs(SOURCES, guarded=False))
def test_what_comes_from_outside_is_found(lines: list[str]) -> None:
    assert verdict(program(lines)) == ["VH201"]


@common
@given(programs(SOURCES, guarded=True))
def test_what_is_guarded_is_silent(lines: list[str]) -> None:
    assert verdict(program(lines)) == []


@common
@given(programs(FIXED, guarded=False))
def test_what_is_fixed_is_silent(lines: list[str]) -> None:
    assert verdict(program(lines)) == []


class Renamed(ast.NodeTransformer):
    """Gives the locals other names."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id.startswith("v") and node.id[1:].isdigit():
            node.id = f"quite_other_{node.id[1:]}"
        return node


@common
@given(programs([*SOURCES, *FIXED], guarded=False) | programs(SOURCES, guarded=True))
def test_the_verdict_does_not_depend_on_how_it_is_written(lines: list[str]) -> None:
    plain = verdict(program(lines))
    text = program(lines)
    assert verdict(ast.unparse(Renamed().visit(ast.parse(text)))) == plain, "names"
    assert verdict(program([part for line in lines for part in (line, "")])) == plain, "blank lines"
    assert verdict(program(["if True:", *(f"    {line}" for line in lines)])) == plain, "if True"
    assert verdict(program(["try:", *(f"    {line}" for line in lines), "finally:", "    pass"])) == plain, "try"


@common
@given(programs([*SOURCES, *FIXED], guarded=False) | programs(SOURCES, guarded=True))
def test_a_helper_changes_nothing(lines: list[str]) -> None:
    plain = verdict(program(lines))
    body = "\n".join(f"    {line}" for line in lines[1:])
    helper = f"{HEAD}def helper(v0):\n{body}\n\n\n"
    assert verdict(program([lines[0], "return helper(v0)"], helper)) == plain
