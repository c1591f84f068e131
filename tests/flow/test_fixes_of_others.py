"""What repairs of real flaws look like, and the flaws themselves: each program beside the one that is right."""

import textwrap

import pytest

from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

CODES = ("VH201", "VH202", "VH203", "VH501")
DEFAULT = Linter(Settings(select=CODES, isolated=True))
AUDIT = Linter(Settings(select=CODES, preset=Preset.AUDIT, isolated=True))


def found(program: str, linter: Linter = DEFAULT) -> list[str]:
    text = textwrap.dedent(program)
    return [finding.code for finding in linter.check(Source(path="shop/app.py", text=text))]


ROUTED = """
from flask import Flask
app = Flask(__name__)

@app.route("/<{converter}:folder>/<{converter}:name>")
def read(folder, name):
    return open(f"static/{{folder}}/{{name}}").read()
"""


@pytest.mark.parametrize(
    ("converter", "codes"), [("string", ["VH201"]), ("theirs", ["VH201"]), ("int", []), ("uuid", [])]
)
def test_the_name_of_a_converter_is_no_pattern(converter: str, codes: list[str]) -> None:
    assert found(ROUTED.format(converter=converter), AUDIT) == codes


TEMPLATE = """
from pathlib import Path

from fastapi.responses import FileResponse

from .server import PREFIX, app

ROOT = Path("/srv/files")

@app.get({template})
def _file(key: str, path: str) -> FileResponse:
    return FileResponse(ROOT / path)
"""


@pytest.mark.parametrize(
    "template",
    [
        '"/files/{key}/{path:path}"',
        'f"{PREFIX}/files/{{key}}/{{path:path}}"',
        'PREFIX + "/files/{key}/{path:path}"',
        'f"/{PREFIX}" + "/files/{key}/{path:path}"',
    ],
)
def test_a_route_is_one_also_where_a_part_of_it_is_not_known(template: str) -> None:
    assert found(TEMPLATE.format(template=template)) == ["VH201"]


def test_of_a_route_whose_beginning_is_a_name_only_nothing_is_known() -> None:
    assert found(TEMPLATE.format(template="PREFIX")) == []


SENT = """
import os

class Client:
    def fetch(self, address, folder):
        answer = self.session.get(address)
        name = {read}
        with open(os.path.join(folder, {used}), "wb") as file:
            file.write(answer.content)
"""


@pytest.mark.parametrize(
    "read",
    [
        'answer.headers.get("content-disposition").split("filename=")[1]',
        'answer.headers["Content-Disposition"].partition("filename=")[2]',
        'answer.getheader("Content-Disposition").split("=")[-1]',
    ],
)
@pytest.mark.parametrize(("used", "codes"), [("name", ["VH201"]), ("os.path.basename(name)", [])])
def test_the_other_side_names_the_file_whatever_client_reads_it(read: str, used: str, codes: list[str]) -> None:
    assert found(SENT.format(read=read, used=used)) == codes


def test_another_header_names_no_file() -> None:
    assert found(SENT.format(read='answer.headers["Content-Type"].split("/")[1]', used="name")) == []


RUN = """
import subprocess
import sys
from pathlib import Path

from fastapi import FastAPI

app = FastAPI()
ROOT = Path("/srv/apps").resolve()

@app.post("/start/{{name:path}}")
def start(name: str):
    script = {script}
    {check}
    subprocess.Popen([sys.executable, str(script)])
"""


@pytest.mark.parametrize(
    ("script", "check", "codes"),
    [
        ('ROOT / name / "server.py"', "pass", ["VH201"]),
        ('(ROOT / name / "server.py").resolve()', "assert script.is_relative_to(ROOT)", []),
        ('ROOT / "server.py"', "pass", []),
        ('f"origin/{name}"', "pass", []),
    ],
)
def test_a_file_that_is_run_is_used(script: str, check: str, codes: list[str]) -> None:
    assert found(RUN.format(script=script, check=check)) == codes


HANDED = """
import os
from pathlib import Path

ROOT = "knowledge"

def place(file_name):
    {handed}
"""


@pytest.mark.parametrize(
    "handed",
    [
        "yield os.path.join(ROOT, file_name)",
        "for _ in range(2):\n        yield os.path.join(ROOT, file_name)",
        'return Path(ROOT + "/" + file_name)',
        'return Path(f"{ROOT}/{file_name}")',
    ],
)
def test_a_join_is_handed_back_in_any_form(handed: str) -> None:
    assert found(HANDED.format(handed=handed), AUDIT) == ["VH202"]


@pytest.mark.parametrize(
    "handed",
    [
        "yield os.path.join(ROOT, os.path.basename(file_name))",
        'if not file_name.isalnum():\n        raise ValueError\n    return Path(ROOT + "/" + file_name)',
        "if not file_name.isalnum():\n        raise ValueError\n    yield os.path.join(ROOT, file_name)",
    ],
)
def test_what_was_checked_may_be_handed_back(handed: str) -> None:
    assert found(HANDED.format(handed=handed), AUDIT) == []


CHECKED = """
import os
from pathlib import Path

class Reader:
    def read(self, file_name, folder):
        {made}
        if {refused}:
            raise ValueError(file_name)
        return open(path).read()
"""
BESIDE = "root = self.document.parent.resolve(); path = self.document.parent / file_name"
SPELT = "path = os.path.abspath(os.path.join(folder, file_name)); above = os.path.dirname(path)"
BYTES = "path = os.path.abspath(os.path.join(folder, file_name.encode())); above = os.path.dirname(path)"
SUFFIXED = 'path = Path(folder) / f"{file_name}.txt"'


@pytest.mark.parametrize(
    ("made", "refused"),
    [
        (BESIDE, "not path.resolve().is_relative_to(root)"),
        (f"{BESIDE}; path = path.resolve()", "not path.is_relative_to(root)"),
        (SPELT, "above != folder and not above.startswith(folder + os.sep)"),
        (SPELT, "not above.startswith(os.path.join(folder, ''))"),
        (BYTES, "above != folder and not above.startswith(folder + os.sep.encode())"),
        (BYTES, 'not path.startswith(folder + b"/")'),
        (SUFFIXED, "path.parent != Path(folder)"),
    ],
)
def test_a_right_check_is_seen(made: str, refused: str) -> None:
    assert found(CHECKED.format(made=made, refused=refused), AUDIT) == []


@pytest.mark.parametrize(
    ("made", "refused"),
    [
        (BESIDE, "not path.exists()"),
        (SPELT, "not above"),
        (SPELT, "not above.startswith(folder)"),
        (BYTES, "not path.startswith(folder)"),
        (SUFFIXED, "path.parent == Path('/')"),
    ],
)
def test_a_wrong_check_is_told(made: str, refused: str) -> None:
    assert found(CHECKED.format(made=made, refused=refused), AUDIT) != []


INCLUDED = """
class Template:
    def include(self, pattern):
        root = self.folder.resolve()
        for place in root.glob(pattern):
            {resolved}
            if not place.is_relative_to(root):
                raise ValueError(pattern)
            print(place.read_bytes())
"""


def test_what_is_asked_for_its_place_was_resolved_as_a_path() -> None:
    assert "VH203" not in found(INCLUDED.format(resolved="place = place.resolve()"), AUDIT)


LOGGED = """
import logging
from urllib.parse import urlparse

log = logging.getLogger(__name__)

class Store:
    def connect(self, database_url, redis_uri, dsn, sentry_dsn, api_url, public_db_url):
        {before}
        log.info("connecting to %s", {shown})
"""


@pytest.mark.parametrize(
    ("shown", "codes"),
    [
        ("database_url", ["VH501"]),
        ("redis_uri", ["VH501"]),
        ("self.db_url", ["VH501"]),
        ("dsn", ["VH501"]),
        ("urlparse(database_url).hostname", []),
        ("api_url", []),
        ("sentry_dsn", []),
        ("public_db_url", []),
        ("bool(database_url)", []),
    ],
)
def test_the_address_of_a_database_names_its_password(shown: str, codes: list[str]) -> None:
    assert found(LOGGED.format(before="pass", shown=shown)) == codes


def test_who_asks_an_address_for_its_password_shows_what_is_left() -> None:
    before = "shown = database_url if not urlparse(database_url).password else 'redacted'"
    assert found(LOGGED.format(before=before, shown="shown")) == []
