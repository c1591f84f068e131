"""What a review is drawn from: docstrings, requirements, import graphs, names, licences."""

# ruff: noqa: E501, ISC004 -- a text and what it means stand side by side

from itertools import pairwise
from pathlib import Path

import pytest
from repositories import lay

from valhalla_lint.core.evidence import Citation, Evidence
from valhalla_lint.review.collect import collect
from valhalla_lint.review.docstrings import documented
from valhalla_lint.review.licences import expression, identify
from valhalla_lint.review.plain import FolderTree
from valhalla_lint.review.project import requirement
from valhalla_lint.review.review import review, settings_for
from valhalla_lint.review.topology import components
from valhalla_lint.review.tree import blob_id, odd, shown


@pytest.mark.parametrize(
    ("docstring", "names"),
    [
        ("Do.\n\n:param one: a\n:param int two: b", ["one", "two"]),
        (
            "Do.\n\nArgs:\n    one (int): a\n        one: not a parameter, deeper\n    *rest: b\n\nReturns:\n    three: c",
            ["one", "rest"],
        ),
        (
            "Do.\n\nParameters\n----------\none, two : int\n    text: more\nthree\n\nReturns\n-------\nfour",
            ["one", "two", "three"],
        ),
        ("Args: none, just a word", []),
        ("", []),
    ],
)
def test_documented_parameters(docstring: str, names: list[str]) -> None:
    assert list(documented(docstring)) == names


@pytest.mark.parametrize(
    ("text", "pinned", "below", "above"),
    [
        ("numpy==2.1.0", True, True, True),
        ("numpy==2.*", False, True, True),
        ("numpy>=2,<3", False, True, True),
        ("numpy~=2.1 ; python_version > '3.11'", False, True, True),
        ("numpy<3 ; python_version > '3.11'", False, False, True),
        ("numpy", False, False, False),
    ],
)
def test_bounds_of_requirements(text: str, pinned: bool, below: bool, above: bool) -> None:  # noqa: FBT001 -- a table
    found = requirement(text, "runtime", "x")
    assert found is not None
    assert (found.name, found.pinned, found.bounded_below, found.bounded_above) == ("numpy", pinned, below, above)


@pytest.mark.parametrize("text", ["-r other.txt", "https://example.invalid/x.whl", "", "# word", "two words"])
def test_what_is_no_requirement(text: str) -> None:
    assert requirement(text, "runtime", "x") is None


def test_components_find_cycles_after_what_they_reach() -> None:
    parts = components(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")])
    assert [sorted(part) for part in parts] == [["d"], ["b", "c"], ["a"]]


def test_components_cope_with_long_chains() -> None:
    names = [f"m{number:05}" for number in range(5000)]
    assert len(components(names, list(pairwise(names)))) == len(names)


def test_imports_find_their_files(tmp_path: Path) -> None:
    files = {
        "src/one/__init__.py": "from one.deep import thing\n",
        "src/one/deep/__init__.py": "from .inner import thing\n",
        "src/one/deep/inner.py": "import json\nfrom .. import lost\nthing = json\n",
        "src/one/late.py": "def f():\n    from one import deep\n    return deep\n",
        "scripts/run.py": "import helper\nimport one\nimport yaml\n",
        "scripts/helper.py": "",
        "other/one/__init__.py": "",
    }
    with FolderTree(lay(tmp_path, files)) as tree:
        found = collect(tree, settings_for(tree)).graph
    pairs = {(edge.path, edge.target, edge.late) for edge in found.edges}
    assert ("src/one/deep/__init__.py", "one.deep.inner", False) in pairs
    assert ("src/one/late.py", "one.deep", True) in pairs
    assert any(path == "scripts/run.py" and target.endswith("helper") for path, target, _ in pairs)
    assert [(item.path, item.name) for item in found.missing] == [("src/one/deep/inner.py", "one.lost")]
    assert set(found.external) == {"yaml"}


def test_requirements_of_many_kinds_of_files(tmp_path: Path) -> None:
    files = {
        "setup.cfg": "[metadata]\nname = pack\n[options]\ninstall_requires =\n    a>=1\n[options.extras_require]\ntest =\n    b\ngpu =\n    c\n",
        "requirements-dev.txt": "d==1  # why\n-r other.txt\n",
        "requirements.txt": "-e .\ne==2\n",
        "docs/requirements.txt": "f\n",
        "examples/x/requirements.txt": "g\n",
        "environment.yml": "name: x\ndependencies:\n  - python=3.12\n  - h=1.2\n  - pip:\n    - i\n",
        "Pipfile": '[packages]\nj = "*"\n[dev-packages]\nk = ">=1"\n',
        "setup.py": "from setuptools import setup\nsetup(install_requires=open('x').read())\n",
    }
    with FolderTree(lay(tmp_path, files)) as tree:
        found = collect(tree, settings_for(tree)).declared
    groups = {item.name: item.group for item in found.requirements}
    assert groups == {
        "a": "runtime", "b": "development", "c": "extra", "d": "development", "e": "development", "f": "development",
        "g": "development", "h": "untold", "i": "untold", "j": "runtime", "k": "development",
    }  # fmt: skip
    assert found.name == "pack"
    assert found.dynamic == ("setup.py",)
    assert {item.name for item in found.requirements if item.pinned} == {"d", "e", "h"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Permission is hereby granted, free of charge,\nto any person obtaining a copy ... The above copyright notice and this "
         "permission notice shall be included", "MIT"),
        ("Apache License\n   Version 2.0, January 2004", "Apache-2.0"),
        ("All rights reserved.", ""),
    ],
)  # fmt: skip
def test_licences_are_told_by_their_sentences(text: str, name: str) -> None:
    assert identify(text) == name


def test_licence_expressions() -> None:
    assert expression("mit OR apache-2.0") == "MIT OR Apache-2.0"
    assert not expression("see LICENSE")


@pytest.mark.parametrize(
    "path", [b"/a", b"a//b", b"../a", b"a/.git/b", b"a/.GIT", b"a\\b", b"a\0", b"\xff", b"a\nb", b"x" * 300]
)
def test_odd_paths_are_not_written(path: bytes) -> None:
    assert odd(path)
    assert shown(path).isprintable()


def test_ordinary_paths_are_not_odd() -> None:
    assert not odd("src/größe/日本.py".encode())


def test_blobs_have_the_ids_that_git_gives() -> None:
    assert blob_id(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def test_evidence_is_sorted_counted_and_cut() -> None:
    places = [Citation(f"f{number:03}") for number in range(99, -1, -1)]
    found = Evidence.of([*places, *places])
    assert found.total == len(places)
    assert found.places[0].path == "f000"
    assert len(found.places) < found.total


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 50_000,
        " " * 50_000 + "x",
        ":param " * 20_000,
        "Args:\n    a" + " " * 50_000 + "x",
        "Parameters\n---\n" + "a, " * 20_000,
        "(" * 50_000,
    ],
)
def test_hostile_texts_are_read_in_linear_time(text: str, tmp_path: Path) -> None:
    list(documented(text))
    names = (
        "requirements.txt",
        "environment.yml",
        "Dockerfile",
        ".github/workflows/a.yml",
        "README.md",
        "LICENSE",
        "tox.ini",
        "setup.cfg",
    )
    with FolderTree(lay(tmp_path, dict.fromkeys(names, f"dependencies:\n- a{text}\n{text}"))) as tree:
        assert review(tree).files


def test_setup_scripts_are_read_without_running_them(tmp_path: Path) -> None:
    script = (
        "from setuptools import setup\nmark = '; python_version > \"3\"'\nbase = ['a>=1', 'b>=2' + mark]\n"
        "arguments = {'name': 'pack', 'python_requires': '>=3.10'}\narguments['install_requires'] = base + ['c']\n"
        "arguments['extras_require'] = {'test': ['d'] + base}\nsetup(**arguments)\n"
    )
    with FolderTree(lay(tmp_path, {"setup.py": script})) as tree:
        found = collect(tree, settings_for(tree)).declared
    assert {item.name for item in found.of("runtime")} == {"a", "b", "c"}
    assert "d" in {item.name for item in found.of("development")}
    assert (found.name, found.requires_python, found.dynamic) == ("pack", ">=3.10", ())


def test_a_module_called_setup_makes_no_project(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": "",
        "a/__init__.py": "",
        "a/logging/__init__.py": "",
        "a/logging/setup.py": "",
        "a/b.py": "import logging\n",
    }
    with FolderTree(lay(tmp_path, files)) as tree:
        found = collect(tree, settings_for(tree))
    assert {file.dotted for file in found.python} == {"a", "a.logging", "a.logging.setup", "a.b"}
    assert not found.graph.edges


def test_tests_inside_a_package_are_a_package_of_their_own(tmp_path: Path) -> None:
    files = {
        "a/__init__.py": "", "a/core/__init__.py": "", "a/core/one.py": "x = 1\n", "a/app.py": "from a.core import one\n",
        **{f"a/core/tests/test_{name}.py": "import pytest\nfrom a.core import one\n\ndef test_x(): assert one\n" for name in "bcde"},
    }  # fmt: skip
    with FolderTree(lay(tmp_path, files)) as tree:
        found = collect(tree, settings_for(tree)).topology
    assert {group.name: group.tier for group in found.groups} == {
        "a": "production",
        "a.core": "production",
        "a.core [test]": "test",
    }
    assert {(edge.source, edge.target) for edge in found.group_edges} == {("a", "a.core"), ("a.core [test]", "a.core")}
