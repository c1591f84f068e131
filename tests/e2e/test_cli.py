"""The command, as people and programs run it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import LIMIT, Command, lines, python, write
from hostile import write_tree

from valhalla_lint.hosts.cli.main import COMMANDS


def test_statuses(vh: Command) -> None:
    write({"clean.py": "x = 1\n", "limit.py": LIMIT, "broken.py": "def f(:\n"})
    assert vh("check", "clean.py")[0] == 0
    assert vh("check", "limit.py")[0] == 1
    assert vh("check", "limit.py", "--exit-zero")[0] == 0
    assert vh("check", "limit.py", "--fail-on", "medium")[0] == 0
    assert vh("check", "broken.py")[0] == 1
    assert vh("check", "limit.py", "nowhere.py")[0] == 3
    assert vh("check", "nowhere.py", "--exit-zero")[0] == 3
    assert vh("check", "--select", "VH9x")[0] == 2
    assert vh("check", "--nonsense")[0] == 2
    assert vh()[0] == 2


def test_selection_and_tiers(vh: Command) -> None:
    write({"src/a.py": LIMIT, "tests/a.py": LIMIT, "scripts/a.py": LIMIT})
    assert lines(vh("check", "--output-format", "concise")[1]) == ["src/a.py:2:26: VH301 [production]"]
    strict = vh("check", "--output-format", "concise", "--strict-tiers")[1]
    assert lines(strict) == [
        "scripts/a.py:2:26: VH301 [script]",
        "src/a.py:2:26: VH301 [production]",
        "tests/a.py:2:26: VH301 [test]",
    ]
    assert "(1 production, 1 test, 1 script) in 3 files" in strict
    only = vh("check", "--output-format", "concise", "--strict-tiers", "--tiers", "test,script")[1]
    assert lines(only) == ["scripts/a.py:2:26: VH301 [script]", "tests/a.py:2:26: VH301 [test]"]
    assert not lines(vh("check", "--output-format", "concise", "--ignore", "magic-number")[1])
    assert not lines(vh("check", "--output-format", "concise", "--select", "VH1,VH2")[1])
    assert lines(vh("check", "--output-format", "concise", "--select", "VH1", "--extend-select", "VH301")[1])


def test_per_file_ignores_and_isolated(vh: Command) -> None:
    write({"api/a.py": LIMIT, "b.py": LIMIT})
    write({"pyproject.toml": '[tool.valhalla-lint.per-file-ignores]\n"api/**" = ["VH3"]\n'})
    assert lines(vh("check", "--output-format", "concise")[1]) == ["b.py:2:26: VH301 [production]"]
    assert len(lines(vh("check", "--output-format", "concise", "--isolated")[1])) == 2


def test_standard_input(vh: Command) -> None:
    ended, out, _ = vh("check", "-", "--output-format", "concise", "--stdin-filename", "src/buffer.py", text=LIMIT)
    assert (ended, lines(out)) == (1, ["src/buffer.py:2:26: VH301 [production]"])
    assert vh("check", "-", "--stdin-filename", "tests/buffer.py", text=LIMIT)[0] == 0
    assert lines(vh("check", "-", "--output-format", "concise", text=LIMIT)[1]) == ["stdin:2:26: VH301 [production]"]
    assert "8192" in vh("check", "-", text=LIMIT)[1]
    assert vh("check", "-", "src", text=LIMIT)[0] == 2
    ended, _, told = vh("check", "--stdin-filename", "src/buffer.py", text=LIMIT)
    assert (ended, told) == (2, "valhalla-lint: --stdin-filename: names what - reads, and - is not given\n")


def test_a_report_for_programs(vh: Command) -> None:
    write({"src/a.py": LIMIT, "b.py": "x = 8192  # noqa: VH301\n"})
    document = json.loads(vh("check", "--output-format", "json")[1])
    (finding,) = [item for item in document["findings"] if item["code"] == "VH301"]
    assert (finding["path"], finding["line"], finding["column"], finding["tier"]) == ("src/a.py", 2, 26, "production")
    assert document["files"] == {"checked": 2, "read": 2, "partly": [], "unread": []}


def test_colours(vh: Command) -> None:
    write({"a.py": LIMIT})
    assert "\x1b[" not in vh("check")[1]
    assert "\x1b[" in vh("check", "--color", "always")[1]
    os.environ["FORCE_COLOR"] = "1"
    assert "\x1b[" in vh("check")[1]
    assert "\x1b[" not in vh("check", "--color", "never")[1]
    os.environ["NO_COLOR"] = "1"
    assert "\x1b[" not in vh("check")[1]
    del os.environ["NO_COLOR"], os.environ["FORCE_COLOR"]


def test_nothing_to_check_is_said(vh: Command) -> None:
    ended, out, _ = vh("check")
    assert ended == 0
    assert "no Python file" in out


def test_a_project_that_clears_itself_is_named(vh: Command) -> None:
    write(
        {
            "a.py": "x = 1\n",
            "pyproject.toml": '[[tool.valhalla-lint.catalogue.clean]]\ncall = "app.own"\nclears = ["path"]\n',
        }
    )
    assert "pyproject.toml clears flows by 1 of its own rows" in vh("check")[1]
    assert "of its own rows" not in vh("check", "--isolated")[1]


def test_hostile_inputs_all_end_somewhere(vh: Command, tmp_path: Path) -> None:
    write_tree(tmp_path)
    ended, out, err = vh("check", "--output-format", "json", "--ignore", "VH301", "--jobs", "2")
    assert ended == 3
    assert "Traceback" not in out + err
    document = json.loads(out)
    unread = {item["path"]: item["reasons"] for item in document["files"]["unread"]}
    assert {"dangling.py", "outside.py", "binary.py"} <= set(unread)
    assert all(unread.values())
    assert all(item["reasons"] for item in document["files"]["partly"])
    assert "VH908" not in {item["code"] for item in document["findings"]}
    listed = document["files"]["read"] + len(document["files"]["partly"]) + len(unread)
    assert listed == document["files"]["checked"] == len([*tmp_path.glob("*.py")]) - 1  # a folder is called folder.py
    planted = [item for item in document["findings"] if item["path"] == "with space and ünïcode.py"]
    assert planted


def test_the_answer_does_not_depend_on_processes(vh: Command) -> None:
    write({f"part{number}/a.py": LIMIT * (number % 5 + 1) for number in range(70)})
    one = vh("check", "--output-format", "json", "--jobs", "1")
    assert vh("check", "--output-format", "json", "--jobs", "3") == one
    assert vh("check", "--output-format", "json") == one


@pytest.mark.parametrize("count", ["0", "-3", "many"])
@pytest.mark.parametrize("command", ["check", "fix", "suppressions"])
def test_a_number_of_processes_that_is_none_is_refused(vh: Command, command: str, count: str) -> None:
    write({"a.py": "x = 1\n"})
    code, out, err = vh(command, f"--jobs={count}", "a.py")
    assert (code, out) == (2, "")
    assert err.endswith(f"argument --jobs: {count!r} is no number of processes: give 1 or more\n")


def test_an_option_that_a_command_does_not_have_is_refused_by_that_command(vh: Command) -> None:
    code, _, err = vh("check", "-q", "a.py")
    assert code == 2
    assert err.startswith("usage: valhalla-lint check ")
    assert err.endswith(
        "valhalla-lint check: error: unrecognized arguments: -q; `valhalla-lint check --help` says what it takes\n"
    )


@pytest.mark.parametrize(
    "command",
    [("check",), ("fix",), ("suppressions",), ("tier",), ("baseline", "create"), ("review",), ("config", "show")],
)
def test_an_empty_name_is_not_the_working_folder(vh: Command, command: tuple[str, ...]) -> None:
    write({"a.py": LIMIT})
    code, out, err = vh(*command, "")
    assert (code, out) == (2, "")
    assert err.endswith("; . is the working folder\n")
    assert not Path("valhalla-baseline.json").exists()


def test_tier_says_why(vh: Command) -> None:
    write({"pyproject.toml": "[project]\nname = 'x'\n", "src/a.py": "x = 1\n", "src/b_pb2.py": ""})
    ended, out, _ = vh("tier", "src", "tests/not_there_yet.py")
    assert ended == 0
    assert out.splitlines() == [
        "src/a.py: production: nothing says otherwise",
        "src/b_pb2.py: production, generated: nothing says otherwise; generated: named like it (b_pb2.py)",
        "tests/not_there_yet.py: test: the folder 'tests' holds tests",
    ]
    (told,) = json.loads(vh("tier", "src/a.py", "--output-format", "json")[1])
    assert (told["path"], told["tier"], told["flags"]) == ("src/a.py", "production", [])


def test_explain_and_rules(vh: Command) -> None:
    ended, out, _ = vh("explain", "VH301")
    assert ended == 0
    assert out.startswith("# VH301 magic-number\n")
    assert vh("explain", "magic-number")[1] == out
    assert vh("explain", "VH9")[1].count("# VH9") > 3
    assert vh("explain", "")[:2] == (2, "")
    ended, _, err = vh("explain", "magic-numbr")
    assert ended == 2
    assert "did you mean magic-number?" in err
    assert "sink (open)" in vh("explain", "open")[1]
    assert "source of kind request" in vh("explain", "flask.request.args.get")[1]
    table = vh("rules")[1]
    assert "VH301" in table
    assert {rule["code"] for rule in json.loads(vh("rules", "--output-format", "json")[1])} >= {"VH301", "VH907"}


def test_config_show_can_be_read_back(vh: Command) -> None:
    table = '[tool.valhalla-lint]\nselect = ["VH1"]\n[tool.valhalla-lint.rules.VH301]\nallowed-values = [7]\n'
    write({"pyproject.toml": table})
    ended, out, _ = vh("config", "show", "src/a.py")
    assert ended == 0
    assert "pyproject.toml" in out.splitlines()[0]
    write({"other/valhalla-lint.toml": out})
    assert vh("config", "show", "other")[1].splitlines()[1:] == out.splitlines()[1:]
    assert "no configuration file" in vh("config", "show", "--isolated")[1]


def test_every_command_has_its_help(vh: Command) -> None:
    _, overview, _ = vh("--help")
    for command in COMMANDS:
        assert command.name in overview
        ended, out, _ = vh(command.name, "--help")
        assert ended == 0
        assert "usage: valhalla-lint" in out


def test_start_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(LIMIT)
    program = "import sys; from valhalla_lint.hosts.cli.main import run; run(sys.argv[1:]); print(*sys.modules)"
    loaded = python("-c", program, "check", "a.py", folder=tmp_path).stdout.split()
    heavy = {"bandit", "detect_secrets", "flake8", "libcst", "multiprocessing", "pathspec", "pygls", "rich", "yaml"}
    assert not heavy & set(loaded)
    assert "valhalla_lint.hosts.cli.init" not in loaded
    seldom = {"configparser", "random", "shutil", "tomllib", "uuid"}
    assert not seldom & set(loaded)
    ours = {"baselines", "engine.suppress", "facts.notebooks", "facts.redaction", "facts.text_files"}
    assert not {name.removeprefix("valhalla_lint.") for name in loaded} & ours
    assert "valhalla_lint.rules.inputs.unused_suppression" not in loaded, "a rule that is not asked is not loaded"
    program = "import sys; from valhalla_lint.hosts.cli.main import run"
    version = f"{program}\ntry: run(['--version'])\nfinally: print(*sys.modules)"
    assert "valhalla_lint.linter" not in python("-c", version, folder=tmp_path).stdout.split()


@pytest.mark.parametrize(("text", "loads"), [("LIMIT: int = 3\n", False), ("print(open('a'))\n", True)])
def test_flow_is_loaded_only_where_something_can_flow(tmp_path: Path, text: str, *, loads: bool) -> None:
    (tmp_path / "a.py").write_text(text)
    program = "import sys; from valhalla_lint.hosts.cli.main import run; run(sys.argv[1:]); print(*sys.modules)"
    loaded = python("-c", program, "check", "--no-cache", "a.py", folder=tmp_path).stdout.split()
    assert ("valhalla_lint.flow.analysis" in loaded) is loads
    assert loads or not {"dataclasses", "inspect", "tokenize"} & set(loaded), "they take longer than the file"


def test_output_in_a_terminal_that_knows_only_ascii(tmp_path: Path) -> None:
    (tmp_path / "ä.py").write_text(LIMIT, encoding="utf-8")
    done = python("-m", "valhalla_lint", "check", folder=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert "VH301" in done.stdout
    assert not done.stderr


def test_a_reader_that_leaves_early_hears_no_complaint(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(LIMIT * 3000)
    command = f"{sys.executable} -m valhalla_lint check | head -1"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S607 -- any sh
    assert not done.stderr
    assert done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="counts processes in /proc")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, sent: signal.Signals) -> None:
    for number in range(40):
        (tmp_path / f"a{number}.py").write_text(LIMIT * 2000)
    process = subprocess.Popen(
        [sys.executable, "-m", "valhalla_lint", "check", "--jobs", "2", "--cache-dir", str(tmp_path / "kept")],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 -- no thread runs; a job in the background ignores it
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(200):
        if len(children.read_text().split()) >= 2:
            break
        time.sleep(0.02)
    workers = children.read_text().split()
    assert workers
    if sent == signal.SIGINT:
        os.killpg(process.pid, sent)
    else:
        os.kill(process.pid, sent)
    out, err = process.communicate(timeout=30)
    assert process.returncode == (130 if sent == signal.SIGINT else -sent), err
    assert b"Traceback" not in out + err
    for _ in range(200):
        if not any(_lives(worker) for worker in workers):
            break
        time.sleep(0.02)
    assert not any(_lives(worker) for worker in workers)
    assert {path.suffix for path in tmp_path.iterdir() if path.is_file()} == {".py"}
    assert not list(tmp_path.glob("kept/*.part"))


def _lives(worker: str) -> bool:
    """Whether a process is there and has not ended; one that nobody has asked about yet has."""
    try:
        return Path(f"/proc/{worker}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_line_that_is_not_read_to_its_end_is_said(vh: Command) -> None:
    write({"a.json": "{}\n" + "x" * 200_001 + "\n", "b.yaml": "x" * 200_000, "c.py": "x = '" + "y" * 200_000 + "'\n"})
    ended, out, _ = vh("check", "--text-files", "--output-format", "json")
    told = json.loads(out)
    reason = "only the first 200,000 characters of line 2 were read"
    assert told["files"]["partly"] == [{"path": "a.json", "reasons": [reason]}]
    assert [(row["code"], row["path"]) for row in told["findings"]] == [("VH906", "a.json")]
    assert ended == 1
    ended, out, _ = vh("check", "--text-files", "--select", "VH1")
    assert (ended, out) == (0, f"a.json: read only in part: {reason}\nNo findings in 3 files, 1 read only in part.\n")


def test_counts_and_a_report_in_the_same_place_are_refused(vh: Command) -> None:
    write({"a.py": LIMIT})
    for form in ("concise", "json", "full"):
        ended, out, err = vh("check", "--statistics", "--output-format", form)
        assert (ended, out) == (2, "")
        assert f"--output {form}:FILE" in err
    ended, out, _ = vh("check", "--statistics", "--output", "concise:found.txt")
    assert (ended, "VH301" in out) == (1, True)
    assert lines(Path("found.txt").read_text(encoding="utf-8")) == ["a.py:2:26: VH301 [production]"]


def test_what_a_command_does_not_take_is_answered_with_what_to_do(vh: Command) -> None:
    assert "--baseline FILE" in vh("baseline", "show", "nope.json")[2]
    assert "`valhalla-lint rules --help`" in vh("rules", "nope")[2]


def test_a_file_in_an_encoding_that_is_not_python_is_told_once(vh: Command) -> None:
    text = ("# " + "\u6570\u636e\u96c6\u8bf4\u6587" * 9 + "\n") * 90 + "\nx = 1\n"
    Path("a.py").write_bytes(text.encode("utf-16-le"))
    Path("b.py").write_bytes(text.encode("utf-16"))
    Path("c.py").write_bytes(b"# caf\xe9\ndef broken(:\n")
    assert lines(vh("check", "--output-format", "concise")[1]) == [
        "a.py:1:1: VH906 [production]",
        "b.py:1:1: VH906 [production]",
        "c.py:2:12: VH906 [production]",
    ]
    out = vh("check", "c.py", "--output-format", "concise")[1]
    assert "not valid UTF-8 (first on line 1); read as Latin-1; " in out
