"""A decorator of the project checks, cleans or supplies an argument before it calls the function."""

from pathlib import Path

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH203"), isolated=True))
PLAIN = """
import os
import re
from functools import wraps

from flask import Flask, abort, request
from werkzeug.utils import secure_filename

app = Flask(__name__)


RULE = re.compile('[a-z]+')


def guarded(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        {body}

    return wrapper


@app.route("/<path:name>")
@guarded
def show(name):
    return open(os.path.join("/srv", name)).read()
"""
NAMED = """
import os
import re

from flask import Flask, abort
from shop.checks import bad

app = Flask(__name__)


def guarded(field, pattern=r"[a-z]+"):
    rule = re.compile(pattern)

    def decorate(function):
        def wrapper(*args, **kwargs):
            if not rule.fullmatch(kwargs[field]):
                abort(404)
            return function(*args, **kwargs)

        return wrapper

    return decorate


@app.route("/<path:name>")
@guarded({given})
def show(name):
    return open(os.path.join("/srv", name)).read()
"""
METHOD = """
import os

import tornado.web


def bound(function):
    def wrapper(self, *args, **kwargs):
        {body}

    return wrapper


class Show(tornado.web.RequestHandler):
    @bound
    def get(self, name=None):
        self.write(open(os.path.join("/srv", name)).read())
"""


def found(text: str, location: Path | None = None) -> list[str]:
    source = Source(path="shop/app.py", text=text, location=location)
    return [finding.code for finding in LINTER.check(source)]


@pytest.mark.parametrize(
    "body",
    [
        "if not RULE.fullmatch(kwargs['name']):\n            abort(404)\n        return function(*args, **kwargs)",
        (
            "name = kwargs.get('name')\n        if not name.isalnum():\n            abort(404)\n"
            "        return function(*args, **kwargs)"
        ),
        "kwargs['name'] = secure_filename(kwargs['name'])\n        return function(*args, **kwargs)",
        "name = secure_filename(kwargs.pop('name'))\n        return function(*args, name=name, **kwargs)",
        "if RULE.fullmatch(kwargs['name']):\n            return function(*args, **kwargs)\n        abort(404)",
        "return function(*args, **{**kwargs, 'name': 'index.html'})",
    ],
)
def test_a_wrapper_that_checks_or_cleans_clears(body: str) -> None:
    assert found(PLAIN.format(body=body)) == []


@pytest.mark.parametrize(
    "body",
    [
        "return function(*args, **kwargs)",
        "if not RULE.fullmatch(kwargs['name']):\n            print('odd')\n        return function(*args, **kwargs)",
        "if not RULE.fullmatch(kwargs['other']):\n            abort(404)\n        return function(*args, **kwargs)",
        "if RULE.fullmatch(kwargs['name']):\n            abort(404)\n        return function(*args, **kwargs)",
        "kwargs['name'] = kwargs['name'].strip()\n        return function(*args, **kwargs)",
        (
            "if not RULE.fullmatch(kwargs['name']):\n            return function(*args, **kwargs)\n"
            "        return function(*args, **kwargs)"
        ),
        "kwargs['name'] = request.args['file']\n        return function(*args, **kwargs)",
        "print(kwargs['name'])",
    ],
)
def test_a_wrapper_that_lets_everything_through_does_not(body: str) -> None:
    assert found(PLAIN.format(body=body)) == ["VH201"]


@pytest.mark.parametrize(
    ("given", "codes"),
    [("'name'", []), ("field='name'", []), ("'name', pattern='.*'", ["VH201"]), ("'other'", ["VH201"])],
)
def test_a_decorator_that_is_made_for_a_field_checks_that_field(given: str, codes: list[str]) -> None:
    assert found(NAMED.format(given=given)) == codes


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("return function(self, name=self.get_argument('name'))", ["VH201"]),
        ("kwargs['name'] = self.get_argument('name')\n        return function(self, *args, **kwargs)", ["VH201"]),
        ("return function(self, name=os.path.basename(self.get_argument('name')))", []),
        ("return function(self, name=self.application.settings['page'])", []),
    ],
)
def test_what_a_wrapper_supplies_is_what_the_function_gets(body: str, codes: list[str]) -> None:
    assert found(METHOD.format(body=body)) == codes


def test_a_decorator_of_another_file_is_read(tmp_path: Path) -> None:
    package = tmp_path / "shop"
    package.mkdir()
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "guards.py").write_text(
        "import re\n\nfrom flask import abort\n\nRULE = re.compile('[a-z]+')\n\n\n"
        "def guarded(function):\n    def wrapper(*args, **kwargs):\n"
        "        if not RULE.fullmatch(kwargs['name']):\n            abort(404)\n"
        "        return function(*args, **kwargs)\n\n    return wrapper\n",
        encoding="utf-8",
    )
    text = (
        "import os\n\nfrom flask import Flask\n\nfrom shop.guards import guarded\n\napp = Flask(__name__)\n\n\n"
        "@app.route('/<path:name>')\n{}def show(name):\n    return open(os.path.join('/srv', name)).read()\n"
    )
    assert found(text.format("@guarded\n"), package / "app.py") == []
    assert found(text.format(""), package / "app.py") == ["VH201"]
