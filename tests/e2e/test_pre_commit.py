"""The real pre-commit with our hooks from a local git repository: install, catch, mend, pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from command import LIMIT, git

from valhalla_lint.facts.minting import mint_secret

ROOT = Path(__file__).parents[2]
SHIPPED = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "valhalla_lint")
SECRET = mint_secret(32, "hook")
HOOKS = ("valhalla-lint-fix", "valhalla-lint", "valhalla-lint-secrets")
PLUGINS = {"valhalla-flake8": "flake8 --select VH,E9", "valhalla-bandit": "bandit -q -t VH301,VH101"}
SETTINGS = '[project]\nname = "demo"\n\n[tool.valhalla-lint]\nexclude = ["old/"]\n'


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with the hooks, as the project's own would be."""
    place = tmp_path_factory.mktemp("hooks")
    for name in SHIPPED:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        copy(source, place / name)
    git("init", "-q", "-b", "main", folder=place)
    git("add", ".", folder=place)
    git("commit", "-q", "-m", "hooks", folder=place)
    return place


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of all calls: pre-commit's own folder is ours, and git has nobody's configuration."""
    names = {f"GIT_{role}_{what}": f"tester@{what}" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    own = {"PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("home")), "GIT_CONFIG_GLOBAL": os.devnull}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**os.environ, **names, **own, "PATH": path, "NO_COLOR": "1"}


@pytest.fixture
def project(tmp_path: Path, hooks: Path) -> Path:
    """A repository that uses the hooks; nothing is committed."""
    git("init", "-q", "-b", "main", folder=tmp_path)
    ours = {
        "repo": str(hooks),
        "rev": git("rev-parse", "HEAD", folder=hooks),
        "hooks": [{"id": name} for name in HOOKS],
    }
    plugins = [
        {
            "id": name,
            "name": name,
            "entry": entry,
            "language": "python",
            "types": ["python"],
            "additional_dependencies": [str(hooks)],
            "stages": ["manual"],
        }
        for name, entry in PLUGINS.items()
    ]
    config = {"repos": [ours, {"repo": "local", "hooks": plugins}]}
    write(tmp_path, ".pre-commit-config.yaml", yaml.safe_dump(config))
    write(tmp_path, "pyproject.toml", SETTINGS)
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def run(folder: Path, home: dict[str, str], *command: str) -> tuple[int, str]:
    done = subprocess.run(
        command, cwd=folder, env=home, capture_output=True, text=True, encoding="utf-8", check=False, timeout=600
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_a_commit_is_caught_mended_and_passes(project: Path, home: dict[str, str]) -> None:
    write(project, "src/limits.py", LIMIT)
    write(project, "old/limits.py", LIMIT.replace("8192", "4096"))
    write(project, "deploy/settings.yaml", f"service:\n  api_key: {SECRET}\n  other: ${{API_KEY}}\n")
    assert run(project, home, "pre-commit", "install")[0] == 0
    git("add", ".", folder=project)
    ended, told = run(project, home, "git", "commit", "-m", "first")
    assert ended == 1
    assert "settings.yaml:2:12  VH101" in told
    assert "files were modified by this hook" in told
    assert SECRET not in told
    assert "old/limits.py" not in told, "what the configuration excludes stays excluded when it is named"
    assert "8192" not in (project / "src" / "limits.py").read_text().split("def ")[1], "the number has a name now"
    assert "4096" in (project / "old" / "limits.py").read_text()
    write(project, "deploy/settings.yaml", "service:\n  api_key: ${API_KEY}\n")
    git("add", ".", folder=project)
    ended, told = run(project, home, "git", "commit", "-m", "first")
    assert (ended, told.count("Passed")) == (0, 3), told


@pytest.mark.slow
def test_several_processes_find_the_same(project: Path, home: dict[str, str]) -> None:
    for number in range(40):
        write(project, f"src/part{number}/settings.toml", f'password = "{mint_secret(20, str(number))}"\n')
        write(project, f"src/part{number}/code.py", LIMIT)
    git("add", ".", folder=project)
    ended, told = run(project, home, "pre-commit", "run", "--all-files", "valhalla-lint-secrets", "--verbose")
    assert (ended, told.count("VH101 hardcoded-token")) == (1, 40)
    ended, told = run(project, home, "pre-commit", "run", "--all-files", "valhalla-lint")
    assert (ended, told.count("VH301 magic-number")) == (1, 40)
    assert told.count("Found 40 findings") == 1, "one process sees all files, since flow crosses them"


@pytest.mark.slow
def test_through_the_hooks_of_flake8_and_bandit(project: Path, home: dict[str, str]) -> None:
    write(project, "src/limits.py", LIMIT)
    git("add", ".", folder=project)
    ended, told = run(project, home, "pre-commit", "run", "--all-files", "--hook-stage", "manual", "valhalla-flake8")
    assert (ended, "src/limits.py:2:26: VH301 [production]" in told) == (1, True), told
    ended, told = run(project, home, "pre-commit", "run", "--all-files", "--hook-stage", "manual", "valhalla-bandit")
    assert (ended, "[VH301:magic-number] [production]" in told) == (1, True), told
