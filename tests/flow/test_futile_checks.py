"""A check that cannot fail is told wherever the name comes from; what can fail, or asks for its answer, is not."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH203",), isolated=True))
FRAME = """
import os
from pathlib import Path


class Store:
    def remove(self, record):
        {body}


def delete(path):
    ...
"""


def found(body: str) -> list[str]:
    text = FRAME.format(body=body.replace("\n", "\n        "))
    return [finding.code for finding in LINTER.check(Source(path="shop/store.py", text=text))]


@pytest.mark.parametrize(
    "body",
    [
        "path = self.root / record.path\nif path.is_relative_to(self.root):\n    delete(path)",
        "path = Path(self.root, record.path)\nif path.is_relative_to(self.root):\n    delete(path)",
        "path = Path(self.root) / record.path\nif not path.is_relative_to(Path(self.root)):\n    return\ndelete(path)",
        (
            "path = self.root.joinpath(record.path)\ntry:\n    path.relative_to(self.root)\nexcept ValueError:\n"
            "    raise\ndelete(path)"
        ),
        (
            "if record:\n    path = self.other\nelse:\n    path = self.root / record.path\n    try:\n"
            "        path.relative_to(self.root)\n    except ValueError:\n        return\n    delete(path)"
        ),
        "try:\n    Path(os.getcwd()).joinpath(record.path).relative_to(os.getcwd())\nexcept ValueError:\n    return",
    ],
)
def test_a_join_is_always_below_the_folder_that_it_begins_with(body: str) -> None:
    assert found(body) == ["VH203"]


@pytest.mark.parametrize(
    "body",
    [
        "path = (self.root / record.path).resolve()\nif path.is_relative_to(self.root):\n    delete(path)",
        "path = self.root / record.path\nif path.resolve().is_relative_to(self.root):\n    delete(path)",
        "path = self.root / record.path\nif path.is_relative_to(self.other):\n    delete(path)",
        "path = self.root / record.path\nshown = path.relative_to(self.root)\ndelete(shown)",
        "path = self.root / Path(record.path).name\nif path.is_relative_to(self.root):\n    delete(path)",
        (
            "for name in os.listdir(self.root):\n    path = self.root / name\n    if path.is_relative_to(self.root):\n"
            "        delete(path)"
        ),
        (
            "if '..' in record.path:\n    return\npath = self.root / record.path\nif path.is_relative_to(self.root):\n"
            "    delete(path)"
        ),
        "path = self.root / 'known'\nif path.is_relative_to(self.root):\n    delete(path)",
        "path = self.root / record.path\npath = path.resolve()\nif path.is_relative_to(self.root):\n    delete(path)",
    ],
)
def test_a_check_that_can_fail_is_left_alone(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "path = os.path.join(self.root, record.path)\nif not path.startswith(self.root):\n    return\ndelete(path)",
        "path = os.path.join(self.root, record.path)\nif path.startswith(self.root + os.sep):\n    delete(path)",
        (
            "path = Path(self.root) / record.path\n"
            "if not str(path).startswith(str(self.root)):\n    raise OSError\ndelete(path)"
        ),
    ],
)
def test_a_prefix_that_a_path_was_just_given_refuses_nothing(body: str) -> None:
    assert found(body) == ["VH203"]


@pytest.mark.parametrize(
    "body",
    [
        (
            "path = os.path.realpath(os.path.join(self.root, record.path))\n"
            "if path.startswith(self.root + '/'):\n    delete(path)"
        ),
        (
            "path = os.path.join(self.root, record.path)\n"
            "path = os.path.abspath(path)\nif path.startswith(self.root):\n    ..."
        ),
        (
            "path = os.path.join(self.root, record.path)\n"
            "while path.startswith(self.root):\n    path = os.path.dirname(path)"
        ),
        (
            "path = os.path.join(self.root, record.path)\n"
            "shown = path[5:] if path.startswith(self.root) else path\ndelete(path)"
        ),
        (
            "path = os.path.join(self.root, os.path.basename(record.path))\n"
            "if path.startswith(self.root):\n    delete(path)"
        ),
    ],
)
def test_a_prefix_of_a_path_that_was_resolved_or_is_walked_up_is_no_such_check(body: str) -> None:
    assert found(body) == []
