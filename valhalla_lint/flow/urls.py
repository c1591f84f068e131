"""Converters of Django's URL patterns: what `path("notes/<int:number>/", views.show)` lets through to a view."""

import ast
import re

from valhalla_lint.facts import disk
from valhalla_lint.flow.labels import Kind
from valhalla_lint.flow.machine import Machine, Reached
from valhalla_lint.flow.routes import NAMES, NUMBERS

URLS = "urls.py"
MAX_UP = 3
"""Folders above a view's in which its URL patterns are looked for."""
MAX_TEXT = 400_000
"""Characters of a file with patterns that are looked at."""


def is_converted(machine: Machine, reached: Reached) -> bool:
    """Whether all URL patterns of the project that lead to a view let only numbers, UUIDs or plain words through."""
    origin, entry = reached.label.origin, reached.entry
    here = machine.main.module.source.location
    if origin.kind is not Kind.HANDLER or here is None or not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    name = origin.text
    if not name.isidentifier():
        return False
    owner = machine.main.module.scopes.class_of(entry)
    view = re.escape(owner.name if owner is not None else entry.name)
    pattern = re.compile(rf"""["']([^"'\n]*)["']\s*,\s*(?:\w+\()*(?:\w+\.)*{view}\b""")
    found: list[str] = []
    for folder in here.parents[: MAX_UP + 1]:
        try:
            text = disk.bytes_of(folder / URLS).decode("utf-8", "replace")[:MAX_TEXT]
        except OSError:
            continue
        found.extend(pattern.findall(text))
    converters = [re.search(rf"<(\w+):{re.escape(name)}>", route) for route in found]
    return bool(converters) and all(item is not None and item[1] in NUMBERS | NAMES for item in converters)
