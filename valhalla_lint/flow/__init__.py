"""Where values travel."""
