"""The one place where tables that anyone can read (`data/*.toml`) become values.

A table is read when it is first asked for, once a process.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"


@cache
def table(name: str) -> Mapping[str, Any]:
    """The table of a name, such as "tokens" for `data/tokens.toml`.

    Raises FileNotFoundError for an unknown one and tomllib.TOMLDecodeError for a broken one: both are faults of ours.
    """
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
