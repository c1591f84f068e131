"""What a helper takes from outside by itself, without being handed anything, is followed to where it is used."""

from pathlib import Path

import pytest
from shop import check

from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.linter import Linter

LINTERS = {preset: Linter(Settings(select=("VH201",), isolated=True, preset=preset)) for preset in Preset}
OUTSIDE, CONSTANT = 'request.args["name"]', '"index.txt"'
HELPERS = """
from flask import request


def get():
    return {value}


def nested():
    return get()


class Form:
    def name(self):
        return {value}

    @property
    def file(self):
        return {value}
"""


def lines(root: Path, text: str, linter: Linter, **others: str) -> list[int]:
    """The lines with a finding in one module of a project with some others."""
    return [finding.span.line for finding in check(root, text, linter, **others)]


@pytest.mark.parametrize("preset", [Preset.DEFAULT, Preset.AUDIT])
@pytest.mark.parametrize("given", ["get()", "nested()", "Form().name()", "Form().file"])
def test_a_helper_of_the_same_file_gives_what_it_takes(tmp_path: Path, given: str, preset: Preset) -> None:
    view = f'\n\ndef view():\n    return open("data/" + {given}).read()\n'
    outside, constant = (HELPERS.format(value=value) for value in (OUTSIDE, CONSTANT))
    assert lines(tmp_path, outside + view, LINTERS[preset]) == [(outside + view).count("\n")]
    assert lines(tmp_path, constant + view, LINTERS[preset]) == []


@pytest.mark.parametrize("preset", [Preset.DEFAULT, Preset.AUDIT])
@pytest.mark.parametrize("given", ["get()", "nested()", "helpers.get()", "Form().name()", "Form().file", "local()"])
def test_a_helper_of_another_file_gives_what_it_takes(tmp_path: Path, given: str, preset: Preset) -> None:
    text = f"""from shop import helpers
from shop.helpers import Form, get, nested


def local():
    return helpers.nested()


def view():
    return open("data/" + {given}).read()
"""
    for value, expected in ((OUTSIDE, [10]), (CONSTANT, [])):
        assert lines(tmp_path, text, LINTERS[preset], helpers=HELPERS.format(value=value)) == expected


@pytest.mark.parametrize("given", ["self.name()", "self.file"])
def test_methods_and_properties_of_the_object_itself_and_of_its_bases(tmp_path: Path, given: str) -> None:
    view = f'    def view(self):\n        return open("data/" + {given}).read()\n'
    derived = f"from shop.helpers import Form\n\n\nclass Upload(Form):\n{view}"
    for value, found in ((OUTSIDE, True), (CONSTANT, False)):
        helpers = HELPERS.format(value=value)
        assert bool(lines(tmp_path, f"{helpers}\n{view}", LINTERS[Preset.DEFAULT])) is found
        assert bool(lines(tmp_path, derived, LINTERS[Preset.DEFAULT], helpers=helpers)) is found


def test_a_package_hands_on_the_helper_of_its_module(tmp_path: Path) -> None:
    text = 'from shop import get\n\n\ndef view():\n    return open("data/" + get()).read()\n'
    for value, expected in ((OUTSIDE, [5]), (CONSTANT, [])):
        others = {"__init__": "from .helpers import get\n", "helpers": HELPERS.format(value=value)}
        assert lines(tmp_path, text, LINTERS[Preset.DEFAULT], **others) == expected


def test_a_helper_that_asks_another_function_of_its_module(tmp_path: Path) -> None:
    text = 'from shop.helpers import get\n\n\ndef view():\n    return open("data/" + get()).read()\n'
    helpers = """from flask import request


def asked():
    return request.args["name"]


def get():
    return asked()


def other():
    return "index.txt"
"""
    assert lines(tmp_path, text, LINTERS[Preset.DEFAULT], helpers=helpers) == [5]
    others = text.replace("get", "other")
    assert lines(tmp_path, others, LINTERS[Preset.DEFAULT], helpers=helpers) == []


@pytest.mark.parametrize("way", ["from shop.store import load", "from shop import load", "from shop import store"])
def test_what_a_handler_hands_to_a_function_of_its_file_is_followed_into_another(tmp_path: Path, way: str) -> None:
    call = "store.load(name)" if way.endswith("store") else "load(name)"
    text = f"""from flask import Flask

{way}

app = Flask(__name__)


def show(name):
    return {call}


@app.route("/<path:name>")
def view(name):
    return show(name)
"""
    store = 'def load(name):\n    return open("data/" + name).read()\n\n\ndef safe(name):\n    return name.upper()\n'
    others = {"__init__": "from shop.store import load, safe\n", "store": store}
    assert lines(tmp_path, text, LINTERS[Preset.DEFAULT], **others) == [9]
    assert lines(tmp_path, text.replace("load", "safe"), LINTERS[Preset.DEFAULT], **others) == []


@pytest.mark.parametrize(("value", "found"), [(OUTSIDE, [4]), (CONSTANT, [])])
def test_a_function_may_have_the_name_of_what_it_calls_in_another_module(
    tmp_path: Path, value: str, found: list[int]
) -> None:
    text = 'from shop import helpers\n\ndef get():\n    return open("notes/" + helpers.get()).read()\n'
    assert lines(tmp_path, text, LINTERS[Preset.DEFAULT], helpers=HELPERS.format(value=value)) == found


@pytest.mark.parametrize(
    "taken",
    ["from shop.helpers import get", "from shop.helpers import nested as get", "from shop import helpers as get"],
)
def test_a_module_that_only_calls_another_lends_what_that_one_takes(tmp_path: Path, taken: str) -> None:
    call = "get.get()" if "import helpers" in taken else "get()"
    between = f"{taken}\n\n\ndef name_of():\n    return {call}\n\n\ndef other():\n    return 'index.txt'\n"
    text = 'from shop.between import name_of\n\n\ndef view():\n    return open("data/" + name_of()).read()\n'
    for value, expected in ((OUTSIDE, [5]), (CONSTANT, [])):
        helpers = HELPERS.format(value=value)
        assert lines(tmp_path, text, LINTERS[Preset.DEFAULT], between=between, helpers=helpers) == expected
        others = text.replace("name_of", "other")
        assert lines(tmp_path, others, LINTERS[Preset.DEFAULT], between=between, helpers=helpers) == []
