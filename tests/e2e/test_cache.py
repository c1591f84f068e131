"""What is kept of earlier runs saves work, changes no answer, holds no secret, breaks nothing where it breaks."""

import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import LIMIT, Command, write

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.engine.cache import Store
from valhalla_lint.engine.stored import plain, report_from
from valhalla_lint.facts.minting import fill
from valhalla_lint.linter import Linter, forget
from valhalla_lint.replays import Replay, replayed

HELPER = 'import os\n\ndef checked(name):\n    return os.path.join("notes", os.path.basename(name))\n'
VIEW = """\
from flask import request
from app.helpers import checked

def view():
    return open(checked(request.args["name"]), "rb").read()
"""
PROJECT = {"pyproject.toml": "[project]\nname = 'app'\n", "app/__init__.py": "", "app/helpers.py": HELPER}
PROJECT |= {"app/view.py": VIEW, "app/limit.py": LIMIT}


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were judged, not remembered."""
    seen: list[str] = []
    real = Linter.inspect

    def inspect(self: Linter, source: object) -> object:
        seen.append(source.path)  # type: ignore[attr-defined]  # a source
        return real(self, source)  # type: ignore[arg-type]

    monkeypatch.setattr(Linter, "inspect", inspect)
    return seen


@pytest.fixture
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(params=["by what is stored", "by the last report"])
def check(vh: Command, cache: Path, judged: list[str], request: pytest.FixtureRequest) -> Iterator[Command]:
    """`check .` with a cache of its own, as a new process would: what it says, and which files it judged."""

    def command(*arguments: str) -> tuple[int, str, str]:
        forget()
        judged.clear()
        words = ("check", "--output-format", "concise", "--cache-dir", str(cache), *arguments, ".")
        before = replayed(words) if request.param == "by the last report" else Replay()
        if before.said is not None:
            return *before.said, ""
        ended, out, errors = vh(*words, before=before)
        assert not errors
        return ended, out, " ".join(sorted(judged))

    yield command
    forget()


def test_what_one_file_asked_twice_counts_for_the_next_that_asks(check: Command) -> None:
    """The second question of a file finds answers of the first, and its own answer leans on what those lean on."""
    asks = "from app import helpers\n\ndef {0}():\n    return open('notes/' + helpers.{0}()).read()\n"
    both = asks.format("first") + asks.format("second")
    helpers = "from flask import request\nfrom app import more\n\ndef first():\n    return more.name()\n"
    write(
        {
            "pyproject.toml": "",
            "app/__init__.py": "",
            "app/helpers.py": helpers + "\ndef second():\n    return more.name()\n",
            "app/more.py": "def name():\n    return 'x'\n",
            "views/one.py": both,
            "views/two.py": asks.format("second"),
        }
    )
    assert "VH201" not in check("--jobs", "1")[1]
    write({"app/more.py": "from flask import request\n\ndef name():\n    return request.args['name']\n"})
    found = check("--jobs", "1")[1]
    assert "views/one.py:4:" in found
    assert "views/two.py:4:" in found


def test_what_is_asked_about_the_checked_file_itself_leans_on_it(check: Command) -> None:
    """A module that is checked and asks one that calls it back: whoever asks the same later is judged again with it."""
    view = "from flask import request\nfrom app import middle\n\ndef v():\n    return middle.put(request.args['n'])\n"
    write(
        {
            "pyproject.toml": "",
            "app/__init__.py": "",
            "app/first.py": view + "\ndef keep(name):\n    return len(name)\n",
            "app/middle.py": "from app import first\n\ndef put(name):\n    return first.keep(name)\n",
            "app/second.py": view,
        }
    )
    assert "VH201" not in check("--jobs", "1")[1]
    write({"app/first.py": view + "\ndef keep(name):\n    return open('notes/' + name).read()\n"})
    found = check("--jobs", "1")[1]
    assert "app/first.py:8:" in found
    assert "app/second.py:5:" in found


def test_only_what_an_edit_can_change_is_judged_again(check: Command) -> None:
    write(PROJECT)
    assert check()[2] == "app/__init__.py app/helpers.py app/limit.py app/view.py"
    assert check()[2] == ""
    write({"app/limit.py": LIMIT.replace("8192", "8193")})
    assert check()[2] == "app/limit.py"
    write({"app/helpers.py": HELPER.replace("os.path.basename(name)", "name")})
    _, out, files = check()
    assert files == "app/helpers.py app/view.py"
    assert "VH201" in out
    Path("app/helpers.py").unlink()
    assert check()[2] == "app/view.py"


def test_a_module_that_was_looked_for_in_vain_matters_once_it_is_there(check: Command) -> None:
    write({name: text for name, text in PROJECT.items() if name != "app/helpers.py"})
    before = check()[1]
    write({"app/helpers.py": HELPER})
    _, after, files = check()
    assert files == "app/helpers.py app/view.py"
    assert after != before


def test_who_calls_a_function_counts(check: Command) -> None:
    store = "import os\n\ndef read(cache, file_name):\n    return open(os.path.join(cache, file_name)).read()\n"
    caller = "from app.store import read\n\ndef show():\n    return read('notes', 'index.txt')\n"
    write(PROJECT | {"app/store.py": store, "app/caller.py": caller})
    assert "VH202" not in check()[1]
    assert check()[2] == ""
    write({"app/caller.py": caller.replace("show():", "show(name):").replace("'index.txt'", "name")})
    _, out, files = check()
    assert files == "app/caller.py app/store.py"
    assert "VH202" in out
    write({"app/other.py": "from app.store import read\n\nread('notes', 'index.txt')\n"})
    assert check()[2] == "app/other.py app/store.py"
    write({"app/limit.py": LIMIT.replace("8192", "8193")})
    assert check()[2] == "app/limit.py"  # nobody is called there
    write({"app/limit.py": f"{LIMIT}\n\ndef loud(book):\n    return book.read(1)\n"})
    assert check()[2] == "app/limit.py app/store.py"


def test_settings_declarations_and_places_count(check: Command) -> None:
    write(PROJECT | {"app/load.py": "import torch\n\ndef load(path):\n    return torch.load(path)\n"})
    assert "VH404" in check()[1]
    write({"pyproject.toml": "[project]\nname = 'app'\ndependencies = ['torch>=2.6']\n"})
    assert "VH404" not in check()[1]
    assert "VH301" not in check("--select", "VH2")[1]
    assert "VH301" in check()[1]
    assert check()[2] == ""  # the reports of both settings are kept
    Path("app").rename("tests")
    assert "VH301" not in check()[1]


def test_content_counts_where_times_do_not(check: Command) -> None:
    write(PROJECT)
    before = check()[1]
    for place in Path().rglob("*.py"):
        place.touch()
    assert check()[1:] == (before, "")


def test_a_kept_report_is_told_by_a_process_that_loads_nothing_else(tmp_path: Path, cache: Path) -> None:
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    told = "import sys; from valhalla_lint.__main__ import main; ended = main()\n"
    told += "sys.stderr.write(' '.join(name for name in sys.modules if name.startswith('valhalla')))\nsys.exit(ended)"
    command = [sys.executable, "-c", told, "check", "--cache-dir", str(cache)]
    first = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert first.stdout == again.stdout
    assert "VH301" in again.stdout
    assert (first.returncode, again.returncode) == (1, 1)
    assert "valhalla_lint.linter" in first.stderr
    assert "valhalla_lint.linter" not in again.stderr
    assert "valhalla_lint.core" not in again.stderr


def test_no_secret_is_kept(check: Command, cache: Path) -> None:
    secrets = [fill("{{token:github}}"), fill("{{secret:40}}"), "Xk7" + "-orchid-" + "Vb2Qz9"]
    write({"app/keys.py": "".join(f'API_TOKEN_{number} = "{value}"\n' for number, value in enumerate(secrets))})
    write({"app/quiet.py": f'PASSWORD = "{secrets[2]}"  # noqa: VH101\n'})
    assert check()[1].count("VH10") >= len(secrets)
    kept = b"".join(file.read_bytes() for file in cache.iterdir())
    assert b"VH102" in kept
    for value in secrets:
        for start in range(len(value) - 7):
            assert value[start : start + 8].encode() not in kept


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 99, b"valhalla-lint\n", b'[["x"], [[1]]]\n', b"\xff\xfe[[" + b"[" * 9000]
)
def test_a_broken_or_foreign_cache_counts_for_nothing(check: Command, cache: Path, data: bytes) -> None:
    write(PROJECT)
    before = check()[1]
    for file in cache.glob("valhalla-lint-*"):
        whole = file.read_bytes()
        file.write_bytes(data or whole[: len(whole) // 2])
    assert check()[1] == before
    assert check()[1:] == (before, "")


def test_a_line_that_is_not_of_our_making_is_passed_over(check: Command, cache: Path) -> None:
    write(PROJECT)
    before = check()[1]
    (store,) = cache.glob("*.jsonl")
    for body in (
        b'[[],[["app/limit.py",1,"",[7],[]]]]',
        b'[[["t","a","b","c"]],[["app/limit.py","x","",[0],{}]]]',
        b"7",
    ):
        with store.open("ab") as file:
            file.write(b"%08x %s\n" % (zlib.crc32(body), body))
    assert check()[1] == before


def test_places_that_no_file_has_are_of_no_report() -> None:
    report = Linter(Settings(isolated=True)).inspect(Source(path="limit.py", text="\n" * 90 + LIMIT))
    kept = plain(report)
    assert report_from(kept) == report

    def grown(value: object) -> object:
        if isinstance(value, list):
            return [grown(item) for item in value]
        return 10**30 if isinstance(value, int) and value > 90 else value

    assert report_from(grown(kept)) is None


def test_a_cache_that_cannot_be_written_is_done_without(vh: Command) -> None:
    write(PROJECT | {"taken": "a file, no folder"})
    ended, out, errors = vh("check", "--cache-dir", "taken/cache")
    assert (ended, errors) == (1, "")
    assert "VH301" in out


def test_nothing_is_kept_where_that_is_not_wanted(vh: Command) -> None:
    write(PROJECT)
    vh("check", "--no-cache", "--cache-dir", "here")
    assert not Path("here").exists()


def test_the_folder_is_told_by_the_configuration(vh: Command) -> None:
    write(PROJECT | {"pyproject.toml": '[tool.valhalla-lint]\ncache-dir = ".cache"\n'})
    vh("check")
    assert list(Path(".cache").glob("*.jsonl"))
    assert Path(".cache/CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert Path(".cache/.gitignore").read_text() == "*\n"


def test_other_hosts_use_what_a_run_found_and_what_they_found_themselves(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VALHALLA_LINT_CACHE_DIR", str(cache))
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    def told(*command: str) -> list[str]:
        run = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert not run.stderr
        return sorted(run.stdout.splitlines())

    flake8 = ("flake8", "--select=VH", "-j2", ".")
    plain = told(*flake8, "--vh-no-cache")
    assert not list(cache.iterdir())
    told("valhalla_lint", "check")
    assert told(*flake8) == plain
    (store,) = cache.glob("*.jsonl")
    retouch(store, b"is a limit", b"is a LIMIT")  # whoever says so has it from there
    assert "is a LIMIT" in "".join(told(*flake8))
    assert "is a LIMIT" in "".join(told("bandit", "-q", "-r", "app"))
    (tmp_path / "app/limit.py").write_text(LIMIT.replace("8192", "9192"))
    assert "is a limit" in "".join(told(*flake8))
    retouch(store, b"is a limit", b"is a LIMIT")
    assert "is a LIMIT" in "".join(told(*flake8))
    assert "is a limit" in "".join(told(*flake8, "--vh-no-cache"))


def retouch(store: Path, old: bytes, new: bytes) -> None:
    """Change what a store says, and make it good."""
    head, *lines = store.read_bytes().split(b"\n")
    bodies = [line.partition(b" ")[2].replace(old, new) for line in lines if line]
    store.write_bytes(b"\n".join([head, *(b"%08x %s" % (zlib.crc32(body), body) for body in bodies)]) + b"\n")


def test_a_text_that_an_editor_holds_is_not_taken_for_its_file(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VALHALLA_LINT_CACHE_DIR", str(cache))
    (tmp_path / "limit.py").write_text(LIMIT)
    command = [sys.executable, "-m", "flake8", "--select=VH", "--stdin-display-name", "limit.py", "-"]

    def told(text: str) -> str:
        run = subprocess.run(command, cwd=tmp_path, input=text, capture_output=True, text=True, check=False)
        return run.stdout

    subprocess.run([sys.executable, "-m", "flake8", "--select=VH"], cwd=tmp_path, capture_output=True, check=False)
    assert told("") == ""
    assert told(LIMIT).count("VH301") == 1
    assert told(f"\n{LIMIT}").startswith("limit.py:3:")


def test_a_folder_that_holds_other_things_stays_as_it_is(vh: Command) -> None:
    others = {".gitignore": "build\n", "valhalla-lint-report.html": "a report", "valhalla-lint-run-1.txt": "a note"}
    write(PROJECT | others)
    Path(".git").mkdir()
    before = vh("check", "--cache-dir", ".")
    assert before == vh("check", "--cache-dir", ".")
    assert "VH301" in before[1]
    assert not Path("CACHEDIR.TAG").exists()
    assert "removed 2 files" in vh("cache", "clear", "--cache-dir", ".")[1]
    assert {name: Path(name).read_text() for name in others} == others


@pytest.mark.parametrize("folder", ["a\\u0000b", "x" * 5000, "app/limit.py"])
def test_a_folder_that_cannot_be_is_done_without(vh: Command, folder: str) -> None:
    write(PROJECT | {"pyproject.toml": f'[tool.valhalla-lint]\ncache-dir = "{folder}"\n'})
    ended, out, errors = vh("check")
    assert (ended, errors) == (1, "")
    assert "VH301" in out
    assert "0 files" in vh("cache", "info")[1]
    assert "0 files" in vh("cache", "clear")[1]


def test_info_and_clear(vh: Command) -> None:
    write(PROJECT)
    vh("check", "--cache-dir", "kept")
    Path("kept/mine.txt").write_text("not ours")
    assert "2 files" in vh("cache", "info", "--cache-dir", "kept")[1]
    assert "removed 2 files" in vh("cache", "clear", "--cache-dir", "kept")[1]
    assert "0 files" in vh("cache", "info", "--cache-dir", "kept")[1]
    assert Path("kept/mine.txt").exists()


def test_what_two_processes_began_with_is_kept_of_both(tmp_path: Path) -> None:
    linter = Linter(Settings(isolated=True))
    first, second = (Store(str(tmp_path / "kept"), str(tmp_path)) for _ in range(2))
    for store, name in ((first, "one.py"), (second, "two.py")):
        (tmp_path / name).write_text(LIMIT)
        store.load()
        store.put(linter.inspect(Source(path=name, text=LIMIT)), "asked", ())
    first.save()
    second.save()
    later = Store(str(tmp_path / "kept"), str(tmp_path))
    assert all(later.get(name, "asked") is not None for name in ("one.py", "two.py"))


def test_what_was_used_least_recently_goes_first(tmp_path: Path) -> None:
    from valhalla_lint.engine.cache import evict

    for number in range(4):
        file = tmp_path / f"valhalla-lint-{number:08x}-00000000.jsonl"
        file.write_bytes(b"x" * 100)
        os.utime(file, (number, number))
    assert evict(str(tmp_path), 250) == 2
    left = sorted(file.name for file in tmp_path.iterdir())
    assert left == ["valhalla-lint-00000002-00000000.jsonl", "valhalla-lint-00000003-00000000.jsonl"]


def test_runs_side_by_side_lose_nothing_and_break_nothing(tmp_path: Path, cache: Path) -> None:
    for number in range(12):
        (tmp_path / f"part{number}.py").write_text(LIMIT * (number + 1))
    command = [sys.executable, "-m", "valhalla_lint", "check", "--cache-dir", str(cache), "--output-format", "concise"]
    plain = subprocess.run([*command, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False)
    parts = [[f"part{part}.py" for part in range(number, 12, 2)] for number in range(4)]
    running = [subprocess.Popen([*command, *part, "."], cwd=tmp_path, stdout=-1, text=True) for part in parts]
    told = [process.communicate()[0] for process in running]
    assert told == [plain.stdout] * 4
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (again.stdout, again.stderr) == (plain.stdout, "")


def test_an_edit_of_every_file_many_times_does_not_let_a_store_grow(check: Command, cache: Path) -> None:
    sizes = []
    for number in range(40):
        write({f"part{part}.py": LIMIT.replace("8192", str(9000 + number)) for part in range(12)})
        check()
        (store,) = cache.glob("*.jsonl")
        sizes.append(store.stat().st_size)
    assert max(sizes) < 60 * sizes[0]
    assert sizes != sorted(sizes)
