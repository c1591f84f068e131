"""The processes of git that read objects. No other module of a review runs git.

git never opens the repository. It opens a throw-away bare repository of ours, whose `objects/info/alternates` names the
other's object folder. So no configuration, hook, filter, attribute, replacement, graft or commit graph of the reviewed
repository is ever read, no lazy fetch can start, and nothing is written there.
"""

import os
import shutil
import subprocess  # bandit judges the calls: fixed program, no shell, own environment
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from valhalla_lint.review.tree import ReviewError

MAX_RESTARTS = 2000
"""Broken objects (each ends git's process) after which reading stops."""
FORMAT_VERSIONS = {"sha1": "0", "sha256": "1"}


class View:
    """The throw-away repository through which git sees the other's objects and nothing else."""

    def __init__(self, git: str, objects: Path, object_format: str, shallow: Sequence[str]) -> None:
        """Lay the folder; nothing runs yet."""
        self._git = git
        self.shallow = bool(shallow)
        self.folder = Path(tempfile.mkdtemp(prefix="valhalla-review-"))
        (self.folder / "objects" / "info").mkdir(parents=True)
        (self.folder / "refs").mkdir()
        (self.folder / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
        extension = f"[extensions]\n\tobjectformat = {object_format}\n" if object_format != "sha1" else ""
        (self.folder / "config").write_text(
            f"[core]\n\trepositoryformatversion = {FORMAT_VERSIONS[object_format]}\n\tbare = true\n{extension}",
            encoding="ascii",
        )
        place = os.fsencode(os.path.realpath(objects))
        if b"\n" in place:
            self.close()
            raise ReviewError("the path of the repository holds a line break")
        (self.folder / "objects" / "info" / "alternates").write_bytes(place + b"\n")
        if shallow:
            (self.folder / "shallow").write_text("\n".join(shallow) + "\n", encoding="ascii")

    def _command(self, *arguments: str) -> list[str]:
        switches = ("core.commitGraph=false", "core.multiPackIndex=false", "protocol.allow=never", "gc.auto=0")
        options = [part for switch in switches for part in ("-c", switch)]
        return [self._git, "--no-replace-objects", "--no-optional-locks", "--literal-pathspecs", *options, *arguments]

    @property
    def _environment(self) -> dict[str, str]:
        folder = str(self.folder)
        return {
            "PATH": os.defpath,
            "HOME": folder,
            "XDG_CONFIG_HOME": folder,
            "GIT_DIR": folder,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_PAGER": "cat",
            "LC_ALL": "C",
            "TZ": "UTC",
        }

    def run(self, *arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run a git command to its end; its exit status is the caller's to judge."""
        return subprocess.run(  # noqa: S603 -- git, found on our own path, with arguments that are ours or ids
            self._command(*arguments),
            input=text,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
            cwd=self.folder,
            check=False,
        )

    def start(self, *arguments: str, asked: bool) -> subprocess.Popen[bytes]:
        """Start a git command whose answers are read from a pipe; asked: by what is written to another."""
        return subprocess.Popen(  # noqa: S603 -- as above
            self._command(*arguments),
            stdin=subprocess.PIPE if asked else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
            cwd=self.folder,
        )

    def sizes(self, names: Sequence[str]) -> dict[str, int]:
        """The sizes of blobs by id; what is missing or broken is left out. A broken one ends git: go on behind it."""
        found: dict[str, int] = {}
        left = list(names)
        for _ in range(MAX_RESTARTS):
            if not left:
                break
            told = self.run("cat-file", "--batch-check", text="".join(f"{name}\n" for name in left).encode())
            lines = told.stdout.decode("ascii", "replace").splitlines()
            for line in lines:
                match line.split(" "):
                    case [name, "blob", size] if size.isdigit():
                        found[name] = int(size)
            left = left[len(lines) + 1 :] if len(lines) < len(left) else []
        return found

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Batch:
    """A running `git cat-file --batch`."""

    def __init__(self, view: View) -> None:
        """Nothing runs before the first question."""
        self._view = view
        self._process: subprocess.Popen[bytes] | None = None
        self._restarts = 0

    def get(self, name: str) -> tuple[str, bytes] | str:
        """An object's kind and bytes, or why it cannot be had."""
        if self._restarts > MAX_RESTARTS:
            return "too many broken objects: reading was given up"
        if self._process is None:
            self._process = self._view.start("cat-file", "--batch", asked=True)
            self._restarts += 1
        try:
            return self._ask(self._process, name)
        except (OSError, EOFError, ValueError):
            self.close()
            return "object is broken"

    @staticmethod
    def _ask(process: subprocess.Popen[bytes], name: str) -> tuple[str, bytes] | str:
        stdin, stdout = process.stdin, pipe_of(process.stdout)
        if stdin is None:
            raise EOFError
        stdin.write(name.encode("utf-8") + b"\n")
        stdin.flush()
        match stdout.readline().split():
            case [_, b"missing"]:
                return "object is missing in this copy"
            case [_, kind, size]:
                data = stdout.read(int(size) + 1)
                if len(data) != int(size) + 1:
                    raise EOFError
                return kind.decode("ascii", "replace"), data[:-1]
            case _:
                raise EOFError

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # the process is gone already
                    continue
        process.kill()
        process.wait()


def pipe_of(pipe: IO[bytes] | None) -> IO[bytes]:
    """A pipe of a process that was started with one; raises EOFError where there is none."""
    if pipe is None:
        raise EOFError
    return pipe
