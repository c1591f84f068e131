"""How Sphinx builds these pages: furo for the look, MyST for Markdown, nothing fetched from a network."""

from valhalla_lint import __version__

project = "valhalla-lint"
author = "the valhalla-lint authors"
project_copyright = "2026, the valhalla-lint authors"
release = __version__

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = f"valhalla-lint {release}"

# Some examples are no Python on purpose, and no highlighter can read those.
suppress_warnings = ["misc.highlighting_failure"]
