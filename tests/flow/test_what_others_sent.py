"""Names that somebody else has packed, sent or signed, and what the default preset says of them."""

from pathlib import Path

import pytest
from shop import AUDIT, check, codes

from valhalla_lint.core.settings import Settings
from valhalla_lint.linter import Linter

ARCHIVES = Linter(Settings(select=("VH204",), isolated=True))
ARCHIVE = """
import json
import os
import tarfile
import zipfile
from contextlib import contextmanager

import pandas

ROOT = "/srv/collections"


@contextmanager
def opened(tar, member):
    file = tar.extractfile(member)
    yield file
    file.close()


def unpack(place):
    {body}
    {use}
"""
USE = 'open(os.path.join(ROOT, listed["name"]), "wb").close()'


@pytest.mark.parametrize(
    "body",
    [
        'with zipfile.ZipFile(place) as box:\n        listed = json.loads(box.read("list.json"))',
        'with zipfile.ZipFile(place) as box, box.open("list.json") as file:\n        listed = json.loads(file.read())',
        'with tarfile.open(place) as box:\n        listed = json.loads(box.extractfile("list.json").read())',
        'with tarfile.open(place) as box, opened(box, "list.json") as file:\n        listed = json.loads(file.read())',
    ],
)
def test_what_an_archive_holds_is_chosen_by_whoever_made_it(tmp_path: Path, body: str) -> None:
    assert codes(check(tmp_path, ARCHIVE.format(body=body, use=USE), linter=ARCHIVES)) == ["VH204"]
    cleaned = USE.replace('listed["name"]', 'os.path.basename(listed["name"])')
    assert check(tmp_path, ARCHIVE.format(body=body, use=cleaned), linter=ARCHIVES) == []


def test_a_file_in_an_archive_is_no_name_of_one(tmp_path: Path) -> None:
    body = 'box = zipfile.ZipFile(place)\n    file = box.open("table.csv")'
    assert check(tmp_path, ARCHIVE.format(body=body, use="pandas.read_csv(file)"), linter=ARCHIVES) == []


def test_what_a_member_holds_as_a_whole_is_no_name(tmp_path: Path) -> None:
    body = 'box = zipfile.ZipFile(place)\n    files = {"a.csv": box.read("a.csv")}'
    use = "for name, held in files.items():\n        open(os.path.join(ROOT, name), 'wb').write(held)"
    assert check(tmp_path, ARCHIVE.format(body=body, use=use), linter=ARCHIVES) == []
    body = 'box = zipfile.ZipFile(place)\n    target = box.read("a.lnk").decode()'
    use = "os.symlink(target, os.path.join(ROOT, 'a'))"
    assert check(tmp_path, ARCHIVE.format(body=body, use=use), linter=ARCHIVES) == []
    use = "for name in box.read('list.txt').split():\n        open(os.path.join(ROOT, name), 'wb').close()"
    assert codes(check(tmp_path, ARCHIVE.format(body=body, use=use), linter=ARCHIVES)) == ["VH204"]


SIGNED = """
import os

from cryptography import x509

ROOT = "/srv/certificates"


def name_of(subject: x509.Name) -> str:
    for attribute in subject:
        if attribute.oid == x509.NameOID.COMMON_NAME:
            return attribute.value
    return ""


def sign(args):
    with open(args.request, "rb") as file:
        request = x509.load_pem_x509_csr(file.read())
    name = name_of(request.subject)
    {check}
    with open(os.path.join(ROOT, f"{{name}}.crt"), "wb") as file:
        file.write(signed(request))
"""


def test_who_asks_for_a_signature_says_how_he_is_called(tmp_path: Path) -> None:
    assert codes(check(tmp_path, SIGNED.format(check="pass"))) == ["VH201"]
    refused = 'if "/" in name or "\\\\" in name or name.startswith("."):\n        raise ValueError(name)'
    assert check(tmp_path, SIGNED.format(check=refused)) == []


RECEIVER = """
import os

from shop.wire import Context

ROOT = "/srv/logs"


class Logs:
    def {method}(self, {first}, context: Context):
        with open(os.path.join(ROOT, context["client"]), "ab") as file:
            file.write(data)
"""


@pytest.mark.parametrize(
    ("method", "first", "expected"),
    [
        ("_on_chunk_received", "data: bytes", ["VH201"]),
        ("chunkReceived", "chunk", ["VH201"]),
        ("_on_chunk", "data", []),
        ("received_size", "data", []),
        ("_message_received", "place", []),
    ],
)
def test_what_was_received_is_what_the_other_side_sent(
    tmp_path: Path, method: str, first: str, expected: list[str]
) -> None:
    wire = "from builtins import dict as Context\n"
    assert codes(check(tmp_path, RECEIVER.format(method=method, first=first), wire=wire)) == expected


SERVICE = """
import os


class NoteService:
    def __init__(self, workspace):
        self.folder = os.path.join(workspace, "notes")

    def content(self, filename):
        with open(self._place(filename)) as file:
            return file.read()

    def _place(self, filename):
        return os.path.join(self.folder, filename)
"""
CALLER = """
import web

from shop.notes import NoteService


class Content:
    def GET(self):
        params = {made}
        return NoteService("/srv").content(params.filename)
"""


@pytest.mark.parametrize(("made", "expected"), [('web.input(filename="")', ["VH202"]), ("load_settings()", [])])
def test_a_caller_that_asks_the_framework_takes_it_from_outside(tmp_path: Path, made: str, expected: list[str]) -> None:
    init = "from .other import Other\n"
    app = CALLER.format(made=made)
    assert codes(check(tmp_path, SERVICE, app=app, __init__=init, other="class Other: pass\n")) == expected


WEB = """
import os

from flask import Flask, request
{imported}
app = Flask(__name__)
ROOT = "/srv/files"


@app.get("/file")
def file():
    name = request.args["name"]
    {body}
"""


def test_a_function_of_another_package_that_says_it_cleans_paths_is_for_the_audit(tmp_path: Path) -> None:
    body = "return open(os.path.join(ROOT, sanitize_path(name))).read()"
    theirs = WEB.format(imported="from keeper.security import sanitize_path", body=body)
    assert check(tmp_path, theirs) == []
    assert codes(check(tmp_path, theirs, linter=AUDIT)) == ["VH201"]
    own = WEB.format(imported="\ndef sanitize_path(path):\n    return path.strip()\n", body=body)
    assert codes(check(tmp_path, own)) == ["VH201"]


@pytest.mark.parametrize(
    ("end", "expected"), [("index.html", ["VH201"]), ("_index.html", [])], ids=["a file", "a part of a name"]
)
def test_a_name_that_may_follow_a_folder_is_no_end_of_another(tmp_path: Path, end: str, expected: list[str]) -> None:
    body = f'return open(os.path.join(ROOT, name + "{end}")).read()'
    assert codes(check(tmp_path, WEB.format(imported="", body=body))) == expected


DESTINATION = """
from pathlib import Path

from installer.destinations import Scheme


class {name}(Scheme):
    def write_to_fs(self, scheme, path, stream):
        place = Path(self.schemes[scheme]) / path
        with place.open("wb") as file:
            file.write(stream.read())
"""


@pytest.mark.parametrize(("name", "expected"), [("WheelDestination", ["VH202"]), ("WheelChart", [])])
def test_what_installs_or_unpacks_is_handed_names_that_others_packed(
    tmp_path: Path, name: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, DESTINATION.format(name=name))) == expected


@pytest.mark.parametrize(("taker", "expected"), [("AsyncFile", ["VH201"]), ("first_line", [])])
def test_a_call_that_nobody_has_read_may_say_that_it_opens_a_file(
    tmp_path: Path, taker: str, expected: list[str]
) -> None:
    body = f"return stock.{taker}(stock.text_of(os.path.join(ROOT, name)))"
    found = check(tmp_path, WEB.format(imported="import stock", body=body))
    assert [item.code for item in found if taker in item.message] == expected
