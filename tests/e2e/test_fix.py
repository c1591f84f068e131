"""`fix` and `check --fix`, as people, programs and hooks run them."""

import json
import os
from pathlib import Path

import pytest
from command import LIMIT, Command, git, write

from valhalla_lint.facts.minting import mint_secret

MENDED = "PROMPT_LENGTH_LIMIT = 8192\n\n\ndef check(prompt):\n    return len(prompt) > PROMPT_LENGTH_LIMIT\n"
LOADER = "import torch\n\n\ndef read(path):\n    return torch.load(path)\n"
SECRET = mint_secret(32, "fix")


def text_of(name: str) -> str:
    return Path(name).read_bytes().decode()


def test_fix_writes_says_what_it_did_and_does_nothing_twice(vh: Command) -> None:
    write({"a.py": LIMIT, "b.py": "x = 1\n"})
    ended, out, _ = vh("fix")
    assert (ended, text_of("a.py"), text_of("b.py")) == (0, MENDED, "x = 1\n")
    assert "a.py:2: VH301 name 8192 PROMPT_LENGTH_LIMIT" in out
    assert "Fixed 1 finding in 1 file." in out
    assert "Fixed 0 findings in 0 files." in vh("fix")[1]
    assert vh("check")[0] == 0


def test_a_diff_changes_nothing_and_fails_where_something_would_change(vh: Command) -> None:
    write({"a.py": LIMIT})
    for command in (("fix", "--diff"), ("check", "--diff"), ("check", "--fix", "--diff")):
        ended, out, errors = vh(*command)
        assert ended == 1
        assert "--- a/a.py\n+++ b/a.py\n" in out
        assert "+    return len(prompt) > PROMPT_LENGTH_LIMIT\n" in out
        assert "Would fix 1 finding in 1 file." in errors
        assert text_of("a.py") == LIMIT
    assert vh("fix", "--diff", "--select", "VH9")[0] == 0


def test_check_fix_reports_what_is_left(vh: Command) -> None:
    write({"a.py": LIMIT, "b.py": LOADER})
    ended, out, errors = vh("check", "--fix", "--output-format", "json")
    assert ended == 1
    assert [item["code"] for item in json.loads(out)["findings"]] == ["VH404"]
    assert "1 more finding can be mended with --unsafe-fixes." in errors
    assert text_of("a.py") == MENDED
    assert vh("check", "--fix", "--unsafe-fixes")[0] == 0
    assert "torch.load(path, weights_only=True)" in text_of("b.py")


def test_a_hook_fails_after_changing(vh: Command) -> None:
    write({"a.py": LIMIT})
    assert vh("fix", "--exit-non-zero-on-fix", "a.py")[0] == 1
    assert vh("fix", "--exit-non-zero-on-fix", "a.py")[0] == 0
    write({"a.py": LIMIT})
    assert vh("check", "--fix", "--exit-non-zero-on-fix", "a.py")[0] == 1


def test_standard_input_becomes_standard_output(vh: Command) -> None:
    ended, out, errors = vh("fix", "-", "--stdin-filename", "src/a.py", text=LIMIT)
    assert (ended, out) == (0, MENDED)
    assert "Fixed 1 finding in 1 file." in errors
    assert vh("check", "--fix", "-", text=LIMIT)[1] == MENDED
    assert vh("fix", "-", text="def f(:\n")[1] == "def f(:\n"
    assert vh("fix", "-", "a.py", text=LIMIT)[0] == 2


def test_selection_and_configuration_hold(vh: Command) -> None:
    write({"src/a.py": LIMIT, "tests/a.py": LIMIT, "skip.py": LIMIT})
    write({"pyproject.toml": '[tool.valhalla-lint]\nexclude = ["skip.py"]\n'})
    assert "Fixed 0 findings" in vh("fix", "--ignore", "magic-number")[1]
    assert "Fixed 1 finding in 1 file." in vh("fix")[1]
    assert (text_of("tests/a.py"), text_of("skip.py")) == (LIMIT, LIMIT)


def test_unreadable_unwritable_and_missing_files_are_said(vh: Command) -> None:
    write({"a.py": LIMIT, "b.py": LIMIT})
    Path("a.py").chmod(0o444)
    ended, out, _ = vh("fix", ".", "nowhere.py")
    assert ended == 3
    assert "a.py: left as it is: it is read-only" in out
    assert "nowhere.py: left as it is: no such file" in out
    assert (text_of("a.py"), text_of("b.py")) == (LIMIT, MENDED)


def test_refusals_are_told_with_their_reason(vh: Command) -> None:
    write({"a.py": 'def f(x):\n    return f"{x > 8192}"\n'})
    assert "VH301 it stands inside a text" in vh("fix", "--unsafe-fixes", "--preset", "audit")[1]


def test_no_output_shows_a_secret(vh: Command) -> None:
    write({"a.py": f'API_KEY = "{SECRET}"\nOTHER_API_KEY = "{SECRET[::-1]}"\n# {SECRET[::-1]}\n'})
    shown = "".join(vh("fix", "--diff", "--unsafe-fixes")[1:]) + "".join(vh("fix", "--unsafe-fixes")[1:])
    assert 'os.environ["API_KEY"]' in shown
    for secret in (SECRET, SECRET[::-1]):
        assert not any(secret[at : at + 5] in shown for at in range(len(secret) - 4))
    assert SECRET not in text_of("a.py")


def test_a_diff_masks_what_looks_like_a_secret_in_lines_beside_the_change(vh: Command) -> None:
    name = "the_sha256_of_a_page_in_utf8"
    write({"a.py": f'"""Sum."""\n\n{name} = ("svc", "{SECRET}")  # {SECRET[::-1]}\n' + LIMIT})
    shown = vh("fix", "--diff")[1]
    assert f'{name} = ("svc", "…")  # …\n' in shown
    assert "8192" in shown


@pytest.mark.skipif(not hasattr(os, "fork"), reason="worker processes are forked")
def test_many_files_in_several_processes(vh: Command) -> None:
    write({f"m{number}.py": LIMIT for number in range(8)})
    assert "Fixed 8 findings in 8 files." in vh("fix", "--jobs", "2")[1]
    assert all(text_of(f"m{number}.py") == MENDED for number in range(8))


def test_a_package_keeps_its_interface(vh: Command) -> None:
    write({"lib/__init__.py": "", "lib/a.py": '__all__ = ["check"]\n\n\n' + LIMIT, "tool.py": LIMIT})
    write({"star.py": LIMIT, "other.py": "from star import *\n"})
    vh("fix")
    assert "\n_PROMPT_LENGTH_LIMIT = 8192\n" in text_of("lib/a.py")
    assert text_of("star.py").startswith("_PROMPT_LENGTH_LIMIT = 8192\n")
    assert text_of("tool.py") == MENDED


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_beside_a_file_is_not_waited_for(vh: Command) -> None:
    write({"a.py": LIMIT})
    os.mkfifo("pipe.py")
    assert vh("fix", "a.py")[0] == 0
    assert text_of("a.py") == MENDED


def test_what_is_known_is_not_mended(vh: Command) -> None:
    one = "x = 1  # noqa: VH101\n"
    write({"a.py": one, "b.py": one})
    vh("baseline", "create")
    write({"a.py": one + one, "b.py": one, "c.py": one})
    for command in (("fix",), ("check", "--fix")):
        assert vh(*command, "--baseline", "valhalla-baseline.json")[0] == 0
        assert [Path(name).read_text() for name in ("a.py", "b.py", "c.py")] == [one + "x = 1\n", one, "x = 1\n"]
    write({"pyproject.toml": '[tool.valhalla-lint]\nbaseline = "valhalla-baseline.json"\n'})
    assert vh("fix")[1] == "Fixed 0 findings in 0 files.\n"
    assert vh("fix", "-", "--stdin-filename", "b.py", text=one)[2] == "Fixed 0 findings in 0 files.\n"
    assert vh("check", "--fix", "--no-baseline")[0] == 0
    assert Path("a.py").read_text() == "x = 1\nx = 1\n"


def test_what_was_there_before_a_change_is_not_mended(vh: Command) -> None:
    one = "x = 1  # noqa: VH101\n"
    write({"a.py": one})
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    write({"a.py": one + "y = 2  # noqa: VH102\n"})
    assert vh("check", "--fix", "--diff-base", "main")[0] == 0
    assert Path("a.py").read_text() == one + "y = 2\n"
    assert vh("fix")[0] == 0
    assert Path("a.py").read_text() == "x = 1\ny = 2\n"
