"""How we tell it: pure functions from findings to text."""
