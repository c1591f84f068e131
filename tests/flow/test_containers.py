"""What comes from outside stays so beside a default, and what a checkpoint names is imported."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

PATHS = Linter(Settings(select=("VH201",), isolated=True))
MODELS = Linter(Settings(select=("VH401",), isolated=True))
FRAME = """
import os

from flask import request


def clear():
    {body}
"""


@pytest.mark.parametrize(
    "body",
    [
        "for name in request.json.get('names', []):\n        os.remove(os.path.join('data', name))",
        "options = request.json.get('options', {{}})\n    os.remove(os.path.join('data', options['name']))",
        "options = request.json.get('options', {{}})\n    os.remove(os.path.join('data', options.get('name', '')))",
        "options = {{}}\n    options.update(request.json.get('options', {{}}))\n    open(options['a'])",
    ],
)
def test_an_empty_default_hides_nothing(body: str) -> None:
    text = FRAME.format(body=body.replace("{{", "{").replace("}}", "}"))
    assert [finding.code for finding in PATHS.check(Source("src/app.py", text))] == ["VH201"]
    fixed = text.replace("request.json", "{'names': ['a'], 'options': {'name': 'a', 'a': 'a'}}")
    assert PATHS.check(Source("src/app.py", fixed)) == []


LOADED = """
import importlib


def _restore(checkpoint, known):
    name = {value}
    {check}
    return importlib.import_module(name)
"""


def imports(value: str, check: str = "print(known)") -> list[str]:
    """The messages for a function that imports a value."""
    text = LOADED.format(value=value, check=check)
    return [finding.message for finding in MODELS.check(Source("src/app.py", text))]


@pytest.mark.parametrize("value", ["checkpoint['module']", "checkpoint.get('state', {})['module']"])
def test_what_a_checkpoint_names_is_imported(value: str) -> None:
    assert imports(value) == ["parameter checkpoint reaches importlib.import_module()"]
    assert imports(value, "if name not in {'one', 'two'}:\n        raise ImportError(name)") == []


@pytest.mark.parametrize("value", ["known['module']", "checkpoint", "'models'"])
def test_what_the_caller_says_itself_is_its_own_business(value: str) -> None:
    assert imports(value) == []
