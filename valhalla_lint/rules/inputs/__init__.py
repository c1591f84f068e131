"""VH9: suppressions, and files that could not be read as a whole."""
