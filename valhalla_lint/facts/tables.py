"""The one place where the tables that anyone can read (`data/**/*.toml`) become values.

A table is read when it is first asked for, once a process. Reading TOML takes a tenth of the whole time for a small
file, so `docs/generate.py` writes each table down again as JSON in `data/compiled/`, with the digest of the text that
it was made of. It is taken only where that digest is the digest of the text beside it: it can be missing or out of
date, and the answer is the same.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.looks import digest

DATA = Path(__file__).parent.parent / "data"
COMPILED = DATA / "compiled"
FOLDERS = ("", "catalogue", "locations", "numbers")
"""Where tables stand that a check needs; those of reviews are read by reviews."""
NAME = regex(r"[a-z_]+(?:/[a-z_]+)?")
"""How a table is called: its file below `data/`, without the ending."""


@cache
def table(name: str) -> Mapping[str, Any]:
    """The table of a name, such as "tokens" for `data/tokens.toml`.

    Raises ValueError for what is no name, FileNotFoundError for an unknown one and tomllib.TOMLDecodeError for a broken
    table: all are faults of ours.
    """
    if NAME.fullmatch(name) is None:
        raise ValueError(name)
    text = (DATA / f"{name}.toml").read_text(encoding="utf-8")
    made = _made(name, text)
    return parsed(text) if made is None else made


def parsed(text: str) -> dict[str, Any]:
    """What a text in TOML says. Raises tomllib.TOMLDecodeError."""
    import tomllib  # here: its patterns take as long as the tables do once they are compiled

    return tomllib.loads(text)


def names() -> tuple[str, ...]:
    """The names of all tables that are compiled, in order."""
    files = (file for folder in FOLDERS for file in (DATA / folder).glob("*.toml"))
    return tuple(sorted(file.relative_to(DATA).with_suffix("").as_posix() for file in files))


def compiled(text: str) -> str:
    """What stands in `data/compiled/` for a table's text. Raises tomllib.TOMLDecodeError and, for a date, TypeError."""
    made = {"of": digest(text.encode()), "table": parsed(text)}
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")) + "\n"


def _made(name: str, text: str) -> Mapping[str, Any] | None:
    """The compiled table, or None where there is none of this text."""
    try:
        made = json.loads((COMPILED / f"{name}.json").read_bytes())
        found = made["table"] if made["of"] == digest(text.encode()) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, dict) else None
