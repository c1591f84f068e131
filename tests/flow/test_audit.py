"""The preset for audits: more sources, and still no word about folders that callers choose, or what is checked."""

import textwrap

import pytest

from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

AUDIT = Linter(Settings(select=("VH201", "VH202", "VH203"), preset=Preset.AUDIT, isolated=True))
DEFAULT = Linter(Settings(select=("VH201", "VH202", "VH203"), isolated=True))


def found(program: str, linter: Linter = AUDIT) -> list[str]:
    """What is told of a program: code and message up to the sink."""
    text = textwrap.dedent(program)
    return [f"{item.code} {item.message.partition(';')[0]}" for item in linter.check(Source("src/app.py", text))]


WEAK = [
    'json.load(open("index.json"))["name"]',
    'json.loads(open("index.json").read())["name"]',
    'yaml.safe_load(open("index.yaml"))["name"]',
    'Path("index.txt").read_text()',
    'os.environ["NAME"]',
    'os.environ.get("NAME")',
    'environ["NAME"]',
    "sys.argv[1]",
    "argv[1]",
]
WEAK_FRAME = """
import json
import os
import sys
from os import environ
from pathlib import Path
from sys import argv

import yaml


def clear():
    name = {value}
    os.remove(os.path.join("data", name))
"""


@pytest.mark.parametrize("value", WEAK)
def test_weak_sources_are_for_audits(value: str) -> None:
    program = WEAK_FRAME.format(value=value)
    assert [item.partition(" ")[0] for item in found(program)] == ["VH201"]
    assert found(program, DEFAULT) == []
    assert found(program.replace('join("data", name)', 'join("data", os.path.basename(name))')) == []


def test_a_constant_that_is_parsed_is_no_source() -> None:
    assert found(WEAK_FRAME.format(value="yaml.safe_load('a')")) == []


WRAPPED = """
import os


class Storage:
    def read(self, model_name):
        return self._load(model_name)

    def _load(self, name):
        return open(os.path.join(self.root, name))
"""


@pytest.mark.parametrize("safe", ["", "os.path.basename"])
def test_what_a_public_function_hands_to_a_private_one_is_followed(safe: str) -> None:
    linter = Linter(Settings(select=("VH401",), isolated=True))
    program = WRAPPED.replace("_load(model_name)", f"_load({safe}(model_name))")
    assert [item.partition(" ")[0] for item in found(program, linter)] == ([] if safe else ["VH401"])


FOLDERS = [
    "os.makedirs(place)",
    "for item in os.scandir(place):\n        print(item)",
    "tarfile.open('x.tar').extractall(place, filter='data')",
    "with open(os.path.join(place, 'settings.json')) as handle:\n        handle.read()",
]


@pytest.mark.parametrize("use", FOLDERS)
def test_a_folder_that_the_caller_works_in_is_the_callers_business(use: str) -> None:
    program = f"import os\nimport tarfile\n\n\ndef prepare(place):\n    {use}\n"
    assert found(program) == []


@pytest.mark.parametrize("use", ["open(place)", "os.remove(place)", "os.makedirs(os.path.join('data', place))"])
def test_a_file_that_the_caller_names_is_for_audits(use: str) -> None:
    program = f"import os\n\n\ndef prepare(place):\n    {use}\n"
    assert len(found(program)) == 1
    assert found(program, DEFAULT) == []


def test_the_calls_of_an_inner_function_are_in_sight() -> None:
    program = """
    import os


    def fetch_all(links):
        def fetch(target):
            os.remove(target)

        for link in links:
            fetch("data/known.txt")
    """
    assert found(program) == []
    assert found(program.replace('"data/known.txt"', "link")) == ["VH202 parameter links reaches os.remove()"]
    assert found(program.replace('fetch("data/known.txt")', "return fetch")) == [
        "VH202 parameter target reaches os.remove()"
    ]


CHECKED = """
import os

from flask import request

ROOT = os.path.realpath("media")


def inside(path):
    if not os.path.realpath(path).startswith(ROOT + os.sep):
        raise PermissionError(path)


def media():
    path = request.args['path']
    if os.path.isfile(path):
        inside(path)
        return [path]
    return []
"""


def test_asking_whether_a_file_exists_before_the_check_is_no_finding() -> None:
    assert found(CHECKED) == []
    assert found(CHECKED.replace("        inside(path)\n", "")) == ["VH201 request.args['path'] reaches path.isfile()"]


SEPARATORS = """
import os

from flask import request


def read():
    name = request.args["name"]
    if {test}:
        raise PermissionError(name)
    return open(os.path.join("data", name))
"""


@pytest.mark.parametrize(
    "test",
    [
        "os.sep in name or (os.altsep and os.altsep in name)",
        "os.path.sep in name or os.path.altsep and os.path.altsep in name",
        "'/' in name or '\\\\' in name",
    ],
)
def test_all_separators_of_the_system_are_all_there_are(test: str) -> None:
    assert found(SEPARATORS.format(test=test)) == []


def test_one_separator_is_not_all() -> None:
    assert found(SEPARATORS.format(test="os.altsep and os.altsep in name")) != []
    assert [item.partition(" ")[0] for item in found(SEPARATORS.format(test="os.sep in name"))] == ["VH203"]


def test_a_folder_compared_with_itself_is_not_judged() -> None:
    program = """
    from os import path
    from urllib.parse import unquote


    async def serve(folder, request):
        root = target = path.abspath(unquote(folder))
        if request.args.get("name"):
            target = path.abspath(path.join(folder, path.basename(request.args["name"])))
        if not target.startswith(root):
            raise FileNotFoundError(target)
        return open(target)
    """
    assert found(program, DEFAULT) == []


COMPREHENSION = """
import os

from flask import request


def paths(folder):
    return [os.path.join(folder, name) for name in request.args['names'].split(","){test}]
"""


def test_paths_made_in_a_comprehension_are_handed_back() -> None:
    assert found(COMPREHENSION.format(test=""), AUDIT) == ["VH201 request.args['names'] reaches a joined path"]
    assert found(COMPREHENSION.format(test=" if name.isalnum()"), AUDIT) == []
    assert found(COMPREHENSION.format(test=" if name in {'a', 'b'}"), AUDIT) == []
