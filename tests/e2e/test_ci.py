"""What is offered for CI: read as the services read it, and its very commands run."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from command import LIMIT, Command, git, write

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("docs/*.md"))
FIXTURE = ROOT / "fixtures" / "model_server"


def blocks(page: Path, kind: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_every_set_up_that_is_shown_is_yaml() -> None:
    shown = [block for page in PAGES for block in blocks(page, "yaml")]
    assert len(shown) >= 6
    assert all(isinstance(yaml.safe_load(block), dict | list) for block in shown)


def test_the_commands_that_the_pages_on_ci_and_known_findings_give(vh: Command, tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path, dirs_exist_ok=True)
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    text = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("baseline.md", "ci.md"))
    commands = re.findall(r"^    valhalla-lint (.*)$", text, re.MULTILINE)
    assert len(commands) >= 6
    for command in commands:
        ended, _, err = vh(*shlex.split(command))
        assert ended in (0, 1), (command, err)
        assert not err or (command == "baseline create" and "--baseline" in err)
    assert json.loads(Path("valhalla.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_the_action_hands_what_comes_from_outside_through_the_environment() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    steps = action["runs"]["steps"]
    assert all("${{" not in step["run"] for step in steps)
    values = [value for step in steps for value in step.get("env", {}).values()]
    used = {name for value in values for name in re.findall(r"inputs\.(\S+)", value)}
    assert used == set(action["inputs"])


def run_step(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    bash = shutil.which("bash")
    assert bash
    command = [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def installed(folder: Path) -> Path:
    """A folder that holds the command as the install step leaves it."""
    place = folder / "valhalla-lint" / "bin"
    place.mkdir(parents=True)
    program = place / "valhalla-lint"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m valhalla_lint "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


@pytest.mark.skipif(shutil.which("bash") is None, reason="a composite action needs bash")
@pytest.mark.parametrize(
    ("inputs", "status", "annotations"),
    [
        ({}, "1", 1),
        ({"VH_PATHS": "clean.py"}, "0", 0),
        ({"VH_ARGUMENTS": "--select VH1 --ignore VH3"}, "0", 0),
        ({"VH_DIFF_BASE": "main", "VH_SARIF": "out.sarif"}, "0", 0),
        ({"VH_BASELINE": "none.json"}, "2", 0),
        ({"VH_PATHS": "$(touch${IFS}ran) ;touch ran"}, "3", 3),
    ],
    ids=["all", "paths", "arguments", "diff-base", "wrong", "hostile"],
)
def test_the_action_checks(vh: Command, tmp_path: Path, inputs: dict[str, str], status: str, annotations: int) -> None:
    del vh  # for its folder
    write({"src/a.py": LIMIT, "clean.py": "x = 1\n"})
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    [check] = [step for step in action["runs"]["steps"] if step.get("id") == "check"]
    given = dict.fromkeys(check["env"], "") | {"VH_PATHS": "."} | inputs
    temporary = installed(tmp_path.parent / f"{tmp_path.name}-runner")
    output = temporary / "output"
    done = run_step(check["run"], tmp_path, RUNNER_TEMP=str(temporary), GITHUB_OUTPUT=str(output), **given)
    assert done.returncode == int(status), done.stderr
    assert output.read_text() == f"status={status}\n"
    assert len([line for line in done.stdout.splitlines() if line.startswith("::")]) == annotations
    assert not (tmp_path / "ran").exists()
    assert (tmp_path / "out.sarif").exists() == ("VH_SARIF" in inputs)


def test_the_job_for_gitlab_checks(vh: Command, tmp_path: Path) -> None:
    del vh  # for its folder
    write({"src/a.py": LIMIT})
    job = yaml.safe_load((ROOT / "templates" / "gitlab.yml").read_text(encoding="utf-8"))["valhalla-lint"]
    program = installed(tmp_path.parent / f"{tmp_path.name}-runner") / "valhalla-lint" / "bin" / "valhalla-lint"
    script = job["script"][-1].replace(".valhalla-venv/bin/valhalla-lint", shlex.quote(str(program)))
    done = run_step(script, tmp_path, **{**job["variables"], "VALHALLA_PATHS": "src"})
    assert done.returncode == 1, done.stderr
    reports = job["artifacts"]["reports"]
    [row] = json.loads((tmp_path / reports["codequality"]).read_text(encoding="utf-8"))
    assert (row["check_name"], row["location"]["path"]) == ("magic-number", "src/a.py")
    assert "<failure" in (tmp_path / reports["junit"]).read_text(encoding="utf-8")
    assert all((tmp_path / name).exists() for name in job["artifacts"]["paths"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "file"), [("vendor.github-actions", "action.yml"), ("vendor.gitlab-ci", "templates/gitlab.yml")]
)
def test_schemas(schema: str, file: str) -> None:
    pytest.importorskip("check_jsonschema", reason="check-jsonschema is not installed")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(ROOT / file)]
    if "gitlab" in schema:
        command += ["--data-transform", "gitlab-ci"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
