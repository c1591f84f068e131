"""Calling the command, and what tests ask of it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

LIMIT = "def check(prompt):\n    return len(prompt) > 8192\n"
"""A program with one finding: VH301 on line 2, column 26."""
Command = Callable[..., tuple[int, str, str]]
"""Runs the command in the test's folder: exit status, output, errors."""


def write(files: dict[str, str]) -> None:
    """Write files below the working folder."""
    for name, text in files.items():
        place = Path(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def lines(text: str) -> list[str]:
    """Code and place of each finding of a concise report."""
    return [" ".join(line.split(" ")[:3]) for line in text.splitlines() if "VH" in line]


def python(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this interpreter in a folder."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def git(*arguments: str, folder: Path | None = None) -> str:
    """Run git in a folder, with a name of its own and nobody's configuration; returns its output."""
    who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in WHO.items()}
    clean = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *arguments],  # noqa: S607 -- any git
        cwd=folder,
        env={**os.environ, **who, **clean},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


WHO = {"NAME": "tester", "EMAIL": "tester@example.org"}
