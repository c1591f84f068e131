"""What a server hands over by protocol, and what a message says once it is decoded, comes from outside."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH203"), isolated=True))
ASGI = """
import os
from pathlib import Path

ROOT = Path("/srv/pages").resolve()


class Pages:
    def __init__(self, app, folder):
        self.app = app
        self.folder = Path(folder)

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            {body}
        await self.app(scope, receive, send)

    def page(self, name):
        return (self.folder / f"{{name}}.html").read_text()
"""
WSGI = """
import os
import posixpath


def application(environ, start_response):
    {body}
"""


def found(text: str) -> list[str]:
    return [finding.code for finding in LINTER.check(Source(path="shop/app.py", text=text))]


@pytest.mark.parametrize(
    "body",
    [
        "return (ROOT / scope['path']).read_text()",
        "return (ROOT / scope.get('path', '')).read_text()",
        "return open(os.path.join(ROOT, scope['query_string'].decode())).read()",
        "return self.page(scope['path'].lstrip('/'))",
        "request = dict(scope)\n            return (ROOT / request['path']).read_text()",
    ],
)
def test_the_path_of_an_asgi_scope_comes_from_outside(body: str) -> None:
    assert found(ASGI.format(body=body)) == ["VH201"]


@pytest.mark.parametrize(
    "body",
    [
        "return (ROOT / scope['type']).read_text()",
        "return (ROOT / scope['app'].name).read_text()",
        (
            "path = (ROOT / scope['path']).resolve()\n"
            "            if path.is_relative_to(ROOT):\n"
            "                return path.read_text()"
        ),
        "return self.page(os.path.basename(scope['path']))",
    ],
)
def test_what_the_server_says_or_a_check_has_seen_does_not(body: str) -> None:
    assert found(ASGI.format(body=body)) == []


def test_a_function_with_other_parameters_is_no_application() -> None:
    text = "def load(scope, receive):\n    return open('/srv/' + scope['path'])\n"
    assert found(text) == []


def test_the_path_of_a_wsgi_environment_comes_from_outside() -> None:
    body = "return [open(os.path.join('/srv', environ['PATH_INFO'][1:]), 'rb').read()]"
    assert found(WSGI.format(body=body)) == ["VH201"]
    assert found(WSGI.format(body="return [open(os.path.join('/srv', environ['SERVER_NAME']), 'rb').read()]")) == []


@pytest.mark.parametrize(
    ("made", "codes"),
    [
        ("posixpath.normpath('/' + name).lstrip('/')", []),
        ("os.path.normpath(f'/{name}').lstrip('/')", []),
        ("os.path.normpath(os.path.join('/', name)).lstrip('/')", []),
        ("os.path.normpath('/' + name)", ["VH201"]),
        ("os.path.normpath(name).lstrip('/')", ["VH201"]),
        ("('/' + name).lstrip('/')", ["VH201"]),
        ("os.path.normpath('./' + name).lstrip('/')", ["VH201"]),
    ],
)
def test_what_is_normalised_from_the_root_holds_no_step_up(made: str, codes: list[str]) -> None:
    body = f"name = environ['PATH_INFO']\n    path = {made}\n    return open(os.path.join('/srv', path), 'rb')"
    assert found(WSGI.format(body=body)) == codes


MESSAGE = """
from pathlib import Path

import wire
from fastapi import APIRouter, Request

router = APIRouter()
ROOT = Path("/srv/notes").resolve()


@router.post("/notes")
async def note(request: Request):
    {body}
"""


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("given = wire.decode(await request.body())\n    return (ROOT / given.name).read_text()", ["VH201"]),
        ("given = wire.find(await request.body())\n    return (ROOT / given.name).read_text()", []),
        ("path = ROOT / (await request.json())['name']\n    return await wire.rename(path)", ["VH201"]),
        ("path = ROOT / (await request.json())['name']\n    return await wire.rename(old=str(path))", ["VH201"]),
        ("path = ROOT / (await request.json())['name']\n    wire.log_info(path)", []),
        ("path = ROOT / (await request.json())['name']\n    raise wire.NoSuchNoteError(path)", []),
        (
            (
                "path = (ROOT / (await request.json())['name']).resolve()\n"
                "    if not path.is_relative_to(ROOT):\n        return None\n"
                "    return await wire.rename(path)"
            ),
            [],
        ),
    ],
)
def test_a_message_is_followed_through_what_decodes_it_and_into_what_is_not_read(body: str, codes: list[str]) -> None:
    assert found(MESSAGE.format(body=body)) == codes


FALCON = """
import os

import falcon


class Pages:
    def __init__(self, folder):
        self.folder = folder

    def on_get(self, req, resp{field}):
        {body}


app = falcon.App()
app.add_route("{route}", Pages("/srv/pages"))
"""


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("resp.text = open(os.path.join(self.folder, req.params['name'])).read()", ["VH201"]),
        ("resp.text = open(os.path.join(self.folder, req.get_param('name'))).read()", ["VH201"]),
        ("resp.text = open(os.path.join(self.folder, req.media['name'])).read()", ["VH201"]),
        ("resp.text = open(os.path.join(self.folder, req.get_param_as_json('q')['name'])).read()", ["VH201"]),
        ("resp.text = open(os.path.join(self.folder, str(req.get_param_as_int('page')))).read()", []),
        ("resp.text = open(os.path.join(self.folder, req.method)).read()", []),
        ("resp.text = open(os.path.join(self.folder, os.path.basename(req.get_param('name')))).read()", []),
    ],
)
def test_a_resource_of_falcon_is_called_with_the_request(body: str, codes: list[str]) -> None:
    assert found(FALCON.format(field="", body=body, route="/pages")) == codes


@pytest.mark.parametrize(
    ("route", "codes"), [("/pages/{name}", []), ("/pages/{name:path}", ["VH201"]), ("/pages/{name:int}", [])]
)
def test_a_field_of_a_template_is_one_segment_unless_it_says_otherwise(route: str, codes: list[str]) -> None:
    body = "resp.text = open(os.path.join(self.folder, name)).read()"
    assert found(FALCON.format(field=", name", body=body, route=route)) == codes
