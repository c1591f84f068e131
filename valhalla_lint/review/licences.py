"""Which licence a text is, and what an SPDX expression says."""

import re
import tomllib
from functools import cache

from valhalla_lint.review.tables import DATA

HEADER = re.compile(r"SPDX-License-Identifier:\s*([A-Za-z0-9 .+()-]{1,120})")


@cache
def _rows() -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
    table = tomllib.loads((DATA / "review" / "licences.toml").read_text(encoding="utf-8"))
    return tuple((row["id"], tuple(row["all"]), tuple(row.get("none", ()))) for row in table["text"])


def identify(text: str) -> str:
    """The SPDX identifier of a licence text, "" where no row fits."""
    plain = re.sub(r"\s+", " ", text.lower())
    return next(
        (
            name
            for name, wanted, unwanted in _rows()
            if all(part in plain for part in wanted) and not any(part in plain for part in unwanted)
        ),
        "",
    )


def expression(text: str) -> str | None:
    """An SPDX expression in its canonical form, "" where it is none, None where license-expression is not installed."""
    try:
        from license_expression import ExpressionError, get_spdx_licensing
    except ImportError:
        return None
    licensing = get_spdx_licensing()
    try:
        parsed = licensing.parse(text, validate=True)
    except (ExpressionError, ValueError, AttributeError):
        return ""
    return str(parsed) if parsed is not None else ""
