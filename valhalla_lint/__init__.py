"""valhalla-lint: a source-code security linter for Python."""

__version__ = "0.1.0"
