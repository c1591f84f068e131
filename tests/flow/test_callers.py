"""Who calls a public function decides whether its own parameters are worth a word."""

import os
import sys
from pathlib import Path

import pytest
from shop import AUDIT, DEFAULT, check, codes

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts import disk
from valhalla_lint.linter import Linter

READ = """
import os


class Notes:
    def __init__(self, root):
        self.root = root

    def read(self, file_name):
        return open(os.path.join(self.root, file_name)).read()
"""


def test_a_library_function_that_nobody_in_the_project_calls_is_told(tmp_path: Path) -> None:
    assert codes(check(tmp_path, READ)) == ["VH202"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_a_pipe_among_the_files_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert codes(check(tmp_path, READ)) == ["VH202"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are texts here")
def test_a_file_name_that_is_no_text_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    place = tmp_path / os.fsdecode(b"caf\xe9.py")
    place.write_text(READ, encoding="utf-8")
    disk.forget()
    found = DEFAULT.check(Source(path=place.name, text=READ, location=place))
    assert codes(found) == ["VH202"]


def test_callers_that_hand_over_constants_only_keep_it_out_of_the_default_preset(tmp_path: Path) -> None:
    app = "from shop.notes import Notes\n\n\ndef show(notes: Notes):\n    return notes.read('index.txt')\n"
    assert check(tmp_path, READ, app=app) == []
    (finding,) = [item for item in check(tmp_path, READ, AUDIT, app=app) if item.code == "VH202"]
    assert any("show() in shop/app.py" in reason for reason in finding.reasons if reason.startswith("against"))


def test_a_caller_that_hands_over_what_its_own_caller_chooses_is_named(tmp_path: Path) -> None:
    app = "from shop.notes import Notes\n\n\ndef show(notes: Notes, name):\n    return notes.read(name + '.txt')\n"
    (finding,) = check(tmp_path, READ, app=app)
    assert any("show() in shop/app.py" in reason for reason in finding.reasons if reason.startswith("for"))


def test_a_handler_that_hands_over_what_it_got_is_named(tmp_path: Path) -> None:
    app = """
from flask import Flask
from shop.notes import Notes

app = Flask(__name__)


@app.get("/notes/<path:name>")
def show(name):
    return Notes("notes").read(name)
"""
    (finding,) = check(tmp_path, READ, app=app)
    assert any("takes it from outside" in reason for reason in finding.reasons)


def test_names_that_the_program_makes_are_no_caller_s(tmp_path: Path) -> None:
    app = """
import hashlib
import os
import uuid

from shop.notes import Notes


def key(text):
    return hashlib.sha256(text.encode()).hexdigest()


def show(notes: Notes, text):
    first = f"{uuid.uuid4()}.txt"
    yield notes.read(first)
    yield notes.read(file_name=key(text))
    for name in os.listdir("notes"):
        yield notes.read(name)
"""
    assert check(tmp_path, READ, app=app) == []


def test_one_caller_from_outside_outweighs_any_number_that_are_not(tmp_path: Path) -> None:
    app = "from shop.notes import Notes\n\n\ndef show(notes: Notes):\n    return notes.read('index.txt')\n"
    web = "def page(notes, request):\n    return notes.read(request.query)\n"
    assert codes(check(tmp_path, READ, app=app, web=web)) == ["VH202"]


def test_callers_of_callers_are_asked(tmp_path: Path) -> None:
    inner = "def show(notes, name):\n    return notes.read(name)\n"
    constant = "from shop.inner import show\n\n\ndef start(notes):\n    return show(notes, 'index.txt')\n"
    assert check(tmp_path, READ, inner=inner, constant=constant) == []
    offered = "from shop.inner import show\n\n\ndef start(notes, name):\n    return show(notes, name)\n"
    assert codes(check(tmp_path, READ, inner=inner, constant=constant, offered=offered)) == ["VH202"]


def test_functions_that_others_call_for_the_caller_count(tmp_path: Path) -> None:
    app = "import asyncio\n\n\nasync def show(notes):\n    return await asyncio.to_thread(notes.read, 'index.txt')\n"
    assert check(tmp_path, READ, app=app) == []


def test_a_method_of_the_same_name_on_something_else_is_no_caller(tmp_path: Path) -> None:
    app = "def load(stream):\n    return stream.read('index.txt')\n"
    assert codes(check(tmp_path, READ, app=app)) == ["VH202"]


def test_what_a_test_hands_over_proves_nothing(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_notes.py").write_text(
        "from shop.notes import Notes\n\n\ndef test_read():\n    assert Notes('a').read('index.txt') == ''\n",
        encoding="utf-8",
    )
    assert codes(check(tmp_path, READ)) == ["VH202"]


def test_who_chooses_the_folder_and_the_whole_file_name_chooses_the_file() -> None:
    text = """
import os
import pickle


def save(data, directory, file_name):
    with open(os.path.join(directory, file_name), "wb") as file:
        file.write(data)


def load(directory, index_name):
    with open(os.path.join(directory, f"{index_name}.pkl"), "rb") as file:
        return pickle.load(file)


def cached(cache_dir, file_name):
    with open(os.path.join(cache_dir, file_name), "rb") as file:
        return file.read()
"""
    source = Source(path="shop/data.py", text=text, location=None)
    assert [finding.span.line for finding in DEFAULT.check(source)] == [17]  # nor does the name of an index
    assert 7 in [finding.span.line for finding in AUDIT.check(source)]


def test_saving_a_model_s_file_is_a_question_of_paths() -> None:
    text = """
import os

import torch


class Models:
    def save(self, weights, model_name):
        torch.save(weights, os.path.join(self.folder, model_name))

    def load(self, model_name):
        return torch.load(os.path.join(self.folder, model_name))
"""
    found = DEFAULT.check(Source(path="shop/models.py", text=text, location=None))
    assert [(finding.code, finding.span.line) for finding in found] == [("VH202", 9), ("VH401", 12)]


def test_functions_inside_functions_are_offered_to_nobody() -> None:
    text = """
import os


def outer(folder):
    base = "/srv/notes"

    def inner(file_name):
        return open(os.path.join(base, file_name)).read()

    return [inner(name) for name in ("a", "b")]
"""
    assert DEFAULT.check(Source(path="shop/inside.py", text=text, location=None)) == []


def test_a_loader_that_asks_for_trust_is_there_to_load_what_it_is_told() -> None:
    text = """
import os

from transformers import AutoModel


class Models:
    def load(self, model_name, {parameter}):
        return AutoModel.from_pretrained(os.path.join(self.folder, model_name))
"""
    for parameter, expected in (("trust_remote_code=False", []), ("revision='abc'", ["VH401"])):
        source = Source(path="shop/models.py", text=text.format(parameter=parameter), location=None)
        assert codes(DEFAULT.check(source)) == expected


def test_a_prefix_that_was_given_its_separator_before_is_whole() -> None:
    text = """
import os


def is_inside(child, parent):
    parent = os.path.join(os.path.normpath(parent), {end})
    child = os.path.normpath(child)
    return child.startswith(parent)
"""
    linter = Linter(Settings(select=("VH203",), isolated=True))
    for end, expected in (('""', []), ('"data"', ["VH203"])):
        assert codes(linter.check(Source(path="inside.py", text=text.format(end=end), location=None))) == expected
    added = text.format(end='"data"').replace(
        "    child =", "    if not parent.endswith(os.sep):\n        parent += os.sep\n    child ="
    )
    assert linter.check(Source(path="inside.py", text=added, location=None)) == []


def test_what_stands_behind_the_last_dot_goes_nowhere() -> None:
    text = """
import tempfile

from flask import request


def view():
    name = request.args["name"]
    return tempfile.mkstemp(suffix={suffix})
"""
    for suffix, expected in (("'.' + name.split('.')[-1]", []), ("'.' + name", ["VH201"])):
        source = Source(path="shop/web.py", text=text.format(suffix=suffix), location=None)
        assert codes(DEFAULT.check(source)) == expected


def test_what_is_found_by_a_name_is_not_the_name() -> None:
    text = """
import stock
from flask import request


def view():
    return open({place}).read()
"""
    for place, expected in (
        ("stock.get_uri(request.args['name'])", []),
        ("stock.second(stock.first(request.args['name']))", []),
        ("stock.train(request.args['name'])", []),
        ("stock.first(request.args['name'])", ["VH201"]),
    ):
        source = Source(path="shop/web.py", text=text.format(place=place), location=None)
        assert codes(DEFAULT.check(source)) == expected


def test_a_test_for_nul_is_no_word_about_places() -> None:
    text = """
import os


def checked(path):
    if {word!r} in path:
        raise ValueError
    return open(os.path.join("notes", path)).read()
"""
    linter = Linter(Settings(select=("VH203",), isolated=True))
    for word, expected in (("\0", []), ("..", ["VH203"])):
        source = Source(path="shop/checked.py", text=text.format(word=word), location=None)
        assert codes(linter.check(source)) == expected


@pytest.mark.parametrize(
    ("root", "expected"), [("request.json['root']", []), ("'/srv/notes'", ["VH202"]), ("settings.root", ["VH202"])]
)
def test_who_chooses_the_root_as_well_leaves_nothing_by_steps_up(
    tmp_path: Path, root: str, expected: list[str]
) -> None:
    text = "import os\n\n\ndef read(file_name, root_dir):\n    return open(os.path.join(root_dir, file_name)).read()\n"
    web = (
        "from flask import Flask, request\n\nfrom shop.notes import read\n\napp = Flask(__name__)\n\n\n"
        f"@app.post('/')\ndef show():\n    return read(request.json['name'], {root})\n"
    )
    assert codes(check(tmp_path, text, web=web)) == expected


KEEP = """
import os


class Sessions:
    def __init__(self, folder):
        self.folder = folder

    def {deed}(self, session_id):
        {body}
"""
DROP = KEEP.format(deed="drop", body="os.unlink(os.path.join(self.folder, session_id))")
FILE = DROP.replace("session_id", "filename")
FETCH = KEEP.format(deed="fetch", body="return open(os.path.join(self.folder, session_id)).read()")


def _served(route: str, deed: str, annotation: str = "") -> str:
    return f"""
from fastapi import Depends, FastAPI
from shop.notes import Sessions

app = FastAPI()


@app.get("{route}")
def show(key{annotation}, sessions: Sessions):
    return sessions.{deed}(key)
"""


@pytest.mark.parametrize(("text", "deed"), [(DROP, "drop"), (FETCH, "fetch")])
def test_the_name_of_a_thing_is_for_an_audit_whoever_chooses_it(tmp_path: Path, text: str, deed: str) -> None:
    assert check(tmp_path, text, app=_served("/sessions", deed)) == []
    assert codes(check(tmp_path, text.replace("session_id", "filename"), app=_served("/sessions", deed))) == ["VH202"]
    (finding,) = check(tmp_path, text, AUDIT, app=_served("/sessions", deed))
    assert finding.code == "VH202"
    assert any("show() in shop/app.py takes it from outside" in reason for reason in finding.reasons)


def test_the_name_of_a_thing_that_no_caller_takes_from_outside_is_for_an_audit(tmp_path: Path) -> None:
    handed = "from shop.notes import Sessions\n\n\ndef show(sessions: Sessions, key):\n    return sessions.drop(key)\n"
    assert check(tmp_path, DROP) == []
    assert check(tmp_path, DROP, app=handed) == []
    assert codes(check(tmp_path, DROP, AUDIT, app=handed)) == ["VH202"]


def test_what_a_framework_or_a_route_vouches_for_is_not_chosen_outside(tmp_path: Path) -> None:
    assert codes(check(tmp_path, FILE, app=_served("/sessions", "drop"))) == ["VH202"]
    assert check(tmp_path, FILE, app=_served("/sessions", "drop", " = Depends(lambda: 'own')")) == []
    assert check(tmp_path, FILE, app=_served("/sessions/{key:uuid}", "drop")) == []


def test_a_method_with_a_common_name_is_called_on_what_is_called_as_its_class(tmp_path: Path) -> None:
    text = KEEP.format(deed="delete", body="os.unlink(os.path.join(self.folder, session_id))")
    text = text.replace("class Sessions", "class UserSessions")
    app = """
from fastapi import FastAPI
from shop.kept import services

app = FastAPI()


@app.get("/sessions")
def show(key: str):
    services.sessions.delete(key)
"""
    (finding,) = check(tmp_path, text, AUDIT, app=app)
    assert any("show() in" in reason for reason in finding.reasons)


WRITES = """
def _write(path):
    open(path, "w").close()
"""
KEEPER = """
import os
{helper}

class View:
    def save(self, file_name):
        _write(os.path.join("/srv/state", file_name))


class Other(View):
    def keep(self, name):
        View.save(self, name)
"""


@pytest.mark.parametrize(("helper", "expected"), [("from shop.files import _write", []), (WRITES, ["VH202"])])
def test_what_a_parameter_does_in_another_file_is_for_an_audit(
    tmp_path: Path, helper: str, expected: list[str]
) -> None:
    text = KEEPER.format(helper=helper)
    assert codes(check(tmp_path, text, files=WRITES)) == expected
    assert "VH202" in codes(check(tmp_path, text, AUDIT, files=WRITES))
