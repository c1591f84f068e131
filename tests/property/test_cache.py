"""Whatever happens to a tree, a run that keeps what it found says the same as one that does not."""

import contextlib
import io
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from valhalla_lint.__main__ import main
from valhalla_lint.facts import looks
from valhalla_lint.linter import forget

VIEW = """\
from flask import request
from {module} import checked

def view():
    return open(checked(request.args["name"]), "rb").read(){answer}
"""
HELPER = 'import os\n\ndef checked(name):\n    {guard}\n    return os.path.join("notes", name)\n'
GUARD = 'if "/" in name or ".." in name or "\\\\" in name or "\\0" in name:\n        raise ValueError(name)'
LOAD = "import torch\n\ndef load(path):\n    return torch.load(path){}\n"
CACHED = "import os\n\ndef read(cache, file_name):\n    return open(os.path.join(cache, file_name)).read()\n"
CALLER = "from app.cached import read\n\ndef show({}):\n    return read('notes', {})\n"
TEXTS = {
    "app/views.py": [
        VIEW.format(module="app.helpers", answer=""),
        VIEW.format(module=".helpers", answer="  # noqa: VH201"),
        VIEW.format(module="helpers", answer="  # valhalla: ignore[VH201] until=2031-01-01 -- by design"),
    ],
    "app/helpers.py": [
        HELPER.format(guard=GUARD),
        HELPER.format(guard="name = name.strip()"),
        "from .more import checked\n",
    ],
    "app/more.py": [HELPER.format(guard=GUARD), HELPER.format(guard="pass")],
    "helpers.py": [HELPER.format(guard="name = str(name)"), HELPER.format(guard=GUARD)],
    "src/helpers.py": [HELPER.format(guard=GUARD)],
    "app/__init__.py": [""],
    "app/cached.py": [CACHED, CACHED.replace("file_name", "name")],
    "app/caller.py": [CALLER.format("", "'index.txt'"), CALLER.format("name", "name"), "kept, read = 1, 2\n"],
    "other.py": [CALLER.format("", "'index.txt'"), "from app.cached import read as load\n\nload('x', input())\n"],
    "app/store.py": [LOAD.format(""), LOAD.format(", weights_only=True"), "x = len([]) > 8192\n", "def broken(:\n"],
    "requirements.txt": ["torch>=2.6\n", "torch\n", "# nothing\n"],
    "pyproject.toml": [
        '[project]\nname = "app"\ndependencies = ["torch>=2.6"]\n',
        '[tool.valhalla-lint]\nignore = ["VH404"]\n',
        '[tool.pytest.ini_options]\ntestpaths = ["app"]\n',
        '[tool.valhalla-lint]\nexclude = ["app/more.py"]\nstrict-tiers = true\n',
    ],
    "setup.cfg": ["[options]\ninstall_requires =\n    torch>=2.6\n"],
    ".gitignore": ["helpers.py\n", "\n"],
    "app/.gitignore": ["more.py\n", ""],
}  # fmt: skip
"""What may stand in the files of a project: each file leans on some of the others."""
PLACES = sorted(TEXTS)
ACTIONS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PLACES), st.integers(0, 3)),
    st.tuples(st.just("delete"), st.sampled_from(PLACES), st.just(0)),
    st.tuples(st.just("rename"), st.sampled_from(PLACES), st.integers(0, len(PLACES) - 1)),
    st.tuples(st.just("folder"), st.sampled_from([".git", "tests", "app/helpers"]), st.just(0)),
    st.tuples(st.just("touch"), st.sampled_from(PLACES), st.just(0)),
    st.tuples(st.just("link"), st.sampled_from(PLACES), st.integers(0, len(PLACES) - 1)),
)
OPTIONS = st.sampled_from([(), ("--preset", "audit"), ("--select", "VH2"), ("--fail-on", "high")])


@pytest.fixture
def here() -> Iterator[Path]:
    """A folder with nothing above it that speaks of a project, as the working folder."""
    before = Path.cwd()
    folder = Path(tempfile.mkdtemp(prefix="valhalla-cache-"))
    os.chdir(folder)
    yield folder
    os.chdir(before)
    shutil.rmtree(folder)


def act(action: tuple[str, str, int]) -> None:
    what, name, number = action
    place = Path(name)
    if what == "write" and not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink():
            place.unlink()
        place.write_text(TEXTS[name][number % len(TEXTS[name])], encoding="utf-8")
    elif what == "delete" and not place.is_dir():
        place.unlink(missing_ok=True)
    elif what == "rename" and place.exists() and Path(PLACES[number]).parent.is_dir():
        place.replace(PLACES[number])
    elif what == "folder" and not place.exists():
        place.mkdir(parents=True)
    elif what == "link" and place.parent.is_dir() and not place.is_dir():
        place.unlink(missing_ok=True)
        place.symlink_to(Path(PLACES[number]).absolute())
    elif what == "touch" and place.exists():
        place.touch()


def age(folder: Path, clock: Iterator[int]) -> None:
    """Give everything a time of its own: a test is quicker than the clock of a file system."""
    for place in (folder, *folder.rglob("*")):
        state = place.lstat()
        os.utime(place, (state.st_atime, 1_000_000_000 + next(clock)), follow_symlinks=False)


def said(*arguments: str) -> tuple[int, str]:
    """What a new process would say."""
    forget()
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setattr(sys, "argv", ["valhalla-lint", *arguments])
        ended = main()
    return ended, out.getvalue()


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(ACTIONS, OPTIONS), min_size=3, max_size=10),
    st.booleans(),
)
def test_a_cache_changes_no_report(
    here: Path,
    steps: list[tuple[tuple[str, str, int], tuple[str, ...]]],
    settled: bool,  # noqa: FBT001 -- drawn, not passed
) -> None:
    clock = itertools.count()
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as cache:
        if settled:  # signs are relied on at once, not only when their clock has moved on
            patch.setattr(looks, "SETTLED", -1e9)
        for place in here.iterdir():
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        for name in ("app/views.py", "app/helpers.py", "app/__init__.py", "app/store.py"):
            act(("write", name, 0))
        for action, options in steps:
            act(action)
            if settled:
                age(here, clock)
            command = ("check", "--output-format", "json", "--jobs", "1", *options, ".")
            plain = said(*command, "--no-cache")
            assert said(*command, "--cache-dir", cache) == plain
            assert said(*command, "--cache-dir", cache) == plain
