"""A small project of some modules, and what is found in one of them."""

from pathlib import Path

from valhalla_lint.core.finding import Finding
from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts import disk
from valhalla_lint.linter import Linter

SELECT = ("VH201", "VH202", "VH203", "VH401")
DEFAULT = Linter(Settings(select=SELECT, isolated=True))
AUDIT = Linter(Settings(select=SELECT, isolated=True, preset=Preset.AUDIT))

WEB = """
import os

from flask import Flask, request

app = Flask(__name__)
ROOT = "/srv/notes"


@app.get("/show")
def show():
    name = request.args["name"]
"""
"""A handler that asks for a name; its body goes on."""


def check(root: Path, text: str, linter: Linter = DEFAULT, **others: str) -> list[Finding]:
    """The findings in `shop/notes.py` of a project with some other modules."""
    package = root / "shop"
    package.mkdir(exist_ok=True)
    (root / "pyproject.toml").write_text("", encoding="utf-8")
    for name, content in {"__init__": "", "notes": text, **others}.items():
        (package / f"{name}.py").write_text(content, encoding="utf-8")
    disk.forget()
    return linter.check(Source(path="shop/notes.py", text=text, location=package / "notes.py"))


def codes(found: list[Finding]) -> list[str]:
    """Their codes."""
    return [finding.code for finding in found]
