"""Who chooses a value where another function, or another side, was asked for it first."""

from pathlib import Path

import pytest
from shop import AUDIT, WEB, check, codes

LEASE = """
import os
from pathlib import Path

KNOWN = {{'a': 1, 'b': 2}}


def flavour(engine):
    {check}
    return KNOWN.get(engine)


def is_known(engine):
    return {answer}


def lock(engine_file):
    {first}
    return (Path('/srv/locks') / f'{{engine_file}}.lock').open('a')
"""
RAISES = "if engine not in KNOWN:\n        raise LookupError(engine)"


@pytest.mark.parametrize(
    ("check_", "answer", "first", "expected"),
    [
        (RAISES, "True", "flavour(engine_file)", []),
        (RAISES, "True", "found = flavour(engine_file)", []),
        (RAISES, "True", "flavour(str(engine_file))", []),
        ("assert engine in KNOWN", "True", "flavour(engine_file)", []),
        ("", "engine in KNOWN", "if not is_known(engine_file):\n        return None", []),
        ("", "engine.isalnum()", "if not is_known(engine_file):\n        return None", []),
        ("print(engine)", "True", "flavour(engine_file)", ["VH202"]),
        (RAISES, "True", "flavour('a')", ["VH202"]),
        (RAISES, "True", "if os.name == 'nt':\n        flavour(engine_file)", ["VH202"]),
        (RAISES.replace("not in", "in"), "True", "flavour(engine_file)", ["VH202"]),
        ("", "engine in KNOWN", "if is_known(engine_file):\n        return None", ["VH202"]),
        ("", "engine in KNOWN", "is_known(engine_file)", ["VH202"]),
        ("", "bool(engine)", "if not is_known(engine_file):\n        return None", ["VH202"]),
    ],
)
def test_a_helper_that_refuses_what_it_does_not_know_is_a_check_of_the_name(
    tmp_path: Path, check_: str, answer: str, first: str, expected: list[str]
) -> None:
    text = LEASE.format(check=check_ or "pass", answer=answer, first=first)
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(("given", "expected"), [("'list.state'", []), ("name", ["VH202"])])
def test_a_method_that_is_called_on_its_class_is_given_its_object_first(
    tmp_path: Path, given: str, expected: list[str]
) -> None:
    text = (
        "import os\n\n\nclass View:\n    def save(self, file_name):\n"
        "        open(os.path.join('/srv/state', file_name), 'w').close()\n\n\n"
        f"class Other(View):\n    def keep(self, name):\n        View.save(self, {given})\n"
    )
    assert codes(check(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("source.cache_path()", []),
        ("source", ["VH202"]),
        ("source.strip()", ["VH202"]),
    ],
)
def test_what_an_object_gives_of_itself_is_its_own(tmp_path: Path, named: str, expected: list[str]) -> None:
    text = (
        "import os\n\n\nclass Store:\n    def put(self, source):\n"
        f"        open(os.path.join('/srv/cache', {named}), 'w').close()\n"
    ).replace("source", "file_name")
    assert codes(check(tmp_path, text)) == expected


MODELS = """
import os

import requests


def fetch(model_name):
    answer = requests.get('https://example.org/models')
    found = [item['name'] for item in answer.json() if {test}]
    open(os.path.join('/srv/models', found[0]), 'w').close()
"""


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("item['name'] == model_name", []),
        ("model_name == item['name']", []),
        ("item['name'] != model_name", ["VH201"]),
        ("item['lang'] == model_name", ["VH201"]),
        ("item['name'] == item['lang']", ["VH201"]),
    ],
)
def test_what_equals_the_name_that_was_asked_for_is_the_askers_own(
    tmp_path: Path, test: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, MODELS.format(test=test))) == expected


@pytest.mark.parametrize(
    ("deed", "expected"),
    [
        ("return os.path.join(ROOT, name)", []),
        ("return Entry(os.path.join(ROOT, name))", []),
        ("return stock.Entry(os.path.join(ROOT, name))", []),
        ("return stock.rename(os.path.join(ROOT, name))", ["VH201"]),
        ("return stock.rename(os.path.join('/' + name.strip('/'), 'index'))", []),
        ("path = os.path.join(ROOT, name)\n    return path if os.path.exists(path) else None", ["VH201"]),
    ],
)
def test_a_path_that_is_only_put_together_is_for_the_audit(tmp_path: Path, deed: str, expected: list[str]) -> None:
    text = WEB.replace("import os\n", "import os\n\nimport stock\nfrom stock import Entry\n", 1) + f"    {deed}\n"
    assert codes(check(tmp_path, text)) == expected
    assert "VH201" in codes(check(tmp_path, text, AUDIT))


def test_a_model_that_a_caller_names_is_told_where_its_path_is_put_together(tmp_path: Path) -> None:
    text = "import os\n\n\ndef place(model_name):\n    return os.path.join(os.environ['MODELS'], model_name)\n"
    assert codes(check(tmp_path, text)) == ["VH401"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [("re.compile('^[a-z0-9]{1,32}$')", []), ("re.compile('^.{1,32}$')", ["VH201"])],
)
@pytest.mark.parametrize(
    ("begin", "asked"),
    [
        ("from shop import names", "names.ID.match(name)"),
        ("from shop.names import ID", "ID.fullmatch(name)"),
        ("import re\nfrom shop import names", "re.match(names.TEXT, name)"),
    ],
)
def test_a_pattern_that_another_file_keeps_is_judged_as_ones_own(
    tmp_path: Path, begin: str, asked: str, pattern: str, expected: list[str]
) -> None:
    names = f"import re\n\nID = {pattern}\nTEXT = {pattern[len('re.compile(') : -1]}\n"
    body = f"    if not {asked}:\n        return None\n    return open(os.path.join(ROOT, name)).read()\n"
    text = WEB.replace("import os\n", f"import os\n{begin}\n", 1) + body
    assert codes(check(tmp_path, text, names=names)) == expected


@pytest.mark.parametrize(
    ("place", "count"),
    [
        ("os.path.join(ROOT, name) if os.name == 'nt' else name", 1),
        ("os.path.join(ROOT, name) if os.name == 'nt' else os.path.join('/srv/old', name)", 2),
    ],
)
def test_a_name_that_reaches_one_place_below_a_folder_or_as_it_stands_is_told_once(
    tmp_path: Path, place: str, count: int
) -> None:
    text = (
        WEB
        + f"    path = (\n        {place.replace(' else ', chr(10) + '        else ')}\n    )\n    open(path).close()\n"
    )
    assert codes(check(tmp_path, text)) == ["VH201"] * count


STORE = """
import os

ROOT = '/srv/notes'


def drop(file_name):
    path = os.path.join(ROOT, file_name)
    if os.path.exists(path):
        os.remove(path)
    return path
"""


HANDING = """
from flask import request

from shop.store import drop


def forget(file_name):
    print(request.args['why'])
    return drop(file_name)
"""
ASKING = """
from flask import Flask, request

from shop.notes import forget

app = Flask(__name__)


@app.get('/forget')
def view():
    return forget({asked})
"""


@pytest.mark.parametrize(("asked", "told"), [("request.args['name']", ["VH202"]), ("'fixed'", [])])
def test_what_another_file_puts_below_a_folder_is_told_there(tmp_path: Path, asked: str, told: list[str]) -> None:
    web = ASKING.format(asked=asked)
    assert codes(check(tmp_path, HANDING, store=STORE, web=web)) == []
    handing = HANDING.replace("shop.store", "shop.notes")
    asking = web.replace("shop.notes", "shop.forgetting")
    assert codes(check(tmp_path, STORE, forgetting=handing, web=asking)) == told
