"""What is asked of other modules for one file is remembered for the next: no answer changes, whoever asked first."""

import itertools
from pathlib import Path

import pytest

from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts import disk
from valhalla_lint.facts.looks import MAX_MODULE
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201",), isolated=True, preset=Preset.DEFAULT))
GIVES = "from flask import request\nfrom shop import {other}\n\ndef {name}(deep):\n    {body}\n"
ASKS = """from random import random
from shop import {module}

def view():
    return open("data/" + {module}.{name}(random() > 0.5)).read()
"""
WEB = {
    # two modules that call each other: only one of them takes anything from outside
    "a": GIVES.format(other="b", name="first", body="return b.second(False) if deep else str(deep)"),
    "b": GIVES.format(other="a", name="second", body="return a.first(False) if deep else request.args['name']"),
    # and two that call each other and take nothing
    "c": "from shop import d\n\ndef third(deep):\n    return d.fourth(False) if deep else 'x'\n",
    "d": "from shop import c\n\ndef fourth(deep):\n    return c.third(False) if deep else 'y'\n",
    # names that are handed on with all others
    "__init__": "from shop.a import *\nfrom shop.store import *\n",
    "store": "def keep(folder, name):\n    return open(folder + '/' + name).read()\n",
}
VIEWS = {
    "one": ASKS.format(module="a", name="first"),
    "two": ASKS.format(module="b", name="second"),
    "three": ASKS.format(module="c", name="third"),
    "four": "import shop\nfrom flask import request\n\ndef view():\n    return shop.keep('d', request.args['name'])\n",
}
FOUND = {"one": ["views/one.py:5"], "two": ["views/two.py:5"], "three": [], "four": ["shop/store.py:2"]}


def told(root: Path, name: str) -> list[str]:
    """Where one of the views is found wanting."""
    location = root / "views" / f"{name}.py"
    text = location.read_text(encoding="utf-8")
    found = LINTER.check(Source(path=f"views/{name}.py", text=text, location=location))
    return [f"{finding.steps[-1].path or finding.path}:{finding.steps[-1].span.line}" for finding in found]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    disk.forget()
    for folder, files in (("shop", WEB), ("views", VIEWS)):
        (tmp_path / folder).mkdir()
        for name, text in files.items():
            (tmp_path / folder / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("order", list(itertools.permutations(VIEWS)), ids=" ".join)
def test_whoever_asks_first_is_told_the_same(project: Path, order: tuple[str, ...]) -> None:
    assert {name: told(project, name) for name in order} == FOUND


def test_modules_that_hand_on_one_anothers_names_are_asked_once_each(project: Path) -> None:
    ring = [f"part{number}" for number in range(30)]
    for name in ring:
        stars = "".join(f"from shop.{other} import *\n" for other in ring if other != name)
        (project / "shop" / f"{name}.py").write_text(stars, encoding="utf-8")
    with (project / "shop" / "part29.py").open("a", encoding="utf-8") as last:
        last.write(WEB["store"])
    asks = "from shop import part0\nfrom flask import request\n\ndef view():\n    part0.nowhere(1)\n"
    (project / "views" / "five.py").write_text(
        f"{asks}    return part0.keep('d', request.args['name'])\n", encoding="utf-8"
    )
    assert told(project, "five") == ["shop/part29.py:31"]


def test_a_module_that_is_too_long_for_others_to_read_is_asked_about_itself(project: Path) -> None:
    keeps = "from flask import request\nfrom shop.mid import put\n\ndef view():\n    return put(request.args['name'])\n"
    long = keeps + "\ndef keep(name):\n    return open('data/' + name).read()\n" + "# filled\n" * (MAX_MODULE // 8)
    (project / "shop" / "mid.py").write_text(
        "from shop.long import keep\n\ndef put(name):\n    return keep(name)\n", encoding="utf-8"
    )
    (project / "shop" / "long.py").write_text(long, encoding="utf-8")
    (project / "views" / "five.py").write_text(keeps, encoding="utf-8")
    location = project / "shop" / "long.py"
    for order in itertools.permutations(("five", "long")):
        disk.forget()
        found = {
            name: told(project, name)
            if name == "five"
            else [item.span.line for item in LINTER.check(Source("shop/long.py", long, location=location))]
            for name in order
        }
        assert found == {"five": [], "long": [8]}


def test_what_changes_is_asked_anew(project: Path) -> None:
    assert told(project, "three") == []
    changed = "from flask import request\n\ndef third(deep):\n    return request.args['name']\n"
    (project / "shop" / "c.py").write_text(changed, encoding="utf-8")
    disk.forget()
    assert told(project, "three") == ["views/three.py:5"]
