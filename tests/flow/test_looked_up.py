"""Values that are looked up first, typed in another file, or no path: silent in `default`, each beside its twin."""

from pathlib import Path

import pytest
from shop import AUDIT, WEB, check, codes

OPENED = "    return open(os.path.join(ROOT, name)).read()\n"
DATABASE = """
from sqlalchemy import select

from shop.tables import Session, notes


def find(name):
    with Session() as session:
        rows = session.execute(select(notes).where(notes.c.name == name)).fetchall()
    for row in rows:
        return row
    return None


def known(name):
    row = find(name)
    if row is None:
        return None
    return row.title


def tidy(name):
    return name.strip()
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    note = STORAGE.note.get(name)\n    if not note:\n        return 'none', 404\n", []),
        ("    note = db.session.get(Note, name)\n    if note is None:\n        abort(404)\n", []),
        ("    note = Note.query.filter_by(name=name).first()\n    if note is None:\n        raise LookupError\n", []),
        ("    note = db.query(Note).filter(Note.name == name).first()\n    if not note:\n        return None\n", []),
        ("    Note.objects.get(name=name)\n", []),
        ("    if find(name) is None:\n        raise LookupError\n", []),
        ("    note = known(name)\n    if note is None:\n        with quiet():\n            raise LookupError\n", []),
        ("    note = db.session.get(Note, name)\n    if note is None:\n        print('new')\n", ["VH201"]),
        ("    note = db.session.get(Note, 'first')\n    if note is None:\n        abort(404)\n", ["VH201"]),
        ("    note = db.session.get(Note, name)\n", ["VH201"]),
        ("    Note.objects.get(name=name)\n    Note(name='new').save()\n", ["VH201"]),
        ("    Note.objects.get(name=name)\n    Note.objects.get_or_create(name='new')\n", ["VH201"]),
        ("    note = storage.get(name)\n    if not note:\n        return 'none', 404\n", ["VH201"]),
        ("    note = tidy(name)\n    if note is None:\n        return None\n", ["VH201"]),
    ],
    ids=[
        "table of a store", "session", "query", "filter", "manager", "function of the project", "two functions",
        "goes on", "another key", "not asked", "made here", "made by its manager", "a store of files",
        "no look-up",
    ],
)  # fmt: skip
def test_a_name_under_which_a_record_must_be_kept_is_for_an_audit(
    tmp_path: Path, body: str, expected: list[str]
) -> None:
    text = WEB.replace("import Flask", "import abort, Flask").replace(
        "app = ", "from shop.data import find, known, tidy\n\napp = "
    )
    assert codes(check(tmp_path, text + body + OPENED, data=DATABASE)) == expected
    assert "VH201" in codes(check(tmp_path, text + body + OPENED, AUDIT, data=DATABASE))


VIEW = """
import os

from django.http import FileResponse
from django.views import View


class NoteView(View):
    def get(self, request, number):
        return open(os.path.join("/srv/notes", number)).read()


class StyleView(View):
    def get(self, request, number):
        return FileResponse(f"/* {number} */")
"""


@pytest.mark.parametrize(
    ("routes", "expected"),
    [
        ('    path("notes/<int:number>.css", views.NoteView.as_view()),\n', []),
        ('    path("notes/<str:number>.css", views.NoteView.as_view()),\n', ["VH201"]),
        ('    path("notes/<path:number>", views.NoteView.as_view()),\n', ["VH201"]),
        (
            '    path("a/<int:number>", views.NoteView.as_view()),\n    path("<number>", views.NoteView.as_view()),\n',
            ["VH201"],
        ),
        ('    path("notes/<int:number>", views.OtherView.as_view()),\n', ["VH201"]),
    ],
    ids=["a number", "a text", "a path", "one of two", "another view"],
)
def test_the_url_patterns_of_a_project_say_what_a_view_is_given(
    tmp_path: Path, routes: str, expected: list[str]
) -> None:
    urls = f"from django.urls import path\n\nfrom shop import notes as views\n\nurlpatterns = [\n{routes}]\n"
    assert codes(check(tmp_path, VIEW, urls=urls)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("self.request.event.pk", []),
        ("self.request.data['name']", ["VH201"]),
        ("self.request.GET['name']", ["VH201"]),
        ("self.request.META['HTTP_X_NAME']", ["VH201"]),
        ("self.kwargs['name']", ["VH201"]),
    ],
)
def test_what_a_middleware_puts_into_a_request_is_the_programs(tmp_path: Path, body: str, expected: list[str]) -> None:
    text = (
        "import os\n\nfrom rest_framework.views import APIView\n\n\nclass Notes(APIView):\n"
        f"    def get(self, request):\n        return open(os.path.join('/srv/notes', {body})).read()\n"
    )
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("        place = item.temporary_file_path()\n", []),
        ("        place = item\n", ["VH201"]),
    ],
)
def test_where_django_put_an_upload_is_its_own(tmp_path: Path, body: str, expected: list[str]) -> None:
    text = (
        "from rest_framework.views import APIView\n\n\nclass Pictures(APIView):\n"
        f"    def post(self, request):\n        item = request.data['file']\n{body}        open(place)\n"
    )
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    text, options, name = request.args\n", []),
        ("    name = request.args['name']\n", ["VH201"]),
        ("    name = request.args.get('name')\n", ["VH201"]),
    ],
    ids=["by place", "by name", "asked for"],
)
def test_arguments_that_are_taken_apart_by_place_are_a_jobs(tmp_path: Path, body: str, expected: list[str]) -> None:
    text = f"import os\n\n\ndef run(request):\n{body}    return open(os.path.join('/srv/notes', name)).read()\n"
    assert codes(check(tmp_path, text)) == expected


def field(name: str, number: int, kind: int) -> bytes:
    """The descriptor of a field of a message."""
    label = 1
    said = bytes([0x0A, len(name)]) + name.encode() + bytes([0x18, number, 0x20, label, 0x28, kind])
    return bytes([0x12, len(said)]) + said


def test_a_message_says_which_of_its_fields_are_numbers(tmp_path: Path) -> None:
    text, number = 9, 3
    message = b"\x0a\x07GetNote" + field("title", 1, text) + field("job", 2, number)
    descriptor = bytes([0x22, len(message)]) + message
    notes_pb2 = f"DESCRIPTOR = pool.Default().AddSerializedFile({descriptor!r})\n"
    servicer = (
        "import os\n\nfrom shop import notes_pb2, notes_pb2_grpc\n\n\n"
        "class Notes(notes_pb2_grpc.NotesServicer):\n"
        "    def Get(self, request: notes_pb2.GetNote, context):\n"
        "        return open(os.path.join('/srv/notes', request.{})).read()\n"
    )
    assert codes(check(tmp_path, servicer.format("job"), notes_pb2=notes_pb2)) == []
    assert codes(check(tmp_path, servicer.format("title"), notes_pb2=notes_pb2)) == ["VH201"]
    assert codes(check(tmp_path, servicer.format("job"), notes_pb2="DESCRIPTOR = None\n")) == ["VH201"]
    for size in range(len(descriptor)):  # a descriptor that ends too early says nothing, and harms nobody
        cut = f"DESCRIPTOR = pool.Default().AddSerializedFile({descriptor[:size]!r})\n"
        assert codes(check(tmp_path, servicer.format("title"), notes_pb2=cut)) == ["VH201"]


CHECKS = """
import os
from pathlib import Path


def inside(folder, path):
    root = Path(folder).resolve()
    target = Path(path)
    place = target.resolve() if target.exists() else target.parent.resolve() / target.name
    if not place.is_relative_to(root):
        raise ValueError(path)


def harmless(path):
    path = unwrapped(path)
    if any(mark in path for mark in MARKS) or ".." in path.split("/") or os.path.isabs(path):
        raise ValueError(path)


def short(path):
    path = unwrapped(path)
    if any(mark in path for mark in MARKS) or len(path) > 80:
        raise ValueError(path)
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    harmless(name)\n", []),
        ("    whole = os.path.join(ROOT, name)\n    inside(ROOT, whole)\n", []),
        ("    short(name)\n", ["VH201"]),
        ("    harmless(ROOT)\n", ["VH201"]),
        ("    if ROOT:\n        harmless(name)\n", ["VH201"]),
    ],
    ids=["by its text", "by a path made of it", "by its length", "another value", "on one way"],
)
def test_what_a_validator_of_the_project_was_given_is_for_an_audit(
    tmp_path: Path, body: str, expected: list[str]
) -> None:
    text = WEB.replace("app = ", "from shop.checks import harmless, inside, short\n\napp = ")
    used = "    os.makedirs(os.path.join(ROOT, os.path.dirname(name)))\n"
    assert codes(check(tmp_path, text + body + used, checks=CHECKS)) == expected
    assert "VH201" in codes(check(tmp_path, text + body + used, AUDIT, checks=CHECKS))


ASKED = """
import hashlib
import os
from pathlib import Path

ROOT = "/srv/notes"
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def show(file_name):\n    open(os.path.join(ROOT, file_name.lstrip('./')), 'w')\n", ["VH203"]),
        ("def show(file_name):\n    open(os.path.join(ROOT, file_name.replace('.', '')), 'w')\n", []),
        ("def show(file_name):\n    open(os.path.join(ROOT, file_name.replace('..', '')), 'w')\n", ["VH203"]),
        (
            (
                "def digest(file_name):\n    path = (Path(ROOT) / file_name).resolve()\n"
                "    if not str(path).startswith(ROOT):\n        return None\n"
                "    return hashlib.sha256(path.read_bytes()).hexdigest()\n"
            ),
            [],
        ),
        (
            (
                "def content(file_name):\n    path = (Path(ROOT) / file_name).resolve()\n"
                "    if not str(path).startswith(ROOT):\n        return None\n    return path.read_bytes()\n"
            ),
            ["VH203"],
        ),
        (
            (
                "def begin(config):\n    folder = config.get('folder')\n    if '..' in folder:\n"
                "        raise ValueError(folder)\n    open(os.path.join(ROOT, folder), 'w')\n"
            ),
            [],
        ),
    ],
    ids=[
        "cut", "a name made of it", "steps up dropped", "a digest", "its content", "settings",
    ],
)  # fmt: skip
def test_a_weak_check_is_told_where_it_keeps_a_path_inside(tmp_path: Path, body: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, ASKED + "\n\n" + body)) == expected


PASSED = """
from pathlib import Path

from fastapi import FastAPI

from shop.checks import inside, outside

app = FastAPI()


def place(root: Path, name: str) -> Path:
    wanted = Path(name)
    if wanted.is_absolute():
        raise ValueError(name)
    whole = (root / wanted).resolve()
    {}(root, whole)
    return whole


@app.get("/show")
def show(folder: str, name: str):
    return open(place(Path(folder).resolve(), name)).read()
"""
INSIDE = """
def inside(root, path):
    try:
        path.relative_to(root)
    except ValueError as error:
        raise LookupError from error


def outside(root, path):
    print(root, path)
"""


def test_a_check_that_another_one_follows_is_not_the_weak_one(tmp_path: Path) -> None:
    told = check(tmp_path, PASSED.replace("{}", "inside"), checks=INSIDE)
    assert codes(told) == ["VH201"]
    assert "folder" in told[0].message
    assert "VH203" in codes(check(tmp_path, PASSED.replace("{}", "outside"), checks=INSIDE))
