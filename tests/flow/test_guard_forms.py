"""The many ways to write one check: each clears the branch in which it holds, and only what it is about."""

import pytest

from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH203"), isolated=True))
FRAME = """
import os
from pathlib import Path

from flask import request

BASE = os.path.realpath("/srv/files")
ROOT = Path("/srv/files").resolve()
BAD = {{"/", "\\\\", ":"}}
GOOD = frozenset("abcdefghijklmnopqrstuvwxyz-")


def view():
    name = request.args["name"]
    other = request.args["other"]
    {made}
    if {refused}:
        {deed}
    return open({used})
"""
PATH = "path = os.path.realpath(os.path.join(BASE, name))"
OBJECT = "path = (ROOT / name).resolve()"
SPELT = "path = os.path.join(BASE, name)"
NAME = "path = name"

OUTSIDE = {  # conditions that are true for every path outside, by how the path was made
    PATH: [
        "not path.startswith(os.path.join(BASE, ''))",
        "not os.path.join(path, '').startswith(os.path.join(BASE, ''))",
        "not (path + os.sep).startswith(BASE + os.sep)",
        "not f'{path}/'.startswith(f'{BASE}/')",
        "not path.startswith('{}{}'.format(BASE, os.sep))",
        "not (path == BASE or path.startswith(BASE + os.sep))",
        "os.path.relpath(path, BASE).startswith(os.pardir)",
        "os.path.relpath(path, start=BASE).startswith('../')",
        "'..' in os.path.relpath(path, BASE).split(os.sep)",
        "Path(BASE) not in Path(path).parents",
    ],
    OBJECT: [
        "not path.as_posix().startswith(ROOT.as_posix() + '/')",
        "not str(path).startswith(os.path.join(ROOT, ''))",
        "ROOT not in (path, *path.parents)",
        "ROOT not in [path, *path.parents]",
        "path.parts[:len(ROOT.parts)] != ROOT.parts",
        "not (path.is_relative_to(ROOT) and path.is_file())",
    ],
    NAME: [
        "any(mark in path for mark in ('/', '\\\\'))",
        "any(mark in path for mark in (os.sep, os.altsep) if mark)",
        "any([mark in path for mark in [os.sep, os.altsep] if mark])",
        "not all(mark not in path for mark in '/ \\\\'.split())",
        "os.sep in path or (os.altsep and os.altsep in path)",
        "set(path) & BAD",
        "BAD & set(path)",
        "set(path) - GOOD",
        "not set(path) <= GOOD",
        "not GOOD >= set(path)",
        "not set(path).issubset(GOOD)",
        "not set(path).isdisjoint(BAD) or '..' in path",
        "len(Path(path).parts) != 1",
        "len(Path(path).parts) > 1",
        "not path.isidentifier()",
        "path not in os.listdir(BASE)",
    ],
}
CASES = [(made, condition) for made, conditions in OUTSIDE.items() for condition in conditions]
IDS = [condition for _, condition in CASES]


def codes(made: str, refused: str, *, deed: str = "raise PermissionError(name)", of: str = "path") -> list[str]:
    """The codes that a handler with this check gets."""
    used = f"os.path.join(BASE, {of})" if made == NAME else of
    text = FRAME.format(made=made, refused=refused, deed=deed, used=used)
    return [finding.code for finding in LINTER.check(Source(path="src/app.py", text=text))]


@pytest.mark.parametrize(("made", "refused"), CASES, ids=IDS)
def test_where_the_check_holds_nothing_is_told(made: str, refused: str) -> None:
    assert codes(made, refused) == []
    assert codes(made, refused, deed="return None") == []


@pytest.mark.parametrize(("made", "refused"), CASES, ids=IDS)
def test_where_it_fails_or_nobody_acts_the_flow_is_told(made: str, refused: str) -> None:
    assert codes(made, f"not ({refused})") == ["VH201"]
    assert codes(made, refused, deed="print(name)") == ["VH201"]


@pytest.mark.parametrize(("made", "refused"), CASES, ids=IDS)
def test_a_check_of_something_else_clears_nothing(made: str, refused: str) -> None:
    elsewhere = made.replace("name", "other").replace("path =", "checked =")
    asked = refused.replace("path", "checked").replace("os.checked", "os.path").replace("relchecked", "relpath")
    assert codes(f"{elsewhere}\n    {made}", asked, of="path" if made != NAME else "name")[-1:] == ["VH201"]


LEFT = {  # checks that let something through, and what they are called
    "not path.startswith(BASE)": "VH203",
    "not path.startswith(os.path.join('/srv', 'files'))": "VH203",
    "not f'{path}_'.startswith(f'{BASE}_')": "VH201",
    "path.startswith(os.path.join(BASE, ''))": "VH201",
}


@pytest.mark.parametrize(("refused", "code"), LEFT.items(), ids=LEFT.keys())
def test_look_alikes_are_still_told(refused: str, code: str) -> None:
    assert codes(PATH, refused) == [code]


@pytest.mark.parametrize("refused", ["'/' in name", "any(mark in name for mark in ('/', ':'))", "set(name) & {'/'}"])
def test_one_separator_is_not_both(refused: str) -> None:
    assert codes(NAME, refused) != []


WHOLE = """
import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from flask import request
from elsewhere import separator_of

ROOT = Path("/srv/files").resolve()


def view():
    name = request.args["name"]
    {body}
"""
ANCHORED = """if ".." in name.replace("\\\\", "/").split("/"):
        raise ValueError(name)
    for path in [PurePosixPath(name), *(PureWindowsPath(part) for part in name.split("/"))]:
        if {asked}:
            raise ValueError(name)
    return (ROOT / name).read_text()"""
RESOLVED = """path = ROOT / name
    path = {made}
    if not path.is_relative_to(ROOT):
        raise ValueError(name)
    return path.read_text()"""
ENCODED = """if {asked}:
        raise ValueError(name)
    return (ROOT / name).read_text()"""
BESIDE = """{before}
    path = os.path.realpath(os.path.join("/srv/files", name))
    if not path.startswith("/srv/files"):
        raise ValueError(name)
    return open(path)"""


def told(body: str, preset: Preset = Preset.DEFAULT) -> list[str]:
    linter = Linter(Settings(select=("VH201", "VH203"), isolated=True, preset=preset))
    return [item.code for item in linter.check(Source(path="src/app.py", text=WHOLE.format(body=body)))]


@pytest.mark.parametrize("asked", ["path.drive or path.root", "path.root", "path.anchor"])
def test_a_path_without_a_root_does_not_begin_anywhere(asked: str) -> None:
    assert told(ANCHORED.format(asked=asked)) == []


@pytest.mark.parametrize("asked", ["path.drive", "path.suffix", "not path.root"])
def test_what_else_a_path_is_without_proves_nothing_of_its_root(asked: str) -> None:
    assert told(ANCHORED.format(asked=asked)) != []


@pytest.mark.parametrize(
    "made",
    [
        "path.parent.resolve() / path.name",
        "path.resolve() / 'data.txt'",
        "path.resolve() / os.path.basename(request.args['leaf'])",
        "path.resolve() if path.exists() else path.parent.resolve() / path.name",
    ],
)
def test_a_plain_name_below_a_resolved_folder_brings_nothing_back(made: str) -> None:
    assert told(RESOLVED.format(made=made)) == []


@pytest.mark.parametrize(
    "made", ["path.resolve() / '../data.txt'", "path.resolve() / request.args['leaf']", "path.parent / path.name"]
)
def test_a_name_that_may_hold_more_makes_the_check_weak(made: str) -> None:
    assert told(RESOLVED.format(made=made)) != []


def test_checks_of_bytes_are_checks() -> None:
    assert told(ENCODED.format(asked="b'/' in os.fsencode(name) or b'\\\\' in os.fsencode(name)")) == []
    assert told(ENCODED.format(asked="b'/' in os.fsencode(name) and b'\\\\' in os.fsencode(name)")) != []


def test_beside_a_check_that_is_not_understood_a_weak_one_is_for_the_audit() -> None:
    weak = BESIDE.format(before="pass")
    beside = BESIDE.format(before="if separator_of(name) in name:\n        raise ValueError(name)")
    assert told(weak) == ["VH203"]
    assert told(beside) == []
    assert told(beside, Preset.AUDIT) == ["VH203"]
    acted_on = "if separator_of(name) in name:\n        print(name)"
    assert told(BESIDE.format(before=acted_on)) == ["VH203"]


def test_a_check_that_is_not_understood_clears_no_flow() -> None:
    assert told("if separator_of() in name:\n        raise ValueError\n    return (ROOT / name).read_text()") == [
        "VH201"
    ]


ANSWERS = """
from pathlib import Path

from flask import request


def lies_in(path, base):
    path, base = Path(path).resolve(), Path(base).resolve()
    try:
        path.relative_to(base)
    except ValueError:
        return False
    return True


def allowed(path, blocked, bases):
    if any(lies_in(path, item) for item in blocked):
        return False, "blocked"
    if any({of} for item in bases):
        return {yes}, "allowed"
    return False, "elsewhere"


def view(config):
    path = Path(request.args["name"]).absolute()
    may, why = allowed(path, config.blocked, config.bases)
    if {refused}:
        raise ValueError(why)
    return open(path)
"""


@pytest.mark.parametrize(
    ("of", "yes", "refused", "expected"),
    [
        ("lies_in(path, item)", "True", "not may", []),
        ("lies_in(path, item)", "True", "may is False", []),
        ("lies_in(path, item)", "True", "may", ["VH201"]),
        ("lies_in(path, item)", "True", "not why", ["VH201"]),
        ("lies_in(path, item)", "False", "may", ["VH201"]),
        ("item.exists()", "True", "not may", ["VH201"]),
    ],
)
def test_an_answer_with_a_reason_beside_it_is_an_answer(of: str, yes: str, refused: str, expected: list[str]) -> None:
    text = ANSWERS.format(of=of, yes=yes, refused=refused)
    assert [item.code for item in LINTER.check(Source(path="src/app.py", text=text))] == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("any(char.isalnum() for char in name)", ["VH201"]),
        ("any(part.isalnum() for part in name.split('/'))", ["VH201"]),
        ("any(part != '..' for part in name.split('/')) and any(part for part in name)", ["VH201"]),
        ("any(char in GOOD for char in name)", ["VH201"]),
        ("all(char in GOOD for char in name)", []),
    ],
)
def test_what_some_part_is_proves_nothing_of_the_whole(asked: str, expected: list[str]) -> None:
    assert codes(NAME, f"not ({asked})") == expected
