"""Questions about what the source shows about models, memory and speed."""
