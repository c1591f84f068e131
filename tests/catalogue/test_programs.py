"""Every row is a test: a small program in which a value goes from a source to a sink, or is cleaned on its way."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from valhalla_lint.core.flow import Flow
from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.module import Module
from valhalla_lint.flow.analysis import find_flows
from valhalla_lint.flow.catalogue import TARGETED, TARGETS, read_tables, texts_of
from valhalla_lint.flow.demand import COMMON_SINKS
from valhalla_lint.flow.labels import Use

TABLES = read_tables()
PLACES = frozenset({"path", "join", "model", "archive"})
LOADERS = frozenset({"model", "hub", "import", "process"})
TOLD = frozenset(use.value for use in Use) - {"log", "generate"}
"""Uses whose sinks ask where a value leads; what logs and engines ask is tested where secrets and bounds are."""


USED = "import os\nimport shutil\n"
REMOVE = "shutil.rmtree(os.path.join('data', name))\n"


def flows(program: str, path: str = "src/app.py") -> list[Flow]:
    module = Module(Source(path, program), Settings())
    return [flow for flow in find_flows(module, PLACES, Settings(preset=Preset.AUDIT)) if flow.topic in PLACES]


def rows(*tables: str) -> Iterator[tuple[str, str, dict[str, Any], str]]:
    """File, key, row and name of the rows of some tables."""
    for file, found in TABLES.items():
        for table in tables:
            for row in found.get(table, ()):
                for key in TARGETS if table in TARGETED else ():
                    for name in texts_of(row.get(key, ())):
                        yield file, key, row, name


def imports(name: str) -> str:
    """The import that makes a qualified name usable as it stands."""
    root = name.split(".", maxsplit=1)[0]
    return f"import {root}\n" if "." in name and root != "*" else ""


def call_of(key: str, name: str, argument: int | str, value: str) -> tuple[str, str]:
    """A call with a value as one of its arguments, and the parameters of the function around it."""
    if isinstance(argument, str):
        given = f"{argument}={value}"
    elif argument < 0:
        given = ""
    else:
        given = ", ".join([*["fixed"] * argument, value])
    owner, _, last = name.rpartition(".")
    if key == "call":
        return f"{name}({given})", ""
    if argument == -1:
        receiver = value if owner == "*" else f"{owner}({value})"
        return f"{receiver}.{last}({given})", ""
    if owner == "*":
        return f"thing.{last}({given})", "thing"
    return f"thing.{last}({given})", f"thing: {owner}"


def paths_own(name: str, argument: int | str) -> bool:
    """Whether the engine has its own view of a path's methods, in which only the path itself matters."""
    return name.startswith("pathlib.Path.") and argument != -1


SINKS = {
    f"{key}-{name}-{row['use']}-{argument}": (key, name, argument)
    for _, key, row, name in rows("sink")
    if row["use"] in TOLD
    for argument in row.get("args", [0])
    if (len(texts_of(row[key])) == 1 or not isinstance(argument, str)) and not paths_own(name, argument)
}


@pytest.mark.parametrize(("key", "name", "argument"), list(SINKS.values()), ids=list(SINKS))
def test_a_request_reaches_the_sink(key: str, name: str, argument: int | str) -> None:
    call, parameters = call_of(key, name, argument, "model_name")
    # A word that many other methods share makes nobody look at a function; another sink does.
    other = "    open(__file__)\n" if name.rpartition(".")[2] in COMMON_SINKS else ""
    program = (
        f"from flask import request\n{imports(name)}fixed = 'x'\n\n\n"
        f"def show({parameters}):\n{other}    model_name = request.args['model_name']\n    return {call}\n"
    )
    assert flows(program), program
    cleaned = program.replace("request.args['model_name']", "int(request.args['model_name'])")
    assert not flows(cleaned), cleaned


def source_of(key: str, name: str) -> tuple[str, str]:
    """An expression that reads a source, and the parameters of the function around it."""
    owner, _, last = name.rpartition(".")
    if key == "call":
        return f"{name}()", ""
    if owner == "*":
        return f"thing.{last}()", "thing"
    if key == "attribute" and owner in sys.stdlib_module_names:
        return name, ""
    return f"thing.{last}" + ("()" if key == "method" else ""), f"thing: {owner}"


SOURCES = {f"{key}-{name}": (key, name) for _, key, row, name in rows("source")}


@pytest.mark.parametrize(("key", "name"), list(SOURCES.values()), ids=list(SOURCES))
def test_what_a_source_gives_reaches_a_file(key: str, name: str) -> None:
    value, parameters = source_of(key, name)
    parameters = parameters or "other"  # weak sources alone make nobody look at a function
    program = f"{imports(name)}{USED}\ndef show({parameters}):\n    name = {value}\n    {REMOVE}"
    taken = program.replace(f"= {value}", f"= {value}['a']")
    assert flows(program) or flows(taken), program
    whole = program.replace(f"= {value}", f"= str(len({value}))")
    assert not flows(whole), whole


UPLOADS = [
    ("werkzeug.wrappers.Request", "files['a'].filename"),
    ("flask.Request", "files.get('a').filename"),
    ("sanic.Request", "files['a'].name"),
    ("bottle.Request", "files['a'].raw_filename"),
    ("tornado.httputil.HTTPServerRequest", "files['a'][0].filename"),
]


@pytest.mark.parametrize(("kind", "read"), UPLOADS)
def test_the_name_of_an_upload_reaches_a_file_and_its_content_does_not(kind: str, read: str) -> None:
    program = f"{imports(kind)}import shutil\n\n\ndef show(thing: {kind}):\n    shutil.rmtree(thing.{read})\n"
    assert flows(program), program
    content = program.replace("rmtree", "copyfile").replace(read, read.rpartition(".")[0])
    assert not flows(content), content


def test_content_in_memory_is_no_path() -> None:
    program = """
import io
from flask import request
from PIL import Image

def show():
    return Image.open(io.BytesIO(request.data))
"""
    assert not flows(program)
    assert flows(program.replace("io.BytesIO(request.data)", "request.data"))


HANDLERS = {
    f"{place}-{name}": (place, name, row)
    for tables in TABLES.values()
    for row in tables.get("handler", ())
    for place in ("decorator", "base", "suffix")
    for name in texts_of(row.get(place, ()))
}


@pytest.mark.parametrize(("place", "name", "row"), list(HANDLERS.values()), ids=list(HANDLERS))
def test_parameters_of_handlers_reach_a_file(place: str, name: str, row: dict[str, Any]) -> None:
    method = (row.get("methods") or ["Call"])[0]
    if place == "decorator":
        program = f"{imports(name)}{USED}\n@{name}('/x')\ndef show(request, name):\n    {REMOVE}"
    else:
        base = f"pb.Model{name}" if place == "suffix" else name
        program = f"{imports(base)}{USED}\nclass Show({base}):\n    def {method}(self, name):\n        {REMOVE}"
    found = flows(program)
    assert found, program
    if row.get("kind", "handler") != "argument":
        assert not found[0].audit, program


CLEANERS = {f"{key}-{name}": (key, name, row) for _, key, row, name in rows("clean")}


@pytest.mark.parametrize(("key", "name", "row"), list(CLEANERS.values()), ids=list(CLEANERS))
def test_cleaners_end_a_flow(key: str, name: str, row: dict[str, Any]) -> None:
    if key == "attribute" or not {"path", "all"} & set(row["clears"]):
        pytest.skip("nothing goes into it, or another kind of flow ends at it")
    call, parameters = call_of(key, name, 0, "name")
    program = (
        f"from flask import request\nimport shutil\n{imports(name)}\n\n"
        f"def show({parameters}):\n    name = request.args['name']\n    shutil.rmtree('data/' + {call})\n"
    )
    assert not flows(program), program
    assert flows(program.replace(call, "name")), program


GUARDS = {name: (key, name, row) for _, key, row, name in rows("guard")}


@pytest.mark.parametrize(("key", "name", "row"), list(GUARDS.values()), ids=list(GUARDS))
def test_guards_clear_the_branch_in_which_they_hold(key: str, name: str, row: dict[str, Any]) -> None:
    call, parameters = call_of(key, name, 0, "name")
    head = f"from flask import request\nimport os\nimport shutil\n{imports(name)}\n\ndef show({parameters}):\n"
    read = "    name = request.args['name']\n"
    use = f"    {REMOVE}"
    refuse = "        raise KeyError\n"
    if row["guard"] == "validates":
        program = f"{head}{read}    {call}\n{use}"
        without = program.replace(f"    {call}\n", "")
    elif row["guard"] == "checks":
        program = f"{head}{read}    if not {call}:\n{refuse}{use}"
        without = program.replace("if not", "if")
    else:
        read = "    name = os.path.realpath(os.path.join('/data', request.args['name']))\n"
        program = f"{head}{read}    if not {name}(name, '/data'):\n{refuse}    shutil.rmtree(name)\n"
        without = program.replace("if not", "if")
    assert not flows(program), program
    assert flows(without), without


ENGINES = {name: (key, name) for _, key, row, name in rows("sink") if row["use"] == "generate"}
SERVER = """
from fastapi import FastAPI
from pydantic import BaseModel, Field
{imports}
app = FastAPI()

class Body(BaseModel):
    prompt: str
    max_tokens: int = 256

@app.post("/generate")
async def generate(body: Body{parameters}):
    return {function}(body.prompt, max_tokens=body.max_tokens)
"""


@pytest.mark.parametrize(("key", "name"), list(ENGINES.values()), ids=list(ENGINES))
def test_engines_want_bounds(key: str, name: str) -> None:
    call, parameters = call_of(key, name, 0, "body")
    program = SERVER.format(
        imports=imports(name), parameters=parameters and f", {parameters}", function=call.partition("(")[0]
    )
    bounded = program.replace("prompt: str", "prompt: str = Field(max_length=8192)")
    bounded = bounded.replace("= 256", "= Field(256, ge=1, le=4096)")
    topics = frozenset({"generation"})
    assert find_flows(Module(Source("src/app.py", program), Settings()), topics, Settings()), program
    assert not find_flows(Module(Source("src/app.py", bounded), Settings()), topics, Settings()), bounded


REGISTERED = {
    f"{name}-{argument}": (name, argument, row)
    for tables in TABLES.values()
    for row in tables.get("handler", ())
    for name in texts_of(row.get("registers", ()))
    for argument in row.get("args", [0])
}


@pytest.mark.parametrize(("name", "argument", "row"), list(REGISTERED.values()), ids=list(REGISTERED))
def test_registered_functions_are_called_from_outside(name: str, argument: int | str, row: dict[str, Any]) -> None:
    given = f"{argument}=show" if isinstance(argument, str) else ", ".join([*["'/x'"] * argument, "show"])
    packages = row.get("imports", ())
    program = (
        "".join(f"import {package}\n" for package in packages[:1])
        + f"from things import {name}\n{USED}\n"
        + f"def show(file_name):\n    shutil.rmtree(os.path.join('data', file_name))\n\nkept = {name}({given})\n"
    )
    found = flows(program)
    assert found, program
    assert found[0].topic == "path"
    if packages:
        elsewhere = flows(program.replace(f"import {packages[0]}\n", ""))
        assert [flow.topic for flow in elsewhere] == ["join"], "a parameter like any other"


SHOWN = {name: (key, name) for _, key, row, name in rows("sink") if row["use"] == "log"}


@pytest.mark.parametrize(("key", "name"), list(SHOWN.values()), ids=list(SHOWN))
def test_secrets_reach_what_people_read(key: str, name: str) -> None:
    owner, _, last = name.rpartition(".")
    call = name if key == "call" else f"log.{last}"
    receiver = f"log: {owner}, " if key == "method" and owner != "*" else "log, "
    program = f"{imports(name)}\n\ndef show({receiver}api_key):\n    {call}('key', api_key)\n"
    topics = frozenset({"log"})
    assert find_flows(Module(Source("src/app.py", program), Settings()), topics, Settings()), program
    hidden = program.replace("api_key)\n", "bool(api_key))\n")
    assert not find_flows(Module(Source("src/app.py", hidden), Settings()), topics, Settings()), hidden
