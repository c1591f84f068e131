"""The real bandit with our tests in it: the same findings, selected and silenced as bandit users expect."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from valhalla_lint.config import Configuration, Overrides
from valhalla_lint.linter import check_paths, every_rule

PROGRAM = """\
import torch


def over(prompt):
    return len(prompt) > 8192  #noqa: VH101


def load(path):
    return torch.load(path), torch.load(
        path
    )


def quiet(path):
    return torch.load(path)  # nosec VH404
"""


def bandit(folder: Path, *arguments: str, text: str | None = None) -> list[dict[str, object]]:
    command = [sys.executable, "-m", "bandit", "-q", "-f", "json", *arguments]
    done = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, check=False, timeout=120)
    assert "Traceback" not in done.stderr
    assert "nosec encountered" not in done.stderr
    results = json.loads(done.stdout)["results"]
    assert isinstance(results, list)
    return results


def ours(results: list[dict[str, object]]) -> list[tuple[object, object]]:
    return sorted((row["line_number"], row["test_id"]) for row in results if str(row["test_id"]).startswith("VH"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "app.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    return tmp_path


def test_same_findings_as_the_command(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    [checked] = check_paths(["src"], Configuration(Overrides()))
    expected = sorted((finding.span.line, finding.code) for finding in checked.report.findings)
    assert len({line for line, _ in expected if line == 9}) == 1, "two findings stand on one line"
    silenced = (15, "VH404")
    found = ours(bandit(folder, "src/app.py"))
    assert silenced in expected
    assert found == [row for row in expected if row != silenced]


def test_one_rule_by_its_id_with_severity_confidence_and_weakness(folder: Path) -> None:
    results = bandit(folder, "-t", "VH404", "--", "src/app.py")
    assert [row["test_id"] for row in results] == ["VH404", "VH404"]
    assert {str(row["issue_text"]).split()[0] for row in results} == {"[production]"}
    assert {(row["test_name"], row["line_number"]) for row in results} == {("unsafe-model-load", 9)}
    assert {json.dumps(row["issue_cwe"]) for row in results} == {
        '{"id": 502, "link": "https://cwe.mitre.org/data/definitions/502.html"}'
    }
    assert ours(bandit(folder, "-s", "VH404", "src/app.py")) == [(5, "VH301"), (5, "VH905")]


def test_a_known_issue_is_answered_by_bandits_own_baseline(folder: Path) -> None:
    baseline = folder / "baseline.json"
    command = [sys.executable, "-m", "bandit", "-q", "-t", "VH301", "-f", "json", "-o", str(baseline), "src/app.py"]
    subprocess.run(command, cwd=folder, check=False, capture_output=True, timeout=120)
    assert len(json.loads(baseline.read_text(encoding="utf-8"))["results"]) == 1
    assert bandit(folder, "-t", "VH301", "-b", str(baseline), "src/app.py") == []


def test_wrong_settings_are_an_issue_of_each_file_that_they_hold_for(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "sub" / "pyproject.toml").write_text("[tool.valhalla-lint]\npresset = 1\n", encoding="utf-8")
    rows = bandit(folder, "-r", "-t", "VH404", ".")
    [told] = [row for row in rows if row["filename"] == "./sub/a.py"]
    assert (told["test_id"], told["line_number"]) == ("VH908", 1)
    assert "presset: is not known here (did you mean preset?)" in str(told["issue_text"])
    assert ours([row for row in rows if row["filename"] == "./src/app.py"])


@pytest.mark.parametrize("form", ["csv", "html", "xml", "yaml", "custom"])
def test_every_report_holds_findings_without_a_weakness(folder: Path, form: str) -> None:
    (folder / "answered.py").write_text("size = 1  # noqa: VH101\n")
    command = [sys.executable, "-m", "bandit", "-q", "-f", form, "-t", "VH901", "answered.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert "Traceback" not in done.stderr
    assert "suppression of VH101 answers no finding" in done.stdout


def test_standard_input(folder: Path) -> None:
    assert ours(bandit(folder, "-t", "VH301", "-", text=PROGRAM)) == [(5, "VH301")]


def test_every_rule_is_registered_under_its_code() -> None:
    registered = {
        point.name: point.value for point in entry_points(group="bandit.plugins") if "valhalla" in point.value
    }
    wanted = {
        f"{rule.code.lower()}_{rule.name.replace('-', '_')}": f"valhalla_lint.hosts.bandit:{rule.code}"
        for rule in every_rule()
    }
    written = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8"))
    assert written["project"]["entry-points"]["bandit.plugins"] == wanted
    assert registered == wanted, "the install is out of date: install again"
