"""The tables of reviews, read once, and the digests of all tables of the tool."""

import fnmatch
import hashlib
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent.parent / "data"

TABLES = {name: DATA / "review" / f"{name}.toml" for name in ("distributions", "kinds", "signs")}

Fits = Callable[[str], bool]


@cache
def table(name: str) -> Mapping[str, Mapping[str, list[str]]]:
    """A table of `data/review`: sections of lists of strings by key. Raises KeyError for one that is not there."""
    found: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(TABLES[name].read_text("utf-8"))
    return found


def fits(patterns: list[str]) -> Fits:
    """Whether a path, in lower case, fits one of several shell patterns; `*` stops at no slash."""
    whole = [pattern for pattern in patterns if "/" in pattern]
    last = [pattern for pattern in patterns if "/" not in pattern]
    by_path, by_name = _compiled(whole), _compiled(last)

    def fit(path: str) -> bool:
        lower = path.lower()
        return bool(by_name.fullmatch(lower.rpartition("/")[2]) or by_path.fullmatch(lower))

    return fit


def _compiled(patterns: list[str]) -> re.Pattern[str]:
    if not patterns:
        return re.compile(r"(?!)")
    return re.compile("|".join(fnmatch.translate(pattern) for pattern in patterns))


@cache
def digests() -> tuple[tuple[str, str], ...]:
    """The SHA-256 of every table that the tool is shipped with, by name: what a review was made with."""
    return tuple(
        (path.relative_to(DATA).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest())
        for path in sorted(DATA.rglob("*.toml"))
    )
