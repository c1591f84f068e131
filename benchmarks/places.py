"""Corpora and tools on this machine: fetched by pip into a folder of work, checked by their digests, kept."""

import hashlib
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PINS = Path(__file__).with_name("pins.toml")
TIMEOUT = 1_800
"""Seconds that one installation may take."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A package's Python files: its folder, and how many files and lines that is."""

    name: str
    root: Path
    files: int
    lines: int

    @classmethod
    def of(cls, name: str, root: Path) -> "Corpus":
        """Count what lies in a folder."""
        found = sorted(root.rglob("*.py"))
        return cls(name, root, len(found), sum(file.read_bytes().count(b"\n") for file in found))


def pinned_corpora() -> Mapping[str, Mapping[str, str]]:
    """The pinned packages by size: what pip is asked for, the folder inside, the wheel's digest."""
    rows: Mapping[str, Mapping[str, str]] = tomllib.loads(PINS.read_text(encoding="utf-8"))["corpora"]
    return rows


def pinned_tools() -> Mapping[str, str]:
    """What pip is asked for by the name of each tool."""
    rows: Mapping[str, str] = tomllib.loads(PINS.read_text(encoding="utf-8"))["tools"]
    return rows


def corpus(name: str, work: Path) -> Corpus:
    """A pinned package, unpacked below the folder of work; fetched where it is missing.

    Raises SystemExit where pip cannot fetch it, or where what it fetched is not what was pinned.
    """
    row = pinned_corpora()[name]
    root = work / "corpora" / name / row["package"]
    if not root.is_dir():
        wheels = work / "wheels"
        pip(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"],
            ["--dest", str(wheels), row["requirement"]],
        )
        wheel = next((item for item in wheels.glob("*.whl") if digest(item) == row["sha256"]), None)
        if wheel is None:
            raise SystemExit(f"{row['requirement']}: the wheel that pip fetched is not the pinned one")
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.namelist():
                if member.endswith(".py") and member.startswith(f"{row['package']}/") and ".." not in member:
                    archive.extract(member, root.parent)
    return Corpus.of(name, root)


def part(whole: Corpus, share: int, work: Path) -> Corpus:
    """Every so-many-th file of a corpus, as a corpus of its own: for how cost grows with size."""
    name = f"{whole.name}-{share}"
    root = work / "corpora" / name
    if not root.is_dir():
        for file in sorted(whole.root.rglob("*.py"))[::share]:
            place = root / file.relative_to(whole.root)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.read_bytes())
    return Corpus.of(name, root)


def tool(name: str, work: Path) -> Path | None:
    """The folder of a tool's programs, in an environment of its own; None where it cannot be installed here."""
    folder = work / "tools" / name
    programs = folder / "bin"
    if not (folder / "ready").is_file():
        venv.create(folder, with_pip=True, clear=True)
        try:
            pip([str(programs / "python"), "-m", "pip", "install", "--quiet"], [pinned_tools()[name]])
        except SystemExit:
            return None
        (folder / "ready").touch()
    return programs


def pip(command: list[str], arguments: list[str]) -> None:
    """Run pip. Raises SystemExit with its last words where it fails."""
    done = subprocess.run(  # noqa: S603 -- our own interpreter, with arguments from our own table
        [*command, *arguments], capture_output=True, text=True, check=False, timeout=TIMEOUT
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip().splitlines()[-1:]}")


def digest(file: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
