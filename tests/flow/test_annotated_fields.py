"""A function that an annotation of pydantic has a field pass is a check of that field, wherever the annotation is."""

from pathlib import Path

import pytest
from shop import check, codes

BODY = """
import uuid
from typing import Annotated

from fastapi import FastAPI
from pydantic import AfterValidator, BaseModel

from shop.kinds import Name, plain

app = FastAPI()
Own = Annotated[str, AfterValidator({lambda_})]


class Note(BaseModel):
    name: {annotation}


@app.post("/notes")
def show(note: Note):
    return open("/srv/notes/" + note.name).read()
"""
KINDS = """
from typing import Annotated

from pydantic import AfterValidator


def plain(text):
    {body}


Name = Annotated[str, AfterValidator(plain)]
"""
RIGHT = "if not text.isalnum():\n        raise ValueError(text)\n    return text"
WEAK = "return text.strip()"


@pytest.mark.parametrize(
    "annotation",
    ["Annotated[str, AfterValidator(plain)]", "Name", "Annotated[Name, 'of a note']", "Own", "Own | None"],
)
def test_a_field_is_checked_by_what_its_annotation_names(tmp_path: Path, annotation: str) -> None:
    right = BODY.format(annotation=annotation, lambda_="lambda text: str(uuid.UUID(text, version=4))")
    weak = BODY.format(annotation=annotation, lambda_="lambda text: text.lower()")
    assert codes(check(tmp_path, right, kinds=KINDS.format(body=RIGHT))) == []
    assert codes(check(tmp_path, weak, kinds=KINDS.format(body=WEAK))) == ["VH201"]


def test_a_field_of_a_closed_type_is_no_place(tmp_path: Path) -> None:
    text = BODY.replace("AfterValidator, BaseModel", "UUID4, AfterValidator, BaseModel").format(
        annotation="UUID4", lambda_="plain"
    )
    assert codes(check(tmp_path, text.replace("+ note.name", '+ f"{note.name}"'), kinds=KINDS.format(body=WEAK))) == []
