"""What the user wants, read from `pyproject.toml` or `valhalla-lint.toml` and from options of a host.

The nearest file upward from the file under judgement wins; `extend = "path"` builds on another. Every mistake is
gathered and told at once, with its file, its key and a suggestion.
"""

from valhalla_lint.config.configuration import Configuration
from valhalla_lint.config.files import OWN_FILE, SHARED_FILE, TABLE
from valhalla_lint.config.overrides import Overrides
from valhalla_lint.config.problems import ConfigurationError, Problem, near
from valhalla_lint.config.values import EXTENDING, KEYS

__all__ = [
    "EXTENDING",
    "KEYS",
    "OWN_FILE",
    "SHARED_FILE",
    "TABLE",
    "Configuration",
    "ConfigurationError",
    "Overrides",
    "Problem",
    "near",
]
