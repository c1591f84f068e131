"""What stands in other files of the project is read where a call can matter."""

from pathlib import Path

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts import disk
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH202", "VH203", "VH401"), isolated=True))
HANDLER = """
import os

from flask import request

from shop.helpers import {name}


def handler():
    {body}
"""


def check(root: Path, helpers: str, name: str, body: str) -> list[tuple[str, int]]:
    """The findings in a handler that imports from a module of the same project."""
    package = root / "shop"
    package.mkdir(exist_ok=True)
    (root / "pyproject.toml").write_text("", encoding="utf-8")
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "helpers.py").write_text(helpers, encoding="utf-8")
    location = package / "app.py"
    text = HANDLER.format(name=name, body=body)
    return [
        (finding.code, finding.span.line)
        for finding in LINTER.check(Source(path="shop/app.py", text=text, location=location))
    ]


def test_a_validator_of_another_file_is_read(tmp_path: Path) -> None:
    good = (
        "import re\n\n\ndef checked(name):\n"
        "    if not re.fullmatch(r'[a-z]+', name):\n        raise ValueError\n    return name\n"
    )
    bad = "def checked(name):\n    return name.strip()\n"
    body = "return open(os.path.join('files', checked(request.args['name'])))"
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    assert check(tmp_path / "a", good, "checked", body) == []
    assert check(tmp_path / "b", bad, "checked", body) == [("VH201", 10)]


def test_a_check_that_answers_counts_where_the_answer_is_acted_on(tmp_path: Path) -> None:
    helpers = (
        "from pathlib import Path\n\n\ndef inside(path, base):\n    return base.resolve() in path.resolve().parents\n"
    )
    acted = """from pathlib import Path
    path = Path('files') / request.args['name']
    if not inside(path, Path('files')):
        return None
    return path.read_text()"""
    ignored = acted.replace("        return None", "        print('outside')")
    assert check(tmp_path, helpers, "inside", acted) == []
    assert [code for code, _ in check(tmp_path, helpers, "inside", ignored)] == ["VH201"]


def test_a_sink_of_another_file_is_told_where_it_is_called(tmp_path: Path) -> None:
    helpers = "import os\n\n\ndef read(name):\n    return open(os.path.join('files', name)).read()\n"
    assert check(tmp_path, helpers, "read", "return read(request.args['name'])") == [("VH201", 10)]


def test_a_source_of_another_file_is_a_source(tmp_path: Path) -> None:
    helpers = "def wanted(request):\n    return request.args.get('name')\n"
    body = "return open(os.path.join('files', wanted(request)))"
    assert check(tmp_path, helpers, "wanted", body) == [("VH201", 10)]


def test_files_that_import_each_other_end(tmp_path: Path) -> None:
    helpers = "from shop.app import handler\n\n\ndef again(name):\n    return handler() or again(name) or name\n"
    body = "return open(again(request.args['name']))"
    assert [code for code, _ in check(tmp_path, helpers, "again", body)] == ["VH201"]


def test_a_host_that_knows_another_file_better_than_the_disk_is_believed(tmp_path: Path) -> None:
    saved = "def checked(name):\n    return name.strip()\n"
    open_in_an_editor = "import os\n\n\ndef checked(name):\n    return os.path.basename(name)\n"
    body = "return open(os.path.join('files', checked(request.args['name'])))"
    assert check(tmp_path, saved, "checked", body) == [("VH201", 10)]
    asked: list[Path] = []

    def read(location: Path) -> str:
        asked.append(location)
        return open_in_an_editor

    text = HANDLER.format(name="checked", body=body)
    source = Source(path="shop/app.py", text=text, location=tmp_path / "shop" / "app.py")
    assert Linter(LINTER.settings, read).check(source) == []
    assert tmp_path / "shop" / "helpers.py" in asked


def test_a_method_of_what_an_object_of_another_module_made_is_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "settings.py").write_text(
        "from pathlib import Path\n\n\nclass Settings:\n    def __init__(self) -> None:\n"
        "        self.folder: Path | None = None\n        self.resolved: Path | None = None\n\n"
        "    def placed(self, *parts) -> Path:\n        joined = self.folder / Path(*parts)\n"
        "        joined.resolve().relative_to(self.resolved)\n        return joined\n",
        encoding="utf-8",
    )
    (package / "core.py").write_text(
        "import threading\n\nfrom .settings import Settings\n\n\n"
        "class Shelf:\n    def placed(self, *parts):\n        return '/'.join(parts)\n\n\n"
        "class Shop:\n    def __init__(self) -> None:\n"
        "        self.stop = threading.Event()\n        self.settings = Settings()\n\n\nSHOP = Shop()\n",
        encoding="utf-8",
    )
    text = (
        "from flask import Flask, request\n\nfrom .core import SHOP\n\n"
        "app = Flask(__name__)\nsettings = SHOP.settings\n\n\n"
        "@app.route('/')\ndef show():\n    return open(settings.placed(request.args['name'])).read()\n"
    )
    place = package / "web.py"
    for content, expected in ((text, 0), (text.replace("settings.placed(request", "(settings.folder / request"), 1)):
        place.write_text(content, encoding="utf-8")
        disk.forget()
        found = Linter(Settings(select=("VH201",), isolated=True)).check(
            Source(path="shop/web.py", text=content, location=place)
        )
        assert len(found) == expected
