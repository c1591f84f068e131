"""What the tests of the command share."""

import io
import sys
from pathlib import Path

import pytest
from command import Command

from valhalla_lint.hosts.cli.main import run
from valhalla_lint.replays import Replay


@pytest.fixture
def vh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command in a folder of its own, without colours."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def command(*arguments: str, text: str | None = None, before: Replay | None = None) -> tuple[int, str, str]:
        if text is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
        try:
            ended = run(arguments, before)
        except SystemExit as error:  # argparse
            ended = int(error.code or 0)
        captured = capsys.readouterr()
        return ended, captured.out, captured.err

    return command
