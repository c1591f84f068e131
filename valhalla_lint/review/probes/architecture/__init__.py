"""Questions about how the code is laid out."""
