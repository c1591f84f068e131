"""What is measured: a command for each subject, and the ratios that are quoted."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FLOOR = Path(__file__).with_name("floor.py")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a command is made from: the corpus, a folder for caches, and the programs of each tool."""

    root: Path
    scratch: Path
    tools: Mapping[str, Path]


@dataclass(frozen=True, slots=True)
class Subject:
    """One command. tool: whose programs it needs ("" for our own); edits: a function's body changes before each run."""

    name: str
    says: str
    command: Callable[[Setting], Sequence[str]]
    tool: str = ""
    edits: bool = False
    inside: bool = False
    """Run with the corpus as working folder: detect-secrets scans nothing elsewhere, and says nothing of it."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """CPU time of one subject over another's in the same round, or of a difference of two over it.

    goal: what it should not exceed on the medium corpus, None where it is only told.
    """

    of: str
    to: str
    says: str
    goal: float | None = None
    less: str = ""


def ours(*arguments: str) -> list[str]:
    """A command of the valhalla-lint that is installed beside this interpreter."""
    return [sys.executable, "-P", "-m", "valhalla_lint", *arguments]


def here(program: str, *arguments: str) -> list[str]:
    """A command of a host that is installed beside us, and so has our plugins."""
    return [sys.executable, "-P", "-m", program, *arguments]


def check(setting: Setting, *arguments: str) -> list[str]:
    """`valhalla-lint check` of the corpus."""
    return ours("check", "--isolated", *arguments, str(setting.root))


FLAKE8 = ("--isolated", "--exit-zero", "-j1")
BANDIT = ("-r", "-q", "--exit-zero")
RUFF = ("check", "--isolated", "--exit-zero", "-q", "--output-format", "concise", "--select", "S,PLR2004")

SUBJECTS = (
    Subject("interpreter", "`python -c pass`", lambda _: [sys.executable, "-c", "pass"]),
    Subject("version", "`valhalla-lint --version`", lambda _: ours("--version")),
    Subject("floor", "read and `ast.parse` every file", lambda at: [sys.executable, str(FLOOR), str(at.root)]),
    Subject("cold-1", "`check`, nothing stored, one process", lambda at: check(at, "--no-cache", "--jobs", "1")),
    Subject("cold", "`check`, nothing stored", lambda at: check(at, "--no-cache")),
    Subject("warm", "`check`, nothing changed", lambda at: check(at, "--cache-dir", str(at.scratch / "warm"))),
    Subject(
        "edit",
        "`check`, the body of one function changed",
        lambda at: check(at, "--cache-dir", str(at.scratch / "edit")),
        edits=True,
    ),
    Subject(
        "flake8",
        "flake8 without us",
        lambda at: [str(at.tools["flake8"] / "flake8"), *FLAKE8, str(at.root)],
        tool="flake8",
    ),
    Subject("flake8-vh", "flake8 with us", lambda at: here("flake8", *FLAKE8, str(at.root))),
    Subject(
        "bandit",
        "bandit without us, all of its tests",
        lambda at: [str(at.tools["bandit"] / "bandit"), *BANDIT, str(at.root)],
        tool="bandit",
    ),
    Subject("bandit-vh", "bandit with us, all tests of both", lambda at: here("bandit", *BANDIT, str(at.root))),
    Subject(
        "ruff",
        "ruff S and PLR2004, nothing stored",
        lambda at: [str(at.tools["ruff"] / "ruff"), *RUFF, "--no-cache", str(at.root)],
        tool="ruff",
    ),
    Subject(
        "ruff-warm",
        "ruff S and PLR2004, nothing changed",
        lambda at: [str(at.tools["ruff"] / "ruff"), *RUFF, "--cache-dir", str(at.scratch / "ruff"), str(at.root)],
        tool="ruff",
    ),
    Subject(
        "detect-secrets",
        "detect-secrets",
        lambda at: [str(at.tools["detect-secrets"] / "detect-secrets"), "scan", "--all-files", "--no-verify", "."],
        tool="detect-secrets",
        inside=True,
    ),
)

RATIOS = (
    Ratio("cold-1", "floor", "cold, one process / read and parse", 2.0),
    Ratio("cold-1", "bandit", "cold, one process / bandit", 0.15),
    Ratio("cold-1", "flake8", "cold, one process / flake8", 0.10),
    Ratio("cold-1", "detect-secrets", "cold, one process / detect-secrets", 0.08),
    Ratio("cold-1", "ruff", "cold, one process / ruff, nothing stored"),
    Ratio("warm", "ruff-warm", "nothing changed / ruff, nothing changed", 0.6),
    Ratio("warm", "floor", "nothing changed / read and parse", 0.06),
    Ratio("edit", "warm", "one function changed / nothing changed", 2.5),
    Ratio("flake8-vh", "floor", "flake8 with us less flake8 alone / read and parse", 1.2, less="flake8"),
    Ratio("bandit-vh", "floor", "bandit with us less bandit alone / read and parse", 1.5, less="bandit"),
    Ratio("version", "interpreter", "`--version` / `python -c pass`", 3.0),
)
"""The goals are those of the project for the medium corpus."""
