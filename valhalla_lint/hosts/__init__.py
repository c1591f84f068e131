"""Who asks: every host translates, none decides."""
