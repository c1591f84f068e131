"""Conversions that refuse what is no number and no UUID, as checks; checks of a part prove nothing of the whole."""

import textwrap

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201",), isolated=True))
FRAME = """
import uuid

from flask import request


def only_uuid(text):
    try:
        uuid.UUID(text)
    except (TypeError, ValueError) as error:
        raise PermissionError(text) from error


def view():
    name = request.args["name"]
{body}
    return open(f"/srv/files/{{name}}.json")
"""


def codes(body: str) -> list[str]:
    """The codes that a handler with these statements gets."""
    text = FRAME.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), "    "))
    return [finding.code for finding in LINTER.check(Source(path="src/app.py", text=text))]


@pytest.mark.parametrize("body", ["uuid.UUID(name)", "int(name)", "float(name)", "only_uuid(name)"])
def test_a_conversion_that_raises_is_a_check(body: str) -> None:
    assert codes(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "try:\n    int(name)\nexcept ValueError:\n    pass",
        "uuid.UUID(name[:36])",
        "int(name.split('/')[0])",
        "if not name[:8].isalnum():\n    raise PermissionError(name)",
    ],
    ids=["error passed over", "UUID at the beginning", "number at the beginning", "letters at the beginning"],
)
def test_a_part_is_not_the_whole(body: str) -> None:
    assert codes(body) == ["VH201"]
