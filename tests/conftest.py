"""What all tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test reads what other runs have kept, or leaves anything in the user's own cache."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("VALHALLA_LINT_CACHE_DIR")
    os.environ["VALHALLA_LINT_CACHE_DIR"] = str(folder)
    yield folder
    if before is None:
        del os.environ["VALHALLA_LINT_CACHE_DIR"]
    else:
        os.environ["VALHALLA_LINT_CACHE_DIR"] = before
