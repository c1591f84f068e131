"""VH5: secrets that reach logs."""
