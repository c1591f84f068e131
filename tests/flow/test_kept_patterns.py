"""Patterns that another module, or a class, keeps clean a name as if they stood where they are used."""

from pathlib import Path

import pytest
from shop import check, codes

VIEW = """
import os
import re

from flask import request

from shop.base import BaseView
from shop.patterns import NAME


class Show(BaseView):
    def dispatch_request(self):
        name = {cleaned}
        return open(os.path.join("/srv/notes", name + ".md")).read()
"""
BASE = """
from flask.views import View

from .patterns import NAME


class BaseView(View):
    NAME = NAME
    OTHER = NAME
    AGAIN = OTHER
"""
GIVEN = "request.form['name']"


@pytest.mark.parametrize(
    "cleaned",
    [
        f"re.sub(NAME, '_', {GIVEN})",
        f"NAME.sub('_', {GIVEN})",
        f"re.sub(self.NAME, '_', {GIVEN})",
        f"self.NAME.sub('_', {GIVEN})",
        f"re.sub(self.OTHER, '_', {GIVEN})",
        f"self.AGAIN.sub('_', {GIVEN})",
    ],
)
def test_a_kept_pattern_cleans_what_it_would_clean_here(tmp_path: Path, cleaned: str) -> None:
    right = "import re\n\nNAME = re.compile(r'[^0-9A-Za-z_]')\n"
    weak = right.replace("0-9A-Za-z_", "0-9A-Za-z_./")
    assert codes(check(tmp_path, VIEW.format(cleaned=cleaned), base=BASE, patterns=right)) == []
    found = codes(check(tmp_path, VIEW.format(cleaned=cleaned), base=BASE, patterns=weak))
    assert set(found) & {"VH201", "VH203"}


def test_a_pattern_of_the_class_itself_hides_the_modules(tmp_path: Path) -> None:
    right = "import re\n\nNAME = re.compile(r'[^0-9A-Za-z_]')\n"
    base = BASE.replace("    NAME = NAME\n", "    NAME = ask()\n")
    assert codes(check(tmp_path, VIEW.format(cleaned=f"self.AGAIN.sub('_', {GIVEN})"), base=base, patterns=right)) == [
        "VH201"
    ]
