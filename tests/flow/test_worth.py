"""What an audit tells and the default preset keeps to itself, each beside the twin of which it speaks."""

from pathlib import Path

import pytest
from shop import AUDIT, WEB, check, codes

PATH = "os.path.join(ROOT, name)"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"    if not os.path.exists({PATH}):\n        return 'no'\n    return 'yes'\n", []),
        (f"    if not os.path.exists({PATH}):\n        raise LookupError\n    os.listdir(ROOT)\n", []),
        (f"    return {{'there': os.path.isfile({PATH})}}\n", ["VH201"]),
        (f"    if os.path.isfile({PATH}):\n        return 'yes'\n    else:\n        return 'no'\n", ["VH201"]),
        (f"    if os.path.exists({PATH}):\n        return True\n    return False\n", ["VH201"]),
        (
            f"    allow = False\n    if name and os.path.exists({PATH}):\n        allow = True\n    return allow\n",
            ["VH201"],
        ),
        ("    if os.path.exists(name):\n        return name\n    return 'none'\n", ["VH201"]),
        (f"    if not os.path.exists({PATH}):\n        return 'no'\n    return open({PATH}).read()\n", ["VH201"]),
    ],
    ids=["refused", "raised", "told", "both told", "let in", "allowed", "handed back", "opened as well"],
)
def test_whether_something_exists_matters_where_it_lets_something_in(
    tmp_path: Path, body: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, WEB + body)) == expected
    assert "VH201" in codes(check(tmp_path, WEB + body, AUDIT))


def test_what_a_language_model_asks_about_is_told(tmp_path: Path) -> None:
    text = (
        "import os\n\nfrom langchain_core.tools import tool\n\n\n"
        "@tool\ndef send(path: str) -> str:\n    if os.path.isfile(path):\n        upload(path)\n    return 'sent'\n"
    )
    assert codes(check(tmp_path, text)) == ["VH201"]


def test_a_flow_that_lies_in_another_file_is_told_there_and_once(tmp_path: Path) -> None:
    fetch = (
        "import os\n\nimport requests\n\n\ndef fetch(url):\n"
        "    name = requests.get(url).headers['content-disposition']\n"
        "    open(os.path.join('/srv/files', name), 'w').close()\n"
    )
    caller = "from shop.fetch import fetch\n\n\ndef load():\n    fetch('https://example.org/list')\n"
    assert codes(check(tmp_path, fetch)) == ["VH201"]
    assert codes(check(tmp_path, caller, fetch=fetch)) == []
    handing = (
        "import requests\n\nfrom shop.fetch import store\n\n\ndef load(url):\n"
        "    store(requests.get(url).headers['content-disposition'])\n"
    )
    parts = "import os\n\n\ndef store(name):\n    open(os.path.join('/srv/files', name), 'w').close()\n"
    assert codes(check(tmp_path, handing, fetch=parts)) == ["VH201"]


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("@admin_required\ndef browse():", []),
        ("def browse(user=Depends(get_admin_user)):", []),
        ("def browse(admin: CurrentAdmin):", []),
        ("@login_required\ndef browse():", ["VH201"]),
        ("def browse(user=Depends(get_verified_user)):", ["VH201"]),
    ],
)
def test_an_administrator_may_choose_any_folder(tmp_path: Path, guard: str, expected: list[str]) -> None:
    text = (
        "import os\n\nfrom flask import Flask, request\n\nfrom shop.users import *\n\napp = Flask(__name__)\n\n\n"
        "@app.get('/browse')\n{guard}\n    return os.listdir({place})\n"
    )
    free = text.format(guard=guard, place="request.args['path']")
    assert codes(check(tmp_path, free)) == expected
    below = text.format(guard=guard, place="os.path.join('/srv/files', request.args['path'])")
    assert codes(check(tmp_path, below)) == ["VH201"]  # that folder is there to be kept to


STORE = """
import os


class {name}:
    def __init__(self, folder):
        self.storage = folder

    def {method}(self, file_name):
        return {deed}(os.path.join(self.storage, file_name){more})
"""


@pytest.mark.parametrize(
    ("begin", "method", "deed", "more", "expected"),
    [
        ("from .notes import Notes\n", "load", "open", "", ["VH202"]),
        ("from .others import Others\n", "load", "open", "", []),
        ("# from .notes import Notes\nfrom .others import Others\n", "load", "open", "", []),
        ("from .others import Others\n", "drop", "os.remove", "", ["VH202"]),
        ("from .others import Others\n", "store", "open", ", 'w'", ["VH202"]),
        ("", "load", "open", "", ["VH202"]),
    ],
)
def test_what_a_package_does_not_export_and_nobody_calls_must_do_more_than_read(
    tmp_path: Path, begin: str, method: str, deed: str, more: str, expected: list[str]
) -> None:
    text = STORE.format(name="Notes", method=method, deed=deed, more=more)
    found = check(tmp_path, text, __init__=begin, others="class Others:\n    pass\n")
    assert codes(found) == expected


@pytest.mark.parametrize("deed", ["os.makedirs", "glob.glob"])
def test_a_folder_that_is_made_for_a_caller_is_no_harm(tmp_path: Path, deed: str) -> None:
    text = (
        "import glob\nimport os\n\nROOT = '/srv/notes'\n\n\n"
        f"def prepare(file_name):\n    return {deed}(os.path.join(ROOT, file_name))\n"
    )
    assert codes(check(tmp_path, text)) == []
    web = (
        "from flask import Flask, request\n\nfrom shop.notes import prepare\n\napp = Flask(__name__)\n\n\n"
        "@app.get('/prepare')\ndef view():\n    return prepare(request.args['name'])\n"
    )
    assert codes(check(tmp_path, text, web=web)) == ["VH202"]


def test_a_name_that_is_proven_to_stay_in_one_folder_stays_in_others(tmp_path: Path) -> None:
    checked = (
        "    target = (Path('/srv/notes') / name).resolve()\n    target.relative_to('/srv/notes')\n"
        "    return open(Path('/srv/old') / name).read()\n"
    )
    begin = WEB.replace("import os\n", "import os\nfrom pathlib import Path\n")
    assert codes(check(tmp_path, begin + checked)) == []
    assert "VH201" in codes(check(tmp_path, begin + checked, AUDIT))
    other = checked.replace("/ name).resolve()", "/ request.args['other']).resolve()")
    assert codes(check(tmp_path, begin + other)) == ["VH201"]


def test_a_check_of_the_decoded_text_counts_for_the_text(tmp_path: Path) -> None:
    text = (
        "    from urllib.parse import unquote\n    if '..' in unquote(name) or unquote(name).startswith('/'):\n"
        f"        raise ValueError\n    return open({PATH}).read()\n"
    )
    assert codes(check(tmp_path, WEB + text)) == []
    late = text.replace("unquote(name)", "name").replace(PATH, "os.path.join(ROOT, unquote(name))")
    assert "VH201" in codes(check(tmp_path, WEB + late))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("stock.train(name)", []),
        ("stock.deploy(name)", []),
        ("stock.hash_url_to_filename(name)", []),
        ("stock.clean(name)", ["VH201"]),
        ("stock.Model(name)", []),
        ("stock.make_path(name)", ["VH201"]),
        ("stock.filename_of(name)", ["VH201"]),
        ("stock.first(name) if stock else name", ["VH201"]),
    ],
)
def test_what_an_unread_function_gives_is_the_text_where_its_name_says_so(
    tmp_path: Path, call: str, expected: list[str]
) -> None:
    text = WEB.replace("import os\n", "import os\n\nimport stock\n", 1) + f"    return open({call}).read()\n"
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize("name", ["get_presigned_url_download", "kv_load", "download_blob"])
def test_an_address_or_a_key_of_a_store_is_no_file(tmp_path: Path, name: str) -> None:
    assert codes(check(tmp_path, WEB + f"    return stock.{name}({PATH})\n")) == []
    assert codes(check(tmp_path, WEB + f"    return stock.load_file({PATH})\n")) == ["VH201"]


@pytest.mark.parametrize(
    "error",
    [
        "'bad'",
        "('bad', 400)",
        "jsonify({'error': 'bad'})",
        "(jsonify({'error': 'bad'}), 400)",
        "ValueError(name)",
        "make_error(name)",
        "{'error': 1}",
        "f'bad {name}'",
    ],
)
def test_a_check_that_gives_an_error_or_nothing(tmp_path: Path, error: str) -> None:
    head = (
        "\nfrom flask import jsonify\n\n\ndef refused(name):\n"
        f"    if '/' in name or '..' in name or '\\\\' in name:\n        return {error}\n    return None\n"
    )
    acted_on = f"    if error := refused(name):\n        return error\n    return open({PATH}).read()\n"
    assert codes(check(tmp_path, head + WEB + acted_on)) == []
    other_way = acted_on.replace("if error :=", "if not (error :=").replace("refused(name):", "refused(name)):")
    assert codes(check(tmp_path, head + WEB + other_way)) == ["VH201"]


@pytest.mark.parametrize("answer", ["bool(NAME.fullmatch(name))", "NAME.fullmatch(name) is not None"])
def test_an_answer_that_is_made_a_truth_tells_what_it_told(tmp_path: Path, answer: str) -> None:
    head = f"\nimport re\n\nNAME = re.compile('[a-z0-9_-]+')\n\n\ndef fits(name):\n    return {answer}\n"
    body = f"    if not fits(name):\n        return 'no'\n    return open({PATH}).read()\n"
    assert codes(check(tmp_path, head + WEB + body)) == []
    assert codes(check(tmp_path, head.replace("[a-z0-9_-]+", ".+") + WEB + body)) == ["VH201"]


def test_a_base_that_was_checked_is_one(tmp_path: Path) -> None:
    text = """
from pathlib import Path

from flask import Flask, request

app = Flask(__name__)


@app.get("/<user>/<path:name>")
def show(user, name):
    {check}
    home = (Path("/srv") / user).resolve()
    path = (home / name).resolve()
    if not path.is_relative_to(home):
        return "no"
    return path.read_text()
"""
    assert codes(check(tmp_path, text.format(check="assert user.isalnum()"))) == []


def test_each_branch_keeps_what_it_proved_of_what_is_put_together_there(tmp_path: Path) -> None:
    text = """
from pathlib import PurePosixPath


def placed(config_path, job_name):
    output = PurePosixPath(config_path)
    if ".." in output.parts:
        raise ValueError(output)
    if output.is_absolute():
        {absolute}
        result = str(output)
    else:
        result = str(PurePosixPath("/srv") / output)
    return result
"""
    right = "if not output.is_relative_to('/srv'):\n            raise ValueError(output)"
    assert codes(check(tmp_path, text.format(absolute=right))) == []


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("keep(files.names()[0])", []),
        ("keep(files.of(name))", ["VH202"]),
    ],
)
def test_callers_ask_objects_of_the_project(tmp_path: Path, call: str, expected: list[str]) -> None:
    text = (
        "import os\nimport shutil\n\nROOT = '/srv/notes'\n\n\n"
        "def keep(file_name):\n    shutil.move(os.path.join(ROOT, file_name), '/srv/old')\n"
    )
    files = (
        "import glob\n\n\nclass Files:\n    def names(self):\n        return glob.glob('/srv/notes/*')\n\n"
        "    def of(self, name):\n        return name + '.txt'\n"
    )
    app = f"from shop.files import Files\nfrom shop.notes import keep\n\n\ndef move(files: Files, name):\n    {call}\n"
    assert codes(check(tmp_path, text, files=files, app=app)) == expected


def test_calls_of_another_class_with_the_same_method_are_none(tmp_path: Path) -> None:
    text = (
        "import os\n\n\nclass FileStore:\n    def __init__(self, root_dir):\n        self.storage_dir = root_dir\n\n"
        "    def put_blob(self, file_name):\n        os.remove(os.path.join(self.storage_dir, file_name))\n"
    )
    other = "class SqlStore:\n    def put_blob(self, name):\n        return name\n"
    app = (
        "from flask import Flask, request\n\nfrom shop.notes import FileStore\nfrom shop.other import SqlStore\n\n"
        "app = Flask(__name__)\n\n\n@app.get('/x')\ndef view():\n"
        "    {store}.put_blob(request.args['name'])\n    FileStore('/srv').put_blob('index')\n"
    )
    assert codes(check(tmp_path, text, other=other, app=app.format(store="SqlStore()"))) == []
    assert codes(check(tmp_path, text, other=other, app=app.format(store="FileStore('/srv')"))) == ["VH202"]


def test_a_command_of_typer_is_one_wherever_it_is_registered(tmp_path: Path) -> None:
    text = (
        "import os\n\nimport typer\n\nfrom shop.cli import app\n\n\n@app.command()\n"
        "def submit(file_name: str = typer.Argument(help='The file.')):\n"
        "    return open(os.path.join('/srv/notes', file_name), 'w')\n"
    )
    assert codes(check(tmp_path, text)) == []
    assert codes(check(tmp_path, text.replace(" = typer.Argument(help='The file.')", ""))) == ["VH202"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return str(path)[:-3].replace('./', '').replace('/', '.')", []),
        ("return open('/srv/' + path.replace('../', ''))", ["VH203"]),
        ("return str(path).replace('.', '_')", []),
    ],
)
def test_a_replacement_that_makes_another_kind_of_name_is_no_filter(
    tmp_path: Path, line: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, f"def module_of(path):\n    {line}\n")) == expected


def test_a_text_is_replaced_with_two_arguments(tmp_path: Path) -> None:
    text = WEB.replace("import os\n", "import os\nfrom pathlib import Path\n")
    assert codes(check(tmp_path, text + "    return Path(name).as_posix().replace(':/', '://')\n")) == []
    assert codes(check(tmp_path, text + f"    return Path({PATH}).replace('/srv/old')\n")) == ["VH201"]


def test_the_spread_parts_of_a_path_are_followed(tmp_path: Path) -> None:
    text = WEB.replace("import os\n", "import os\nfrom pathlib import Path\n")
    assert codes(check(tmp_path, text + "    parts = [ROOT, name]\n    return open(Path(*parts)).read()\n")) == [
        "VH201"
    ]


@pytest.mark.parametrize(
    ("begin", "expected"), [("from .notes import keep\n", ["VH202"]), ("from .others import Others\n", [])]
)
def test_who_chooses_folder_and_name_of_a_function_that_is_not_exported(
    tmp_path: Path, begin: str, expected: list[str]
) -> None:
    text = (
        "import os\n\n\ndef keep(cache_dir, file_name):\n"
        "    open(os.path.join(cache_dir, f'{file_name}.json'), 'w').close()\n"
    )
    assert codes(check(tmp_path, text, __init__=begin, others="class Others:\n    pass\n")) == expected
    archive = (
        "import os\n\n\ndef unpack(file_name, output_dir):\n    for entry in Archive(file_name).names():\n"
        "        open(os.path.join(output_dir, entry), 'w').close()\n\n\n"
        "class Archive:\n    def __init__(self, name):\n        self.entries = name\n\n"
        "    def names(self):\n        return self.entries\n"
    )
    assert codes(check(tmp_path, archive, __init__=begin, others="class Others:\n    pass\n")) == ["VH202"]


def test_a_checked_name_without_its_end_stays_inside(tmp_path: Path) -> None:
    begin = WEB.replace("import os\n", "import os\nfrom pathlib import Path\n")
    body = (
        "    (Path(ROOT) / name).resolve().relative_to(ROOT)\n    name = name.rstrip('/')\n"
        "    return open(Path('/srv/old') / name[:-4]).read()\n"
    )
    assert codes(check(tmp_path, begin + body)) == []
    assert codes(check(tmp_path, begin + body.replace("name = name", "name = request.args['other']"))) == ["VH201"]


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ('Image.open(request.data["file"])', []),
        ('zipfile.ZipFile(request.data.get("file"))', []),
        ('open(request.data["file"])', ["VH201"]),
        ('Image.open(request.query_params["file"])', ["VH201"]),
        ('Image.open(os.path.join("/srv/pictures", request.data["file"]))', ["VH201"]),
    ],
)
def test_a_part_of_a_body_may_be_a_file_where_a_file_is_taken(tmp_path: Path, use: str, expected: list[str]) -> None:
    text = (
        "import os\nimport zipfile\n\nfrom PIL import Image\nfrom rest_framework.views import APIView\n\n\n"
        f"class Pictures(APIView):\n    def post(self, request):\n        {use}\n"
    )
    assert codes(check(tmp_path, text)) == expected
