"""The page in a real browser: it fits, its filter works, and it calls nobody. Skipped where there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from browser import opened, schemes, sizes

FIXTURE = Path(__file__).parents[2] / "fixtures" / "model_server"


@pytest.mark.slow
@sizes
@schemes
def test_the_page(tmp_path: Path, width: int, height: int, scheme: str) -> None:
    page_file = tmp_path / "report.html"
    command = [sys.executable, "-m", "valhalla_lint", "check", "--exit-zero", "--output", f"html:{page_file}"]
    subprocess.run(command, cwd=FIXTURE, env={**os.environ, "PYTHONHASHSEED": "0"}, check=True, capture_output=True)
    with opened(page_file, width, height, scheme) as page:
        shown = page.locator("article.finding:visible")
        every = shown.count()
        page.select_option("select[name=rule]", "VH401")
        assert 0 < shown.count() < every
        assert page.inner_text("output") == f"{shown.count()} of {every} shown"
        page.select_option("select[name=rule]", "")
        page.fill("input[name=file]", "test_api")
        assert {shown.nth(number).get_attribute("data-tier") for number in range(shown.count())} == {"test"}
        page.uncheck("input[value=test]")
        assert shown.count() == 0
        assert page.is_visible("p.none")
