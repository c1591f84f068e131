"""Pages in a real browser, wide and narrow, light and dark. Tests are skipped where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync".split()
)

sizes = pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)], ids=["desk", "phone"])
schemes = pytest.mark.parametrize("scheme", ["light", "dark"])


@contextmanager
def opened(page_file: Path, width: int, height: int, scheme: str) -> Iterator[Any]:
    """The page in a browser; before and after the test nothing was fetched, told or wider than the window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if BROWSER is None:
        pytest.skip("there is no Chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=QUIET)
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("request", lambda request: told.append(request.url))
        page.goto(page_file.as_uri())
        is_fine(page, told, page_file)
        yield page
        is_fine(page, told, page_file)
        browser.close()


def is_fine(page: Any, told: list[str], page_file: Path) -> None:  # noqa: ANN401 -- playwright may not be there to be named
    """See that a page told of no error, asked for nothing but itself, and is no wider than the window."""
    assert told == [page_file.as_uri()], "no error, and no request but the page itself"
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, "nothing sticks out"
