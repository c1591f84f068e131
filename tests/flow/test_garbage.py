"""What a judgement makes dies with it, by its counts: hosts judge with the collector off, one text after the other."""

import gc

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

HANDLER = """import os
from flask import Flask, request

app = Flask(__name__)


@app.get("/file")
def file():
    return opened(request.args["name"])


def opened(name):
    path = os.path.join("/srv/data", name)
    if not path.startswith("/srv/data"):
        raise ValueError(name)
    return open(path).read()
"""
SECRET = "import logging\n\n\ndef enter(password):\n    logging.info('as %s', password)\n"
NESTED = "def deep(name):\n    return open(" + "(lambda: " * 60 + "name" + ")()" * 60 + ")\n"


@pytest.mark.parametrize("text", [HANDLER, SECRET, NESTED])
def test_nothing_is_left_for_the_collector(text: str) -> None:
    linter = Linter(Settings())
    source = Source("app.py", text)
    linter.check(source)  # what is loaded and remembered once stays
    gc.collect()
    gc.disable()
    try:
        linter.check(source)
        left = gc.collect()
    finally:
        gc.enable()
    assert left == 0
