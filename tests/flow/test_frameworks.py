"""What frameworks check, convert or hand over before a function runs: fields, templates, messages, whole bodies."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH202", "VH203", "VH204", "VH401", "VH405", "VH501"), isolated=True))


def found(text: str) -> list[str]:
    return [finding.code for finding in LINTER.check(Source(path="shop/app.py", text=text))]


SERIALIZER = """
import os

from django.core.validators import RegexValidator, validate_slug
from rest_framework import serializers
from rest_framework.views import APIView


class Run(serializers.Serializer):
    other = serializers.SlugField()
    run = {field}
{method}

class Runs(APIView):
    def post(self, request):
        form = Run(data=request.data)
        form.is_valid(raise_exception=True)
        return open(os.path.join("runs", {read}))
"""


@pytest.mark.parametrize(
    ("field", "codes"),
    [
        ("serializers.SlugField()", []),
        ("serializers.UUIDField()", []),
        ("serializers.ChoiceField(choices=['a', 'b'])", []),
        ("serializers.RegexField(r'^[a-z0-9]+$')", []),
        ("serializers.CharField(validators=[validate_slug])", []),
        ("serializers.CharField(validators=[RegexValidator(r'^[a-z]+$')])", []),
        ("serializers.CharField(max_length=40)", ["VH201"]),
        ("serializers.RegexField(r'[a-z0-9]+')", ["VH201"]),
        ("serializers.CharField(validators=[RegexValidator(r'^[a-z./]+$')])", ["VH201"]),
    ],
)
@pytest.mark.parametrize("read", ["form.validated_data['run']", "form.validated_data.get('run')"])
def test_a_field_says_what_it_lets_through(field: str, codes: list[str], read: str) -> None:
    assert found(SERIALIZER.format(field=field, read=read, method="")) == codes


@pytest.mark.parametrize(
    ("check", "codes"),
    [("value.isalnum()", []), ("len(value) < 40", ["VH201"])],
)
def test_the_own_method_for_a_field_counts(check: str, codes: list[str]) -> None:
    method = f"""
    def validate_run(self, value):
        if not {check}:
            raise serializers.ValidationError("bad run")
        return value
"""
    text = SERIALIZER.format(field="serializers.CharField()", read="form.validated_data['run']", method=method)
    assert found(text) == codes


BODY = """
from fastapi import FastAPI
from pydantic import BaseModel, Field, model_validator, root_validator
from typing import Annotated
from annotated_types import Ge, Le, Len, MaxLen

app = FastAPI()
Tokens = Annotated[int, Ge(1), Le(4096)]


class Body(BaseModel):
    prompt: {prompt}
    max_tokens: {tokens}
{method}

@app.post("/generate")
async def generate(body: Body):
    return await app.state.engine.generate(body.prompt, max_tokens=body.max_tokens)
"""
AFTER = """
    @model_validator(mode="after")
    def bounded(self):
        if self.max_tokens {op} 2048 or len(self.prompt) {op} 8000:
            raise ValueError("out of range")
        return self
"""
ROOT = """
    @root_validator
    def bounded(cls, values):
        if values["max_tokens"] {op} 2048 or len(values.get("prompt")) {op} 8000:
            raise ValueError("out of range")
        return values
"""


@pytest.mark.parametrize("method", [AFTER, ROOT])
@pytest.mark.parametrize(("op", "codes"), [(">", []), ("<", ["VH405"])])
def test_a_check_of_the_whole_body_bounds_its_fields(method: str, op: str, codes: list[str]) -> None:
    assert found(BODY.format(prompt="str", tokens="int", method=method.format(op=op))) == codes


@pytest.mark.parametrize(
    ("prompt", "tokens", "codes"),
    [
        ("Annotated[str, MaxLen(8000)]", "Tokens", []),
        ("Annotated[str, Len(1, 8000)]", "Annotated[int, Le(10)]", []),
        ("Annotated[str, Len(1)]", "Tokens", ["VH405"]),
        ("Annotated[str, MaxLen(80)]", "Annotated[int, Ge(1)]", ["VH405"]),
    ],
)
def test_bounds_may_be_annotations(prompt: str, tokens: str, codes: list[str]) -> None:
    assert found(BODY.format(prompt=prompt, tokens=tokens, method="")) == codes


SANIC = """
from pathlib import Path

from sanic import Sanic, response

app = Sanic("files")


@app.get("/f/<{field}>")
async def show(request, name):
    return await response.file(Path("files") / name)
"""


@pytest.mark.parametrize(
    ("field", "codes"),
    [("name:int", []), ("name:uuid", []), ("name:[a-z0-9]+", []), ("name:slug", []), ("name:path", ["VH201"])],
)
def test_a_converter_may_stand_behind_the_name(field: str, codes: list[str]) -> None:
    assert found(SANIC.format(field=field)) == codes


AIOHTTP = """
from pathlib import Path

from aiohttp import web

routes = web.RouteTableDef()


@routes.get("/f/{field}")
async def show(request):
    return web.FileResponse(Path("files") / {read})
"""


@pytest.mark.parametrize("read", ["request.match_info['name']", "(request.match_info.get('name') + '.md')"])
@pytest.mark.parametrize(
    ("field", "codes"),
    [
        (r"{name:[a-z0-9-]+}", []),
        (r"{name:\\d+}", []),
        ("{name}", ["VH201"]),  # what was matched is decoded: `%2F` becomes a separator
        (r"{name:.+}", ["VH201"]),
        (r"{other:[a-z]+}", ["VH201"]),
    ],
)
def test_a_field_read_out_of_the_request_is_as_its_template_says(field: str, codes: list[str], read: str) -> None:
    assert found(AIOHTTP.format(field=field, read=read)) == codes


SERVICER = """
import os

import files_pb2_grpc
import grpc


class Files(files_pb2_grpc.FilesServicer):
    def Fetch(self, request{annotation}, context):
        {check}
        with open(os.path.join("files", request.relative), "rb") as handle:
            yield handle.read()
"""


@pytest.mark.parametrize("annotation", ["", ": files_pb2.FetchRequest"])
@pytest.mark.parametrize(
    ("check", "codes"),
    [
        ("pass", ["VH201"]),
        ("if not request.relative.isalnum():\n            context.abort(3, 'bad')", []),
        ("if not request.relative.isalnum():\n            context.set_code(3)", ["VH201"]),
    ],
)
def test_every_part_of_a_message_comes_from_outside(check: str, codes: list[str], annotation: str) -> None:
    assert found(SERVICER.format(check=check, annotation=annotation)) == codes


@pytest.mark.parametrize(
    ("value", "codes"),
    [("int(body['n'])", ["VH405"]), ("body['n']", ["VH405"]), ("min(int(body['n']), 512)", []), ("512", [])],
)
@pytest.mark.parametrize("engine", ["pipe", "app.extensions['engine'].run"])
def test_a_number_for_a_generation_is_followed_whatever_the_engine_is_called(
    value: str, codes: list[str], engine: str
) -> None:
    text = f"""
from flask import Flask, request
from transformers import pipeline

app = Flask(__name__)
pipe = pipeline("text-generation", model="acme/tiny", revision="0123456789abcdef0123456789abcdef01234567")


@app.post("/generate")
def generate():
    body = request.get_json()
    return {engine}("hello", max_new_tokens={value})
"""
    assert found(text) == codes


@pytest.mark.parametrize(
    ("imports", "consumer", "loop"),
    [
        ("from kafka import KafkaConsumer", "KafkaConsumer('jobs')", "for"),
        ("from aiokafka import AIOKafkaConsumer", "AIOKafkaConsumer('jobs')", "async for"),
    ],
)
def test_messages_of_a_queue_come_from_outside(imports: str, consumer: str, loop: str) -> None:
    text = f"""
import json
from pathlib import Path

{imports}


async def work():
    consumer = {consumer}
    {loop} message in consumer:
        job = json.loads(message.value)
        (Path("out") / job["name"]).write_text("")
        (Path("out") / f"{{message.offset:d}}").write_text("")
"""
    assert found(text) == ["VH201"]


def test_a_record_that_is_filled_from_a_dictionary_holds_what_came() -> None:
    text = """
import dataclasses
import os

from flask import Flask, request

app = Flask(__name__)


@dataclasses.dataclass
class Job:
    name: str


@app.post("/job")
def job():
    made = Job(**request.json)
    return open(os.path.join("jobs", made.name)).read()
"""
    assert found(text) == ["VH201"]


@pytest.mark.parametrize(
    ("key", "codes"), [("TABLE.get(name, name)", ["VH401"]), ("TABLE.get(name)", []), ("TABLE[name]", [])]
)
def test_a_table_with_the_key_for_its_default_lets_every_key_through(key: str, codes: list[str]) -> None:
    text = f"""
from flask import Flask, request
from transformers import AutoModel

app = Flask(__name__)
TABLE = {{"small": "acme/small", "large": "acme/large"}}


@app.post("/load")
def load():
    name = request.json["model"]
    return AutoModel.from_pretrained({key})
"""
    assert found(text) == codes


@pytest.mark.parametrize(
    ("parts", "codes"),
    [
        ("('', '.', '..')", []),
        ("('.', '..')", ["VH201"]),
        ("('', '.')", ["VH201"]),
    ],
)
def test_parts_that_are_neither_empty_nor_steps_up_stay_below(parts: str, codes: list[str]) -> None:
    text = f"""
import os

from flask import Flask, abort, request

app = Flask(__name__)


@app.get("/x")
def show():
    pieces = request.args["p"].split("/")
    if any(piece in {parts} or "\\\\" in piece for piece in pieces):
        abort(400)
    return open(os.path.join("data", *pieces)).read()
"""
    assert [code for code in found(text) if code != "VH203"] == codes


@pytest.mark.parametrize(("letters", "codes"), [("string.ascii_letters + '-_'", []), ("string.printable", ["VH201"])])
def test_sets_of_letters_may_be_made_of_the_standard_ones(letters: str, codes: list[str]) -> None:
    text = f"""
import os
import string

from flask import Flask, request

app = Flask(__name__)
GOOD = frozenset({letters})


@app.get("/x")
def show():
    name = request.args["p"]
    if not set(name) <= GOOD:
        raise ValueError(name)
    return open(os.path.join("data", name)).read()
"""
    assert [code for code in found(text) if code != "VH203"] == codes


def test_members_that_a_generator_hands_on_are_followed() -> None:
    text = """
import tarfile


def parts(bundle):
    with tarfile.open(bundle) as tar:
        for member in tar:
            yield member.name, tar.extractfile(member).read()


def dump(bundle, out):
    for name, blob in parts(bundle):
        (out / name).write_bytes(blob)


def total(bundle):
    return sum(len(blob) for _, blob in parts(bundle))
"""
    assert found(text) == ["VH204"]


@pytest.mark.parametrize(
    ("shown", "codes"),
    [
        ("print('token', token)", ["VH501"]),
        ("print('token given:', bool(token))", []),
        ("if __name__ == '__main__':\n    print(token)", ["VH501"]),
        ("print(region)", []),
    ],
)
def test_a_module_itself_may_show_a_secret(shown: str, codes: list[str]) -> None:
    text = f"import os\n\ntoken = os.environ['HF_TOKEN']\nregion = os.environ['REGION']\n{shown}\n"
    assert found(text) == codes


@pytest.mark.parametrize(
    ("call", "codes"),
    [
        ("view(value, *args, **kwargs)", []),
        ("view(value)", []),
        ("view(request.args.get('other'), *args, **kwargs)", ["VH201"]),
    ],
)
def test_a_wrapper_may_hand_over_a_checked_value_by_place(call: str, codes: list[str]) -> None:
    text = f"""
import functools
import os

from flask import Flask, abort, request

app = Flask(__name__)


def named(field):
    def decorate(view):
        @functools.wraps(view)
        def inner(*args, **kwargs):
            value = request.args.get(field, "")
            if not value.isalnum():
                abort(400)
            return {call}

        return inner

    return decorate


@app.get("/plot")
@named("plot")
def show(plot):
    return open(os.path.join("plots", plot + ".svg")).read()
"""
    assert [code for code in found(text) if code != "VH203"] == codes


DEPENDING = """
from dataclasses import dataclass
from pathlib import Path

from fastapi import Depends, FastAPI
from pydantic import BaseModel

app = FastAPI()

{made}

@app.get("/log")
def log(run: Run = Depends({given})):
    return Path("runs", run.name).read_text()
"""


@pytest.mark.parametrize("given", ["", "Run"])
@pytest.mark.parametrize(
    ("made", "codes"),
    [
        ("class Run:\n    def __init__(self, name: str):\n        self.name = name\n", ["VH201"]),
        ("class Run:\n    def __init__(self, name: str):\n        self.name = Path(name).name\n", []),
        (
            "class Run:\n    def __init__(self, name: str):\n        assert name.isalnum()\n        self.name = name\n",
            [],
        ),
        ("class Run:\n    def __init__(self, name: int):\n        self.name = name\n", []),
        ("@dataclass\nclass Run:\n    name: str\n", ["VH201"]),
        ("class Run(BaseModel):\n    name: str\n", ["VH201"]),
        ("def kept():\n    return 'kept'\n\n@dataclass\nclass Run:\n    name: str = Depends(kept)\n", []),
        ("class Run:\n    def __init__(self, other: 'Run' = Depends()):\n        self.name = 'kept'\n", []),
    ],
)
def test_an_object_that_the_framework_makes_for_a_request_holds_what_came(
    made: str, codes: list[str], given: str
) -> None:
    assert found(DEPENDING.format(made=made, given=given)) == codes


UPLOADS = """
from pathlib import Path

from flask import Flask, request

app = Flask(__name__)

@app.post("/up")
def up():
    for {target} in {many}:
        file.save(Path("inbox", file.{part}))
"""


@pytest.mark.parametrize(
    ("target", "many"),
    [
        ("file", "request.files.getlist('files')"),
        ("file", "request.files.values()"),
        ("field, file", "request.files.items()"),
        ("number, file", "enumerate(request.files.getlist('files'))"),
    ],
)
@pytest.mark.parametrize(("part", "codes"), [("filename", ["VH201"]), ("content_length", [])])
def test_files_of_one_request_may_be_many(target: str, many: str, part: str, codes: list[str]) -> None:
    assert found(UPLOADS.format(target=target, many=many, part=part)) == codes


@pytest.mark.parametrize("around", ["{load}", "if st.button('load'):\n    {load}"])
@pytest.mark.parametrize(("name", "codes"), [("repo", ["VH401"]), ("KNOWN[repo]", []), ("'acme/large'", [])])
def test_the_lines_of_a_page_are_judged_outside_of_functions_too(around: str, name: str, codes: list[str]) -> None:
    page = f"""
import streamlit as st
from diffusers import DiffusionPipeline

KNOWN = {{"small": "acme/small"}}
repo = st.text_input("Repository", "acme/large")
{around.format(load=f"st.session_state['pipe'] = DiffusionPipeline.from_pretrained({name})")}
"""
    assert found(page) == codes


@pytest.mark.parametrize(
    ("inputs", "codes"),
    [
        ("['text', gr.Slider(1, 512)]", []),
        ("['text', tokens]", []),
        ("inputs=('text', gr.Number(minimum=1, maximum=512))", []),
        ("['text', gr.Number(minimum=1)]", ["VH405"]),
        ("[gr.Slider(1, 512), gr.Number()]", ["VH405"]),
    ],
)
def test_a_slider_bounds_what_it_hands_over(inputs: str, codes: list[str]) -> None:
    page = f"""
import gradio as gr

from .engine import engine

def complete(text, max_new_tokens):
    return engine.generate("fixed", max_new_tokens=max_new_tokens)

tokens = gr.Slider(1, 512, step=1)
demo = gr.Interface(complete, {inputs}, outputs="text")
"""
    assert found(page) == codes


LOOKED_UP = """
from fastapi import FastAPI
from huggingface_hub import snapshot_download

app = FastAPI()
KNOWN = {known}

@app.post("/pull")
def pull(repo: str):
    {look}
    return snapshot_download(repo)
"""


@pytest.mark.parametrize(
    ("known", "look", "codes"),
    [
        ("{'acme/a': 'one'}", "KNOWN[repo]", []),
        ("dict(a='one')", "KNOWN[repo]", []),
        ("{'acme/a': 'one'}", "assert KNOWN.get(repo)", []),
        ("{'acme/a': 'one'}", "if (sha := KNOWN.get(repo)) is None:\n        raise LookupError(repo)", []),
        ("{'acme/a': 'one'}", "sha = KNOWN.get(repo)\n    if not sha:\n        raise LookupError(repo)", []),
        ("{'acme/a': 'one'}", "if KNOWN.get(repo):\n        raise LookupError(repo)", ["VH401"]),
        ("{'acme/a': 'one'}", "KNOWN.get(repo)", ["VH401"]),
        ("{'acme/a': 'one'}", "assert KNOWN.get(repo, 'two')", ["VH401"]),
        ("{'acme/a': 'one'}", "try:\n        KNOWN[repo]\n    except KeyError:\n        pass", ["VH401"]),
        ("{}", "assert KNOWN.get(repo)", ["VH401"]),
        ("defaultdict(str, a='one')", "KNOWN[repo]", ["VH401"]),
    ],
)
def test_what_a_written_table_holds_is_one_of_its_keys(known: str, look: str, codes: list[str]) -> None:
    assert found(LOOKED_UP.format(known=known, look=look)) == codes


@pytest.mark.parametrize("hint", ["", ": web.Request"])
@pytest.mark.parametrize(
    "loop",
    ["async for part in reader:", "while part := await reader.next():", "async for part in reader:\n        if 1:"],
)
@pytest.mark.parametrize(("name", "codes"), [("part.filename", ["VH201"]), ("Path(part.filename).name", [])])
def test_the_parts_of_a_message_are_chosen_by_whoever_sends_it(
    hint: str, loop: str, name: str, codes: list[str]
) -> None:
    text = f"""
from pathlib import Path

from aiohttp import web

async def upload(request{hint}):
    reader = await request.multipart()
    {loop}
            (Path("inbox") / {name}).write_bytes(await part.read())
"""
    assert found(text) == codes


@pytest.mark.parametrize("made", ["mcp.server.fastmcp.FastMCP", "fastmcp.FastMCP"])
@pytest.mark.parametrize("decorator", ["resource('note://{name}')", "prompt()", "tool()"])
def test_decorators_of_an_object_of_the_file_are_known_by_its_class(made: str, decorator: str) -> None:
    module, _, kind = made.rpartition(".")
    text = f"""
from pathlib import Path

from {module} import {kind}

server = {kind}("notes")

@server.{decorator}
def note(name: str) -> str:
    return Path("notes", name).read_text()
"""
    assert found(text) == ["VH201"]


@pytest.mark.parametrize(
    ("pattern", "codes"),
    [
        (r"\.\./", ["VH203"]),
        (r"(\.\./)+", ["VH203"]),
        (r"\.\.[/\\]", ["VH203"]),
        (r"[^\w-]", []),
        (r"\s+", ["VH201"]),
    ],
)
def test_a_pattern_that_means_one_text_is_taken_out_as_replace_does(pattern: str, codes: list[str]) -> None:
    text = f"""
import re
from pathlib import Path

from flask import request

def read():
    name = re.sub(r"{pattern}", "", request.args["name"])
    return Path("docs", name).read_text()
"""
    assert found(text) == codes


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ("**(await request.json())", ["VH405"]),
        ("**{'n': 1, **(await request.json())}", ["VH405"]),
        ("**{'n': 1}", []),
    ],
)
def test_a_request_that_is_unpacked_into_a_generation_has_no_bounds(given: str, codes: list[str]) -> None:
    text = f"""
async def answer(request, engine):
    return await engine.generate("fixed", {given})
"""
    assert found(text) == codes


APPLIED = """
from pathlib import Path

from {imported}


class Notes:
    def __init__(self, server, {switch}: bool = False):
        self.{switch} = {switch}
        {registered}

    def read(self, name: str):
        if not self.{switch}:
            return "not allowed"
        return Path("/srv/notes", name).read_text()
"""


@pytest.mark.parametrize(
    ("imported", "registered"),
    [
        ("mcp.server.fastmcp import Context", "server.tool(name='read')(self.read)"),
        ("fastapi import FastAPI", "self.app = FastAPI()\n        self.app.get('/notes')(self.read)"),
    ],
)
def test_a_decorator_that_is_called_for_a_method_makes_a_handler_of_it(imported: str, registered: str) -> None:
    assert found(APPLIED.format(imported=imported, registered=registered, switch="allow_write")) == ["VH201"]


def test_a_switch_that_lets_paths_out_is_off_where_it_is_off_by_default() -> None:
    registered = "server.tool(name='read')(self.read)"
    text = APPLIED.format(imported="mcp.server.fastmcp import Context", registered=registered, switch="allow_outside")
    assert found(text) == []


@pytest.mark.parametrize(
    "handler",
    [
        "@sio.event\nasync def read(sid, name):",
        "@sio.on('read')\nasync def read(sid, name):",
        "class Notes(socketio.AsyncNamespace):\n  async def on_read(self, sid, name):",
    ],
)
def test_what_a_socket_brings_comes_from_outside_and_its_own_name_does_not(handler: str) -> None:
    text = "import os\n\nimport socketio\n\nsio = socketio.AsyncServer()\n\n\n{}\n    open(os.path.join('/srv', {}))\n"
    assert found(text.format(handler, "name")) == ["VH201"]
    assert found(text.format(handler, "sid")) == []


def test_a_function_that_is_handed_to_a_socket_is_a_handler() -> None:
    text = """
import os

import socketio

sio = socketio.Server()


def read(sid, name):
    open(os.path.join("/srv", name))


sio.on("read", handler=read)
"""
    assert found(text) == ["VH201"]


UPLOADED = """
import os


class Notes:
    def keep(self, upload_file):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("upload_file.save(os.path.join('/srv', upload_file.filename))", ["VH201"]),
        ("open(f'/srv/{upload_file.filename}', 'wb').write(upload_file.stream.read())", ["VH201"]),
        ("upload_file.save(os.path.join('/srv', os.path.basename(upload_file.filename)))", []),
        ("return os.path.join('/srv', upload_file.filename)", []),
    ],
)
def test_an_upload_is_known_by_what_is_asked_of_it(body: str, codes: list[str]) -> None:
    assert found(UPLOADED.format(body=body)) == codes
