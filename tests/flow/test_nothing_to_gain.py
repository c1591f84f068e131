"""Values that come from outside and can do nothing there, each beside the twin that can."""

from pathlib import Path

import pytest
from shop import AUDIT, check, codes
from shop import WEB as HANDLER

WEB = HANDLER.replace("import os\n", "import os\nimport tempfile\n", 1).replace("request\n", "request, send_file\n", 1)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("f'{ROOT}/run_{name}.log'", []),
        ("os.path.join(ROOT, f'run_{name}')", []),
        ("os.path.join(ROOT, 'run_' + name)", []),
        ("os.path.join(ROOT, f'{name}_topology.json')", []),
        ("os.path.join(ROOT, f'{name}.json')", ["VH201"]),
        ("f'{ROOT}/run/{name}.log'", ["VH201"]),
        ("os.path.join(ROOT, f'.{name}')", ["VH201"]),
        ("os.path.normpath(os.path.join(ROOT, f'run_{name}'))", ["VH201"]),
    ],
)
def test_no_step_up_leads_on_behind_a_fixed_beginning_of_the_same_name(
    tmp_path: Path, path: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, f"{WEB}    return open({path}).read()\n")) == expected
    assert "VH201" in codes(check(tmp_path, f"{WEB}    return open({path}).read()\n", AUDIT))


def test_a_fixed_end_leaves_what_is_written_free(tmp_path: Path) -> None:
    text = WEB + "    open(os.path.join(ROOT, f'{name}_topology.json'), 'w').close()\n"
    assert codes(check(tmp_path, text)) == ["VH201"]
    made = "    path = os.path.join(ROOT, f'run_{name}')\n    os.makedirs(path)\n"
    text = f"{WEB}{made}    return open(path).read()\n"
    assert codes(check(tmp_path, text)) == ["VH201"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("file_name if os.path.isabs(file_name) else os.path.join(self.root, file_name)", []),
        ("os.path.join(self.root, file_name)", ["VH202"]),
    ],
)
def test_who_takes_absolute_names_as_they_stand_promises_no_folder(
    tmp_path: Path, path: str, expected: list[str]
) -> None:
    text = (
        "import os\n\n\nclass NoteStore:\n    def __init__(self, root):\n        self.root = root\n\n"
        f"    def drop(self, file_name):\n        os.remove({path})\n"
    )
    assert codes(check(tmp_path, text)) == expected
    assert "VH202" in codes(check(tmp_path, text, AUDIT))


def test_who_refuses_absolute_names_promises_one(tmp_path: Path) -> None:
    text = (
        "import os\nfrom pathlib import Path\n\n\nclass NoteStore:\n    def drop(self, file_name):\n"
        "        path = Path(file_name)\n        if path.is_absolute():\n            {way}\n"
        "        else:\n            path = Path('/srv/notes') / path\n        path.unlink()\n"
    )
    assert codes(check(tmp_path, text.format(way="pass"))) == []
    assert "VH203" in codes(check(tmp_path, text.format(way="raise ValueError(path)"), AUDIT))  # '..' still passes


def test_a_route_of_an_unknown_framework_tells_what_comes_from_outside(tmp_path: Path) -> None:
    text = (
        "import os\n\nfrom builder import expose\n\n\nclass Files:\n"
        "    @expose('/download/{field}')\n    def download(self, name, store=None):\n"
        "        return open(os.path.join('/srv/notes', {value})).read()\n"
    )
    told = text.replace("{value}", "name")
    assert codes(check(tmp_path, told.replace("{field}", "<path:name>"))) == ["VH201"]
    assert codes(check(tmp_path, told.replace("{field}", "<string:name>"))) == []
    assert codes(check(tmp_path, told.replace("{field}", "<int:name>"))) == []
    assert codes(check(tmp_path, text.replace("{value}", "store").replace("{field}", "<path:name>"))) == []


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("tempfile.mkdtemp()", []),
        ("os.path.realpath(tempfile.mkdtemp())", []),
        ("os.path.realpath(ROOT)", ["VH203"]),
    ],
)
def test_nobody_knows_the_name_of_a_folder_that_was_made_just_now(
    tmp_path: Path, base: str, expected: list[str]
) -> None:
    body = (
        f"    base = {base}\n    path = os.path.realpath(os.path.join(base, name))\n"
        "    if not path.startswith(base):\n        raise ValueError(path)\n    return send_file(path)\n"
    )
    assert codes(check(tmp_path, WEB + body)) == expected


def test_an_ending_leaves_a_resolved_path_resolved(tmp_path: Path) -> None:
    body = (
        "    path = os.path.realpath(os.path.join(ROOT, name)) + {end}\n"
        "    if not path.startswith(ROOT + '/'):\n        raise ValueError(path)\n    return send_file(path)\n"
    )
    assert codes(check(tmp_path, WEB + body.format(end="'.png'"))) == []
    assert codes(check(tmp_path, WEB + body.format(end="'/' + request.args['more']"))) != []


def test_an_item_of_something_unknown_says_nothing_of_its_attributes(tmp_path: Path) -> None:
    body = "    note = load('first')\n    note['title'] = name\n    return open(os.path.join(ROOT, {part})).read()\n"
    assert codes(check(tmp_path, WEB + body.format(part="note.place"))) == []
    assert codes(check(tmp_path, WEB + body.format(part="note['place']"))) == []
    assert codes(check(tmp_path, WEB + body.format(part="note['title']"))) == ["VH201"]


def test_a_check_on_one_of_two_ways_counts_for_what_was_made_there(tmp_path: Path) -> None:
    body = (
        "    if name:\n        path = os.path.realpath(os.path.join(ROOT, name))\n"
        "        if {test}:\n            raise ValueError(path)\n"
        "    else:\n        path = '/srv/first'\n    return send_file(path)\n"
    )
    assert codes(check(tmp_path, WEB + body.format(test="not path.startswith(ROOT)"))) == ["VH203"]
    assert codes(check(tmp_path, WEB + body.format(test="not os.path.exists(path)"))) == ["VH201"]


def test_methods_of_an_object_are_those_of_its_class(tmp_path: Path) -> None:
    text = (
        "import os\n\nimport stock\n\n\nclass Packed:\n    def __init__(self, root):\n        self.root = root\n\n"
        "    def place(self, file_name):\n        return os.path.join(self.root, file_name)\n\n"
        "    def drop(self, file_name):\n        return stock.drop(file_name)\n\n\n"
        "class Plain:\n    def place(self, file_name):\n        return '/srv/fixed'\n\n"
        "    def clear_out(self, file_name):\n        os.remove(self.place(file_name))\n\n\n"
        "def clear(store, file_name):\n    store.clear_out(file_name)\n"
    )
    assert codes(check(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("place[len(root_dir) + 1 :].split(os.path.sep)[0]", []),
        ("os.path.relpath(place, root_dir)", ["VH203"]),
        ("place", ["VH203"]),
    ],
)
def test_a_path_that_is_only_cut_is_not_checked(tmp_path: Path, rest: str, expected: list[str]) -> None:
    text = (
        "import os\n\n\ndef project(program):\n    root_dir = Repository().root_dir\n"
        "    if not os.path.isabs(program):\n        program = os.path.join(os.curdir, program)\n"
        "    place = os.path.dirname(os.path.abspath(program))\n"
        f"    if not place.startswith(root_dir):\n        return None\n    return {rest}\n"
    )
    assert codes(check(tmp_path, text)) == expected
    assert "VH203" in codes(check(tmp_path, text, AUDIT))


def test_where_paths_lead_is_asked_alike_with_and_without_secrets_in_sight(tmp_path: Path) -> None:
    text = (
        "import os\n\nimport requests\n\n\ndef fetch(url, folder{token}):\n"
        "    for item in requests.get(url{token}).json():\n        print(item{token})\n"
        "        open(os.path.join(folder, item['name']), 'w').close()\n"
    )
    assert codes(check(tmp_path, text.format(token=""))) == []
    assert "VH201" not in codes(check(tmp_path, text.format(token=", token")))
    assert codes(check(tmp_path, text.format(token=""), AUDIT)) == ["VH201"]


@pytest.mark.parametrize(
    ("check_of", "expected"),
    [
        ("    if not re.match('^[a-z]+$', name):\n        raise ValueError(name)\n", []),
        ("    found = re.search('^[a-z]+$', name)\n    if found is None:\n        return None\n", []),
        ("    if name not in self.index:\n        abort(404)\n", []),
        ("    if not name:\n        raise ValueError(name)\n", ["VH202"]),
        ("    if name in ('..', '.'):\n        raise ValueError(name)\n", ["VH202"]),
        ("    if re.match('^[a-z]+$', other):\n        raise ValueError(name)\n", ["VH202"]),
    ],
)
def test_a_caller_that_checks_what_it_hands_over_is_heard(tmp_path: Path, check_of: str, expected: list[str]) -> None:
    store = (
        "import os\n\n\nclass FileStore:\n    def __init__(self, root_dir):\n        self.storage_dir = root_dir\n\n"
        "    def put_note(self, file_name):\n        os.remove(os.path.join(self.storage_dir, f'{file_name}.json'))\n"
    )
    manager = (
        "import re\n\nfrom flask import Flask, abort, request\n\nfrom shop.notes import FileStore\n\n"
        "app = Flask(__name__)\nstore = FileStore('/srv')\n\n\n@app.get('/x/<path:name>')\n"
        f"def view(name, other=None):\n{check_of}    store.put_note(name)\n"
    )
    assert codes(check(tmp_path, store, manager=manager)) == expected


def test_a_method_of_the_layer_that_keeps_files_checks_for_its_callers(tmp_path: Path) -> None:
    text = (
        "from flask import Flask\n\nfrom shop import plugins\n\napp = Flask(__name__)\n\n\n"
        "@app.get('/show/<path:name>')\ndef show(name):\n"
        "    return open(plugins.storage(1).path_on_disk(name)).read()\n"
    )
    checked = (
        "import os\n\n\nclass Local:\n    def path_on_disk(self, path):\n        return self.inside(path)\n\n"
        "    def inside(self, path):\n        path = os.path.realpath(os.path.join(self.root, path))\n"
        "        if not path.startswith(self.root + '/'):\n            raise ValueError(path)\n        return path\n"
    )
    free = checked.replace("path.startswith(self.root + '/')", "os.path.exists(path)")
    plugins = "def storage(number):\n    return load()[number]\n"
    assert codes(check(tmp_path, text, local=checked, plugins=plugins)) == []
    assert codes(check(tmp_path, text, local=free, plugins=plugins)) == ["VH201"]


def test_a_field_that_the_settings_name_is_filled_in_by_a_server_in_front(tmp_path: Path) -> None:
    begin = WEB.replace('    name = request.args["name"]\n', "")
    field = "    key = 'file.' + settings().get('suffix')\n    name = request.values[key]\n"
    assert codes(check(tmp_path, f"{begin}{field}    return send_file(name)\n")) == []
    assert codes(check(tmp_path, f"{begin}{field}    return send_file(os.path.join(ROOT, name))\n")) == ["VH201"]
    plain = field.replace("settings().get('suffix')", "'path'")
    assert codes(check(tmp_path, f"{begin}{plain}    return send_file(name)\n")) == ["VH201"]


def test_a_field_of_the_route_is_what_every_route_of_the_file_lets_through(tmp_path: Path) -> None:
    text = (
        "import os\n\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n"
        "def seen():\n    return open(os.path.join('/srv', request.view_args['place'], 'seen')).read()\n\n\n"
        "@app.get('/show/<{kind}place>')\ndef show(place):\n    return seen()\n"
    )
    assert codes(check(tmp_path, text.format(kind="string:"))) == []
    assert codes(check(tmp_path, text.format(kind="path:"))) == ["VH201"]


@pytest.mark.parametrize(("given", "expected"), [("Path(name).name", []), ("Path(name)", ["VH202"])])
def test_callers_that_hand_over_the_name_of_a_path_hand_over_no_folder(
    tmp_path: Path, given: str, expected: list[str]
) -> None:
    store = "import os\n\nROOT = '/srv/notes'\n\n\ndef drop(file_name):\n    os.remove(os.path.join(ROOT, file_name))\n"
    view = (
        "from pathlib import Path\n\nfrom flask import Flask\n\nfrom shop.notes import drop\n\n"
        "app = Flask(__name__)\n\n\n"
        f"@app.get('/x/<path:name>')\ndef view(name):\n    drop({given})\n"
    )
    assert codes(check(tmp_path, store, view=view)) == expected


def test_a_parameter_that_says_that_it_is_a_path_is_one(tmp_path: Path) -> None:
    text = (
        "from pathlib import Path\n\nfrom flask import Flask, send_file\n\nfrom notes import load\n\n"
        "app = Flask(__name__)\n\n\n"
        "def safe(workspace: Path, name: str) -> Path:\n    workspace = workspace.resolve()\n"
        "    place = (workspace / name).resolve()\n    if {test}:\n        raise ValueError(name)\n"
        "    return place\n\n\n"
        "@app.get('/x/<user>/<path:name>')\ndef view(user, name):\n"
        "    return send_file(safe(load(user).workspace, name))\n"
    )
    assert codes(check(tmp_path, text.format(test="not place.is_relative_to(workspace)"))) == []
    assert codes(check(tmp_path, text.format(test="not place.exists()"))) == ["VH201"]


@pytest.mark.parametrize(("template", "expected"), [("run-{name}.log", []), ("{name}/run.log", ["VH201"])])
def test_a_template_of_another_file_says_what_stands_around_a_name(
    tmp_path: Path, template: str, expected: list[str]
) -> None:
    text = WEB.replace("import os\n", "import os\n\nfrom shop.names import TEMPLATE\n", 1)
    text += "    return open(os.path.join(ROOT, TEMPLATE.format(name=name))).read()\n"
    assert codes(check(tmp_path, text, names=f"TEMPLATE = '{template}'\n")) == expected


def test_what_one_unread_call_gives_and_another_takes_is_told_at_the_first(tmp_path: Path) -> None:
    begin = WEB.replace("import os\n", "import os\n\nimport stock\n", 1)
    (found,) = check(tmp_path, f"{begin}    return stock.send_text(os.path.join(ROOT, name))\n")
    assert "send_text()" in found.message
    (found,) = check(tmp_path, f"{begin}    return stock.send_text(stock.list_lines(os.path.join(ROOT, name)))\n")
    assert "send_text()" not in found.message


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("wire.rename", ["VH201"]),
        ("wire.list_files", ["VH201"]),
        ("wire.notify", []),
        ("wire.isdir", []),
        ("signal.sent", []),
    ],
)
def test_a_path_that_an_unread_call_takes_is_told_where_the_call_says_that_it_does_something_with_files(
    tmp_path: Path, call: str, expected: list[str]
) -> None:
    text = WEB.replace("import os\n", f"import os\n\nimport {call.partition('.')[0]}\n", 1)
    assert codes(check(tmp_path, f"{text}    return {call}(os.path.join(ROOT, name))\n")) == expected


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("os.path.relpath(os.path.join('/', name), '/')", []),
        ("os.path.relpath(os.path.join('/srv', name), '/srv')", ["VH201"]),
        ("os.path.relpath(name)", ["VH201"]),
    ],
)
def test_what_is_told_relative_to_the_root_lies_below_it(tmp_path: Path, place: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, f"{WEB}    return open(os.path.join(ROOT, {place})).read()\n")) == expected


UPLOADING = """
import os
from PIL import Image


def receive(request):
    {given}
    return {use}
"""


@pytest.mark.parametrize(
    ("given", "use", "expected"),
    [
        ("upload = request.FILES['notes']", "open(os.path.join('/srv', upload.name), 'wb')", []),  # Django cuts names
        ("upload = request.files['notes']", "open(os.path.join('/srv', upload.filename), 'wb')", ["VH201"]),
        ("upload = request.form['image']", "Image.open(upload.file)", []),
        ("upload = request.form['image']", "Image.open(upload.stream)", []),
        ("upload = request.form['image']", "Image.open(upload)", ["VH201"]),
    ],
)
def test_of_an_upload_only_the_name_says_a_place(tmp_path: Path, given: str, use: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, UPLOADING.format(given=given, use=use))) == expected


BELOW = """
import os
import sys

from flask import Flask, request

app = Flask(__name__)
ROOT = "/srv/notes"


def is_below(path, parent):
    place = os.path.normpath(path)
    base = os.path.normpath(parent)
    {more}
    return place.startswith(base) or place == base.rstrip(os.sep)


@app.get("/show")
def show():
    path = os.path.join(ROOT, request.args["name"])
    if not is_below(path, ROOT):
        raise PermissionError(path)
    return open(path).read()
"""


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("base = base + os.sep", []),
        ("if not base.endswith(os.sep):\n        base = base + os.sep", []),
        ("if sys.platform == 'win32':\n        base = base.lower()\n    base = base + '/'", []),
        ("base = base.lower()", ["VH203"]),
        ("base = base + 's'", ["VH203"]),
    ],
)
def test_a_base_that_is_given_its_separator_by_a_sum_ends_with_one(
    tmp_path: Path, more: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, BELOW.format(more=more))) == expected


CHECKING = """
from pathlib import Path


def checked(name):
    if {check}:
        raise ValueError(name)
    return name
"""


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("name.startswith('../')", ["VH203"]), ("name.startswith('../') or name.endswith('.key')", [])],
)
def test_one_check_of_several_in_another_file_is_for_an_audit(tmp_path: Path, asked: str, expected: list[str]) -> None:
    text = WEB.replace("import os\n", "import os\n\nfrom shop.checks import checked\n")
    text += "    return send_file(os.path.join(ROOT, checked('x/' + name)))\n"
    checks = CHECKING.format(check=asked)
    assert codes(check(tmp_path, text, checks=checks)) == expected
    assert codes(check(tmp_path, text, AUDIT, checks=checks)) == ["VH203"]
