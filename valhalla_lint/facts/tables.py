"""The one place where the tables of credentials (`data/*.toml`, readable by anyone) become values.

A table is read when it is first asked for, once a process.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"
NAMES = frozenset({"credential_names", "tokens", "value_words"})


@cache
def table(name: str) -> Mapping[str, Any]:
    """The table of a name in `NAMES`, such as "tokens" for `data/tokens.toml`.

    Raises KeyError for another name and tomllib.TOMLDecodeError for a broken table: both are faults of ours.
    """
    if name not in NAMES:
        raise KeyError(name)
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
