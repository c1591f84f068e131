"""What reads like a path or a credential and is none, each beside the twin that is one."""

import textwrap

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH501"), isolated=True))


def codes(text: str) -> list[str]:
    """The codes that a file gets, in order of their lines."""
    return [finding.code for finding in LINTER.check(Source(path="src/app.py", text=textwrap.dedent(text)))]


HANDLER = """
import mimetypes
import os
import tempfile

from flask import request
from shop.models import User
from shop.stores import make

ROOT = "/srv/files"


def view():
    store = make()
    name = request.args["name"]
"""


@pytest.mark.parametrize(
    ("other", "meant"),
    [
        ("return User.objects.filter(name=name).exists()", "return os.path.exists(os.path.join(ROOT, name))"),
        ("return open(store.get(name))", "return open(store.get('place', name))"),
        (
            "return tempfile.mkstemp(suffix=mimetypes.guess_extension(name) or '')",
            "return tempfile.mkstemp(suffix=name)",
        ),
        ("store.write(os.path.join(ROOT, name))", "store.write_file(os.path.join(ROOT, name))"),
    ],
    ids=["query of a database", "key of a store", "kind of a file", "what is written"],
)
def test_no_path(other: str, meant: str) -> None:
    assert codes(HANDLER + "    " + other) == []
    assert codes(HANDLER + "    " + meant) == ["VH201"]


@pytest.mark.parametrize(
    "name",
    [
        "size_per_token",
        "total_secrets",
        "hashed_token",
        "verify_access_token",
        "dim_token",
        "max_credentials",
        "shared_keys",
    ],
)
def test_names_beside_credentials(name: str) -> None:
    assert codes(f"def show({name}):\n    print({name})\n") == []


@pytest.mark.parametrize("name", ["access_token", "client_secret", "password", "slack_token", "write_token"])
def test_names_of_credentials(name: str) -> None:
    assert codes(f"def show({name}):\n    print({name})\n") == ["VH501"]


def test_a_token_is_what_its_file_is_about() -> None:
    parser = "def show(part_token):\n    raise ValueError(f'bad part {part_token}')\n"
    assert codes(parser) == []
    assert codes("# Sent as a Bearer to the login service.\n" + parser) == ["VH501"]
