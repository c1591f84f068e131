"""The pages that are made from the rules, and the compiled tables, are those of the rules and tables as they are."""

import importlib.util
from pathlib import Path
from types import ModuleType

from valhalla_lint.facts.tables import COMPILED

PROGRAM = Path(__file__).parents[2] / "docs" / "generate.py"


def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    return generate


def test_pages_are_up_to_date() -> None:
    generate = program()
    made: dict[Path, str] = generate.pages()
    present = {path: path.read_text(encoding="utf-8") for path in generate.FOLDER.glob("*.md")}
    stale = {path.name for path in {*made, *present} if made.get(path) != present.get(path)}
    assert not stale, "run `python docs/generate.py`"


def test_compiled_tables_are_up_to_date() -> None:
    made: dict[Path, str] = program().tables()
    present = {path: path.read_text(encoding="utf-8") for path in COMPILED.rglob("*.json")}
    stale = {path.name for path in {*made, *present} if made.get(path) != present.get(path)}
    assert not stale, "run `python docs/generate.py`"
