"""A fault of the linter itself: it is said, and takes no more along than it must."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source, Status
from valhalla_lint.facts.module import Module
from valhalla_lint.flow import analysis
from valhalla_lint.linter import Linter

TEXT = """import os


def show(path, limit):
    # valhalla: ignore[VH201] -- the gateway checks it
    return open(os.path.join("/srv", path)).read() if limit > 8192 else None
"""


def test_a_fault_in_following_values_loses_flows_only(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Linter(Settings()).inspect(Source("app/show.py", TEXT))
    others = {finding.code for finding in whole.findings} - {"VH202"}
    assert "VH202" in {finding.code for finding in whole.findings}

    def fault(*_: object) -> None:
        raise KeyError("of ours")

    monkeypatch.setattr(analysis, "find_flows", fault)
    found = Linter(Settings()).inspect(Source("app/show.py", TEXT))
    assert {finding.code for finding in found.findings} - {"VH908"} == others - {"VH901"}
    assert [finding.message for finding in found.findings if finding.code == "VH908"] == [
        "valhalla-lint itself failed on this file (KeyError); no flow of values in it was judged"
    ]
    assert found.status is Status.PARTLY


def test_a_fault_elsewhere_loses_the_file_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object) -> None:
        raise KeyError("of ours")

    monkeypatch.setattr(Module, "index", property(fault))
    found = Linter(Settings()).inspect(Source("app/show.py", TEXT))
    assert [(finding.code, finding.message) for finding in found.findings] == [
        ("VH908", "valhalla-lint itself failed on this file (KeyError); nothing in it was judged")
    ]
