"""What stands around a name, and which argument of a call is meant."""

from pathlib import Path

import pytest
from shop import AUDIT, WEB, check, codes

FORM = """
import os

ROOT = "/srv/notes"


def keep(file_name, title=''):
    {body}
"""
KEEP = "open({path}, 'w').write('')"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (KEEP.format(path="os.path.join(ROOT, f'note_{file_name}.txt')"), []),
        (KEEP.format(path="os.path.join(ROOT, f'{len(title)}-{file_name}.txt')"), []),
        (KEEP.format(path="os.path.join(ROOT, 'note_' + file_name)"), []),
        (KEEP.format(path="f'{ROOT}/note_{file_name}.txt'"), []),
        (KEEP.format(path="os.path.join(ROOT, f'.{file_name}')"), ["VH202"]),
        (KEEP.format(path="os.path.join(ROOT, f'notes/{file_name}')"), ["VH202"]),
        (KEEP.format(path="f'/srv/notes{file_name}'"), ["VH202"]),
        (KEEP.format(path="os.path.normpath(os.path.join(ROOT, f'note_{file_name}'))"), ["VH202"]),
        (
            (
                "path = os.path.join(ROOT, f'note_{file_name}')\n    os.makedirs(os.path.dirname(path))\n"
                "    open(path, 'w').write('')"
            ),
            ["VH202"],
        ),
    ],
    ids="f-string after-another added text dot folder beside normalised made".split(),
)
def test_steps_up_out_of_a_segment_that_has_begun_need_a_folder(tmp_path: Path, body: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, FORM.format(body=body))) == expected
    assert "VH202" in codes(check(tmp_path, FORM.format(body=body), AUDIT))


def test_a_segment_that_has_begun_is_none_to_windows_where_anybody_writes(tmp_path: Path) -> None:
    body = "    return open(os.path.join(ROOT, f'note_{name}.txt'){mode}).read()\n"
    assert codes(check(tmp_path, WEB + body.replace("{mode}", ""))) == []
    assert codes(check(tmp_path, WEB + body.replace("{mode}", ", 'w'"))) == ["VH201"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    return open(os.path.join(ROOT, f'{name}_summary.json')).read()\n", []),
        ("    return open(os.path.join(ROOT, f'{name}.json')).read()\n", ["VH201"]),
        ("    return open(os.path.join(ROOT, f'{name}/summary.json')).read()\n", ["VH201"]),
        ("    return open(os.path.join(ROOT, f'{name}_summary.json'), 'w').write('')\n", ["VH201"]),
        ("    text = f'note{name}_summary'\n    return open(os.path.join(ROOT, text[4:-8])).read()\n", ["VH201"]),
        ("    return os.listdir(os.path.dirname(os.path.join(ROOT, f'{name}_summary.json')))\n", ["VH201"]),
    ],
    ids=["read", "any", "a folder", "written", "a part", "its folder"],
)
def test_a_fixed_end_says_which_files_can_be_read(tmp_path: Path, body: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, WEB + body)) == expected
    assert "VH201" in codes(check(tmp_path, WEB + body, AUDIT))


def test_a_colon_that_is_looked_for_is_no_check_of_a_folder(tmp_path: Path) -> None:
    text = (
        "import os\n\n\ndef mark(path, key):\n    assert {mark!r} not in key\n"
        "    open(os.path.join('/srv', path, key)).close()\n"
    )
    assert "VH203" not in codes(check(tmp_path, text.format(mark=":"), AUDIT))
    assert "VH203" in codes(check(tmp_path, text.format(mark=".."), AUDIT))


def test_a_class_method_of_another_file_is_given_its_class_first(tmp_path: Path) -> None:
    loader = (
        "class Loader:\n    @classmethod\n    def load(cls, place, title, *, limit=1):\n"
        "        return open('/srv/notes/' + place).read()\n"
    )
    web = WEB.replace("import os", "import os\n\nfrom shop.loader import Loader")
    assert codes(check(tmp_path, web + "    return Loader.load('index.txt', name)\n", loader=loader)) == []
    assert codes(check(tmp_path, web + "    return Loader.load(name, 'title')\n", loader=loader)) == ["VH201"]


def test_a_static_method_is_given_its_callers_values_only(tmp_path: Path) -> None:
    body = "    return Notes.read(name)\n\n\nclass Notes:\n    @staticmethod\n    def read(place):\n"
    assert codes(check(tmp_path, WEB + body + "        return open('/srv/notes/' + place).read()\n")) == ["VH201"]
    assert codes(check(tmp_path, WEB + body + "        return open('/srv/notes/index').read(place)\n")) == []


def test_the_library_keeps_what_it_translates_below_the_served_folder(tmp_path: Path) -> None:
    text = (
        "from http.server import SimpleHTTPRequestHandler\n\n\nclass Handler(SimpleHTTPRequestHandler):\n"
        "    def send_head(self):\n        return open({path}, 'rb')\n"
    )
    assert codes(check(tmp_path, text.format(path="self.translate_path(self.path)"))) == []
    assert codes(check(tmp_path, text.format(path="'/srv' + self.path"))) == ["VH201"]


@pytest.mark.parametrize(
    ("deed", "expected"),
    [("os.makedirs(name)", []), ("os.listdir(name)", ["VH201"]), ("os.makedirs(os.path.join(ROOT, name))", ["VH201"])],
)
def test_a_folder_of_a_request_that_is_made_harms_nobody(tmp_path: Path, deed: str, expected: list[str]) -> None:
    text = WEB.replace('args["name"]', 'args["working_dir"]')
    assert codes(check(tmp_path, text + f"    return {deed}\n")) == expected


@pytest.mark.parametrize(
    ("deed", "expected"), [("glob.glob({})", []), ("os.listdir({})", ["VH201"]), ("open({})", ["VH201"])]
)
def test_what_a_call_that_nobody_has_read_made_is_looked_for_in_vain(
    tmp_path: Path, deed: str, expected: list[str]
) -> None:
    text = WEB.replace("import os\n", "import glob\nimport os\n\nfrom elsewhere import clean\n")
    body = f"    return {deed.format('os.path.join(ROOT, clean(name))')}\n"
    assert codes(check(tmp_path, text + body)) == expected


IMPORTED = """
import os

from django.http import HttpRequest
from shop.forms import ImportForm


def take(request: HttpRequest):
    form = ImportForm(request.POST, request.FILES)
    if form.is_valid():
        sent = form.cleaned_data["sent"]
        with open(os.path.join("/srv/notes", sent{name}), "wb") as kept:
            {keep}
"""
IMPORT_FORM = "from django import forms\n\n\nclass ImportForm(forms.Form):\n    sent = load_field()\n"


def test_a_part_of_a_form_that_is_read_in_chunks_is_an_upload(tmp_path: Path) -> None:
    upload = IMPORTED.format(name=".name", keep="kept.writelines(sent.chunks())")
    text = IMPORTED.format(name="", keep="kept.write(b'')")
    assert check(tmp_path, upload, forms=IMPORT_FORM) == []
    assert codes(check(tmp_path, text, forms=IMPORT_FORM)) == ["VH201"]
