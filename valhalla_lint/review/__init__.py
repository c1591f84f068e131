"""Reviews of whole repositories at one commit: read from git objects, never checked out, never run."""
