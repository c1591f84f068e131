"""The plugin in the real flake8, as its users run it."""

import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = "def check(prompt):\n    return len(prompt) > 8192\n"
FOUND = ":2:26: VH301 [production]"


def flake8(folder: Path, *arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "flake8", *arguments],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def test_selected_from_the_install_alone(tmp_path: Path) -> None:
    write(tmp_path, {"src/a.py": LIMIT, "tests/a.py": LIMIT})
    done = flake8(tmp_path, "--select", "VH", ".")
    assert done.stdout.startswith(f"./src/a.py{FOUND}")
    assert len(done.stdout.splitlines()) == 1
    assert done.returncode == 1
    assert not done.stderr


def test_a_broken_file_is_never_silent(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def broken(:\n"})
    assert "E999" in flake8(tmp_path, "--select", "VH", "a.py").stdout
    assert "E999" in flake8(tmp_path, "--select", "VH1", "-j", "2", ".").stdout
    assert not flake8(tmp_path, "--select", "VH", "--extend-ignore", "E9", "a.py").stdout
    assert not flake8(tmp_path, "--select", "W", "a.py").stdout, "who does not ask for us gets what flake8 gives"


def test_noqa_and_per_file_ignores_are_those_of_flake8(tmp_path: Path) -> None:
    marked = LIMIT.replace("8192", "8192  # noqa: VH301")
    other = LIMIT.replace("8192", "8192  # noqa: VH101")
    write(tmp_path, {"a.py": marked, "b.py": other, "c.py": LIMIT})
    done = flake8(tmp_path, "--select", "VH3", "--per-file-ignores", "c.py:VH301", ".")
    assert done.stdout.startswith(f"./b.py{FOUND}")
    assert len(done.stdout.splitlines()) == 1
    assert FOUND in flake8(tmp_path, "--select", "VH3", "--disable-noqa", "a.py").stdout


def test_statistics(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": LIMIT + LIMIT.replace("check", "again")})
    done = flake8(tmp_path, "--select", "VH", "--statistics", "-qq", ".")
    assert done.stdout.startswith("2     VH301 [production] ")


def test_standard_input_is_judged_by_its_name(tmp_path: Path) -> None:
    shown = flake8(tmp_path, "--select", "VH", "--stdin-display-name", "src/a.py", "-", text=LIMIT).stdout
    assert shown.startswith(f"src/a.py{FOUND}")
    absolute = (tmp_path / "src" / "a.py").as_posix()
    shown = flake8(tmp_path, "--select", "VH", "--stdin-display-name", absolute, "-", text=LIMIT).stdout
    assert shown.startswith(f"{absolute}{FOUND}")
    assert not flake8(tmp_path, "--select", "VH", "--stdin-display-name", "tests/a.py", "-", text=LIMIT).stdout
    assert flake8(tmp_path, "--select", "VH", "-", text=LIMIT).stdout.startswith(f"stdin{FOUND}")


def test_the_table_of_the_nearest_pyproject_holds(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pyproject.toml": '[tool.valhalla-lint]\nextend-exclude = ["old/"]\n'
            "[tool.valhalla-lint.rules.magic-number]\nallowed-values = [8192]\n",
            "a.py": LIMIT,
            "old/b.py": LIMIT.replace("8192", "8193"),
            "sub/pyproject.toml": "[tool.valhalla-lint]\n",
            "sub/c.py": LIMIT,
        },
    )
    done = flake8(tmp_path, "--select", "VH", ".")
    assert [line.split(" ")[0] for line in done.stdout.splitlines()] == ["./sub/c.py:2:26:"]
    assert len(flake8(tmp_path, "--select", "VH", "--vh-isolated", ".").stdout.splitlines()) == 3


@pytest.mark.parametrize("where", ["command", "file"])
def test_options_come_over_the_table(tmp_path: Path, where: str) -> None:
    write(
        tmp_path, {"a.py": LIMIT, "tests/b.py": LIMIT, "pyproject.toml": "[tool.valhalla-lint]\nstrict-tiers = false\n"}
    )
    arguments = ["--vh-strict-tiers", "--vh-tiers=test", "--vh-magic-number-allowed-values=7,8193"]
    if where == "file":
        lines = "vh-strict-tiers = true\nvh_tiers = test\nvh-magic-number-allowed-values =\n    7,\n    8193\n"
        write(tmp_path, {".flake8": f"[flake8]\nselect = VH\n{lines}"})
        arguments = []
    done = flake8(tmp_path, "--select=VH", *arguments, ".")
    assert [line.split(" ")[:3] for line in done.stdout.splitlines()] == [["./tests/b.py:2:26:", "VH301", "[test]"]]
    allowed = flake8(tmp_path, "--select=VH", *arguments, "--vh-magic-number-allowed-values=8192", ".")
    assert not allowed.stdout


def test_wrong_settings_are_one_message(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": LIMIT, "pyproject.toml": "[tool.valhalla-lint]\npresset = 1\n"})
    wrong = ("--vh-preset", "adit", "--vh-magic-number-allowed-values", "x")
    done = flake8(tmp_path, "--select", "VH", *wrong, ".")
    assert done.returncode == 1
    assert "--vh-magic-number-allowed-values: must be a number, not 'x'" in done.stdout
    assert "presset: is not known here (did you mean preset?)" in done.stdout
    assert "--vh-preset: must be one of default, audit, not 'adit' (did you mean audit?)" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_wrong_settings_of_a_folder_further_down_hide_no_other_file(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": LIMIT, "sub/pyproject.toml": "[tool.valhalla-lint]\npresset = 1\n", "sub/b.py": LIMIT})
    lines = flake8(tmp_path, "--select", "VH", ".").stdout.splitlines()
    assert lines[0].startswith(f"./a.py{FOUND}")
    assert lines[1].startswith("./sub/b.py:1:1: VH908 [production] wrong configuration: ")
    assert "presset" in lines[1]


def test_processes_do_not_change_the_answer(tmp_path: Path) -> None:
    write(tmp_path, {f"part{number}/a.py": LIMIT * (number + 1) for number in range(6)})
    write(tmp_path, {"part3/pyproject.toml": '[tool.valhalla-lint]\nignore = ["VH301"]\n'})
    one = flake8(tmp_path, "--select", "VH", "-j", "1", ".")
    assert sorted(one.stdout.splitlines()) == sorted(
        flake8(tmp_path, "--select", "VH", "-j", "3", ".").stdout.splitlines()
    )
    assert "part3" not in one.stdout
    assert "part5" in one.stdout


def test_the_plugin_imports_nothing_heavy() -> None:
    program = "import sys, valhalla_lint.hosts.flake8; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"bandit", "detect_secrets", "distributed", "libcst", "lsprotocol", "pathspec", "pygls", "requests", "yaml"}
    assert not heavy & set(done.stdout.split())


def test_a_baseline_that_cannot_be_read_is_said_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": LIMIT, "b.py": LIMIT})
    done = flake8(tmp_path, "--select", "VH", "--vh-baseline", "none.json", ".")
    assert "there is no such file" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    assert done.returncode == 1
