"""Sessions: how they are stored and read, and those of an account."""
