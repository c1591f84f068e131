"""VH1: credentials that stand in the source."""
