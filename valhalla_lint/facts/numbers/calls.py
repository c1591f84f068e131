"""What calls make of the numbers that they are given by position: the table `data/numbers/calls.toml`."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from valhalla_lint.facts.tables import table


class CallMeaning(NamedTuple):
    """One row: what a number means there, and for settings what they are, how to call them and from which size on."""

    means: str
    kind: str = ""
    noun: str = ""
    least: float = 0


@cache
def call_meanings() -> Mapping[str, CallMeaning]:
    """The rows by last name. Raises ValueError where the shipped table names a call twice."""
    found: dict[str, CallMeaning] = {}
    for row in table("numbers/calls")["call"]:
        meaning = CallMeaning(row["means"], row.get("kind", ""), row.get("noun", ""), row.get("least", 0))
        for name in row["names"]:
            if name in found:
                raise ValueError(f"the table of calls names {name} twice")
            found[name] = meaning
    return found


@cache
def makers() -> frozenset[str]:
    """The last names of calls that only give their literals another type."""
    return frozenset(name for name, meaning in call_meanings().items() if meaning.means == "maker")
