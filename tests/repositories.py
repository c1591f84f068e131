"""Git repositories and folders for tests of reviews: the same commit ids wherever and whenever they are made."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

GIT = shutil.which("git") or "git"
MOMENT = "2026-03-01T12:00:00Z"


def environment(moment: str = MOMENT) -> dict[str, str]:
    """What git needs to make the same commits everywhere."""
    return {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.invalid",
        "GIT_COMMITTER_NAME": "C",
        "GIT_COMMITTER_EMAIL": "c@example.invalid",
        "GIT_AUTHOR_DATE": moment,
        "GIT_COMMITTER_DATE": moment,
    }


def git(folder: Path, *arguments: str, text: bytes | None = None, moment: str = MOMENT) -> str:
    """Run git in a folder; returns what it prints."""
    done = subprocess.run(
        [GIT, "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        env=environment(moment),
        input=text,
        capture_output=True,
        check=True,
        timeout=120,
    )
    return done.stdout.decode("utf-8", "replace").strip()


def lay(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder."""
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return folder


def commit(folder: Path, files: Mapping[str, str | bytes], moment: str = MOMENT) -> str:
    """Write files and commit everything; makes the repository where there is none. Returns the commit's id."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    lay(folder, files)
    git(folder, "add", "-A", moment=moment)
    git(folder, "commit", "-q", "--allow-empty", "-m", "change", moment=moment)
    return git(folder, "rev-parse", "HEAD")


def bare(folder: Path, entries: bytes, *, object_format: str = "sha1") -> str:
    """A bare repository whose one commit has a tree made of `git mktree` lines; returns the commit's id."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "--bare", "-b", "main", f"--object-format={object_format}")
    tree = git(folder, "mktree", "-z", "--missing", text=entries)
    made = git(folder, "commit-tree", tree, "-m", "made")
    git(folder, "update-ref", "refs/heads/main", made)
    return made
