"""Checks that are on unless somebody switches them off, branches of old Pythons, and answers that pick a label."""

from pathlib import Path

import pytest
from shop import AUDIT, DEFAULT, check, codes

SAFE = """
from pathlib import Path


class PathError(ValueError):
    pass


def safe_join(directory, subpath):
    return contained(Path(directory), Path(directory) / subpath)


def contained(base, target):
    base = base.resolve()
    target = target.resolve()
    try:
        target.relative_to(base)
    except ValueError:
        raise PathError("outside") from None
    return target
"""
KIT = """
from shop.safe import PathError, safe_join


class Toolkit:
    def _check_path(self, file_name, base_dir, restrict_to_base_dir: bool = True):
        if not restrict_to_base_dir:
            return True, base_dir.joinpath(file_name).resolve()
        try:
            return True, safe_join(base_dir, file_name)
        except (PathError, OSError):
            return False, base_dir
"""
TOOL = """
from pathlib import Path

from shop.kit import Toolkit


class Tools(Toolkit):
    def __init__(self, base_dir=None, restrict_to_base_dir: bool = {default}):
        self.base_dir = Path(base_dir or "/srv/work")
        self.restrict_to_base_dir = restrict_to_base_dir

    def write_file(self, file_path: str, contents: str) -> str:
        safe, path = self._check_path(file_path, self.base_dir, self.restrict_to_base_dir)
        if not safe:
            return "Error: outside"
        path.write_text(contents)
        return str(path)
"""


@pytest.mark.parametrize(("default", "expected"), [("True", []), ("False", ["VH202"])])
def test_a_check_is_on_unless_the_maker_of_an_object_says_otherwise(
    tmp_path: Path, default: str, expected: list[str]
) -> None:
    text = TOOL.format(default=default)
    assert codes(check(tmp_path, text, kit=KIT, safe=SAFE)) == expected
    (found,) = check(tmp_path, text, AUDIT, kit=KIT, safe=SAFE)
    assert found.code == "VH202"
    assert ("compared with no base" in found.message) is (default == "False")
    assert any("restrict_to_base_dir may keep it inside" in reason for reason in found.reasons) is (default == "True")


@pytest.mark.parametrize(
    ("parameter", "test", "given", "expected"),
    [
        ("restrict=True", "restrict", "", []),
        ("allow_outside=False", "not allow_outside", "", []),
        ("restrict=False", "restrict", "", ["VH201"]),
        ("root_dir=None", "root_dir is not None", "", ["VH201"]),
        ("restrict=True", "restrict", ", restrict=False", ["VH201"]),
        ("restrict=True", "restrict", ", restrict=request.args['strict']", ["VH201"]),
    ],
)
def test_a_check_that_a_call_switches_off_is_none(
    tmp_path: Path, parameter: str, test: str, given: str, expected: list[str]
) -> None:
    text = f"""
import os

from flask import Flask, request

app = Flask(__name__)


def read(name, root="/srv/notes", {parameter}):
    path = os.path.realpath(os.path.join(root, name))
    if {test}:
        if os.path.commonpath([path, root]) != root:
            raise ValueError(name)
    return open(path)


@app.get("/x")
def view():
    return read(request.args["name"]{given})
"""
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("sys.version_info >= (2, 5)", []),
        ("(3, 8) <= sys.version_info", []),
        ("sys.version_info[0] >= 3", []),
        ("sys.version_info.major == 3", []),
        ("sys.version > '3'", []),
        ("not sys.version_info[:2] < (3, 6)", []),
        ("sys.version_info >= (3, 12)", ["VH201"]),
        ("sys.version_info < (3,)", ["VH201"]),
        ("sys.version_info[0] == 2", ["VH201"]),
        ("sys.version_info.minor >= 5", ["VH201"]),
        ("sys.version_info >= OLD", ["VH201"]),
    ],
)
def test_a_branch_for_pythons_that_nobody_runs_is_dead(tmp_path: Path, test: str, expected: list[str]) -> None:
    text = f"""
import os
import sys

from flask import Flask, request

app = Flask(__name__)


@app.get("/x")
def view():
    if {test}:
        return "new"
    return open(os.path.join("/srv", request.args["name"])).read()
"""
    assert codes(check(tmp_path, text)) == expected
    assert codes(check(tmp_path, text, AUDIT)) == expected


SEARCH = """
import os
import re

from flask import Flask, request

app = Flask(__name__)
NAME = re.compile(r"by_book/(?P<speaker>[^/]+)/")


@app.get("/x")
def view():
    name = request.args["name"]
    found = NAME.search(name)
    if found is None:
        raise ValueError(name)
    {use}
    return open(os.path.join("/srv", name)).read()
"""


@pytest.mark.parametrize(
    ("use", "expected"),
    [("print(found.group('speaker'))", ["VH201"]), ("print(found['speaker'])", ["VH201"]), ("pass", ["VH203"])],
)
def test_a_pattern_that_finds_something_is_no_check(tmp_path: Path, use: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, SEARCH.format(use=use))) == expected


def test_a_pattern_of_whole_paths_is_no_check_of_names(tmp_path: Path) -> None:
    text = SEARCH.format(use="pass").replace('r"by_book/(?P<speaker>[^/]+)/"', 'r"^[\\w./-]+$"')
    (found,) = check(tmp_path, text)
    assert found.code == "VH201"
    assert "is no guard" in found.message


LABEL = """
import os


def project(program):
    root_dir = Repository().root_dir
    if not os.path.isabs(program):
        program = os.path.join(os.curdir, program)
    place = os.path.dirname(os.path.abspath(program))
    if {test}:
        {way}
    return os.path.relpath(place, root_dir)
"""


@pytest.mark.parametrize(
    ("test", "way", "expected"),
    [
        ("not place.startswith(root_dir)", "return str(root_dir)", []),
        ("not place.startswith(root_dir)", "return 'uncategorized'", []),
        ("not place.startswith(root_dir)", "return root_dir, ''", []),
        ("place.startswith(root_dir) and place", "return place[len(root_dir):]", []),
        ("not place.startswith(root_dir)", "raise ValueError(place)", ["VH203"]),
        ("not place.startswith(root_dir)", "return None", ["VH203"]),
        ("not place.startswith(root_dir)", "return False, ''", ["VH203"]),
        ("not place.startswith(root_dir)", "return '', 404", ["VH203"]),
        ("not place.startswith(root_dir)", "return 'Error: outside'", ["VH203"]),
        ("not place.startswith(root_dir)", "return jsonify({})", ["VH203"]),
        ("place.startswith(root_dir)", "return True", ["VH203"]),
        ("place.startswith(root_dir)", "serve(place)", ["VH203"]),
    ],
)
def test_a_check_by_which_only_a_label_is_picked_guards_nothing(
    tmp_path: Path, test: str, way: str, expected: list[str]
) -> None:
    text = LABEL.format(test=test, way=way)
    assert codes(check(tmp_path, text)) == expected
    assert "VH203" in codes(check(tmp_path, text, AUDIT))


def test_a_part_of_an_object_that_a_function_is_given_is_not_its_name(tmp_path: Path) -> None:
    text = """
import os


def save(model):
    for name in model.artifacts:
        os.rename("/tmp/new", os.path.join("/srv/notes", name))
"""
    assert codes(check(tmp_path, text)) == []
    (found,) = check(tmp_path, text, AUDIT)
    assert found.message.startswith("a part of parameter model reaches")
    plain = text.replace("(model)", "(model_names)").replace("model.artifacts", "model_names")
    assert codes(check(tmp_path, plain)) == ["VH202"]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [("file_name", ["VH202"]), ("file_name='cert.pem'", []), ("file_name=''", ["VH202"])],
)
def test_a_name_that_a_function_has_unless_its_caller_says_otherwise(
    tmp_path: Path, parameters: str, expected: list[str]
) -> None:
    text = f"import os\n\n\ndef store({parameters}):\n    open(os.path.join('/srv/notes', file_name), 'w').close()\n"
    assert codes(check(tmp_path, text)) == expected
    web = (
        "from flask import Flask, request\n\nfrom shop.notes import store\n\napp = Flask(__name__)\n\n\n"
        "@app.get('/store')\ndef view():\n    store(request.args['name'])\n"
    )
    assert codes(check(tmp_path, text, web=web)) == ["VH202"]


def test_a_method_that_nothing_calls_and_that_is_given_the_folder_as_well(tmp_path: Path) -> None:
    text = (
        "import os\n\n\nclass Notes:\n    def write(self, {folder}file_name):\n"
        "        open(os.path.join({place}, file_name + '.txt'), 'w').close()\n"
    )
    assert codes(check(tmp_path, text.format(folder="base_path, ", place="base_path"))) == []
    assert codes(check(tmp_path, text.format(folder="", place="'/srv/notes'"))) == ["VH202"]


RECORD = """
from pathlib import Path, PurePosixPath

from google.cloud import storage

from shop.records import Entry


def entry(obj: storage.Blob, prefix, key):
    name = {made}(prefix) / {made}(obj.name).relative_to(key)
    {use}
"""


@pytest.mark.parametrize(
    ("made", "use", "expected"),
    [
        ("PurePosixPath", "return Entry(path=name, size=obj.size)", []),
        ("PurePosixPath", "return name", []),
        ("PurePosixPath", "return open(name, 'wb')", ["VH203"]),
        ("PurePosixPath", "return Entry(path=Path('/srv') / name)", ["VH203"]),
        ("Path", "return name", ["VH203"]),
    ],
)
def test_pure_paths_that_are_only_kept_reach_nothing(tmp_path: Path, made: str, use: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, RECORD.format(made=made, use=use))) == expected


STORED = """
from pathlib import Path

from google.cloud import storage


class Folder:
    def __init__(self, key):
        self.client = storage.Client()
        self.key = key

    def copy(self, target):
        for blob in self.client.list_blobs("notes", prefix=self.key):
            place = Path(target) / Path(blob.name).relative_to(self.key)
            place.parent.mkdir(parents=True)
            blob.download_to_filename(str(place))
"""


def test_a_flow_and_the_check_that_it_passes_are_one_finding(tmp_path: Path) -> None:
    alone = STORED.replace("            place.parent.mkdir(parents=True)\n", "")
    for text in (STORED, alone):
        for linter in (DEFAULT, AUDIT):
            found = check(tmp_path, text, linter)
            assert [item.code for item in found if item.span.line == 14] == ["VH203"]
            assert "relative_to() lets" in found[0].message


LOOKED_UP = """
from pathlib import Path

from flask import Flask, send_file

from shop.managers import Manager

app = Flask(__name__)


def safe(root: Path, name: str | None = None) -> Path:
    root = root.resolve()
    full = (root / name).resolve()
    if not full.is_relative_to(root):
        {way}
    return full


@app.get("/<number>/<path:name>")
def view(number: str, name: str):
    manager = Manager.load(number)
    return send_file(safe(manager.folder, name))
"""


@pytest.mark.parametrize(("way", "expected"), [("raise ValueError('escapes')", []), ("print('escapes')", ["VH201"])])
def test_a_helper_that_checks_below_a_folder_that_was_looked_up(tmp_path: Path, way: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, LOOKED_UP.format(way=way))) == expected
