"""The page in a real browser: it fits, its filter works, and it calls nobody. Skipped where there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync".split()
)
FIXTURE = Path(__file__).parents[2] / "fixtures" / "model_server"


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page(tmp_path: Path, width: int, height: int, scheme: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if BROWSER is None:
        pytest.skip("there is no Chromium")
    page_file = tmp_path / "report.html"
    command = [sys.executable, "-m", "valhalla_lint", "check", "--exit-zero", "--output", f"html:{page_file}"]
    subprocess.run(command, cwd=FIXTURE, env={**os.environ, "PYTHONHASHSEED": "0"}, check=True, capture_output=True)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=QUIET)
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("request", lambda request: told.append(request.url))
        page.goto(page_file.as_uri())
        assert told == [page_file.as_uri()], "no error, and no request but the page itself"
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, "nothing sticks out"
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
        browser.close()
