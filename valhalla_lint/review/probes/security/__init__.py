"""Questions about what the source shows about its dangers."""
