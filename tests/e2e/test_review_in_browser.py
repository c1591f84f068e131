"""The pages of reviews in a real browser, by keyboard alone: wide and narrow, light and dark."""

# ruff: noqa: E501 -- a program stands on one line

from pathlib import Path
from typing import Any

import pytest
from browser import opened, schemes, sizes
from repositories import commit

from valhalla_lint.hosts.cli import main

PROJECT = {
    "pyproject.toml": '[project]\nname = "serve"\ndependencies = ["fastapi"]\n',
    "README.md": "# Serve\n\nFast, with metrics.\n",
    "serve/__init__.py": "",
    "serve/app.py": 'from fastapi import FastAPI\n\nfrom serve.engines.chat import Chat\n\napp = FastAPI()\nchat = Chat()\n\n\n@app.post("/say")\ndef say(text: str):\n    return chat.say(text)\n',
    "serve/engines/__init__.py": "",
    "serve/engines/chat.py": "from openai import OpenAI\n\n\nclass Chat:\n    def __init__(self):\n        self.client = OpenAI()\n\n    def say(self, text):\n        assert text\n        return self.client.chat.completions.create(text)\n",
}
FAR = 400
"""Tabs after which something should have been met."""


def tab_to(page: Any, selector: str) -> None:  # noqa: ANN401 -- playwright may not be there to be named
    """Press Tab until something is in focus, and see that the focus can be seen."""
    for _ in range(FAR):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            break
    assert page.evaluate("wanted => document.activeElement.matches(wanted)", selector), selector
    drawn = page.evaluate(
        "() => { const at = document.activeElement; const inner = at.querySelector('rect') ?? at;"
        " return getComputedStyle(at).outlineStyle !== 'none' || parseFloat(getComputedStyle(inner).strokeWidth) > 2; }"
    )
    assert drawn, f"{selector}: the focus does not show"


@pytest.fixture(name="pages", scope="module")
def _pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("pages")
    first = commit(folder / "serve", PROJECT)
    commit(folder / "serve", {"serve/load.py": "import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n"})
    base = ["--link-base", "https://example.invalid/serve"]
    review, comparison = folder / "review.html", folder / "comparison.html"
    assert main.run(["review", str(folder / "serve"), "--output", f"html:{review}", *base]) == 0
    pair = [f"{folder / 'serve'}@{first}", str(folder / "serve")]
    assert main.run(["review", "compare", *pair, "--output", f"html:{comparison}", *base]) == 0
    return review, comparison


@pytest.mark.slow
@sizes
@schemes
def test_a_review_is_read_by_keyboard_alone(pages: tuple[Path, Path], width: int, height: int, scheme: str) -> None:
    with opened(pages[0], width, height, scheme) as page:
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every(part => part < 64)")
        assert dark == (scheme == "dark")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        page.keyboard.press("Enter")
        assert page.url.endswith("#main")
        tab_to(page, "details.card > summary")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.parentElement.open")
        tab_to(page, ".node")
        page.keyboard.press("Enter")
        assert "Imports:" in page.inner_text("#about")
        page.keyboard.press("Escape")
        assert page.inner_text("#about") == "No package is chosen."
        tab_to(page, "button[data-show=bad]")
        page.keyboard.press("Enter")
        assert page.locator(".answers > details:visible").count() < page.locator(".answers > details").count()
        tab_to(page, "#assert-validation > summary")
        assert not page.is_visible("#assert-validation .places")
        page.keyboard.press("Enter")
        assert "serve/engines/chat.py:9" in page.inner_text("#assert-validation .places")
        tab_to(page, "#assert-validation .places a")
        assert page.evaluate("document.activeElement.href").startswith("https://example.invalid/serve/blob/")
        tab_to(page, "td details > summary")
        page.keyboard.press("Enter")
        steps = page.locator("ol.places").first.inner_text()
        assert "calls openai.OpenAI.chat.completions.create" in steps


@pytest.mark.slow
@sizes
@schemes
def test_a_comparison_is_read_by_keyboard_alone(pages: tuple[Path, Path], width: int, height: int, scheme: str) -> None:
    with opened(pages[1], width, height, scheme) as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        tab_to(page, "td a")
        assert "/serve/load.py" in page.evaluate("document.activeElement.href")
        tab_to(page, "details > summary")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.parentElement.open")
