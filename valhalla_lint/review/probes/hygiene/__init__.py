"""Questions about how the project is kept."""
