"""The JSON schema of a review, made from the words themselves, so that the two cannot differ."""

import json
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from valhalla_lint.core.evidence import Review
from valhalla_lint.reports.review_json import VERSION

SHIPPED = Path(__file__).parent.parent / "data" / "review.schema.json"
PLAIN = {str: "string", int: "integer", bool: "boolean", float: "number", type(None): "null"}


def schema() -> dict[str, Any]:
    """The schema as a document."""
    definitions: dict[str, Any] = {}
    root = _record(Review, definitions)
    root["properties"] = {"version": {"const": VERSION}, **root["properties"]}
    root["required"] = ["version", *root["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A review by valhalla-lint",
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


def schema_text() -> str:
    """The schema as the shipped file holds it."""
    return json.dumps(schema(), indent=1, sort_keys=True) + "\n"


def _record(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    """An object with exactly the fields of a dataclass."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip().split("\n")[0],
        "properties": {name: _type(hints[name], definitions) for name in names},
        "required": names,
        "additionalProperties": False,
    }


def _type(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 -- a type as `typing` gives it
    if is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}  # taken, before its own fields ask for it
            definitions[kind.__name__] = _record(kind, definitions)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [item.value for item in kind]}
    if get_origin(kind) is tuple:
        match get_args(kind):
            case (item, last) if last is Ellipsis:
                return {"type": "array", "items": _type(item, definitions)}
            case items:
                inner = [_type(item, definitions) for item in items]
                return {"type": "array", "prefixItems": inner, "minItems": len(inner), "maxItems": len(inner)}
    if isinstance(kind, UnionType):
        return {"anyOf": [_type(item, definitions) for item in get_args(kind)]}
    return {"type": PLAIN[kind]}
