"""What a check costs, counted in instructions: the same on every machine, so a test can hold it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COUNTER = ROOT / "benchmarks/instructions.py"


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the limits were counted on Python 3.11")
@pytest.mark.parametrize(("folder", "limit"), [("fixtures/model_server", 600), ("valhalla_lint/facts", 76)])
def test_a_check_costs_no_more_instructions_than_it_did(folder: str, limit: int) -> None:
    """Limits: a twentieth above what was counted when they were set."""
    command = [sys.executable, "-P", str(COUNTER), str(ROOT / folder), "--limit", str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
