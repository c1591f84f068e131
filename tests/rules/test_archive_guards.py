"""Checks of member names: the good side of a whole check is silent, the bad side and half a check are not."""

import pytest

from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

HEAD = "import os\nimport tarfile\nfrom pathlib import Path\n\n\ndef unpack(bundle, root, allowed, is_safe):\n"
OPEN = "    with tarfile.open(bundle) as tar:\n        for member in tar:\n"

SAFE = [  # conditions that are true only for names that stay inside
    "not os.path.isabs(member.name) and '..' not in member.name",
    "not (os.path.isabs(member.name) or '..' in member.name)",
    "not (member.name.startswith('/') or '..' in Path(member.name).parts)",
    "not os.path.normpath(member.name).startswith(('/', '..'))",
    "(root / member.name).resolve().is_relative_to(root)",
    "root in (root / member.name).resolve().parents",
    "os.path.realpath(os.path.join(root, member.name)).startswith(root + os.sep)",
    "os.path.commonpath([root, os.path.abspath(os.path.join(root, member.name))]) == root",
    "member.name in {'model.bin', 'config.json'}",
    "member.name == 'model.bin'",
    "'/' not in member.name",
    "is_safe(member.name)",
]
PARTIAL = ["'..' not in member.name", "not os.path.isabs(member.name)", "not member.name.startswith('/')"]
LEADING = [
    "not member.name.startswith(('/', '..'))",  # a/../../x
    "not (member.name.startswith('/') or member.name.startswith('../'))",
    "not os.path.normpath(member.name).startswith('..')",  # /x
]
NOTHING = [
    "member.isfile()",
    "member.name",
    "member.name.endswith('.bin')",
    "member.size < 1000",
    "member.name.startswith('a/')",
]


def codes(body: str) -> list[str]:
    text = HEAD + OPEN + "".join(f"            {line}\n" for line in body.split("\n"))
    return [finding.code for finding in Linter(Settings(select=("VH204",))).check(Source("src/app.py", text))]


@pytest.mark.parametrize("condition", SAFE)
def test_the_good_side_of_a_check_is_silent(condition: str) -> None:
    assert codes(f"if {condition}:\n    tar.extract(member, root)") == []
    assert codes(f"if not ({condition}):\n    raise ValueError(member)\ntar.extract(member, root)") == []
    assert codes(f"if not ({condition}):\n    continue\ntar.extract(member, root)") == []
    assert codes(f"assert {condition}\ntar.extract(member, root)") == []


@pytest.mark.parametrize("condition", SAFE)
def test_the_bad_side_of_a_check_is_reported(condition: str) -> None:
    assert codes(f"if not ({condition}):\n    tar.extract(member, root)") == ["VH204"]
    assert codes(f"if {condition}:\n    pass\nelse:\n    tar.extract(member, root)") == ["VH204"]
    assert codes(f"if {condition}:\n    print(member)\ntar.extract(member, root)") == ["VH204"]


@pytest.mark.parametrize("condition", [*PARTIAL, *LEADING, *NOTHING])
def test_half_a_check_is_reported(condition: str) -> None:
    assert codes(f"if {condition}:\n    tar.extract(member, root)") == ["VH204"]


@pytest.mark.parametrize("first", PARTIAL[:1])
@pytest.mark.parametrize("second", PARTIAL[1:])
def test_two_halves_make_a_whole(first: str, second: str) -> None:
    assert codes(f"if {first} and {second}:\n    tar.extract(member, root)") == []
    assert codes(f"if {first} or {second}:\n    tar.extract(member, root)") == ["VH204"]
    assert codes(f"if not ({first}):\n    continue\nif not ({second}):\n    continue\ntar.extract(member, root)") == []


@pytest.mark.parametrize("condition", SAFE)
def test_a_check_of_another_value_clears_nothing(condition: str) -> None:
    other = condition.replace("member", "allowed")
    assert codes(f"if {other}:\n    tar.extract(member, root)") == ["VH204"]


@pytest.mark.parametrize("condition", SAFE)
def test_a_loop_of_checks_before_extracting_all(condition: str) -> None:
    loop = f"        for member in tar:\n            if not ({condition}):\n                raise ValueError(member)\n"
    text = HEAD + "    with tarfile.open(bundle) as tar:\n" + loop + "        tar.extractall(root)\n"
    assert Linter(Settings(select=("VH204",))).check(Source("src/app.py", text)) == []


COMPOSED = """
import functools
import tarfile


def compose(first, second):
    return lambda member, path: second(first(member, path), path)


def stripped(member, path):
    member.name = member.name.partition("/")[2]
    return member


FILTER = {filter}


def unpack(bundle, target):
    with tarfile.open(bundle) as tar:
        tar.extractall(target, filter=FILTER)
"""


def test_a_filter_made_of_a_safe_one_is_safe_and_one_that_nobody_read_is_for_audits() -> None:
    safe = COMPOSED.format(filter="compose(tarfile.data_filter, stripped)")
    unread = COMPOSED.format(filter="compose(stripped, stripped)")
    default, audit = (Linter(Settings(select=("VH204",), preset=preset)) for preset in (Preset.DEFAULT, Preset.AUDIT))
    assert audit.check(Source("src/app.py", safe)) == []
    assert default.check(Source("src/app.py", unread)) == []
    assert "was not read" in audit.check(Source("src/app.py", unread))[0].message
