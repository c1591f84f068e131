"""A review as canonical JSON: keys sorted, ASCII only, the same bytes for the same review; and two of them compared."""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum

from valhalla_lint.core.evidence import Comparison, Review

VERSION = 1
DIFFERENCES = 200
"""How many differences are named before the rest is only counted."""


def review_json(review: Review) -> str:
    """The review as text, with a line end."""
    return json.dumps(plain_review(review), indent=1, sort_keys=True, ensure_ascii=True) + "\n"


def plain_review(review: Review) -> dict[str, object]:
    """The review as a document of plain values."""
    return {"version": VERSION, **{field.name: plain(getattr(review, field.name)) for field in fields(review)}}


def comparison_json(comparison: Comparison) -> str:
    """Several reviews side by side, as text with a line end."""
    document = {
        "version": VERSION,
        **{field.name: plain(getattr(comparison, field.name)) for field in fields(comparison)},
    }
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=True) + "\n"


def plain(value: object) -> object:
    """A frozen value as JSON knows it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    match value:
        case Enum():
            return value.value
        case tuple() | list():
            return [plain(item) for item in value]
        case frozenset() | set():
            return sorted(plain(item) for item in value)  # type: ignore[type-var]  # sets here hold strings
        case _:
            return value


def differences(old: object, new: object, place: str = "") -> Iterator[str]:
    """Where two documents differ: place, old and new value, in order."""
    match old, new:
        case dict(), dict():
            for key in sorted({*old, *new}):
                inner = f"{place}.{key}" if place else str(key)
                if key not in old:
                    yield f"{inner}: is new"
                elif key not in new:
                    yield f"{inner}: is gone"
                else:
                    yield from differences(old[key], new[key], inner)
        case list(), list():
            yield from _lists(old, new, place)
        case _ if old != new:
            yield f"{place}: {_short(old)} was expected, {_short(new)} was found"


def _lists(old: list[object], new: list[object], place: str) -> Iterator[str]:
    before, after = _keys(old), _keys(new)
    if before is None or after is None:
        if old != new:
            gone, added = [item for item in old if item not in new], [item for item in new if item not in old]
            if len(old) == len(new) and len(gone) == len(added) and gone:
                for number, (one, other) in enumerate(zip(old, new, strict=True)):
                    yield from differences(one, other, f"{place}[{number}]")
                return
            yield from (f"{place}: {_short(item)} is gone" for item in gone)
            yield from (f"{place}: {_short(item)} is new" for item in added)
            if not gone and not added:
                yield f"{place}: order or number of items differs"
        return
    for key in sorted({*before, *after}):
        inner = f"{place}[{key}]"
        if key not in before:
            yield f"{inner}: is new"
        elif key not in after:
            yield f"{inner}: is gone"
        else:
            yield from differences(before[key], after[key], inner)


def _keys(items: list[object]) -> dict[str, object] | None:
    """Items by what names them (id, path, name or first element), None where that names none or not each apart."""
    found: dict[str, object] = {}
    for item in items:
        match item:
            case {"id": str() as key} | {"path": str() as key, "object_id": str()} | {"name": str() as key}:
                pass
            case [str() as key, _]:
                pass
            case _:
                return None
        if key in found:
            return None
        found[key] = item
    return found


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True, sort_keys=True)
    limit = 80
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
