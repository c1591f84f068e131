"""Checks that are left out in one case: by the operator's setting, without a folder, on one of two ways."""

from pathlib import Path

import pytest
from shop import AUDIT, WEB, check, codes

SAFE = """
import os


def is_set(name):
    return os.environ.get(name, "").lower() in ("1", "true")


def is_open():
    return is_set("{setting}")


def inside(path, base=None):
    if is_open():
        return os.path.realpath(path)
    if base is None:
        base = os.getcwd()
    base = os.path.realpath(base)
    whole = os.path.realpath(os.path.join(base, path))
    prefix = {prefix}
    if not whole.startswith(prefix) and whole != base:
        raise ValueError(path)
    return whole
"""
ENDED = "base if base.endswith(os.sep) else base + os.sep"
SHOW = (
    WEB.replace("\napp =", "\nfrom shop.safe import inside\n\napp =") + "    return open(inside(name, ROOT)).read()\n"
)


FOLDER_BELOW = SHOW.replace(
    "    return open(inside(name, ROOT)).read()\n",
    """    folder = inside(request.args["folder"], ROOT)
    whole = os.path.realpath(os.path.join(folder, name))
    if not whole.startswith(folder + os.sep):
        raise ValueError(name)
    return open(whole).read()
""",
)


def test_a_check_that_the_operator_may_leave_out_makes_a_base(tmp_path: Path) -> None:
    assert check(tmp_path, FOLDER_BELOW, safe=SAFE.format(setting="ALLOW_UNSAFE_PATHS", prefix=ENDED)) == []
    assert check(tmp_path, FOLDER_BELOW, safe=SAFE.format(setting="ALLOW_EXPORTS", prefix=ENDED)) != []


def test_a_check_that_the_operator_may_leave_out_is_one(tmp_path: Path) -> None:
    safe = SAFE.format(setting="ALLOW_UNSAFE_PATHS", prefix=ENDED)
    assert check(tmp_path, SHOW, safe=safe) == []
    assert codes(check(tmp_path, SHOW, AUDIT, safe=safe)) == ["VH201"]


@pytest.mark.parametrize(
    "asked",
    [
        'os.environ.get("SKIP_PATH_CHECKS") == "1"',
        'os.getenv("INSECURE_PATHS")',
        'os.environ["DISABLE_SANDBOX"].lower() in ("1", "yes")',
        "settings.UNRESTRICTED_PATHS",
        'config["unsafe_paths"]',
        "UNSAFE",
    ],
)
def test_settings_that_leave_a_check_out(tmp_path: Path, asked: str) -> None:
    safe = (
        SAFE.format(setting="OTHER", prefix=ENDED)
        .replace("is_open()", asked, 2)
        .replace(f"def {asked}", "def is_open()")
    )
    safe = safe.replace(
        "\n\ndef is_set",
        '\nfrom shop.conf import config, settings\n\nUNSAFE = os.getenv("UNSAFE_PATHS") == "1"\n\n\ndef is_set',
        1,
    )
    assert check(tmp_path, SHOW, safe=safe) == []


HATCH = """
import os
{head}

def shown(path, base):
    if {asked}:
        return open(path).read()
    base = os.path.realpath(base)
    whole = os.path.realpath(os.path.join(base, path))
    if not whole.startswith(base + os.sep):
        raise ValueError(path)
    return open(whole).read()
"""
IMPORTED_CONFIG = "from shop.conf import config, settings"


@pytest.mark.parametrize(
    ("asked", "head"),
    [
        ('os.getenv("UNSAFE_PATHS", "x")', ""),
        ('int(os.environ.get("SKIP_PATH_CHECKS", 1))', ""),
        ('bool(os.environ.get("SKIP_PATH_CHECKS", "0"))', ""),
        ('os.environ.get("SKIP_PATH_CHECKS")', 'os.environ.setdefault("SKIP_PATH_CHECKS", "1")'),
        ('config.get("unsafe_paths", True)', IMPORTED_CONFIG),
        ('settings.get("unsafe_paths", default=True)', IMPORTED_CONFIG),
        ('config["unsafe_paths"]', 'config = {"unsafe_paths": True}'),
        ("settings.DISABLE_CACHE", IMPORTED_CONFIG),
        ("settings.SKIP_HEALTH_CHECK", IMPORTED_CONFIG),
        ('os.environ.get("OAUTHLIB_INSECURE_TRANSPORT")', ""),
        ('os.environ.get("SKIP_THUMBNAILS")', ""),
        ("answer()", 'def answer():\n    return not os.environ.get("DISABLE_PATH_CHECKS")'),
        ("answer()", 'def answer():\n    return os.environ.get("UNSAFE_PATHS") != "0"'),
        ("answer()", 'def answer():\n    return os.environ.get("MODE", "unsafe") == "unsafe"'),
        (
            "answer()",
            'def answer():\n    if os.environ.get("SKIP_PATH_CHECKS"):\n        return False\n    return True',
        ),
    ],
)
def test_settings_that_are_on_or_about_something_else_leave_no_check_out(tmp_path: Path, asked: str, head: str) -> None:
    text = SHOW.replace("inside(name, ROOT)).read()", "shown(name, ROOT)").replace("open(shown", "shown")
    text = text.replace("import inside", "import shown")
    assert "VH201" in codes(check(tmp_path, text, safe=HATCH.format(asked=asked, head=head)))
    fixed = HATCH.format(asked='os.getenv("UNSAFE_PATHS")', head=head)
    if "UNSAFE" not in head.upper():
        assert check(tmp_path, text, safe=fixed) == []


def test_a_beginning_ends_with_a_separator_on_both_ways(tmp_path: Path) -> None:
    for prefix, expected in ((ENDED, []), ("base if base.endswith(os.sep) else base", ["VH203"])):
        own = SAFE.format(setting="ALLOW_UNSAFE_PATHS", prefix=prefix)
        text = SHOW.replace("from shop.safe import inside\n", "") + own
        assert codes(check(tmp_path, text)) == expected


GIVEN = """
import os
import re


def valid(path, base_dir=None):
    for pattern in (r"\\.\\.", r"~[\\\\/]"):
        if re.search(pattern, path):
            raise ValueError(path)
    whole = os.path.realpath(path)
    if {given}:
        base = os.path.realpath(base_dir)
        if whole != base and not whole.startswith(base + os.sep):
            raise ValueError(path)
    return whole


def found(name, root=None):
    root = root or os.getcwd()
    return valid(os.path.join(root, name), root)
"""


@pytest.mark.parametrize("given", ["base_dir", "base_dir is not None"])
def test_a_folder_that_the_call_names_is_given(tmp_path: Path, given: str) -> None:
    safe = GIVEN.format(given=given)
    for call in ("valid(os.path.join(ROOT, name), ROOT)", "found(name, ROOT)", "found(name)"):
        text = SHOW.replace("inside(name, ROOT)", call).replace("import inside", "import found, valid")
        assert check(tmp_path, text, safe=safe) == [], call
    free = SHOW.replace("inside(name, ROOT)", "valid(os.path.join(ROOT, name))").replace(
        "import inside", "import valid"
    )
    assert codes(check(tmp_path, free, AUDIT, safe=safe)) == ["VH203"]


@pytest.mark.parametrize(
    "handed",
    [
        "ROOTS.get(name[:1])",
        "app.config.get('ROOT')",
        "getattr(app, 'root', None)",
        "picked(len(name))",
        "app.config.get('ROOT', '').strip()",
        "chosen",
        "first",
        "tried",
    ],
)
def test_a_folder_that_may_be_nothing_is_not_given(tmp_path: Path, handed: str) -> None:
    made = """    chosen = None
    first, second = ROOTS.get(1), 1
    if len(name) > 3:
        chosen = ROOT
    try:
        tried = ROOTS[len(name)]
    except KeyError:
        tried = None
"""
    text = SHOW.replace("inside(name, ROOT)", f"valid(os.path.join(ROOT, name), {handed})")
    text = text.replace("import inside", "import valid").replace("    return open", made + "    return open")
    text = text.replace("@app", "ROOTS = {1: '/srv/a'}\n\n\n@app") + PICKED
    safe = GIVEN.replace(LOOP, "").format(given="base_dir")
    assert codes(check(tmp_path, text, safe=safe)) == ["VH201"]
    assert check(tmp_path, text.replace(f", {handed})", ", ROOT)"), safe=safe) == []


LOOP = """    for pattern in (r"\\.\\.", r"~[\\\\/]"):
        if re.search(pattern, path):
            raise ValueError(path)
"""
PICKED = """

def picked(number):
    if number > 3:
        return ROOT
    return None
"""
WORKSPACE = """
import os

from fastapi import FastAPI

app = FastAPI()


@app.get("/show")
def show(space: str, name: str):
    root = os.path.realpath(os.path.join("/srv", space))
    whole = os.path.realpath(os.path.join(root, name))
    {check}
        raise ValueError(name)
    return open(whole).read()
"""


@pytest.mark.parametrize(
    "check_of_name",
    [
        "if not whole.startswith(root + os.sep):",
        "if os.path.commonpath([root, whole]) != root:",
    ],
)
def test_a_folder_that_is_chosen_outside_is_no_base(tmp_path: Path, check_of_name: str) -> None:
    text = WORKSPACE.format(check=check_of_name)
    found = check(tmp_path, text)
    assert "VH201" in codes(found)
    checked = text.replace(
        "    root =", "    if '/' in space or '..' in space:\n        raise ValueError(space)\n    root ="
    )
    assert check(tmp_path, checked) == []


WAYS = """
import os

from flask import Flask

app = Flask(__name__)
ROOT = os.path.realpath("/srv/files")


def inside(path):
    return os.path.{common}([ROOT, os.path.abspath(os.path.join(ROOT, path))]) == ROOT


@app.get("/<path:path>")
def show(path):
    if path and inside(path):
        place = os.path.join(ROOT, os.path.normpath(path))
        if os.path.isfile(place):
            return open(place).read()
    else:
        place = ROOT
    return str(os.listdir(place))
"""


def test_a_weak_check_on_one_of_two_ways_is_what_is_told(tmp_path: Path) -> None:
    assert check(tmp_path, WAYS.format(common="commonpath")) == []
    assert codes(check(tmp_path, WAYS.format(common="commonprefix"))) == ["VH203"]
    assert codes(check(tmp_path, WAYS.replace("if path and inside(path)", "if path"))) == ["VH201"]


FOLDER = """
from pathlib import Path

from fastapi import FastAPI

app = FastAPI()
ROOT = Path("/srv/files").resolve()


@app.post("/keep")
def keep(name: str):
    place = (ROOT / name).resolve()
    if not str(place).startswith({beginning}):
        raise ValueError(name)
    place.parent.mkdir(parents=True)
"""


def test_a_check_of_a_file_is_one_of_its_folder(tmp_path: Path) -> None:
    assert codes(check(tmp_path, FOLDER.format(beginning="str(ROOT)"))) == ["VH203"]
    assert check(tmp_path, FOLDER.format(beginning='str(ROOT) + "/"')) == []


@pytest.mark.parametrize("client", ["client", "session.client('s3')"])
def test_what_a_bucket_lists_is_followed_from_a_client_of_the_function(tmp_path: Path, client: str) -> None:
    text = (
        "import os\n\nimport boto3\n\n\ndef fetch(bucket, target):\n    session = boto3.Session()\n"
        "    client = boto3.client('s3')\n"
        f"    pages = {client}.get_paginator('list_objects_v2').paginate(Bucket=bucket)\n"
        "    for page in pages:\n        for item in page['Contents']:\n"
        "            client.download_file(bucket, item['Key'], os.path.join(target, item['Key']))\n"
    )
    assert codes(check(tmp_path, text)) == ["VH201"]


KEYS = """
def parsed(name, allow_{what}=False):
    if not allow_{what} and ".." in name:
        raise ValueError(name)
    return name
"""


@pytest.mark.parametrize(("what", "expected"), [("unknown_keys", ["VH201"]), ("outside", [])])
def test_what_is_allowed_is_a_place(tmp_path: Path, what: str, expected: list[str]) -> None:
    text = WEB + "    return open(parsed(name.lstrip('/'), allow_unknown)).read()\n"
    text = text.replace("def show()", f"def show(allow_{what}=False)").replace("allow_unknown)", f"allow_{what})")
    assert codes(check(tmp_path, text + KEYS.format(what=what))) == expected


LOOK_UP = """
import os


class Pictures:
    def __init__(self, filepath):
        self.show(filepath)

    def show(self, filepath):
        for src in filepath.sources():
            name = src.replace("../", "")
            {use}

    def close(self):
        os.remove(self.path)
"""


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("if name in self.images:\n                print(self.images[name])", []),
        ("print(self.images.get(name))", []),
        ("print(name)", ["VH203"]),
        ("if name in self.images:\n                self.kept = name", ["VH203"]),
    ],
)
def test_a_text_that_is_cleaned_to_be_looked_up_is_no_path(tmp_path: Path, use: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, LOOK_UP.format(use=use))) == expected


PAGE = """
import gradio as gr


def read({parameters}):
    return open({path}).read()


with gr.Blocks() as page:
    notes = []
    for number in range(3):
        note = gr.{component}(label=str(number))
        notes.append(note)
        note.change(read, inputs=[notes[number]])
"""


@pytest.mark.parametrize(
    ("parameters", "path"),
    [("note", "note"), ("*notes", "notes[0]"), ("note, progress=gr.Progress()", "progress.of(note)")],
)
def test_components_of_a_list_that_a_loop_fills(tmp_path: Path, parameters: str, path: str) -> None:
    text = PAGE.format(parameters=parameters, path=path, component="File")
    assert check(tmp_path, text) == []
    assert codes(check(tmp_path, text.replace("gr.File", "gr.Textbox"))) == ["VH201"]


def test_a_base_class_that_is_not_known_is_no_other_class_of_the_file(tmp_path: Path) -> None:
    text = (
        "from pathlib import Path\n\nfrom fastapi import FastAPI, HTTPException\n\napp = FastAPI()\n\n\n"
        "class Failed(HTTPException):\n    def __init__(self, message):\n        super().__init__(message)\n\n\n"
        "class Store:\n    def __init__(self, root):\n        Path(root).mkdir()\n\n\n"
        "@app.get('/show')\ndef show(name: str):\n    {}\n"
    )
    assert check(tmp_path, text.format("raise Failed(name)")) == []
    assert codes(check(tmp_path, text.format("Store(name)"))) == ["VH201"]


AROUND = """
from flask import request


def around(handle):
    def run():
        return open({}(request.args["name"])).read()

    return run
"""


def test_what_a_handler_gives_is_its_own(tmp_path: Path) -> None:
    assert check(tmp_path, AROUND.format("handle")) == []
    assert codes(check(tmp_path, AROUND.format("handle"), AUDIT)) == ["VH201"]
    assert codes(check(tmp_path, AROUND.format("notes.full"))) == ["VH201"]


SHARDS = """
import json
import os
from pathlib import Path

import torch


def load(folder):
    with open(os.path.join(folder, "model.index.json")) as file:
        shards = json.load(file)["weight_map"]
    {check}
    for name in set(shards.values()):
        torch.load(os.path.join(folder, name), weights_only=True)
"""


@pytest.mark.parametrize(
    ("outside", "refused", "expected"),
    [
        ("sorted({f for f in shards.values() if Path(f).name != f})", "if outside:", []),
        ("[f for f in shards.values() if not isinstance(f, str) or Path(f).name != f]", "if outside:", []),
        ("[f for f in shards.values() if Path(f).name != f]", "if len(outside) > 9:", ["VH201"]),
        ("[f for f in shards.values() if not f.endswith('.bin')]", "if outside:", ["VH201"]),
    ],
)
def test_a_list_of_those_that_leave_the_folder_is_empty(
    tmp_path: Path, outside: str, refused: str, expected: list[str]
) -> None:
    checked = f"outside = {outside}\n    {refused}\n        raise ValueError(outside)"
    assert codes(check(tmp_path, SHARDS.format(check=checked))) == expected


ROOTED = """
import os

import tornado.web


class Static(tornado.web.RequestHandler):
    def initialize(self, path):
        self.root = {root}

    def get(self, path):
        place = os.path.abspath(os.path.join(self.root, path))
        if not (place + os.path.sep).startswith(self.root):
            raise tornado.web.HTTPError(403)
        self.write(open(place).read())
"""


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        ('"%s%s" % (os.path.abspath(path), os.path.sep)', []),
        ("os.path.join(path, '')", []),
        ('"%s" % os.path.abspath(path)', ["VH203"]),
    ],
)
def test_an_attribute_that_ends_with_a_separator(tmp_path: Path, root: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, ROOTED.format(root=root))) == expected
