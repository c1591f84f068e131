"""The pages say what the program does."""

import re
import tomllib
from pathlib import Path

import pytest

from valhalla_lint.config import EXTENDING, KEYS, Configuration
from valhalla_lint.core.settings import TierOverrides

DOCS = Path(__file__).parents[2] / "docs"


def test_every_setting_has_a_row() -> None:
    rows = set(re.findall(r"^\| `([a-z-]+)` \|", (DOCS / "configuration.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert rows == {*KEYS, *EXTENDING, "rules", "catalogue", "extend"}


@pytest.mark.parametrize("page", ["start.md", "configuration.md", "tiers.md"])
def test_settings_that_are_shown_are_valid(page: str, tmp_path: Path) -> None:
    shown = re.findall(r"^```toml\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for number, text in enumerate(shown):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "pyproject.toml").write_text(text, encoding="utf-8")
        if "valhalla-lint" in tomllib.loads(text).get("tool", {}):
            Configuration().settings_for(folder / "app.py")


def test_every_tier_override_is_shown() -> None:
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    for key in TierOverrides._fields:
        assert re.search(rf"^{key} = \[", text, re.MULTILINE)
