"""The `valhalla-lint` command."""
