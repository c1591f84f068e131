"""Programs that no one writes, or hardly anyone: flow judges them to the end, and what they hold is still found."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH203", "VH908"), isolated=True))
PROGRAM = """
import os
import re
import sys

from flask import Flask

app = Flask(__name__)


class Page:
    @app.route("/<path:name>")
    def show(self, request, name):
        {line}
        return open(os.path.join("/srv", name)).read()
"""
WRAPPED = """
import os

from flask import Flask

app = Flask(__name__)


def bound(function):
    def wrapper({parameters}):
        {line}
        return function(*args, request=request, **kwargs)

    return wrapper


@app.route("/<path:name>")
@bound
def show(request, name):
    return open(os.path.join("/srv", name)).read()
"""
LONG = "9" * 5_000


def found(text: str) -> list[str]:
    return [finding.code for finding in LINTER.check(Source(path="shop/app.py", text=text))]


@pytest.mark.parametrize(
    "line",
    [
        f"name += '' if sys.version < '{LONG}' else 'x'",
        f"name = name if sys.version_info[0] > 0x{'f' * 5_000} else '{{{LONG}}}'.format(name) + name",
        "name += '{\N{SUPERSCRIPT TWO}}'.format(name)",
        "re.match('[a-z]+', name, self.__class__.FLAGS)",
        "re.match('[a-z]+', name, self.mro)",
    ],
)
def test_numbers_and_flags_that_python_refuses_hide_nothing(line: str) -> None:
    assert found(PROGRAM.format(line=line)) == ["VH201"]


@pytest.mark.parametrize("parameters", ["*args, request, **kwargs", "*args, request=None, **kwargs"])
def test_a_wrapper_that_names_what_is_handed_over_by_place_is_interpreted(parameters: str) -> None:
    clean = "kwargs['name'] = os.path.basename(kwargs['name'])"
    assert found(WRAPPED.format(parameters=parameters, line=clean)) == []
    assert found(WRAPPED.format(parameters=parameters, line="pass")) == ["VH201"]
