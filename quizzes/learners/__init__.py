"""Accounts, learners (with or without an account) and the record of their progress."""
