"""Which files a run reads."""

from pathlib import Path

import pytest

from valhalla_lint.config import Configuration, Overrides
from valhalla_lint.core.source import Unread
from valhalla_lint.linter import inputs


def tree(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def found(root: Path, *paths: str, overrides: Overrides | None = None) -> list[str]:
    configuration = Configuration(overrides, base=root, isolated=True)
    return [item.path for item in inputs(paths or (".",), configuration)]


def test_sorted_each_once_without_the_folders_of_tools(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "b.py": "",
            "a/z.py": "",
            "a/stub.pyi": "",
            "a/data.txt": "",
            ".ci/run.py": "",
            "node_modules/x.py": "",
            "__pycache__/x.py": "",
            "env/pyvenv.cfg": "",
            "env/lib/x.py": "",
        },
    )
    assert found(tmp_path) == [".ci/run.py", "a/stub.pyi", "a/z.py", "b.py"]
    assert found(tmp_path, "b.py", "a", ".", "./a/../b.py") == [".ci/run.py", "a/stub.pyi", "a/z.py", "b.py"]
    assert found(tmp_path, "env/lib") == ["env/lib/x.py"]
    assert found(tmp_path, "a/data.txt") == ["a/data.txt"]


def test_ignore_files_nest_and_can_be_taken_back(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            ".git/info/exclude": "local.py\n",
            ".gitignore": "# built\nbuild/\n*_gen.py\n",
            "local.py": "",
            "build/x.py": "",
            "a_gen.py": "",
            "sub/.gitignore": "!b_gen.py\n/only_here.py\n",
            "sub/b_gen.py": "",
            "sub/only_here.py": "",
            "sub/deep/only_here.py": "",
            "kept.py": "",
        },
    )
    assert found(tmp_path) == ["kept.py", "sub/b_gen.py", "sub/deep/only_here.py"]
    assert found(tmp_path, "sub") == ["sub/b_gen.py", "sub/deep/only_here.py"]
    assert found(tmp_path, overrides=Overrides(respect_gitignore=False)) == [
        "a_gen.py", "build/x.py", "kept.py", "local.py", "sub/b_gen.py", "sub/deep/only_here.py", "sub/only_here.py",
    ]  # fmt: skip


def test_who_names_an_ignored_place_wants_it(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {".git/HEAD": "", ".gitignore": "build/\n", "build/x.py": "", "build/.gitignore": "y.py\n", "build/y.py": ""},
    )
    assert found(tmp_path, "build") == ["build/x.py"]
    assert found(tmp_path, "build/y.py") == ["build/y.py"]


def test_excludes_hold_for_named_files(tmp_path: Path) -> None:
    tree(tmp_path, {"a.py": "", "old/b.py": "", "old/sub/c.py": ""})
    given = Overrides(exclude=("old/",))
    assert found(tmp_path, overrides=given) == ["a.py"]
    assert found(tmp_path, "old/b.py", "a.py", overrides=given) == ["a.py"]
    assert found(tmp_path, "old", overrides=given) == ["old/b.py", "old/sub/c.py"]


def test_what_is_missing_stays_in_the_list(tmp_path: Path) -> None:
    assert found(tmp_path, "nowhere.py") == ["nowhere.py"]


def test_a_folder_that_cannot_be_listed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"a.py": "", "closed/b.py": ""})
    import os

    real = os.scandir

    def scandir(folder: str) -> object:
        if Path(folder).name == "closed":
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    items = inputs((".",), Configuration(base=tmp_path, isolated=True))
    assert [item.path for item in items] == ["a.py", "closed"]
    assert isinstance(items[1], Unread)


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    tree(tmp_path, {"a/b.py": ""})
    (tmp_path / "a" / "again").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "linked.py").symlink_to(tmp_path / "a" / "b.py")
    assert found(tmp_path) == ["a/b.py", "linked.py"]


def test_a_link_that_leads_to_itself_hides_nothing_beside_it(tmp_path: Path) -> None:
    tree(tmp_path, {"a.py": ""})
    (tmp_path / "loop.py").symlink_to("loop.py")
    assert found(tmp_path) == ["a.py", "loop.py"]
