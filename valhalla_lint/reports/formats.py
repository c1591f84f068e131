"""The forms in which a run can be told, each made by a function of its own module, imported only when asked for."""

import importlib
from collections.abc import Callable, Mapping

from valhalla_lint.reports.run import Run

Report = Callable[[Run], str]

FORMATS: Mapping[str, str] = {
    "full": "text:full",
    "concise": "text:concise",
    "json": "json:report",
    "sarif": "sarif:report",
    "github": "github:report",
    "gitlab": "gitlab:report",
    "junit": "junit:report",
    "html": "html:report",
}
"""Names for `--output-format`: module of this package, and function."""


def report_of(name: str) -> Report:
    """The function that writes a format. Raises KeyError for a name that is no format."""
    module, _, function = FORMATS[name].partition(":")
    found: Report = getattr(importlib.import_module(f"valhalla_lint.reports.{module}"), function)
    return found
