"""Each guard is judged by what it means: a right one silences, a void one is named, a partial one is the finding."""

import textwrap

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH202", "VH203", "VH401"), isolated=True))
FRAME = """
import os
import re
import uuid
from enum import Enum
from pathlib import Path
from urllib.parse import quote, unquote

BASE = "/srv/files"
ROOT = Path(BASE).resolve()
KNOWN = {{"one", "two"}}
NAME = re.compile(r"[A-Za-z0-9_-]+")


class Kind(Enum):
    ONE = "one"


def read(request):
    name = request.args["name"]
{body}
"""


def codes(body: str) -> list[str]:
    """The codes that a handler with this body gets, in order of their lines."""
    text = FRAME.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), "    "))
    return [finding.code for finding in LINTER.check(Source(path="src/app.py", text=text))]


RIGHT = {
    "neither an anchor nor a parent": """
        path = Path(name)
        if path.anchor or ".." in path.parts:
            raise PermissionError(name)
        return (ROOT / path).read_text()
    """,
    "resolve and is_relative_to": """
        path = (ROOT / name).resolve()
        if not path.is_relative_to(ROOT):
            raise PermissionError(name)
        return path.read_text()
    """,
    "relative_to in a try": """
        path = (ROOT / name).resolve()
        try:
            path.relative_to(ROOT)
        except ValueError:
            return None
        return path.read_text()
    """,
    "in parents": """
        path = (ROOT / name).resolve()
        if ROOT not in path.parents:
            raise PermissionError(name)
        return path.read_text()
    """,
    "commonpath": """
        path = os.path.realpath(os.path.join(BASE, name))
        if os.path.commonpath([path, BASE]) != BASE:
            raise PermissionError(name)
        return open(path).read()
    """,
    "prefix with separator": """
        path = os.path.abspath(os.path.join(BASE, name))
        if not path.startswith(BASE + os.sep):
            raise PermissionError(name)
        return open(path).read()
    """,
    "prefix or the base itself": """
        path = os.path.realpath(os.path.join(BASE, name))
        if path != BASE and not path.startswith(f"{BASE}/"):
            raise PermissionError(name)
        return open(path).read()
    """,
    "checked on a normalised copy": """
        path = os.path.join(BASE, name)
        if os.path.abspath(path).startswith(BASE + "/"):
            return open(path).read()
        return None
    """,
    "membership": """
        if name not in KNOWN:
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "equality": """
        if name == "one" or name == "two":
            return open(os.path.join(BASE, name)).read()
        return None
    """,
    "table": """
        return open(os.path.join(BASE, {"a": "a.txt", "b": "b.txt"}[name])).read()
    """,
    "full match": """
        if not NAME.fullmatch(name):
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "match to the end": """
        if re.match(r"^[a-z]+\\Z", name) is None:
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "alphanumeric": """
        if not name.isalnum():
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "all characters": """
        if not all(char in "abcdefghijklmnopqrstuvwxyz" for char in name):
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "base name": """
        return open(os.path.join(BASE, os.path.basename(name))).read()
    """,
    "name of a path": """
        return (ROOT / Path(name).name).read_text()
    """,
    "equal to its base name": """
        if name != os.path.basename(name):
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "both halves": """
        if ".." in name or name.startswith("/"):
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "parts and absolute": """
        if os.path.isabs(name) or ".." in Path(name).parts:
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "both separators": """
        if "/" in name or "\\\\" in name:
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "number": """
        return open(os.path.join(BASE, str(int(name)))).read()
    """,
    "identifier": """
        return open(os.path.join(BASE, f"{uuid.UUID(name)}.txt")).read()
    """,
    "enumeration": """
        return open(os.path.join(BASE, Kind(name).value)).read()
    """,
    "quoted": """
        return open(os.path.join(BASE, quote(name, safe=""))).read()
    """,
    "substituted": """
        return open(os.path.join(BASE, re.sub(r"[^A-Za-z0-9]", "_", name))).read()
    """,
    "assert": """
        path = (ROOT / name).resolve()
        assert path.is_relative_to(ROOT)
        return path.read_text()
    """,
    "stored answer": """
        path = (ROOT / name).resolve()
        inside = path.is_relative_to(ROOT)
        if not inside:
            return None
        return path.read_text()
    """,
    "match statement": """
        match name:
            case "one" | "two":
                return open(os.path.join(BASE, name)).read()
            case _:
                return None
    """,
}
VOID = {
    "nothing": "return open(os.path.join(BASE, name)).read()",
    "normalised only": "return open(os.path.normpath(os.path.join(BASE, name))).read()",
    "resolved only": "return (ROOT / name).resolve().read_text()",
    "exists": """
        path = os.path.join(BASE, name)
        if not os.path.exists(path):
            raise LookupError(name)
        return open(path).read()
    """,
    "checked before decoding": """
        if not NAME.fullmatch(name):
            raise PermissionError(name)
        return open(os.path.join(BASE, unquote(name))).read()
    """,
    "answer not acted on": """
        path = (ROOT / name).resolve()
        path.is_relative_to(ROOT)
        return path.read_text()
    """,
    "bad branch goes on": """
        path = (ROOT / name).resolve()
        if not path.is_relative_to(ROOT):
            print("outside")
        return path.read_text()
    """,
    "wrong branch": """
        path = (ROOT / name).resolve()
        if path.is_relative_to(ROOT):
            return None
        return path.read_text()
    """,
    "wrong value": """
        other = request.args["other"]
        if not NAME.fullmatch(other):
            raise PermissionError(other)
        return open(os.path.join(BASE, name)).read()
    """,
    "copy cleaned": """
        cleaned = os.path.basename(name)
        print(len(cleaned))
        return open(os.path.join(BASE, name)).read()
    """,
    "html": """
        import html
        return open(os.path.join(BASE, html.escape(name))).read()
    """,
    "suffix": """
        if not name.endswith(".txt"):
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "folder that the caller names": """
        path = os.path.realpath(os.path.join(request.args["folder"], name))
        if not path.startswith(request.args["folder"] + "/"):
            raise PermissionError(name)
        return open(path).read()
    """,
}
PARTIAL = {
    "prefix without separator": """
        path = os.path.realpath(os.path.join(BASE, name))
        if not path.startswith(BASE):
            raise PermissionError(name)
        return open(path).read()
    """,
    "prefix of an unresolved path": """
        path = os.path.join(BASE, name)
        if not path.startswith(BASE + "/"):
            raise PermissionError(name)
        return open(path).read()
    """,
    "containment of an unresolved path": """
        path = ROOT / name
        if not path.is_relative_to(ROOT):
            raise PermissionError(name)
        return path.read_text()
    """,
    "commonprefix": """
        path = os.path.realpath(os.path.join(BASE, name))
        if os.path.commonprefix([path, BASE]) != BASE:
            raise PermissionError(name)
        return open(path).read()
    """,
    "dots only": """
        if ".." in name:
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "absolute only": """
        if os.path.isabs(name):
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "one pass of replace": """
        return open(os.path.join(BASE, name.replace("../", ""))).read()
    """,
    "pattern without an end": """
        if not re.match(r"[A-Za-z0-9_-]+", name):
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
    "one separator": """
        if "/" in name:
            raise PermissionError(name)
        return open(os.path.join(BASE, name)).read()
    """,
}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT.keys())
def test_a_right_guard_silences(body: str) -> None:
    assert codes(body) == []


@pytest.mark.parametrize("body", VOID.values(), ids=VOID.keys())
def test_a_void_guard_leaves_the_flow(body: str) -> None:
    assert set(codes(body)) == {"VH201"}


@pytest.mark.parametrize("body", PARTIAL.values(), ids=PARTIAL.keys())
def test_a_partial_guard_is_the_finding(body: str) -> None:
    assert codes(body) == ["VH203"]


def test_the_message_names_the_void_guard_and_no_line() -> None:
    text = FRAME.format(body=textwrap.indent(textwrap.dedent(VOID["exists"]).strip("\n"), "    "))
    (finding,) = LINTER.check(Source(path="src/app.py", text=text))
    assert finding.message.startswith('request.args["name"] reaches open()')
    assert "os.path.exists()" in finding.message
    assert [step.span.line for step in finding.steps] == sorted(step.span.line for step in finding.steps)
    assert finding.steps[-1].text == "reaches open()"


def test_a_partial_guard_shows_what_gets_through() -> None:
    text = FRAME.format(body=textwrap.indent(textwrap.dedent(PARTIAL["prefix without separator"]).strip("\n"), "    "))
    (finding,) = LINTER.check(Source(path="src/app.py", text=text))
    assert "/srv/files_evil/x" in finding.message
