"""Numbers become constants: the program stays what it was."""

import ast

import pytest
from mending import mend, mended

CHECK = "def check(prompt):\n    return len(prompt) > 8192\n"
GUARDED = "import os\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import re\n\n"


def values(text: str) -> dict[str, object]:
    """What the constants of a module are."""
    return {
        item.targets[0].id: ast.literal_eval(item.value)
        for item in ast.parse(text).body
        if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name) and item.targets[0].id.isupper()
    }


def test_a_number_gets_the_name_that_the_message_proposes() -> None:
    result = mend(CHECK, "VH301")
    assert (
        result.text
        == "PROMPT_LENGTH_LIMIT = 8192\n\n\ndef check(prompt):\n    return len(prompt) > PROMPT_LENGTH_LIMIT\n"
    )
    assert [fix.safe for fix in result.applied] == [True]
    assert mended(result.text, "VH301") == result.text


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('"""Doc."""\n', '"""Doc."""\n\nPROMPT_LENGTH_LIMIT = 8192\n\n\n'),
        ("import os\n\n\n", "import os\n\nPROMPT_LENGTH_LIMIT = 8192\n\n\n"),
        (
            '"""Doc."""\nfrom __future__ import annotations\n\n\n',
            '"""Doc."""\nfrom __future__ import annotations\n\nPROMPT_LENGTH_LIMIT = 8192\n\n\n',
        ),
        (
            "#!/usr/bin/env python3\n# Licence\n\n",
            "#!/usr/bin/env python3\n# Licence\n\nPROMPT_LENGTH_LIMIT = 8192\n\n\n",
        ),
        ("# coding: utf-8\n", "# coding: utf-8\nPROMPT_LENGTH_LIMIT = 8192\n\n\n"),
        (
            f"{GUARDED}\n",
            f"{GUARDED}PROMPT_LENGTH_LIMIT = 8192\n\n\n",
        ),
        (
            'import os\n\n__all__ = ["check"]\n\n\n',
            'import os\n\n__all__ = ["check"]\n\nPROMPT_LENGTH_LIMIT = 8192\n\n\n',
        ),
        ("x = 1\n\n\n", "PROMPT_LENGTH_LIMIT = 8192\n\nx = 1\n\n\n"),
        ("# about\n\n# check\n", "# about\n\nPROMPT_LENGTH_LIMIT = 8192\n\n\n# check\n"),
        ("import os  # why\n\n\n", "import os  # why\n\nPROMPT_LENGTH_LIMIT = 8192\n\n\n"),
    ],
)
def test_place(head: str, expected: str) -> None:
    assert mended(head + CHECK, "VH301").startswith(expected + "def check" if "# check" not in head else expected)


def test_a_late_import_does_not_delay_the_constant() -> None:
    text = "def wait(load):\n    return load > 0.85\n\n\nprint(wait(1))\nimport os\n"
    assert mended(text, "VH301").startswith("WAIT_LOAD_THRESHOLD = 0.85\n") or mended(text, "VH301").startswith("LOAD_")


def test_one_line_and_semicolons() -> None:
    once = mended("import time; a = time.time(); print(a > 4096)\n", "VH301")
    first, _, rest = once.partition("\n\n")
    assert first.endswith(" = 4096")
    assert "4096" not in rest
    behind = mended('"""Doc."""; a = len(__doc__); print(a > 4096)\n', "VH301")
    assert behind.startswith('"""Doc."""; ')
    assert behind.count("\n") == 1
    assert ast.get_docstring(ast.parse(behind)) == "Doc."


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_tabs_and_form_feeds_stay(end: str) -> None:
    text = "import os\n\f\n\ndef check(prompt):\n\tif prompt:\n\t\treturn len(prompt) > 8192\t# why\n\n  \n".replace(
        "\n", end
    )
    new = mended(text, "VH301")
    assert new.replace(f"PROMPT_LENGTH_LIMIT = 8192{end}", "", 1).replace("PROMPT_LENGTH_LIMIT", "8192") == (
        f"import os{end}" + end + text.removeprefix(f"import os{end}")
    )


def test_spelling_sign_and_glued_words() -> None:
    text = "def f(load, size):\n    a=8_000if size>8_000else 7\n    return load < - 40.5, size > 0x1_F40, a\n"
    new = mended(text, "VH301")
    assert "= 8_000\n" in new
    assert "= - 40.5\n" in new
    assert "a=8_000if size>APP_SIZE_LIMIT else 7" in new
    assert "8_000els" not in new


def test_one_constant_for_one_role_and_two_for_two() -> None:
    text = "def f(status, width):\n    if width > 4040 or width == 4040:\n        return 1\n    return status > 4040\n"
    named = values(mended(text, "VH301"))
    assert set(named.values()) == {4040}
    assert len(named) == 2


def test_an_existing_constant_of_value_and_role_is_used() -> None:
    text = "PROMPT_LENGTH_LIMIT = 8192\n\n\n" + CHECK
    assert mended(text, "VH301") == text.replace("> 8192", "> PROMPT_LENGTH_LIMIT")


@pytest.mark.parametrize(
    "constant",
    [
        "PAGE_SIZE = 8192\n",  # another role
        "PROMPT_LENGTH_LIMIT = 8192.0\n",  # another value
        "PROMPT_LENGTH_LIMIT = 8192\nPROMPT_LENGTH_LIMIT = 5\n",  # bound twice
    ],
)
def test_another_constant_is_not_used(constant: str) -> None:
    new = mended(constant + "\n\n" + CHECK, "VH301")
    (name,) = set(values(new)) - set(values(constant))
    assert f"> {name}" in new


def test_a_constant_below_the_use_is_not_used() -> None:
    new = mended(CHECK + "\n\nPROMPT_LENGTH_LIMIT = 8192\n", "VH301")
    assert len(values(new)) == 2


@pytest.mark.parametrize(
    "taken",
    [
        "    PROMPT_LENGTH_LIMIT = 1\n",
        "    # PROMPT_LENGTH_LIMIT\n",
        '    globals()["PROMPT_LENGTH_LIMIT"] = 1\n',
        "    global PROMPT_LENGTH_LIMIT\n",
    ],
)
def test_a_name_that_is_known_in_any_way_is_not_taken(taken: str) -> None:
    new = mended("def check(prompt):\n" + taken + "    return len(prompt) > 8192\n", "VH301")
    assert "> PROMPT_LENGTH_LIMIT" not in new
    assert "8192\n\n\n" in new


def test_final_where_the_file_writes_final() -> None:
    text = "import typing as t\n\nLOW: t.Final = 7\n\n\n" + CHECK
    assert "PROMPT_LENGTH_LIMIT: t.Final = 8192\n" in mended(text, "VH301")


def test_private_where_names_travel() -> None:
    assert "\n_PROMPT_LENGTH_LIMIT = 8192\n" in mended("from os.path import *\n\n\n" + CHECK, "VH301")
    assert mended("_LOW = 7\n\n\n" + CHECK, "VH301").startswith("_PROMPT_LENGTH_LIMIT = 8192\n")
    late = CHECK + "\n\nfrom os.path import *\n"
    assert mended(late, "VH301") == late


def test_http_statuses_have_names_already() -> None:
    text = "def ok(reply):\n    return reply.status_code in (200, 204)\n"
    new = text.replace("200, 204", "HTTPStatus.OK, HTTPStatus.NO_CONTENT")
    assert mended(text, "VH301") == "from http import HTTPStatus\n\n\n" + new
    other = "import http as web\n\n\n" + text
    assert "(web.HTTPStatus.OK, web.HTTPStatus.NO_CONTENT)" in mended(other, "VH301")
    shadowed = "HTTPStatus = 7\n\n\n" + text
    assert mended(shadowed, "VH301") == shadowed


@pytest.mark.parametrize(
    "text",
    [
        'def f(x):\n    return f"{x + 4096:>{20}} {4096=}"\n',
        "import numba as nb\n\n\n@nb.njit\ndef f(x):\n    return x > 4096\n",
        "def f(x):\n    match x:\n        case 404 | {'a': [503]}:\n            return 1\n",
        "from typing import Annotated, Literal\n\n\ndef f(x: Literal[404, 503], y: Annotated[int, 404] = 1): ...\n",
        "class A(metaclass=Namer):\n    flag = limit(x > 4096)\n",
    ],
)
def test_left_where_a_name_would_mean_something_else(text: str) -> None:
    assert mended(text, "VH301") == text


def test_a_module_that_lists_its_names_is_not_changed_safely() -> None:
    text = CHECK + "\n\nfor name in dir():\n    print(name)\n"
    result = mend(text, "VH301")
    assert result.text == text
    assert [fix.safe for fix in result.withheld] == [False]
    assert mend(text, "VH301", unsafe=True).text != text
