"""Records that the program fills itself: what their classes demand of fields and of the whole holds afterwards."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH401", "VH405", "VH501"), isolated=True))


def found(text: str) -> list[str]:
    return [finding.code for finding in LINTER.check(Source(path="shop/app.py", text=text))]


PYDANTIC = """
from pathlib import Path

from flask import Flask, request
from pydantic import BaseModel, Field, field_validator

app = Flask(__name__)


class Key(BaseModel):
    free: str
    plain: str = Field(pattern=r"^[a-z]+$")
    word: str

    @field_validator("word")
    @classmethod
    def is_word(cls, value):
        if not value.isalnum():
            raise ValueError(value)
        return value


@app.get("/key")
def show():
    key = {made}
    return Path("docs", key.{field}).read_text()
"""
FILLED = "Key(free=request.args['a'], plain=request.args['b'], word=request.args['c'])"


@pytest.mark.parametrize(
    "made",
    [
        FILLED,
        "Key(**request.json)",
        "Key.model_validate(request.json)",
        "Key.parse_obj(request.get_json())",
        "Key.model_validate_json(request.data)",
        "Key.model_validate({'free': request.args['a'], 'plain': request.args['b'], 'word': request.args['c']})",
    ],
)
@pytest.mark.parametrize(("field", "codes"), [("free", ["VH201"]), ("plain", []), ("word", [])])
def test_a_model_checks_what_it_is_made_of(made: str, field: str, codes: list[str]) -> None:
    assert found(PYDANTIC.format(made=made, field=field)) == codes


PLAIN = """
import dataclasses
from pathlib import Path

import attrs
from flask import Flask, request

app = Flask(__name__)


@{decorator}
class Key:
    doc: str{default}
{method}

@app.get("/key")
def show():
    key = Key({given})
    return Path("docs", key.doc).read_text()
"""
AFTER = """
    def {name}(self):
        if not self.doc.isalnum():
            {otherwise}
"""


@pytest.mark.parametrize("given", ["request.args['doc']", "doc=request.args['doc']"])
@pytest.mark.parametrize(
    ("decorator", "name", "otherwise", "codes"),
    [
        ("dataclasses.dataclass", "__post_init__", "raise ValueError(self.doc)", []),
        ("dataclasses.dataclass(frozen=True)", "__post_init__", "raise ValueError(self.doc)", []),
        ("attrs.define", "__attrs_post_init__", "raise ValueError(self.doc)", []),
        ("dataclasses.dataclass", "__post_init__", "print('odd')", ["VH201"]),
        ("dataclasses.dataclass", "check", "raise ValueError(self.doc)", ["VH201"]),
    ],
)
def test_a_check_after_filling_counts(decorator: str, name: str, otherwise: str, codes: list[str], given: str) -> None:
    method = AFTER.format(name=name, otherwise=otherwise)
    assert found(PLAIN.format(decorator=decorator, default="", method=method, given=given)) == codes


@pytest.mark.parametrize(
    ("validator", "codes"),
    [
        ("attrs.validators.matches_re(r'[a-z0-9-]+')", []),
        ("[attrs.validators.max_len(9), attrs.validators.in_(['a', 'b'])]", []),
        ("attrs.validators.and_(attrs.validators.instance_of(str), attrs.validators.matches_re(r'\\w+'))", []),
        ("attrs.validators.matches_re(r'[a-z0-9/.-]+')", ["VH201"]),
        ("attrs.validators.instance_of(str)", ["VH201"]),
    ],
)
def test_validators_of_attrs_count(validator: str, codes: list[str]) -> None:
    default = f" = attrs.field(validator={validator})"
    text = PLAIN.format(decorator="attrs.define", default=default, method="", given="request.args['doc']")
    assert found(text) == codes


@pytest.mark.parametrize(
    ("check", "codes"),
    [
        ("name.replace('-', '').isalnum()", []),
        ("name.replace('-', '').replace('_', '').isalnum()", []),
        ("name.replace('.', '').isalnum()", []),
        ("name.replace('/', '').isalnum()", ["VH401"]),
        ("name.replace('-', '/').isalnum()", ["VH401"]),
    ],
)
def test_letters_beside_those_that_were_taken_out(check: str, codes: list[str]) -> None:
    text = f"""
from pathlib import Path

import torch
from fastapi import FastAPI, HTTPException

app = FastAPI()


@app.get("/card")
def card(model_name: str):
    name = model_name
    if not {check}:
        raise HTTPException(400)
    return torch.load(Path("models") / name, weights_only=True)
"""
    assert [code for code in found(text) if code != "VH203"] == codes


@pytest.mark.parametrize(
    ("kind", "codes"),
    [
        ("PositiveInt", ["VH405"]),
        ("NonNegativeFloat = Field(le=2)", []),
        ("float = Field(le=2)", ["VH405"]),
        ("PositiveFloat = Field(default=1.0, lt=2)", []),
    ],
)
def test_types_that_are_bounds(kind: str, codes: list[str]) -> None:
    text = f"""
from fastapi import FastAPI
from pydantic import BaseModel, Field, NonNegativeFloat, PositiveFloat, PositiveInt

app = FastAPI()


class Body(BaseModel):
    temperature: {kind}


@app.post("/generate")
async def generate(body: Body):
    return await app.state.engine.generate("hello", temperature=body.temperature)
"""
    assert found(text) == codes


@pytest.mark.parametrize("shown", ["dict(os.environ)", "f'{os.environ}'", "str(dict(os.environ))", "os.environ"])
def test_what_holds_secrets_is_seen_inside_other_expressions(shown: str) -> None:
    text = f"import logging\nimport os\n\n\ndef boot():\n    logging.debug('with %s', {shown})\n"
    assert found(text) == ["VH501"]


@pytest.mark.parametrize(("key", "codes"), [("model_type", ["VH401"]), ("adapter_class", []), ("page", [])])
def test_a_request_that_says_which_kind_of_model_to_import(key: str, codes: list[str]) -> None:
    text = f"""
import importlib

from flask import Flask, request

app = Flask(__name__)


@app.post("/load")
def load():
    return importlib.import_module(f"acme.{{request.json['{key}']}}").build()
"""
    assert found(text) == codes
