"""The one place where the tables that anyone can read (`data/**/*.toml`) become values.

A table is read when it is first asked for, once a process.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"
NAME = re.compile(r"[a-z_]+(?:/[a-z_]+)?")
"""How a table is called: its file below `data/`, without the ending."""


@cache
def table(name: str) -> Mapping[str, Any]:
    """The table of a name, such as "tokens" for `data/tokens.toml`.

    Raises ValueError for what is no name, FileNotFoundError for an unknown one and tomllib.TOMLDecodeError for a broken
    table: all are faults of ours.
    """
    if NAME.fullmatch(name) is None:
        raise ValueError(name)
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
