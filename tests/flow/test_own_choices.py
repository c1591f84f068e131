"""Names and checks by which nobody outside decides anything, each beside a twin by which somebody does."""

from pathlib import Path

import pytest
from shop import AUDIT, check, codes

STORE = """
import os
from pathlib import Path


class FileStore:
    def __init__(self, root):
        self.root = root

    def remove(self, file_name):
        os.remove(os.path.join(self.root, file_name))
"""
CALLER = """
from pathlib import Path

from shop.notes import FileStore


def clean(store: FileStore, filename, recording):
{body}    store.remove({given})
"""
REFUSED = "    if not filename or '{mark}' in filename:\n        raise ValueError(filename)\n"


@pytest.mark.parametrize(
    ("body", "given", "expected"),
    [
        ("    path = Path(recording.file_path)\n", "path.name", []),
        ("    path = Path(recording.file_path)\n", "path", ["VH202"]),
        ("    path = recording.file_path\n", "path.name", ["VH202"]),
        (REFUSED.format(mark="/"), "filename", []),
        (REFUSED.format(mark="%"), "filename", ["VH202"]),
        ("    if '/' in filename:\n        print(filename)\n", "filename", ["VH202"]),
    ],
    ids=["last name", "whole path", "of no path", "separators refused", "another mark", "only printed"],
)
def test_callers_that_hand_over_a_name_without_folders(
    tmp_path: Path, body: str, given: str, expected: list[str]
) -> None:
    app = (
        CALLER.format(body=body, given=given)
        .replace("recording)", "file_record)")
        .replace("recording.", "file_record.")
    )
    assert codes(check(tmp_path, STORE, app=app)) == expected


PUBLISHERS = """
import os


class Publisher:
    def withdraw(self, file_name):
        raise NotImplementedError


class RemotePublisher(Publisher):
    def withdraw(self, file_name):
        print(file_name)


class LocalPublisher(Publisher):
    def __init__(self, root):
        self.root = root

    def withdraw(self, file_name):
        os.unlink(os.path.join(self.root, file_name))
"""
HANDLER = """
from shop.notes import LocalPublisher, RemotePublisher


class Images:
    def __init__(self, remote):
        if remote:
            self._kept = RemotePublisher()
        else:
            self._kept = LocalPublisher("/srv/images")

    def clean(self, file_name):
        self._kept.withdraw({given})
"""


@pytest.mark.parametrize(("given", "expected"), [("'boot.iso'", []), ("file_name", ["VH202"])])
def test_an_attribute_may_hold_an_object_of_either_class(tmp_path: Path, given: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, PUBLISHERS, app=HANDLER.format(given=given))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "import logging\nimport os\n\n\ndef logs_in(filename):\n"
                "    return logging.FileHandler(os.path.join(LOG_ROOT, filename))\n"
            ),
            [],
        ),
        ("import os\n\n\ndef store(filename):\n    open(os.path.join(LOG_ROOT, filename), 'w').close()\n", ["VH202"]),
    ],
    ids=["a log", "another file"],
)
def test_whoever_writes_a_program_names_its_logs(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, text)) == expected
    assert codes(check(tmp_path, text, AUDIT)) == ["VH202"]


HOME = """
import os


def connect(key_file):
    with open(os.path.join({folder}, key_file){mode}) as handle:
        return handle
"""
MAIN = "from shop.notes import connect\n\n\ndef main(file_name):\n    connect(file_name)\n"


@pytest.mark.parametrize(
    ("folder", "mode", "expected"),
    [
        ("os.path.expanduser('~/.shop')", "", []),
        ("os.path.expanduser('~/.shop')", ", 'w'", ["VH202"]),
        ("'/srv/store'", "", ["VH202"]),
    ],
    ids=["read", "written", "of a service"],
)
def test_a_person_chooses_which_file_of_the_own_home_is_read(
    tmp_path: Path, folder: str, mode: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, HOME.format(folder=folder, mode=mode), app=MAIN)) == expected


LOOKED_UP = """
import os

from flask import Flask, request

MODELS = read_list()
app = Flask(__name__)


def folder_of(model_file):
    return open(os.path.join("models", model_file)).read()


@app.route("/")
def create():
    model = request.args["model"]
{body}    return folder_of(model)
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    model = MODELS[model]\n", []),
        ("    model = MODELS[model]\n    model = model['path']\n", []),
        ("    model = model[1:]\n", ["VH401"]),
        ("    if request.args:\n        model = MODELS[model]\n", ["VH401"]),
    ],
    ids=["found", "a part of it", "cut", "not always"],
)
def test_what_was_looked_up_under_the_name_is_the_programs_own(tmp_path: Path, body: str, expected: list[str]) -> None:
    text = LOOKED_UP.format(body=body)
    helper = (
        text[: text.index("@app")]
        .replace("from flask import Flask, request\n", "")
        .replace("app = Flask(__name__)\n", "")
    )
    caller = "from flask import Flask, request\n\nfrom shop.notes import folder_of\n\nMODELS = read_list()\n"
    app = caller + "app = Flask(__name__)\n\n\n" + text[text.index("@app") :]
    assert codes(check(tmp_path, helper, app=app)) == expected


DATASET = """
import os

from datasets import load_dataset
from flask import Flask, request

app = Flask(__name__)


@app.route("/")
def rows():
    place = os.path.join("rows", request.args["name"])
    return load_dataset({given})
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("'csv', data_files=place", ["VH201"]),
        ("place", ["VH401"]),
        ("request.args['builder'], data_files=place", ["VH401"]),
    ],
)
def test_a_fixed_builder_reads_a_file_and_runs_nothing_of_it(tmp_path: Path, given: str, expected: list[str]) -> None:
    assert sorted({*codes(check(tmp_path, DATASET.format(given=given)))}) == expected


PACK = """
import os
import tarfile

from flask import Flask, request

app = Flask(__name__)


@app.route("/")
def pack():
    out = os.path.abspath(request.args["output"])
    if out.startswith("/srv/source") and os.path.exists(out):
        os.remove(out)
{rest}
"""


@pytest.mark.parametrize(
    ("rest", "expected"),
    [("    tarfile.open(out, 'w:gz').close()", False), ("    return 'done'", True)],
    ids=["written all the same", "only deleted there"],
)
def test_a_check_that_decides_nothing_is_no_weak_one(tmp_path: Path, rest: str, *, expected: bool) -> None:
    assert ("VH203" in codes(check(tmp_path, PACK.format(rest=rest)))) is expected


@pytest.mark.parametrize(
    ("pattern", "new", "expected"),
    [(r"\\\\", "/", ["VH201"]), (r"\\.\\./", "", ["VH203"])],
    ids=["spelled otherwise", "cut once"],
)
def test_the_other_separator_is_only_spelled_otherwise(
    tmp_path: Path, pattern: str, new: str, expected: list[str]
) -> None:
    text = (
        "import re\n\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n@app.route('/')\ndef show():\n"
        f"    name = re.sub('{pattern}', '{new}', request.args['name'])\n    return open('/srv/' + name).read()\n"
    )
    assert codes(check(tmp_path, text)) == expected
