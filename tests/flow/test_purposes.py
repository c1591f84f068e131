"""What a function is there for: files that whoever calls it is meant to choose, and values that nobody outside does."""

from pathlib import Path

import pytest
from shop import AUDIT, check, codes

OBJECT = """
import os


class {name}:
    def __init__(self, {folder}):
        self.{folder} = {folder}

    def rows(self, filename):
        with open(os.path.join(self.{folder}, filename){mode}) as handle:
            return handle
"""


@pytest.mark.parametrize(
    ("name", "folder", "mode", "expected"),
    [
        ("RowReader", "dataset_folder", "", []),
        ("RowReader", "dataset_folder", ", 'rb'", []),
        ("RowReader", "dataset_folder", ", 'w'", []),
        ("RowReader", "data_folder", ", 'w'", ["VH202"]),
        ("RowReader", "root", "", ["VH202"]),
        ("RowReader", "upload_folder", "", ["VH202"]),
        ("RowStore", "dataset_folder", "", ["VH202"]),
        ("FileRepository", "directory", "", ["VH202"]),
    ],
)
def test_who_makes_a_reader_for_a_folder_chooses_the_file_in_it(
    tmp_path: Path, name: str, folder: str, mode: str, expected: list[str]
) -> None:
    text = OBJECT.format(name=name, folder=folder, mode=mode)
    assert codes(check(tmp_path, text)) == expected
    assert codes(check(tmp_path, text, AUDIT)) == ["VH202"]


def test_a_handler_that_hands_a_name_to_a_reader_is_told(tmp_path: Path) -> None:
    app = (
        "from flask import Flask, request\n\nfrom shop.notes import RowReader\n\napp = Flask(__name__)\n\n\n"
        "@app.route('/')\ndef show():\n    return RowReader('rows').rows(request.args['name'])\n"
    )
    text = OBJECT.format(name="RowReader", folder="dataset_folder", mode="")
    assert codes(check(tmp_path, text, app=app)) == ["VH202"]


SETTINGS = """
import os


class {name}:
    def __init__(self, root_path):
        self.root_path = root_path

    def {method}(self, {file}):
        return open(os.path.join(self.root_path, {file})).read()
"""


@pytest.mark.parametrize(
    ("name", "method", "file", "expected"),
    [
        ("Config", "from_file", "filename", []),
        ("App", "load_settings", "filename", []),
        ("App", "open_resource", "filename", []),
        ("App", "login", "creds_file", []),
        ("App", "attachment", "filename", ["VH202"]),
    ],
)
def test_settings_and_resources_belong_to_the_program(
    tmp_path: Path, name: str, method: str, file: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, SETTINGS.format(name=name, method=method, file=file))) == expected


@pytest.mark.parametrize(
    ("base", "expected"), [("Path(__file__).parent / 'schemas'", []), ("Path('/srv/schemas')", ["VH202"])]
)
def test_what_lies_beside_the_code_is_the_programs_own(tmp_path: Path, base: str, expected: list[str]) -> None:
    text = (
        f"from pathlib import Path\n\nSCHEMAS = {base}\n\n\n"
        "def schema(file_name):\n    return (SCHEMAS / f'{file_name}.json').read_text()\n"
    )
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(("base", "expected"), [("fuse.Operations", []), ("Operations", ["VH202"])])
def test_the_kernel_has_resolved_its_paths(tmp_path: Path, base: str, expected: list[str]) -> None:
    text = (
        "import os\n\nimport fuse\nfrom shop.operations import Operations\n\n\n"
        f"class Mount({base}):\n    def __init__(self, root):\n        self.root = root\n\n"
        "    def unlink(self, path):\n        os.unlink(os.path.join(self.root, path))\n"
    )
    assert codes(check(tmp_path, text)) == expected


def test_a_parameter_at_two_sinks_is_one_finding_that_names_both(tmp_path: Path) -> None:
    text = (
        "import os\nimport shutil\n\nROOT = '/srv/index'\n\n\ndef save(index_name, data):\n"
        "    with open(os.path.join(ROOT, index_name + '.bin'), 'wb') as handle:\n        handle.write(data)\n"
        "    os.remove(os.path.join(ROOT, index_name + '.old'))\n"
    )
    (finding,) = check(tmp_path, text.replace("index_name", "file_name"))
    assert "open() and os.remove()" in finding.message
    assert [step.span.line for step in finding.steps if step.text.startswith("reaches")] == [8, 10]


def test_of_a_dictionary_that_is_handed_in_only_the_keys_name_files(tmp_path: Path) -> None:
    text = (
        "from pathlib import Path\n\nFOLDER = Path('/srv/io')\n\n\ndef start(input_files):\n"
        "    for name, text in input_files.items():\n        (FOLDER / name).write_text(text)\n"
    )
    app = (
        "from flask import Flask, request\n\nfrom shop.notes import start\n\napp = Flask(__name__)\n\n\n"
        "@app.route('/')\ndef show():\n    start({KEY: VALUE})\n"
    )
    made = app.replace("KEY", "'prompt.txt'").replace("VALUE", "request.args['prompt']")
    assert check(tmp_path, text, app=made) == []
    named = app.replace("KEY", "request.args['name']").replace("VALUE", "'hello'")
    assert codes(check(tmp_path, text, app=named)) == ["VH202"]


@pytest.mark.parametrize(("name", "expected"), [("key", []), ("name", ["VH202"])])
def test_a_chain_of_callers_must_end_at_something_that_names_a_thing(
    tmp_path: Path, name: str, expected: list[str]
) -> None:
    text = "import os\n\n\ndef read(path):\n    return open(os.path.join('.cache', path)).read()\n"
    app = f"from shop.notes import read\n\n\ndef result({name}):\n    return read({name})\n"
    assert codes(check(tmp_path, text, app=app)) == expected


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        ("", "checkpoint_id", []),
        ("import torch\n", "checkpoint_id", ["VH401"]),
        ("", "model_name", ["VH401"]),
    ],
)
def test_a_word_that_means_other_things_speaks_of_models_where_models_are(
    tmp_path: Path, head: str, name: str, expected: list[str]
) -> None:
    text = (
        f"{head}import os\n\nROOT = '/srv/saved'\n\n\n"
        f"def restore({name}):\n    return open(os.path.join(ROOT, {name})).read()\n"
    )
    assert codes(check(tmp_path, text)) == expected


def test_a_path_that_is_only_compared_reaches_nothing(tmp_path: Path) -> None:
    text = (
        "import os\n\nROOT = '/srv/models'\n\n\ndef find(model_name):\n    wanted = os.path.join(ROOT, model_name)\n"
        "    return [entry for entry in os.scandir(ROOT) if entry.path == wanted]\n"
    )
    assert check(tmp_path, text) == []
    assert codes(check(tmp_path, text.replace("entry.path == wanted", "open(wanted)"))) == ["VH401"]


def test_a_path_in_a_persons_home_is_that_persons(tmp_path: Path) -> None:
    text = (
        "import os\n\n\nclass Files:\n    def __init__(self, user):\n        self.user = user\n\n"
        "    def remove(self, filename):\n        home = self.user.home()\n"
        "        os.remove(os.path.join(home, filename))\n"
    )
    assert check(tmp_path, text) == []
    assert codes(check(tmp_path, text.replace("home", "store"))) == ["VH202"]


LOOKED_UP = """
from pathlib import Path

from flask import Flask, request

app = Flask(__name__)


@app.route("/")
def show():
    folder = Path(projects.get_project(request.args["id"]).folder).resolve()
    place = (folder / request.args["name"]).resolve()
    if not place.is_relative_to(folder):
        raise PermissionError(place)
    return place.read_text()
"""


def test_a_folder_that_was_looked_up_is_a_base(tmp_path: Path) -> None:
    text = LOOKED_UP.replace("\napp =", "from shop.projects import projects\n\napp =")
    assert check(tmp_path, text) == []
    own = text.replace('projects.get_project(request.args["id"]).folder', 'request.args["folder"]')
    assert set(codes(check(tmp_path, own))) == {"VH201"}


@pytest.mark.parametrize(("decorator", "expected"), [("@dataclass\n", []), ("", ["VH201"])])
def test_a_record_of_the_project_called_request_is_none_of_the_network(
    tmp_path: Path, decorator: str, expected: list[str]
) -> None:
    text = (
        "from shop.jobs import ExportRequest\n\n\ndef export(request: ExportRequest):\n    return open(request.path)\n"
    )
    jobs = f"from dataclasses import dataclass\n\n\n{decorator}class ExportRequest:\n    path: str\n"
    assert codes(check(tmp_path, text, jobs=jobs)) == expected


REQUEST = """
import os
import re

from flask import Flask, request

app = Flask(__name__)


@app.route("/")
def show():
    name = request.args["name"]
    if not {test}:
        raise PermissionError(name)
    return open(os.path.join("notes", name)).read()
"""


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("all(char.isalnum() for char in name)", []),
        ("all(char.isalnum() or char in '-_' for char in name)", []),
        ("all(char.isalnum() or char in './' for char in name)", ["VH201"]),
        ("any(char.isalnum() for char in name)", ["VH201"]),
        ("any(re.fullmatch(known, name) for known in [r'(a\\.ico)', r'\\w+\\.json'])", []),
        ("any(re.fullmatch(known, name) for known in [r'(a\\.ico)', r'.*'])", ["VH201"]),
    ],
)
def test_what_holds_of_each_character_or_whichever_pattern(tmp_path: Path, test: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, REQUEST.format(test=test))) == expected


def test_a_separator_under_another_name_is_one(tmp_path: Path) -> None:
    text = (
        "import os\n\nROOT = '/srv/files'\n\n\ndef child(filename):\n    sep = as_bytes(filename, os.sep)\n"
        "    if sep in filename:\n        raise PermissionError(filename)\n"
        "    return open(os.path.join(ROOT, os.path.normpath(filename)))\n"
    )
    assert check(tmp_path, text) == []
    assert codes(check(tmp_path, text.replace("os.sep", "os.name"))) == ["VH202"]


def test_a_path_put_together_again_is_the_callers_own(tmp_path: Path) -> None:
    text = (
        "import os\n\n\ndef make(path):\n    folder, name = os.path.split(path)\n"
        "    os.mkdir(os.path.join(folder, name))\n"
    )
    assert check(tmp_path, text) == []


@pytest.mark.parametrize(
    ("check_of_it", "expected"),
    [
        ("bad = name in ('.', '..') or os.path.isabs(name) or '/' in name or '\\\\' in name", []),
        ("bad = name in ('.', '..') or not name", ["VH201"]),
    ],
)
def test_an_answer_that_is_kept_before_it_is_acted_on(tmp_path: Path, check_of_it: str, expected: list[str]) -> None:
    text = REQUEST.replace("    if not {test}:", f"    {check_of_it}\n    if bad:")
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("compared", "expected"),
    [("Path(os.path.commonpath([ROOT, place]))", []), ("Path(os.path.commonprefix([ROOT, place]))", ["VH203"])],
)
def test_an_answer_about_places_may_be_made_a_path(tmp_path: Path, compared: str, expected: list[str]) -> None:
    text = (
        "import os\nfrom pathlib import Path\n\nfrom flask import Flask, request\n\napp = Flask(__name__)\n"
        "ROOT = Path('/srv/files')\n\n\n@app.route('/')\ndef show():\n"
        "    place = os.path.normpath(ROOT / request.args['name'])\n"
        f"    if {compared} != ROOT:\n        raise PermissionError(place)\n    return open(place).read()\n"
    )
    assert codes(check(tmp_path, text)) == expected


def test_the_base_of_a_spread_list_is_known(tmp_path: Path) -> None:
    text = (
        "import os\n\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n"
        "def joined(*parts):\n    place = os.path.realpath(os.path.join(*parts))\n"
        "    if os.path.commonpath([place, os.path.realpath(parts[0])]) != os.path.realpath(parts[0]):\n"
        "        raise PermissionError(place)\n    return place\n\n\n"
        "@app.route('/')\ndef show():\n"
        "    return open(joined(*['/srv/files'] + request.args['name'].split('/'))).read()\n"
    )
    assert check(tmp_path, text) == []
    weak = text.replace("!= os.path.realpath(parts[0])", "== ''")
    assert codes(check(tmp_path, weak)) == ["VH201"]


@pytest.mark.parametrize(
    ("name", "expected"), [("checkpoint_dir", []), ("model_folder", []), ("checkpoint_name", ["VH401"])]
)
def test_a_folder_of_models_is_the_one_that_its_caller_works_in(tmp_path: Path, name: str, expected: list[str]) -> None:
    text = (
        "from pathlib import Path\n\nimport torch\n\nROOT = Path('checkpoints')\n\n\n"
        f"def setup({name}):\n    return torch.load(ROOT / {name} / 'weights.pth')\n"
    )
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("use", "expected"), [("glob(f'{file_name}/*')", []), ("joinpath(file_name).unlink()", ["VH202"])]
)
def test_a_pattern_to_look_for_opens_nothing(tmp_path: Path, use: str, expected: list[str]) -> None:
    text = f"from pathlib import Path\n\nROOT = Path('/srv')\n\n\ndef some(file_name):\n    return ROOT.{use}\n"
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(("name", "expected"), [("model", []), ("model_name", ["VH401"])])
def test_a_loader_of_models_loads_the_model_that_it_is_told(tmp_path: Path, name: str, expected: list[str]) -> None:
    text = (
        "import os\n\nimport torch\n\n\n"
        f"def load({name}):\n    return torch.load(os.path.join('/srv/models', {name}))\n"
    )
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(("field", "expected"), [("ImageField", []), ("SmallImageField", []), ("CharField", ["VH201"])])
def test_an_upload_in_a_form_is_no_name_of_a_file(tmp_path: Path, field: str, expected: list[str]) -> None:
    text = (
        "from django import forms\nfrom PIL import Image\n\n\nclass AvatarForm(forms.Form):\n"
        f"    avatar = forms.{field}()\n\n"
        "    def clean_avatar(self):\n        return Image.open(self.cleaned_data.get('avatar')).size\n"
    )
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(("key", "expected"), [("files", []), ("text", ["VH201"])])
def test_the_files_of_a_chats_message_lie_where_the_framework_put_them(
    tmp_path: Path, key: str, expected: list[str]
) -> None:
    text = (
        "import gradio\n\n\ndef answer(message, history):\n"
        f"    return open(message['{key}'][0]).read()\n\n\ngradio.ChatInterface(fn=answer).launch()\n"
    )
    assert codes(check(tmp_path, text)) == expected


def test_steps_stand_in_the_order_in_which_they_happen(tmp_path: Path) -> None:
    text = (
        "import os\n\n\ndef handle(request):\n"
        "    return open(os.path.normpath(os.path.join('notes', request.GET['name'])))\n"
    )
    (finding,) = check(tmp_path, text)
    said = [step.text for step in finding.steps]
    assert said.index("is put below a folder") < next(i for i, step in enumerate(said) if "normalises" in step)


def test_a_weak_check_is_told_of_the_value_and_not_of_its_folder(tmp_path: Path) -> None:
    text = (
        "import os\n\n\ndef read(base, name):\n    path = os.path.realpath(os.path.join(base, name))\n"
        "    if not path.startswith(base):\n        raise ValueError(name)\n    return open(path)\n"
    )
    (finding,) = [item for item in check(tmp_path, text, AUDIT) if item.code == "VH203"]
    assert "parameter name reaches" in finding.reasons[0]


@pytest.mark.parametrize(("name", "expected"), [("config_path", []), ("file_path", ["VH201"])])
def test_what_the_application_hands_to_its_handlers_is_none_of_the_network(
    tmp_path: Path, name: str, expected: list[str]
) -> None:
    text = (
        "from litestar import Litestar, get\nfrom litestar.di import Provide\n\n\n"
        f"@get('/')\ndef show({name}: str) -> str:\n    return open({name}).read()\n\n\n"
        "app = Litestar([show], dependencies={'config_path': Provide(lambda: 'app.toml')})\n"
    )
    assert codes(check(tmp_path, text)) == expected


def test_a_folder_that_comes_with_everything_of_another_module(tmp_path: Path) -> None:
    text = (
        "import os\n\nfrom shop.places import *\n\n\n"
        "def load(file_name):\n    open(os.path.join(HERE, file_name)).read()\n"
    )
    beside = "import os\n\nHERE = os.path.dirname(__file__)\n"
    assert codes(check(tmp_path, text, places=beside)) == []
    assert codes(check(tmp_path, text, places="HERE = '/srv/notes'\n")) == ["VH202"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("class Server:\n    def __init__(self, spec_path):\n        self.load(spec_path)\n\n    def load(", []),
        ("class Server:\n    def start(self, spec_path):\n        self.load(spec_path)\n\n    def load(", ["VH202"]),
    ],
)
def test_who_makes_an_object_chooses_what_it_reads(tmp_path: Path, head: str, expected: list[str]) -> None:
    text = (
        f"import os\n\nROOT = '/srv'\n\n\n{head}self, spec_path):\n        return open(os.path.join(ROOT, spec_path))\n"
    )
    assert codes(check(tmp_path, text)) == expected
    written = text.replace("spec_path))", "spec_path), 'w')")
    assert codes(check(tmp_path, written)) == ["VH202"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("convert_notes", []), ("NoteExporter.save", []), ("NoteStore.export", ["VH202"]), ("save_notes", ["VH202"])],
)
def test_who_converts_or_exports_is_the_programs_author(tmp_path: Path, name: str, expected: list[str]) -> None:
    owner, _, method = name.rpartition(".")
    body = "open('/srv/notes/' + file_name, 'w').write('')\n"
    text = f"def {name}(file_name):\n    {body}"
    if owner:
        text = f"class {owner}:\n    def {method}(self, file_name):\n        {body}"
    assert codes(check(tmp_path, text)) == expected
    assert codes(check(tmp_path, text, AUDIT)) == ["VH202"]
    web = (
        f"from flask import Flask, request\n\nfrom shop.notes import {owner or name}\n\napp = Flask(__name__)\n\n\n"
        f"@app.get('/')\ndef show():\n    {owner + '().' + method if owner else name}(request.args['name'])\n"
    )
    assert codes(check(tmp_path, text, web=web)) == ["VH202"]


@pytest.mark.parametrize(("folder", "expected"), [("root", ["VH202"]), ("plan", [])])
def test_an_exporter_with_a_root_keeps_to_it(tmp_path: Path, folder: str, expected: list[str]) -> None:
    text = (
        f"class NoteExporter:\n    def __init__(self, {folder}):\n        self.{folder} = {folder}\n\n"
        f"    def save(self, file_name):\n        (self.{folder} / file_name).write_text('')\n"
    )
    assert codes(check(tmp_path, text)) == expected


def test_who_names_folder_and_file_of_the_output_chooses_both(tmp_path: Path) -> None:
    text = "import os\n\n\ndef keep(cache, {name}):\n    open(os.path.join(cache, f'{{{name}}}.txt'), 'w').write('')\n"
    assert codes(check(tmp_path, text.format(name="output_file_name"))) == []
    assert codes(check(tmp_path, text.format(name="file_name"))) == ["VH202"]


def test_a_model_that_is_written_is_a_question_of_paths(tmp_path: Path) -> None:
    text = "def keep(model_name):\n    open('/srv/models/' + model_name, '{mode}').close()\n"
    assert codes(check(tmp_path, text.format(mode="wb"))) == ["VH202"]
    assert codes(check(tmp_path, text.format(mode="rb"))) == ["VH401"]


def test_a_call_that_gives_a_file_by_its_parameters_name_means_it(tmp_path: Path) -> None:
    text = OBJECT.format(name="NoteStore", folder="root", mode=", 'w'").replace("rows", "delete")
    app = "def clean(anything):\n    anything.delete({}'index.txt')\n"
    assert codes(check(tmp_path, text, app=app.format("filename="))) == []
    assert codes(check(tmp_path, text, app=app.format(""))) == ["VH202"]


@pytest.mark.parametrize(
    ("name", "folder", "mode", "expected"),
    [
        ("Reports", "self.folder()", "", []),
        ("Reports", "self.folder()", ", 'w'", []),
        ("ReportStorage", "self.folder()", "", ["VH202"]),
        ("Reports", "self.upload_folder", "", ["VH202"]),
        ("Reports", "'/srv/reports'", "", ["VH202"]),
    ],
)
def test_what_nobody_in_sight_names_must_lie_where_something_is_kept_for_others(
    tmp_path: Path, name: str, folder: str, mode: str, expected: list[str]
) -> None:
    text = (
        f"import os\n\n\nclass {name}:\n    def show(self, file_name):\n"
        f"        open(os.path.join({folder}, file_name){mode})\n"
    )
    assert codes(check(tmp_path, text)) == expected
    assert codes(check(tmp_path, text, AUDIT)) == ["VH202"]


@pytest.mark.parametrize(("ending", "expected"), [('"".join(Path(name).suffixes)', []), ("name", ["VH201"])])
def test_the_suffixes_of_a_name_hold_no_separator(tmp_path: Path, ending: str, expected: list[str]) -> None:
    text = (
        "import re\nimport tempfile\nfrom pathlib import Path\n\n\ndef save(headers):\n"
        "    name = re.findall('filename=(.+)', headers.get('content-disposition'))\n"
        "    if name[0].startswith('utf'):\n        name = name[0].lower()\n    else:\n        name = name[0]\n"
        f"    return tempfile.NamedTemporaryFile(suffix={ending})\n"
    )
    assert codes(check(tmp_path, text)) == expected
