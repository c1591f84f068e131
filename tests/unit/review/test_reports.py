"""Reports of reviews: the schema, the differences, what a link and a picture are made of."""

import json
import re
import sys
from pathlib import Path

import jsonschema
import pytest
from repositories import commit, lay

from valhalla_lint.core.evidence import Citation, Edge, Group, Target, Topology
from valhalla_lint.reports.review_html import review_html
from valhalla_lint.reports.review_json import differences, review_json
from valhalla_lint.reports.review_markdown import code, review_markdown
from valhalla_lint.reports.review_picture import picture
from valhalla_lint.reports.review_places import command, link
from valhalla_lint.reports.review_sarif import review_sarif
from valhalla_lint.reports.review_schema import SHIPPED, schema, schema_text
from valhalla_lint.review.plain import FolderTree
from valhalla_lint.review.review import review
from valhalla_lint.review.snapshot import GitTree

COMMIT = "0123456789" * 4
TARGET = Target("rays", "git", COMMIT, "", "sha1", "", "", 1)


def test_the_shipped_schema_is_made_from_the_words() -> None:
    assert SHIPPED.read_text(encoding="utf-8") == schema_text(), "write it anew: reports.review_schema.schema_text()"


def test_reviews_fit_their_schema(tmp_path: Path) -> None:
    commit(
        tmp_path / "git",
        {"a/__init__.py": "assert 1\n", "README.md": "fast\n", "setup.cfg": "[metadata]\nname = a\n"},
    )
    lay(tmp_path / "plain", {"b.py": "def f(:\n"})
    for tree in (GitTree(tmp_path / "git"), FolderTree(tmp_path / "plain")):
        with tree:
            jsonschema.validate(json.loads(review_json(review(tree))), schema())


def test_hits_are_sarif_with_their_commit_and_silence(tmp_path: Path) -> None:
    made = commit(tmp_path / "git", {"a/__init__.py": "", "a/b.py": "import subprocess  # nosec\nassert 1\n"})
    with GitTree(tmp_path / "git") as tree:
        document = json.loads(review_sarif(review(tree)))
    run = next(run for run in document["runs"] if run["tool"]["driver"]["name"] == "bandit")
    assert run["properties"]["revision"] == made
    assert [(item["ruleId"], "suppressions" in item) for item in run["results"]] == [("B404", True), ("B101", False)]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {"B101", "B404"}


def test_missing_libraries_are_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "radon.visitors", None)
    monkeypatch.setitem(sys.modules, "license_expression", None)
    with FolderTree(lay(tmp_path, {"a.py": "", "setup.cfg": "[metadata]\nlicense = MIT\n"})) as tree:
        found = review(tree)
    because = {row.id: row.because for row in (*found.panel, *found.topology.figures) if row.because}
    assert "radon is not installed" in because["topology.complexity"]
    assert "license-expression is not installed" in because["project.licence_declared"]
    assert "unknown" in review_markdown(found)


def test_the_page_fetches_nothing(tmp_path: Path) -> None:
    with FolderTree(lay(tmp_path, {"a.py": "import os\n"})) as tree:
        page = review_html(review(tree))
    assert "default-src 'none'" in page
    assert not re.findall(r"(?:src|href)=\"(?!#)[^\"]*\"", page)
    assert " style=" not in page
    assert len(re.findall(r"<script>", page)) == 1


def test_markdown_shows_answers_and_the_picture(tmp_path: Path) -> None:
    with FolderTree(lay(tmp_path, {"a/__init__.py": "", "a/b.py": "from a import c\n", "a/c.py": "x = 1\n"})) as tree:
        page = review_markdown(review(tree))
    assert "```mermaid\ngraph TD" in page
    assert "| Is the import graph of production modules free of cycles? | **yes** |" in page


def test_differences_name_the_place() -> None:
    old = {"files": [{"path": "a", "object_id": "1"}, {"path": "b", "object_id": "2"}], "made": [["x", "1"]], "n": 1}
    new = {"files": [{"path": "a", "object_id": "9"}, {"path": "c", "object_id": "2"}], "made": [["x", "2"]], "m": 1}
    assert list(differences(old, new)) == [
        'files[a].object_id: "1" was expected, "9" was found',
        "files[b]: is gone",
        "files[c]: is new",
        "m: is new",
        'made[x][1]: "1" was expected, "2" was found',
        "n: is gone",
    ]
    assert not list(differences(old, old))


def test_places_are_links_and_commands() -> None:
    place = Citation("a b/c#.py", 3, 5, object_id="ab")
    assert link(place, TARGET, "https://host/o/r/") == f"https://host/o/r/blob/{COMMIT}/a%20b/c%23.py#L3-L5"
    assert command(place, TARGET) == "git cat-file -p ab | sed -n '3,5p'"
    assert not link(place, TARGET, "")
    assert not command(place, Target("rays", "folder", "", "", "sha1", "", "", 1))


def test_code_keeps_backticks_and_bars_inside() -> None:
    assert code("a`b|c") == "``a`b\\|c``"


def test_the_picture_puts_importers_above_and_marks_wrong_edges() -> None:
    groups = (Group("core", "production", 1, 10, 0, "0.00"), Group("app", "production", 1, 10, 1, "1.00"),
              Group("tests", "test", 1, 10, 0, "0.00"))  # fmt: skip
    drawn = picture(Topology(groups=groups, group_edges=(Edge("app", "core"), Edge("app", "tests"))))
    places = {name: float(y) for name, y in re.findall(r'data-name="(\w+)".*?<rect x="[\d.]+" y="([\d.]+)"', drawn)}
    assert places["app"] < places["core"]
    assert 'class="edge wrong"' in drawn
    assert drawn.count('tabindex="0"') == len(groups)
    assert not picture(Topology())
