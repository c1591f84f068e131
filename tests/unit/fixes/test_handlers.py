"""Fixes in the code of web frameworks, and where the imports for them go."""

import pytest
from mending import changed, mend

from valhalla_lint.facts.minting import mint_secret

BODY = """

@app.{route}("/files/{{name:path}}")
def read({parameter}):
    path = os.path.join("files", {name})
    with open(path) as handle:
        return handle.read()
"""
GUARD = """    if not Path(path).resolve().is_relative_to(Path("files").resolve()):
        {refusal}
"""


@pytest.mark.parametrize(
    ("imports", "more", "body", "refusal"),
    [
        (
            "from fastapi import FastAPI\n\napp = FastAPI()\n",
            "from fastapi import HTTPException\n",
            BODY.format(route="get", parameter="name: str", name="name"),
            "raise HTTPException(status_code=404)",
        ),
        (
            "from fastapi import FastAPI, HTTPException\n\napp = FastAPI()\n",
            "",
            BODY.format(route="get", parameter="name: str", name="name"),
            "raise HTTPException(status_code=404)",
        ),
        (
            "from flask import Flask, request\n\napp = Flask(__name__)\n",
            "from flask import abort\n",
            BODY.format(route="route", parameter="", name='request.args["name"]'),
            "abort(404)",
        ),
        (
            "from django.http import HttpResponse\n",
            "from django.http import Http404\n",
            BODY.format(route="none", parameter="request", name='request.GET["name"]').replace(
                '@app.none("/files/{name:path}")\n', ""
            ),
            'raise Http404("the path leads out of its folder")',
        ),
    ],
    ids=["fastapi", "fastapi-imported", "flask", "django"],
)
def test_a_handler_answers_and_does_not_fail(imports: str, more: str, body: str, refusal: str) -> None:
    head = "import os\n"
    new = changed(f"{head}\n{imports}{body}", "VH201", "VH401")
    first, _, rest = imports.partition("\n")
    place = '"files"'
    joined = body.replace("    with open", f"{GUARD.format(refusal=refusal)}    with open")
    assert place in joined
    assert new == f"{head}from pathlib import Path\n\n{first}\n{more}{rest}{joined}"
    assert mend(new, "VH201", "VH401").text == new


def test_what_no_framework_calls_raises_an_error() -> None:
    text = (
        "import os\nimport sys\n\nfrom fastapi import FastAPI\n\n\ndef read():\n"
        '    path = os.path.join("files", sys.argv[1])\n    return open(path).read()\n'
    )
    assert "HTTPException" not in changed(text, "VH201")


@pytest.mark.parametrize(
    ("base", "new"),
    [
        ('Path("files").resolve()', "not path.is_relative_to(BASE)"),
        ('Path("files")', "not Path(path).resolve().is_relative_to(Path(BASE).resolve())"),
    ],
)
def test_both_sides_of_a_check_have_one_form(base: str, new: str) -> None:
    text = (
        f"from pathlib import Path\n\nfrom flask import request\n\nBASE = {base}\n\n\ndef read():\n"
        '    path = (BASE / request.args["name"]).resolve()\n'
        "    if not str(path).startswith(str(BASE)):\n        raise PermissionError\n    return path.read_text()\n"
    )
    done = changed(text, "VH203")
    assert (new if "Path(path)" in new else "not Path(path).is_relative_to(BASE)") in done


def test_a_credential_of_a_test_is_left_to_people() -> None:
    secret = mint_secret(40, "fixture")
    text = f'import pytest\n\n\n@pytest.fixture\ndef client():\n    return Client(api_key="{secret}")\n'
    result = mend(text, "VH1", unsafe=True, path="tests/test_client.py")
    assert result.text == text
    assert "made-up value" in result.refused[0].reason
    fallback = f'import os\n\nAPI_KEY = os.getenv("API_KEY", "{secret}")\n'
    assert mend(fallback, "VH105", unsafe=True, path="tests/test_client.py").text == fallback
