"""Exit statuses of the command."""

CLEAN = 0
FOUND = 1
"""Findings at or above `fail-on`."""
WRONG_USE = 2
"""A usage or configuration error."""
UNREAD = 3
"""Some input could not be read."""
INTERRUPTED = 130
"""As shells say it: 128 and the number of the signal."""
