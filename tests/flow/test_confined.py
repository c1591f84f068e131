"""Names that something on their way keeps inside: a template engine's loader, a wrapper, the file system, a table."""

from pathlib import Path

import pytest
from shop import AUDIT, check, codes

WEB = """
import os
from pathlib import Path

import jinja2
import tornado.template
from django.template.loader import get_template
from flask import Flask, render_template, request

app = Flask(__name__)
ROOT = "/srv/notes"
ENGINE = jinja2.Environment(loader=jinja2.FileSystemLoader("/srv/templates"))


@app.get("/show")
def show():
    name = request.args["name"]
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return render_template(name)", []),
        ("return render_template(os.path.join('pages', name + '.html'))", []),
        ("return ENGINE.get_template(name).render()", []),
        ("return ENGINE.get_template(os.path.join('en', name)).render()", []),
        ("return get_template(name).render()", []),
        ("return app.engine.get_template(os.path.join('en', name)).render()", []),
        ("return tornado.template.Loader('/srv/templates').load(name).generate()", ["VH201"]),
        ("return jinja2.Environment(loader=jinja2.FileSystemLoader(os.path.join(ROOT, name)))", ["VH201"]),
        ("return ENGINE.from_string(open(os.path.join(ROOT, name)).read()).render()", ["VH201"]),
        ("return app.engine.load_page(os.path.join('en', name)).render()", ["VH201"]),
    ],
)
def test_a_template_engine_keeps_names_in_its_folders(tmp_path: Path, line: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, WEB + f"    {line}\n")) == expected


def test_an_audit_says_that_a_template_may_be_chosen(tmp_path: Path) -> None:
    (found,) = check(tmp_path, WEB + "    return render_template(name)\n", AUDIT)
    assert "whose loader keeps it in the folder of templates" in found.message


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("file.is_file() and file.parent.samefile(folder)", []),
        ("os.path.isfile(file) and os.path.samefile(os.path.dirname(file), folder)", []),
        ("file.is_file() or file.parent.samefile(folder)", ["VH201"]),
        ("file.is_file() and folder.parent.samefile(folder)", ["VH201"]),
        ("file.is_file() and file.parent.samefile(file.parent)", ["VH201"]),
    ],
)
@pytest.mark.parametrize("loop", [True, False])
def test_the_file_system_is_asked_whether_a_folder_is_the_one(
    tmp_path: Path, test: str, expected: list[str], *, loop: bool
) -> None:
    helper = f"import os\n\n\ndef is_in(file, folder):\n    return {test}\n"
    text = WEB.replace("import jinja2\n", "import jinja2\nfrom shop.places import is_in\n", 1)
    text += "    base = Path(ROOT)\n"
    if loop:
        text += (
            "    for end in ('.txt', '.md'):\n        file = (base / name).with_suffix(end)\n"
            "        if is_in(file, base):\n            break\n    else:\n        return 'no'\n"
        )
    else:
        text += "    file = base / name\n    if not is_in(file, base):\n        return 'no'\n"
    assert codes(check(tmp_path, text + "    return open(file).read()\n", places=helper)) == expected


PATHS = """
import functools
import os

ALLOWED = set("abcdefghijklmnopqrstuvwxyz_-.")
FORBIDDEN = {{"", os.path.curdir, os.path.pardir}}


def below_base(func):
    @functools.wraps(func)
    def wrapped(self, *args, **kwargs):
        path = func(self, *args, **kwargs)
        return os.path.join(self.base, path)
    return wrapped


def jailed(relative):
    def inner(func):
        @functools.wraps(func)
        def wrapped(self, *args, **kwargs):
            path = func(self, *args, **kwargs)
            full = os.path.normpath(os.path.join(self.base, path) if relative else path)
            if os.path.commonpath([full, self.normal]) != self.normal:
                {refused}
            return path
        return wrapped
    return inner


def part(name):
    if not ALLOWED.issuperset(name) or name in FORBIDDEN:
        raise ValueError(name)
    return name


class Paths:
    def __init__(self, base):
        self.base = base
        self.normal = os.path.normpath(base)

    {decorator}
    def relative(self, folder, name):
        return os.path.join("local", {parts})

    whole = below_base(relative)
"""
PLACE = "os.path.normpath(os.path.join(relative(os.path.dirname(from_file)), name))"
JAIL, PLAIN = "@jailed(relative=True)", "@functools.lru_cache"


@pytest.mark.parametrize(
    ("decorator", "parts", "refused", "expected"),
    [
        (JAIL, "folder, name", "raise ValueError(path)", []),
        (JAIL, "folder, name", "print(path)", ["VH201"]),
        (PLAIN, "folder, name", "raise ValueError(path)", ["VH201"]),
        (PLAIN, "folder, part(name[:2]), part(name[2:])", "raise ValueError(path)", []),
        (JAIL, "folder, part(name)", "raise ValueError(path)", []),
    ],
)
@pytest.mark.parametrize("call", ["paths.whole('a', name)", "os.path.join(ROOT, paths.relative('a', name))"])
def test_a_wrapper_looks_at_the_path_that_a_method_gives(
    tmp_path: Path, decorator: str, parts: str, refused: str, expected: list[str], call: str
) -> None:
    text = WEB.replace("import jinja2\n", "import jinja2\nfrom shop.paths import Paths\n", 1)
    text = text.replace("ENGINE", "paths = Paths(ROOT)\nENGINE", 1) + f"    return open({call}).read()\n"
    paths = PATHS.format(decorator=decorator, parts=parts, refused=refused)
    assert codes(check(tmp_path, text, paths=paths)) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("is_below(ROOT, path)", "is_below(ROOT, os.path.realpath(path))", []),
        ("is_below(ROOT, path)", "True", ["VH201"]),
        ("is_below(ROOT, path)", "False", []),
        ("is_below(ROOT, path)", "os.path.exists(path)", ["VH201"]),
    ],
)
def test_an_answer_of_two_ways_tells_what_both_told(
    tmp_path: Path, first: str, second: str, expected: list[str]
) -> None:
    text = WEB + (
        "    path = os.path.abspath(os.path.join(ROOT, name))\n"
        f"    if app.config.get('links'):\n        inside = {first}\n    else:\n        inside = {second}\n"
        "    if not inside:\n        return 'no'\n    return open(path).read()\n\n\n"
        "def is_below(root, path):\n    try:\n        return os.path.commonpath([root, path]) == root\n"
        "    except ValueError:\n        return False\n"
    )
    assert codes(check(tmp_path, text)) == expected


PROVIDER = """
import os
import shutil


class DiskProvider:
    def __init__(self, root_folder, shadows):
        self.root_folder = os.path.realpath(root_folder)
        self.shadows = shadows

    def copy_file(self, source_path, file_name):
        shutil.copy2(os.path.join(self.root_folder, "a"), self.place(file_name))

    def shadow(self, name, path):
        other = self.shadows.get(name)
        if not other:
            return False, path
        return True, other

    def place(self, name):
        path = os.path.abspath(os.path.join(self.root_folder, name))
        is_shadow, path = self.shadow(name, path)
        if not is_shadow:
            {check}
        return path
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("if os.path.commonpath([self.root_folder, path]) != self.root_folder:\n                raise OSError", []),
        ("print(path)", ["VH202"]),
    ],
)
def test_a_path_is_checked_on_the_way_that_another_answer_leaves(
    tmp_path: Path, lines: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, PROVIDER.format(check=lines))) == expected


KEEP = """
import os
import shutil

ROOT = "/srv/notes"


def keep_file(file_name):
    shutil.move(os.path.join(ROOT, file_name), "/srv/old")
"""


@pytest.mark.parametrize(("given", "expected"), [("LAYOUT", []), ("name", ["VH202"])])
def test_a_call_under_another_name_is_one(tmp_path: Path, given: str, expected: list[str]) -> None:
    app = (
        "from shop.notes import (\n    keep_file as keep_old,\n)\n\nLAYOUT = 'layout.json'\n\n\n"
        f"def archive(name):\n    keep_old(file_name={given})\n"
    )
    assert codes(check(tmp_path, KEEP, app=app)) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("if file_name in DEEDS:\n        DEEDS[file_name](file_name)", []),
        ("assert file_name in ('a', 'b')\n    DEEDS['keep'](file_name)", []),
        ("assert file_name == 'a'\n    keep_file(file_name)", []),
        ("DEEDS['keep'](file_name)", ["VH202"]),
        ("assert file_name != 'a'\n    keep_file(file_name)", ["VH202"]),
    ],
)
def test_a_function_of_a_table_is_called_through_it(tmp_path: Path, call: str, expected: list[str]) -> None:
    text = KEEP + f"\n\nDEEDS = {{'keep': keep_file}}\n\n\ndef main(file_name):\n    {call}\n"
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"path = {PLACE}\n    assert path.startswith('$(ROOT)')\n    return path", []),
        (f"path = {PLACE}\n    assert path.startswith('/srv/notes')\n    return path", ["VH203"]),
        (
            f"if from_file == to_file or SPECIAL.match(name):\n        return name\n    else:\n        return {PLACE}",
            [],
        ),
        (f"path = {PLACE}\n    if SPECIAL.match(name):\n        raise ValueError(name)\n    return path", ["VH203"]),
    ],
)
def test_a_check_that_keeps_nothing_out_is_none(tmp_path: Path, body: str, expected: list[str]) -> None:
    text = (
        "import os\nimport re\n\nSPECIAL = re.compile('[-/$<>^]')\n\n\n"
        f"def placed(name, from_file, to_file):\n    {body}\n"
    )
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("call", "expected"), [("store_file", []), ("save_files", []), ("clean_file", ["VH201"]), ("file_path", ["VH201"])]
)
def test_what_keeps_a_file_gives_back_where_it_put_it(tmp_path: Path, call: str, expected: list[str]) -> None:
    text = WEB.replace("import jinja2\n", "import jinja2\nimport stock\n", 1)
    assert codes(check(tmp_path, text + f"    return open(stock.{call}(name)).read()\n")) == expected


def test_a_copy_of_a_body_is_called_what_the_body_is(tmp_path: Path) -> None:
    text = """
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Wanted(BaseModel):
    name: str


@app.post("/show")
def show(wanted: Wanted):
    wanted = wanted.model_copy(update={"size": 1})
    return open(wanted.name).read()
"""
    (found,) = check(tmp_path, text)
    assert "model_copy" not in found.message
