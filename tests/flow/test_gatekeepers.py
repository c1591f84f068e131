"""Checks of the project that are there in a form in which nothing certain can be said of them, each beside a twin."""

from pathlib import Path

import pytest
from shop import AUDIT, WEB, check, codes

CHECKS = """
import os
from pathlib import Path

from flask import abort

ROOT = Path("/srv/notes")
FOLDERS = (ROOT, Path("/srv/shared"))


def is_guest():
    return current() is not None


def allowed(value):
    if not is_guest():
        return value
    place = Path(value).resolve()
    if not any(place.is_relative_to(folder.resolve()) for folder in FOLDERS):
        abort(403)
    return value


def allowed_fields(fields):
    if not is_guest():
        return
    for key in ("first", "second", "third", "fourth", "fifth", "name"):
        allowed(fields.get(key))


def visible(value):
    if not is_guest():
        return True
    return Path(value).resolve().is_relative_to(ROOT)


def within(value, folder=None):
    place = os.path.realpath(value)
    if folder and os.path.commonpath([folder, place]) != folder:
        abort(403)
    return place


def weak(value):
    if not is_guest():
        return value
    if not str(Path(value).resolve()).startswith("/srv/notes"):
        abort(403)
    return value


def present(value):
    if not value:
        abort(404)
    return value
"""
OPENED = "    return open(name).read()\n"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("    checks.allowed(name)\n" + OPENED, False),
        ("    checks.allowed_fields({'name': name})\n" + OPENED, False),
        ("    if not checks.visible(name):\n        return 'no'\n" + OPENED, False),
        ("    if checks.is_guest():\n        checks.allowed(name)\n" + OPENED, False),
        ("    return open(checks.within(name, '/srv/notes')).read()\n", False),
        ("    return open(checks.within(name)).read()\n", True),
        ("    checks.present(name)\n" + OPENED, True),
        ("    checks.allowed(request.args['other'])\n" + OPENED, True),
        ("    if name.startswith('x'):\n        checks.allowed(name)\n" + OPENED, True),
        ("    checks.allowed(name)\n    return open(name.lstrip('/')).read()\n", True),
        ("    checks.allowed(os.path.join(ROOT, name))\n    return open('/var/notes/' + name).read()\n", True),
    ],
    ids=[
        "for some", "a dictionary", "an answer", "asked for some", "with a folder", "without one", "nothing asked",
        "another value", "by its text", "changed afterwards", "another path",
    ],
)  # fmt: skip
def test_a_check_that_holds_for_some_is_for_the_audit(tmp_path: Path, body: str, *, told: bool) -> None:
    text = WEB.replace("app = Flask", "from shop import checks\n\napp = Flask") + body
    assert ("VH201" in codes(check(tmp_path, text, checks=CHECKS))) is told
    assert {"VH201", "VH203"} & {*codes(check(tmp_path, text, AUDIT, checks=CHECKS))} or not told


def test_a_check_that_is_weak_for_whom_it_holds_is_told(tmp_path: Path) -> None:
    text = WEB + "    {check}(name)\n" + OPENED + CHECKS.replace("def ", "\ndef ")
    assert codes(check(tmp_path, text.replace("{check}", "allowed"))) == []
    assert codes(check(tmp_path, text.replace("{check}", "weak"))) == ["VH201"]


def test_a_body_that_a_check_is_given_whole(tmp_path: Path) -> None:
    text = (
        "from fastapi import FastAPI\nfrom pydantic import BaseModel\n\nfrom shop import checks\n\n"
        "app = FastAPI()\n\n\n"
        "class Note(BaseModel):\n    name: str\n    other: str\n\n\n"
        "@app.post('/show')\ndef show(note: Note):\n    {line}\n    return open(note.name).read()\n"
    )
    whole = CHECKS + "\n\ndef check_note(note):\n    allowed(note.name)\n"
    assert codes(check(tmp_path, text.format(line="checks.check_note(note)"), checks=whole)) == []
    assert codes(check(tmp_path, text.format(line="checks.is_guest()"), checks=whole)) == ["VH201"]


RULES = "import re\n\nRULE = re.compile(r'{pattern}')\n\n\ndef fits(name):\n    return {answer}\n"


@pytest.mark.parametrize(
    ("guard", "answer"),
    [
        ("rules.RULE.fullmatch(name)", "True"),
        ("rules.fits(name)", "bool(name) and RULE.fullmatch(name)"),
        ("rules.fits(name)", "name and bool(RULE.fullmatch(str(name)))"),
    ],
)
def test_a_pattern_of_another_module(tmp_path: Path, guard: str, answer: str) -> None:
    text = WEB.replace("app = Flask", "from shop import rules\n\napp = Flask")
    text += f"    if not {guard}:\n        return 'no'\n    return open(os.path.join(ROOT, name)).read()\n"
    assert check(tmp_path, text, rules=RULES.format(pattern="[a-z0-9_-]+", answer=answer)) == []
    assert codes(check(tmp_path, text, rules=RULES.format(pattern="[^ ]+", answer=answer))) == ["VH201"]


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("    local = places.is_local(name)\n    return 'here' + str(local)\n", []),
        ("    if places.is_local(name):\n        return 'a file'\n    return 'a model'\n", []),
        ("    if places.is_local(name):\n        return name\n    return ''\n", ["VH201"]),
    ],
    ids=["kept", "one of two ways", "handed back"],
)
def test_a_helper_that_tells_whether_something_is_there(tmp_path: Path, use: str, expected: list[str]) -> None:
    places = "import os\n\n\ndef is_local(name):\n    if os.path.exists(name):\n        return True\n    return False\n"
    text = WEB.replace("app = Flask", "from shop import places\n\napp = Flask") + use
    assert codes(check(tmp_path, text, places=places)) == expected
