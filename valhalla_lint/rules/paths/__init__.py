"""VH2: paths that outside data decides, and files that can be torn."""
