"""What is true of one file, without judging it."""
