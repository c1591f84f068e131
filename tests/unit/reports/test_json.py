"""The report for programs keeps to its schema."""

import json
from pathlib import Path

import jsonschema
from hostile import big, small

import valhalla_lint
from valhalla_lint.config import Configuration
from valhalla_lint.linter import check_bytes
from valhalla_lint.reports.json import report
from valhalla_lint.reports.run import Run

SCHEMA = json.loads((Path(valhalla_lint.__file__).parent / "data" / "report.schema.json").read_text(encoding="utf-8"))


def test_every_report_keeps_to_the_schema() -> None:
    configuration = Configuration(isolated=True)
    inputs = [*small(), *(item for item in big() if item.name in {"branches.py", "signs.py"})]
    files = [check_bytes(item.data, f"src/{item.name}", configuration) for item in inputs]
    files.append(check_bytes(b"import pickle\npickle.load(open(x))  # noqa\n", "src/model.py", configuration))
    text = report(Run(tuple(item.report for item in files if item is not None)))
    document = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(document, SCHEMA)
    assert text.isascii()
    assert document["files"]["checked"] == len(files)
    assert len(document["files"]["unread"]) + len(document["files"]["partly"]) + document["files"]["read"] == len(files)
    assert document["findings"]
