"""Reports and settings as plain values, and reports back from them: what a cache keeps of a file."""

import json
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from valhalla_lint.core.finding import FileReport
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Status
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.looks import MAX_NOTEBOOK_BYTES, digest

Plain = list[Any]
"""Strings, numbers and lists of them, as JSON has them."""
BESIDE = frozenset({"baseline", "cache", "cache_dir", "exclude", "fail_on", "respect_gitignore"})
"""Settings that say which files are read or what is made of their findings; no verdict on a file depends on them."""


def asked(settings: Settings) -> str:
    """A digest of all in settings that a verdict depends on."""
    stated = {name: _comparable(value) for name, value in settings._asdict().items()}
    for name in BESIDE:
        stated.pop(name, None)
    return digest(json.dumps(stated, sort_keys=True).encode())


def _comparable(value: object) -> object:
    """A value as JSON can say it, the same for equal ones in every process."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        stated = {name: _comparable(item) for name, item in value._asdict().items()}
        return [type(value).__qualname__, stated]
    if isinstance(value, Mapping):
        return [[_comparable(key), _comparable(item)] for key, item in value.items()]
    if isinstance(value, frozenset | set):
        return sorted(json.dumps(_comparable(item), sort_keys=True) for item in value)
    if isinstance(value, list | tuple):
        return [_comparable(item) for item in value]
    return value if value is None or isinstance(value, str | int | float) else repr(value)


def plain(report: FileReport) -> Plain:
    """A report as plain values."""
    found = _plain(report)
    assert isinstance(found, list)  # noqa: S101 -- as every tuple
    return found


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset):
        return sorted(_plain(item) for item in value)  # type: ignore[type-var]  # of strings
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def report_from(found: object) -> FileReport | None:
    """The report that was kept, None where this is none: a cache may hold anything."""
    try:
        match found:
            case [str(path), status, tier, [], [], [], [], []]:  # as of most files: nothing in it is to be made
                return FileReport(path, Status(status), Tier(tier))
            case _:
                pass
        report = _maker(FileReport)(found)
    except (TypeError, ValueError):
        return None
    return report if isinstance(report, FileReport) else None


@cache
def _maker(hint: object) -> Callable[[object], object]:
    """What makes a value of a type from its plain form. It raises TypeError or ValueError for any other form."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType and arguments[1:] == (type(None),):
        some = _maker(arguments[0])
        return lambda found: None if found is None else some(found)
    if origin in (tuple, frozenset):
        kind, each = origin, _maker(arguments[0])
        return lambda found: kind(map(each, _of(list, found)))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if isinstance(hint, type) and issubclass(hint, tuple):
        makers = [_maker(hint) for hint in get_type_hints(hint).values()]
        made: Callable[..., object] = hint
        return lambda found: made(*(make(item) for make, item in zip(makers, _of(list, found), strict=True)))
    if hint is int:
        return _number
    if hint in (bool, str):
        return lambda found: _of(hint, found)
    raise NotImplementedError(hint)


def _number(found: object) -> int:
    """A line, a column or a count: none is larger than a file, and whoever goes through them all comes to an end."""
    if not (type(found) is int and abs(found) <= MAX_NOTEBOOK_BYTES):
        raise TypeError(found)
    return found


def _of(kind: Any, found: object) -> Any:  # noqa: ANN401 -- whatever the kind is
    if type(found) is not kind:
        raise TypeError(found)
    return found
