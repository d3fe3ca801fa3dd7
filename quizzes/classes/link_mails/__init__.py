"""Personal links by mail: who gets one, what the mail says, and how a worker sends it."""
