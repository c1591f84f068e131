"""VH3: numbers, paths and hosts without a name."""
