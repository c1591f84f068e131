"""The pages that are made from the rules are those of the rules as they are."""

import importlib.util
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "docs" / "generate.py"


def test_pages_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    made: dict[Path, str] = generate.pages()
    present = {path: path.read_text(encoding="utf-8") for path in generate.FOLDER.glob("*.md")}
    stale = {path.name for path in {*made, *present} if made.get(path) != present.get(path)}
    assert not stale, "run `python docs/generate.py`"
